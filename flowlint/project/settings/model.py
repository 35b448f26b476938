"""The settings that hold for the files of a folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from flowlint.dialects.declared.declaration import System
    from flowlint.project.settings.resolving import Documents, FileIgnores, Located
    from flowlint.project.settings.stated import Stated
    from flowlint.rules.options import StatedOptions

SYSTEMS = "systems"
"""The setting that declares systems."""


@dataclass(frozen=True, slots=True)
class DeclaredSystem:
    """A system that settings declare, with the table that says so and its place among them."""

    system: System
    table: Mapping[str, object]
    index: int


@dataclass(frozen=True, slots=True)
class Settings:
    """What holds, and where it was stated.

    `codes` are the rules to report, None: all. `include` and `exclude` are None where nobody
    states any, so that walking need not look further than at names.
    """

    values: Mapping[str, Stated] = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, Stated]] = field(default_factory=dict)
    codes: frozenset[str] | None = None
    severities: Mapping[str, str] = field(default_factory=dict)
    file_ignores: tuple[FileIgnores, ...] = ()
    include: tuple[Located, ...] | None = None
    exclude: tuple[Located, ...] | None = None
    options: StatedOptions = field(default_factory=dict)
    documents: tuple[Documents, ...] = ()

    def value(self, name: str) -> object:
        """What is stated for a key, else its default."""
        stated = self.values.get(name)
        if stated is not None:
            return stated.value
        from flowlint.project.settings.keys import BY_NAME

        return BY_NAME[name].default

    def place_of(self, name: str) -> str | None:
        """Where the value of a key is stated, if it is."""
        stated = self.values.get(name)
        return None if stated is None else str(stated.origin)

    @property
    def sources(self) -> frozenset[str]:
        """The files and options that state some of this."""
        tables = (one for entries in self.tables.values() for one in entries.values())
        return frozenset(one.origin.source for one in (*self.values.values(), *tables))

    def allows(self, code: str) -> bool:
        """Whether findings of this rule are reported in files that say nothing else."""
        return self.codes is None or code in self.codes

    def ignored_in(self, path: str) -> frozenset[str]:
        """The codes of the rules that are not reported in one file."""
        if not self.file_ignores:
            return frozenset()
        path = os.path.abspath(path)
        found: frozenset[str] = frozenset()
        for ignores in self.file_ignores:
            if ignores.where.covers(path) != ignores.negated:
                found |= ignores.codes
        return found

    def document_in(self, path: str) -> str | None:
        """The system of which a file of data is said to be a flow; the last pattern counts."""
        path = os.path.abspath(path)
        fitting = (one.dialect for one in reversed(self.documents) if one.where.covers(path))
        return next(fitting, None)

    @property
    def left_alone(self) -> frozenset[str]:
        """The systems whose flows are not looked at."""
        stated = self.tables.get("dialects", {})
        return frozenset(name for name, one in stated.items() if one.value is False)

    @property
    def systems(self) -> tuple[System, ...]:
        """The systems that are declared, by their names."""
        stated = self.tables.get(SYSTEMS)
        if not stated:
            return ()
        return tuple(cast(DeclaredSystem, stated[name].value).system for name in sorted(stated))

    @property
    def versions(self) -> dict[str, str]:
        """The versions that are stated, by distribution."""
        return {name: str(one.value) for name, one in self.tables.get("versions", {}).items()}

    @property
    def leaves_out_usual(self) -> bool:
        """Whether the folders are left out that everybody leaves out: nobody says which ones."""
        return "exclude" not in self.values

    @property
    def respects_gitignore(self) -> bool:
        """Whether what git ignores is left out."""
        stated = self.values.get("respect-gitignore")
        return stated is None or bool(stated.value)

    @property
    def jobs(self) -> int | None:
        """In how many processes to work, where it is stated."""
        stated = self.values.get("jobs")
        return None if stated is None else cast(int, stated.value)

    @property
    def output_format(self) -> str | None:
        """How to show findings, where it is stated."""
        stated = self.values.get("output-format")
        return None if stated is None or stated.value == "auto" else str(stated.value)

    @property
    def cache_dir(self) -> str | None:
        """The folder of the cache, where it is stated."""
        stated = self.values.get("cache-dir")
        if stated is None:
            return None
        return os.path.normpath(os.path.join(stated.origin.base, str(stated.value)))


DEFAULTS = Settings()


def inner_path(path: str, base: str) -> str:
    """An absolute path from a folder on, with slashes; with `..` where it is not below."""
    inside = os.path.join(base, "")
    inner = path[len(inside) :] if path.startswith(inside) else os.path.relpath(path, base)
    return inner.replace(os.sep, "/")
