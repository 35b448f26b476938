"""What stands in a bundle where a secret stood: `[secret NAME]`.

A name stands for one value within a run, so that the value can be given again and goes back
everywhere. `[secret NAME json]` stands for a value that was no text.
"""

from __future__ import annotations

import re

HIDDEN = "[secret]"
"""Stands for a secret without a name; given again, it is called `secret`."""

BEGIN = "[secret"

MARKER = re.compile(r"\[secret(?: ([^\s\[\]=]+)( json)?)?\]")


def marker(name: str, *, is_text: bool = True) -> str:
    """What is written in place of the secret of this name."""
    if name == "secret" and is_text:
        return HIDDEN
    return f"{BEGIN} {name}]" if is_text else f"{BEGIN} {name} json]"


def name_in(match: re.Match[str]) -> str:
    """The name of the secret that a marker stands for."""
    return match[1] or "secret"


def is_marker(value: object) -> bool:
    """Whether a value is one marker and nothing else."""
    return type(value) is str and value.startswith(BEGIN) and MARKER.fullmatch(value) is not None


def as_name(key: str) -> str:
    """A key as the name of a secret."""
    return re.sub(r"[\s\[\]=]+", "_", key.strip())[:60] or "secret"
