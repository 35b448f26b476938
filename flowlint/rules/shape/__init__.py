"""Rules about what a definition may look like."""
