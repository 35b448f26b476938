"""JSON, read with the place of every value."""
