"""Keys and values of flowrt's definitions that are data, by the schema of definitions."""
