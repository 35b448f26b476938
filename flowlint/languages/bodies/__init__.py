"""What the bodies of functions give, as far as it is the same for every language."""
