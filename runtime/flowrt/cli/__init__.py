"""The `flowrt` command: one file per command."""
