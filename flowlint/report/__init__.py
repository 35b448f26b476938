"""How findings and graphs are shown: one file per format."""
