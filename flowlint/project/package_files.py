"""What the files of a JavaScript project say of the version of a package.

Nothing here raises for what a file holds: what cannot be read says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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
_PROTOCOLS = re.compile(r"workspace:|npm:[^@]*(?:@[^@/]+/[^@]+)?@")
"""What may stand before a range: that it is one of the workspace, or of a package by its name."""

CATALOGS = ("pnpm-workspace.yaml", ".yarnrc.yml", MANIFEST)
"""Files of a workspace that may state what its packages ask for, under names of their own."""

_CATALOG = "catalog:"
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
    return [clauses for asked in _asked(_json(data), name) if (clauses := _range(asked))]


def catalogs_named(data: bytes, name: str) -> list[str]:
    """The catalogs of its workspace in which a manifest looks up what it asks for of a package."""
    asked = _asked(_json(data), name)
    return [text.removeprefix(_CATALOG) for text in asked if text.startswith(_CATALOG)]


def catalogued(file: str, data: bytes, catalog: str, name: str) -> list[str]:
    """What a catalog in a file of a workspace says of a package."""
    stated = _json(data) if file == MANIFEST else _yaml(data)
    found: list[str] = []
    for holder in (stated, _table(stated.get("workspaces"))):
        named = _table(holder.get("catalogs"))
        listed = named.get(catalog) if catalog else named.get("default")
        if catalog in ("", "default"):
            listed = holder.get("catalog") or listed
        asked = _table(listed).get(name)
        found += [clauses] if isinstance(asked, str) and (clauses := _range(asked)) else []
    return found


def _asked(manifest: Mapping[str, object], name: str) -> Iterator[str]:
    for section in _SECTIONS:
        asked = _table(manifest.get(section)).get(name)
        if isinstance(asked, str):
            yield asked


def _json(data: bytes) -> Mapping[str, object]:
    import json

    try:
        return _table(json.loads(data))
    except (ValueError, RecursionError):
        return {}


def _yaml(data: bytes) -> Mapping[str, object]:
    import yaml

    try:
        return _table(yaml.safe_load(data))
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _range(asked: str) -> str:
    """A range with all its alternatives, empty for what is none."""
    text = _PROTOCOLS.sub("", asked, count=1) if ":" in asked else asked
    if text != asked and not text.strip(" ^~*"):
        # The package is a part of the workspace: it need not be what was last released.
        return ""
    return "||".join(_clauses(part) for part in text.split("||"))


def _clauses(text: str) -> str:
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
