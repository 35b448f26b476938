"""Rules about what happens when something fails."""
