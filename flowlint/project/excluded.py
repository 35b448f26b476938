"""Folders that nobody means when they name a folder around them."""

from __future__ import annotations

EXCLUDED = frozenset(
    {
        ".bzr",
        ".direnv",
        ".eggs",
        ".flowlint_cache",
        ".git",
        ".hg",
        ".hypothesis",
        ".import_linter_cache",
        ".ipynb_checkpoints",
        ".mypy_cache",
        ".nox",
        ".pants.d",
        ".pyenv",
        ".pytest_cache",
        ".pytype",
        ".ruff_cache",
        ".svn",
        ".tox",
        ".venv",
        "__pycache__",
        "__pypackages__",
        "_build",
        "buck-out",
        "build",
        "dist",
        "node_modules",
        "site-packages",
        "venv",
    }
)
"""Folders of these names are not walked into; they are when they are named themselves."""
