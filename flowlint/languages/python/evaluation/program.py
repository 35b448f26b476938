"""The modules of a project: found by import name, parsed once, evaluated on demand."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.languages.python.evaluation.scopes import ModuleScope
from flowlint.languages.python.reading import ParsedModule, parse_module
from flowlint.languages.python.reading.rereading import reread
from flowlint.languages.python.reading.reuse import reuse
from flowlint.source import Files

MAX_ANCESTORS = 24
"""Folders above a file that are tried as the place where imports start."""


MAX_REMEMBERED = 48
"""Files whose trees are kept when nobody needs them just now."""

_remembered: dict[str, tuple[bytes, ParsedModule]] = {}


def parse_cached(path: str, data: bytes) -> ParsedModule:
    """Parse a file, or remember it from shortly before: whole, or in its unchanged parts."""
    former = _remembered.pop(path, None)
    if former is not None and former[0] == data:
        parsed = former[1]
    else:
        again = reread(former[1], path, data) if former is not None else None
        parsed = again or parse_module(path, data)
        if former is not None and again is None:
            reuse(former[1], parsed)
        elif former is None and len(_remembered) >= MAX_REMEMBERED:
            del _remembered[next(iter(_remembered))]
    _remembered[path] = data, parsed
    return parsed


@dataclass(frozen=True, slots=True)
class Known:
    """What an evaluation knows of the project: the modules it read, and where imports lead."""

    modules: dict[str, ParsedModule]
    found: dict[tuple[str, str], str | None]
    speaks: dict[tuple[str, bytes], bool]

    def is_but_for(self, path: str, other: Known) -> bool:
        """Whether the other knows the same, whatever is now written in one file."""
        return (
            self.found == other.found
            and self.speaks == other.speaks
            and self.modules.keys() == other.modules.keys()
            and all(
                parsed is other.modules[key] or parsed.path == path
                for key, parsed in self.modules.items()
            )
        )


class Program:
    """The modules that one evaluation has met.

    Files are named as the user named the first one: relative to the working folder or absolute.
    """

    def __init__(self, files: Files, root: str, *, relative: bool) -> None:
        self.files = files
        self.root = os.path.abspath(root)
        self.modules: dict[str, ModuleScope] = {}
        self._base = os.getcwd() if relative else None
        self._found: dict[tuple[str, str], str | None] = {}
        self._begins: dict[tuple[str, str], bool] = {}
        """Whether something of a name is in a folder."""
        self._places: dict[str, list[str]] = {}
        """The folders in which an absolute import may begin, by the folder of who imports."""
        self._speaks: dict[tuple[str, bytes], bool] = {}
        self.asked = 0
        """How often something was asked of the project that was not known."""
        self._known: tuple[int, Known] | None = None

    def known(self) -> Known:
        """What is known so far; the same object as long as nothing more is asked."""
        if self._known is None or self._known[0] != self.asked:
            modules = {path: scope.parsed for path, scope in self.modules.items()}
            self._known = self.asked, Known(modules, dict(self._found), dict(self._speaks))
        return self._known[1]

    def load(self, path: str, qualified: str | None = None) -> ModuleScope | None:
        """The module in a file, None when the file cannot be read.

        `qualified` is the name it was imported by, which also tells packages without an
        `__init__.py` apart.
        """
        key = os.path.abspath(path)
        if key in self.modules:
            return self.modules[key]
        self.asked += 1
        try:
            data = self.files.read(path)
        except OSError:
            return None
        scope = ModuleScope(qualified or self.qualified_name(key), path, parse_cached(path, data))
        self.modules[key] = scope
        return scope

    def qualified_name(self, path: str) -> str:
        """The dotted name of a file's module, from the outermost folder that is a package."""
        folder, name = os.path.split(path)
        parts = [] if name == "__init__.py" else [name.rsplit(".", 1)[0]]
        while self.files.is_file(os.path.join(folder, "__init__.py")):
            parent, package = os.path.split(folder)
            if parent == folder:
                break
            parts.insert(0, package)
            folder = parent
        return ".".join(parts)

    def find(self, name: str, importer: ModuleScope, level: int = 0) -> ModuleScope | None:
        """The module of the project that an import means, None when it is outside of it."""
        path = self._path_of(name, importer, level)
        if level and path is not None:
            name = ".".join(part for part in (_parent(importer, level), name) if part)
        return self._load_found(path, name)

    def has(self, name: str, importer: ModuleScope, level: int = 0) -> bool:
        """Whether an import means a module of the project; it is not read."""
        return self._path_of(name, importer, level) is not None

    def speaks_of(
        self, word: bytes, name: str, importer: ModuleScope, level: int = 0
    ) -> bool | None:
        """Whether the file of the module that an import means has a word in it; it is not parsed.

        None for modules outside of the project.
        """
        path = self._path_of(name, importer, level)
        if path is None:
            return None
        if (path, word) not in self._speaks:
            self.asked += 1
            try:
                found = word in self.files.read(self._shown(path))
            except OSError:
                found = False
            self._speaks[path, word] = found
        return self._speaks[path, word]

    def _path_of(self, name: str, importer: ModuleScope, level: int) -> str | None:
        """The file of the module that an import means."""
        folder = importer.folder
        key = (folder, "." * level + name)
        if key not in self._found:
            self.asked += 1
            if level:
                for _ in range(level - 1):
                    folder = os.path.dirname(folder)
                found = self._file(folder, name) if name else self._package(folder)
            else:
                found = self._search(name, folder)
            self._found[key] = found
        return self._found[key]

    def submodule(self, package: ModuleScope, name: str) -> ModuleScope | None:
        """A module inside a package, by its name."""
        if not package.is_package:
            return None
        self.asked += 1
        return self._load_found(self._file(package.folder, name), f"{package.qualified}.{name}")

    def _load_found(self, path: str | None, qualified: str) -> ModuleScope | None:
        if path is None:
            return None
        return self.modules.get(path) or self.load(self._shown(path), qualified)

    def _shown(self, path: str) -> str:
        """A file as the user would name it."""
        return os.path.relpath(path, self._base) if self._base else path

    def _search(self, name: str, folder: str) -> str | None:
        first = name.split(".", 1)[0]
        places = self._places.get(folder)
        if places is None:
            places = self._places[folder] = list(self._starts(folder))
        for start in places:
            key = (start, first)
            if key not in self._begins:
                stem = os.path.join(start, first)
                is_there = self.files.is_dir(stem) or self.files.is_file(stem + ".py")
                self._begins[key] = is_there
            found = self._file(start, name) if self._begins[key] else None
            if found:
                return found
        return None

    def _starts(self, folder: str) -> Iterator[str]:
        """Folders in which an absolute import may begin, the nearest first."""
        for _ in range(MAX_ANCESTORS):
            yield folder
            inner = os.path.join(folder, "src")
            if self.files.is_dir(inner):
                yield inner
            parent = os.path.dirname(folder)
            if folder in (self.root, parent):
                return
            folder = parent

    def _file(self, start: str, name: str) -> str | None:
        """The file of a module; a package goes before a module of its name, as in Python."""
        stem = os.path.join(start, *name.split("."))
        package = self._package(stem)
        if package is None and self.files.is_file(stem + ".py"):
            return stem + ".py"
        return package

    def _package(self, stem: str) -> str | None:
        path = os.path.join(stem, "__init__.py")
        return path if self.files.is_file(path) else None


def _parent(importer: ModuleScope, level: int) -> str:
    """The package that a relative import starts from."""
    parts = importer.qualified.split(".")
    drop = level - 1 if importer.is_package else level
    return ".".join(parts[: len(parts) - drop]) if drop < len(parts) else ""


def bound_names(statement: ast.stmt) -> Iterator[str]:
    """The names that a top-level statement binds, also inside of compound statements."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Import):
        for alias in statement.names:
            yield alias.asname or alias.name.split(".", 1)[0]
    elif isinstance(statement, ast.ImportFrom):
        for alias in statement.names:
            yield alias.asname or alias.name
    elif isinstance(statement, ast.Assign):
        for target in statement.targets:
            yield from _target_names(target)
    elif isinstance(statement, ast.AnnAssign | ast.AugAssign):
        yield from _target_names(statement.target)
    else:
        yield from _inner_names(statement)


def _inner_names(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.For | ast.AsyncFor):
        yield from _target_names(statement.target)
    if isinstance(statement, ast.With | ast.AsyncWith):
        for item in statement.items:
            if item.optional_vars is not None:
                yield from _target_names(item.optional_vars)
    for field in ("body", "orelse", "finalbody"):
        for inner in getattr(statement, field, ()):
            if isinstance(inner, ast.stmt):
                yield from bound_names(inner)
    for handler in getattr(statement, "handlers", ()):
        for inner in handler.body:
            yield from bound_names(inner)
    for case in getattr(statement, "cases", ()):
        for inner in case.body:
            yield from bound_names(inner)


def _target_names(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            yield from _target_names(element)
    elif isinstance(target, ast.Starred):
        yield from _target_names(target.value)
