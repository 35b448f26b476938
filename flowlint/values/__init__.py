"""Values: what a language hands to a dialect."""
