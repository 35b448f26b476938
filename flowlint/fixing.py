"""Files with their fixes applied."""
