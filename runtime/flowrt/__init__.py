"""The reference runtime for flows. Nothing is here yet."""
