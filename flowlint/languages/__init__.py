"""The languages that flows are written in."""
