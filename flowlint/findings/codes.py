"""Codes of findings that are handled unlike others."""

INTERNAL_ERROR = "FL906"
"""A fault of flowlint itself: never silenced, never ignored, and never kept in the cache."""
