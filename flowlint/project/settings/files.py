"""Which files hold settings. All that a run without any needs to know of them."""

from __future__ import annotations

PYPROJECT = "pyproject.toml"
FILES = (".flowlint.toml", "flowlint.toml", PYPROJECT)
"""The files that may hold settings; the first of a folder that states some counts."""


class SettingsError(ValueError):
    """Settings that cannot be followed; the message names the place and the cure."""
