"""What a project states about how it is to be checked."""
