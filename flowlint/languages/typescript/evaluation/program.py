"""The modules of a project: found by specifier, parsed once, evaluated on demand."""

from __future__ import annotations

import os

from flowlint.languages.typescript.evaluation.outline import Outline, outline_of
from flowlint.languages.typescript.evaluation.scopes import ModuleScope
from flowlint.languages.typescript.reading.module import is_made_by_program
from flowlint.languages.typescript.reading.parsing import parse_cached
from flowlint.languages.typescript.reading.paths import Paths
from flowlint.source import Files


class Program:
    """The modules that one evaluation has met.

    Files are named as the user named the first one: relative to the working folder or absolute.
    """

    def __init__(self, files: Files, root: str, *, relative: bool) -> None:
        self.files = files
        self.paths = Paths(files, os.path.abspath(root))
        self.modules: dict[str, ModuleScope] = {}
        self._base = os.getcwd() if relative else None

    def load(self, path: str) -> ModuleScope | None:
        """The module in a file; None when it cannot be read, or nobody wrote it by hand."""
        key = os.path.abspath(path)
        if key in self.modules:
            return self.modules[key]
        try:
            data = self.files.read(path)
        except OSError:
            return None
        if is_made_by_program(path, data):
            return None
        name = os.path.basename(path).split(".", 1)[0]
        scope = ModuleScope(name, path, parse_cached(path, data))
        self.modules[key] = scope
        return scope

    def find(self, specifier: str, importer: ModuleScope) -> str | None:
        """The file of the project that a specifier means, None when it is outside of it."""
        found = self.paths.file_of(specifier, importer.folder)
        if found is None or self._base is None:
            return found
        return os.path.relpath(found, self._base)

    def outline(self, module: ModuleScope) -> Outline:
        """What the top of a module declares, imports and exports."""
        if module.outline is None:
            module.outline = outline_of(module.parsed)
        return module.outline
