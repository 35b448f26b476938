"""What unquoted words in YAML mean to flowrt: the core schema of YAML 1.2.

There `on`, `yes` and `12:30` are texts, as people who write flows mean them to be.
"""

from __future__ import annotations

import re

_INT = re.compile(r"[-+]?[0-9]+\Z")
_OCTAL = re.compile(r"0o[0-7]+\Z")
_HEX = re.compile(r"0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_PREFIX = "tag:yaml.org,2002:"
_TYPES: dict[str, type | tuple[type, ...]] = {
    "int": int,
    "float": (int, float),
    "bool": bool,
    "null": type(None),
}
_MAX_DIGITS = 4_000


def plain_scalar(text: str) -> str | int | float | bool | None:
    """The value of an unquoted word."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) < _MAX_DIGITS:
        if _INT.match(text):
            return int(text)
        if _OCTAL.match(text) or _HEX.match(text):
            return int(text, 0)
        if _FLOAT.match(text):
            return float(text)
    return text


def tagged_scalar(
    tag: str, implicit: str, text: str, style: str | None
) -> str | int | float | bool | None:
    """The value of a scalar as YAML's composer gives it. Raises ValueError for a foreign tag.

    `implicit` is the tag that the composer gives the same text unquoted and untagged.
    """
    if style in ("'", '"', "|", ">"):
        if tag == f"{_PREFIX}str":
            return text
    elif tag == implicit:
        return plain_scalar(text)
    kind = tag.removeprefix(_PREFIX)
    if kind == "str":
        return text
    value = plain_scalar(text)
    if (
        kind in _TYPES
        and isinstance(value, _TYPES[kind])
        and isinstance(value, bool) <= (kind == "bool")
    ):
        return value
    raise ValueError(f"the tag `{tag}` means nothing here")


def is_container(tag: str) -> bool:
    """Whether a list or mapping of this tag is a plain one."""
    return tag in (f"{_PREFIX}seq", f"{_PREFIX}map")
