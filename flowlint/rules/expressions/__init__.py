"""Rules about the expressions that flows are written with."""
