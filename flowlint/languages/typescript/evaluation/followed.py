"""What code is called that has to do with flows: packages, names that are imported from them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flowlint.values.following import Models, TypeModel


@dataclass(frozen=True, slots=True)
class Followed:
    """What the names of followed types tell. `systems` are the packages that they are from."""

    systems: frozenset[str]
    names: frozenset[str]
    """The last parts of their names."""
    declaring: dict[str, TypeModel]
    """The types by the names of types that declare them."""
    building: dict[str, frozenset[bytes]]
    """What code names that makes what is followed, by packages."""
    imports: re.Pattern[bytes]
    """One of the packages in quotes, as imports name it."""


_known: list[tuple[Models, Followed]] = []


def followed(models: Models) -> Followed:
    """What the names of followed types tell, worked out once for the same models."""
    for known, found in _known:
        if known is models:
            return found
    found = _followed(models)
    _known[:] = [(models, found), *_known[:3]]
    return found


def _followed(models: Models) -> Followed:
    systems = frozenset(package_of(name) for name in models.type_of)
    packages = "|".join(sorted(map(re.escape, systems))) or "(?!)"
    return Followed(
        systems,
        frozenset(name.rsplit(".", 1)[-1] for name in models.type_of),
        {name: model for model in models.types for name in model.annotates},
        _building(models),
        re.compile(rf"[\"'](?:{packages})[/\"']".encode()),
    )


def package_of(qualified: str) -> str:
    """The package that a qualified name begins with: `@a/b` of `@a/b/c.name`."""
    parts = qualified.split("/")
    if qualified.startswith("@"):
        return "/".join((parts[0], parts[1].split(".", 1)[0])) if len(parts) > 1 else qualified
    return parts[0].split(".", 1)[0]


def _building(models: Models) -> dict[str, frozenset[bytes]]:
    """What names in code make what is followed, or declare it, by the packages they are from."""
    found: dict[str, set[bytes]] = {}
    told = [name for model in models.types for name in model.annotates]
    for qualified in (*models.type_of, *told):
        found.setdefault(package_of(qualified), set()).add(_imported_name(qualified).encode())
    return {package: frozenset(names) for package, names in found.items()}


def _imported_name(qualified: str) -> str:
    """The name that is imported for a qualified one: `B` of `@a/b/c.js.B.make`."""
    if "/" not in qualified:
        return qualified.rsplit(".", 1)[-1]
    parts = qualified.rsplit("/", 1)[-1].split(".")[1:]
    return next((part for part in parts if part not in ("js", "mjs", "cjs", "ts")), qualified)
