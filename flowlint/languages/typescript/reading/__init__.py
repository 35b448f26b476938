"""Texts of TypeScript and JavaScript: their trees, places and faults."""
