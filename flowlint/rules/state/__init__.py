"""Rules about the state that nodes share."""
