"""What is told of all that was found: by settings, and by what authors silence."""
