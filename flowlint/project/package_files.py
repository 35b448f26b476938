"""What the files of a JavaScript project say of the version of a package.

Nothing here raises for what a file holds: what cannot be read says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

MANIFEST = "package.json"

_ENTRY: Final = {
    "package-lock.json": r'"(?:node_modules/)?{name}":\s*\{{\s*"version":\s*"([^"]+)"',
    "npm-shrinkwrap.json": r'"(?:node_modules/)?{name}":\s*\{{\s*"version":\s*"([^"]+)"',
    "pnpm-lock.yaml": r"^\s+['\"]?/?{name}[@/](\d[^\s:('\"]*)",
    "yarn.lock": r"^\"?{name}@[^\n]*:\s*\n\s+version:?\s+\"?([^\"\s]+)",
    "bun.lock": r'^\s*"{name}":\s*\["{name}@([^"]+)"',
}
"""Where a lock states the version of a package, as a pattern of its text."""

LOCKS = tuple(_ENTRY)
"""Files that hold the version that is installed."""

_SECTIONS = (
    "dependencies",
    "devDependencies",
    "peerDependencies",
    "optionalDependencies",
    "resolutions",
    "overrides",
)
_HYPHEN = re.compile(r"(\S+)\s+-\s+(\S+)\Z")
_SPACED = re.compile(r"([<>=~^]+)\s+")
_NUMBERS = re.compile(r"[=v]?(\d+(?:\.\d+)*)\Z")
_WILD = re.compile(r"(\d+(?:\.\d+)?)(?:\.[xX*])+\Z")
_PARTS = 3


def locked(file: str, data: bytes, name: str) -> list[str]:
    """The versions of a package that a lock file holds."""
    pattern = _ENTRY[file].format(name=re.escape(name)).encode()
    found = re.findall(pattern, data, re.MULTILINE)
    return [version.decode("utf-8", "replace") for version in found]


def required(data: bytes, name: str) -> list[str]:
    """What a manifest asks for of a package, each in the form in which Python projects write it."""
    import json

    try:
        manifest = json.loads(data)
    except (ValueError, RecursionError):
        return []
    return list(_asked(manifest, name)) if isinstance(manifest, dict) else []


def _asked(manifest: dict[str, object], name: str) -> Iterator[str]:
    for section in _SECTIONS:
        stated = manifest.get(section)
        asked = stated.get(name) if isinstance(stated, dict) else None
        if isinstance(asked, str):
            alternatives = [_clauses(part) for part in asked.split("||")]
            if all(part is not None for part in alternatives):
                yield "||".join(part for part in alternatives if part is not None)


def _clauses(text: str) -> str | None:
    """A range such as `>=1 <2`, `1.x` or `1.2 - 2` with commas between what has to hold."""
    text = text.strip()
    if text in ("", "*", "x", "latest"):
        return "*"
    hyphen = _HYPHEN.match(text)
    if hyphen is not None:
        return f">={hyphen[1]},<={hyphen[2]}"
    clauses = [_clause(part) for part in _SPACED.sub(r"\1", text).split()]
    return ",".join(clauses)


def _clause(text: str) -> str:
    wild = _WILD.match(text)
    if wild is not None:
        return f"{wild[1]}.*"
    plain = _NUMBERS.match(text)
    if plain is not None and plain[1].count(".") < _PARTS - 1:
        return f"{plain[1]}.*"
    return text
