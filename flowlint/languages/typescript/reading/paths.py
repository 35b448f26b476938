"""Which file an import means, as Node and TypeScript look for it."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass

from flowlint.source import Files

ENDINGS = (".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".json")
"""What is tried behind a specifier, in this order."""

MEANT = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
"""Which files an ending stands for before they are compiled."""

MAX_ANCESTORS = 24
"""Folders above a file in which settings of TypeScript are looked for."""

_COMMENTS = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Aliases:
    """What a `tsconfig.json` says of specifiers: the folder of its base, and patterns."""

    base: str | None = None
    patterns: tuple[tuple[str, tuple[str, ...]], ...] = ()
    folder: str = ""


class Paths:
    """Finds the files of a project by the specifiers that imports have."""

    def __init__(self, files: Files, root: str) -> None:
        self._files = files
        self._root = root
        self._found: dict[tuple[str, str], str | None] = {}
        self._aliases: dict[str, Aliases] = {}

    def file_of(self, specifier: str, folder: str) -> str | None:
        """The file that a specifier means in a module of this folder; None: none of the project."""
        key = (folder, specifier)
        if key not in self._found:
            self._found[key] = self._search(specifier, folder)
        return self._found[key]

    def _search(self, specifier: str, folder: str) -> str | None:
        if specifier.startswith(("./", "../", "/")) or specifier in (".", ".."):
            return self._file(os.path.normpath(os.path.join(folder, specifier)))
        if not specifier or specifier.startswith("node:"):
            return None
        aliases = self._aliases_of(folder)
        for pattern, targets in aliases.patterns:
            inner = _matched(pattern, specifier)
            if inner is None:
                continue
            for target in targets:
                start = aliases.base or aliases.folder
                place = os.path.join(start, target.replace("*", inner, 1))
                found = self._file(os.path.normpath(place))
                if found is not None:
                    return found
        if aliases.base is not None:
            return self._file(os.path.normpath(os.path.join(aliases.base, specifier)))
        return None

    def _file(self, stem: str) -> str | None:
        """The file at a path: as it is written, as it is before compiling, or with an ending."""
        files = self._files
        base, ending = os.path.splitext(stem)
        for meant in MEANT.get(ending, ()):
            if files.is_file(base + meant):
                return base + meant
        if ending in ENDINGS and files.is_file(stem):
            return stem
        for other in ENDINGS:
            if files.is_file(stem + other):
                return stem + other
        if files.is_dir(stem):
            for other in ENDINGS:
                index = os.path.join(stem, "index" + other)
                if files.is_file(index):
                    return index
        return None

    def _aliases_of(self, folder: str) -> Aliases:
        if folder in self._aliases:
            return self._aliases[folder]
        found = Aliases()
        current = folder
        for _ in range(MAX_ANCESTORS):
            names = ("tsconfig.json", "jsconfig.json")
            paths = (os.path.join(current, name) for name in names)
            path = next((path for path in paths if self._files.is_file(path)), None)
            if path is not None:
                found = self._read(path, 0)
                break
            parent = os.path.dirname(current)
            if current in (self._root, parent):
                break
            current = parent
        self._aliases[folder] = found
        return found

    def _read(self, path: str, depth: int) -> Aliases:
        """The aliases of a file of settings, or of the one that it extends."""
        try:
            text = self._files.read(path).decode("utf-8-sig", "replace")
            said = json.loads(_TRAILING.sub(_kept, _COMMENTS.sub(_kept, text)))
        except (OSError, ValueError, RecursionError):
            return Aliases()
        folder = os.path.dirname(path)
        options = said.get("compilerOptions") if isinstance(said, dict) else None
        options = options if isinstance(options, dict) else {}
        paths, base = options.get("paths"), options.get("baseUrl")
        if not isinstance(paths, dict) and not isinstance(base, str):
            more = said.get("extends") if isinstance(said, dict) else None
            if isinstance(more, str) and more.startswith(".") and depth < 4:
                other = os.path.normpath(os.path.join(folder, more))
                other = other if other.endswith(".json") else f"{other}.json"
                if self._files.is_file(other):
                    return self._read(other, depth + 1)
            return Aliases()
        patterns = tuple(
            (pattern, tuple(t for t in targets if isinstance(t, str)))
            for pattern, targets in (paths.items() if isinstance(paths, dict) else ())
            if isinstance(targets, list)
        )
        start = os.path.normpath(os.path.join(folder, base)) if isinstance(base, str) else None
        return Aliases(start, patterns, folder)


def _kept(match: re.Match[str]) -> str:
    """A text between quotes as it is, and nothing for what is a comment or too much."""
    return match.group(1) or ""


def _matched(pattern: str, specifier: str) -> str | None:
    """What the star of a pattern stands for, None where the pattern does not fit."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if pattern == specifier else None
    if specifier.startswith(before) and specifier.endswith(after):
        if len(specifier) >= len(before) + len(after):
            return specifier[len(before) : len(specifier) - len(after)]
    return None
