"""The systems: one file or folder each, from values to graphs."""
