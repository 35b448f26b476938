"""The kinds of nodes there are: one file each, found through the registry."""
