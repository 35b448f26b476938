"""A forward abstract interpreter for Python: follows what a program builds, without running it."""
