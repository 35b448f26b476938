"""Objects that a module exports as its default, where a system takes them for its own."""

from __future__ import annotations

from flowlint.languages.typescript.evaluation import imports
from flowlint.languages.typescript.evaluation.assigning import name_value
from flowlint.languages.typescript.evaluation.calling import declare
from flowlint.languages.typescript.evaluation.machine import Machine
from flowlint.languages.typescript.evaluation.scopes import ModuleScope
from flowlint.languages.typescript.reading.module import Place
from flowlint.values.model import Mapped


def _is_meant(name: str, path: str, text: bytes) -> bool:
    """Whether a file has such a name, as `*.flow.ts`, or imports such a module."""
    if name.startswith("*"):
        return path.endswith(name[1:])
    # However it is imported, the module is named in quotes.
    return b'"%s"' % name.encode() in text or b"'%s'" % name.encode() in text


def follow_default(machine: Machine, module: ModuleScope) -> None:
    """Follow what a module exports by default, where it imports what such objects are made with
    or is called as files of such objects are."""
    outline = machine.program.outline(module)
    if outline.default is None and outline.assigned is None:
        return
    text = module.parsed.text.data
    for model in machine.models.types:
        if any(_is_meant(name, module.path, text) for name in model.exported):
            value = imports.exported(machine, module, "default", Place(module.parsed, 0, 0))
            if isinstance(value, Mapped):
                name_value(machine, declare(machine, model, value), "default")
