"""What is said about the check itself."""
