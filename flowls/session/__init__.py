"""What is open, what is known of it, and what that rests on. Nothing here knows the protocol."""
