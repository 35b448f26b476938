"""The version that is installed."""

from __future__ import annotations


def version() -> str:
    """As the distribution states it."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("flowls")
    except PackageNotFoundError:
        return "0"
