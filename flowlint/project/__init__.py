"""Which files there are, what they hold, and how work on them is spread."""
