"""The modules that plugins name, and why some of them are left out."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from types import ModuleType

from flowlint.plugins.installed import RULES
from flowlint.plugins.model import Plugin

_LONGEST = 200


class RefusedError(ValueError):
    """A plugin that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A plugin that is left out, and why."""

    plugin: Plugin
    reason: str

    def __str__(self) -> str:
        what = "rules" if self.plugin.group == RULES else "dialect"
        who = f"the {what} `{self.plugin.name}` of {self.plugin.origin}"
        return f"{who} cannot be used: {self.reason}"


def imported(plugin: Plugin) -> ModuleType:
    """The module that a plugin names. Raises RefusedError."""
    if ":" in plugin.module:
        module = plugin.module.partition(":")[0]
        raise RefusedError(f"its entry point has to name a module: `{module}`")
    return import_module(plugin.module)


def import_module(name: str) -> ModuleType:
    """A module of a plugin. Raises RefusedError."""
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        raise RefusedError(f"importing `{name}` failed with {reason_of(error)}") from error


def reason_of(error: BaseException) -> str:
    """An error of somebody else's code on one line."""
    text = " ".join(str(error).split())
    name = type(error).__name__
    return f"{name}: {text[:_LONGEST]}" if text else name
