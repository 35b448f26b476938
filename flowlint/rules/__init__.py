"""What can be wrong with a flow: one rule, one file, in the folder of its category."""
