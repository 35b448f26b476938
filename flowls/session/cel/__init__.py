"""Conditions in CEL inside the texts of other languages."""
