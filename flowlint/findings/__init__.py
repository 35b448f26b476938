"""What rules report, and how authors silence it."""
