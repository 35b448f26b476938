"""The open registry of node kinds, actions and named callables.

A flow written as data names what it runs; this is where the names are looked up. Anybody may
add entries; each publishes a schema of its config.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from flowlint.graph.reference import is_foreign
from flowrt.engine.context import Kind
from flowrt.errors import FlowError

BUILT_IN_KINDS = {
    "step": "basic",
    "gate": "basic",
    "loop": "basic",
    "compute": "basic",
    "start": "basic",
    "end": "basic",
    "action": "action",
    "shell": "shell",
    "checkpoint": "checkpoint",
    "subflow": "subflow",
    "wait": "wait",
    "ask": "ask",
    "decision": "decision",
    "agent": "agent",
    "repeat": "repeat",
    "parallel": "parallel",
    "attempt": "attempt",
}
"""Module of `flowrt.nodes` by kind: imported when a flow first uses it."""

_KINDS: dict[str, Kind] = {}
_CALLABLES: dict[str, Callable[..., Any]] = {}


def register_kind(kind: Kind) -> Kind:
    """Add a node kind, whose name has a dot: `acme.translate`.

    By the dot flowlint tells kinds that it cannot know from slips of the pen. Raises FlowError
    for a name without one, and when another kind of that name is there.
    """
    if kind.name not in BUILT_IN_KINDS and not is_foreign(kind.name):
        raise FlowError(
            f"the node kind `{kind.name}` needs a dot in its name, such as `acme.{kind.name}`"
        )
    known = _KINDS.get(kind.name)
    if known is not None and known is not kind:
        raise FlowError(f"the node kind `{kind.name}` is registered already")
    _KINDS[kind.name] = kind
    return kind


def find_kind(name: str) -> Kind | None:
    """The node kind of a name, None when there is none."""
    if name not in _KINDS and name in BUILT_IN_KINDS:
        import_module(f"flowrt.nodes.{BUILT_IN_KINDS[name]}")
    return _KINDS.get(name)


def all_kinds() -> Iterator[Kind]:
    """Every node kind, by name."""
    for name in sorted({*BUILT_IN_KINDS, *_KINDS}):
        kind = find_kind(name)
        if kind is not None:
            yield kind


def register_callable(name: str, function: Callable[..., Any] | None = None) -> Any:
    """Give a function a name that definitions can use; also as a decorator.

    Raises FlowError when the name is taken by another function.
    """

    def add(target: Callable[..., Any]) -> Callable[..., Any]:
        if _CALLABLES.setdefault(name, target) is not target:
            raise FlowError(f"the callable `{name}` is registered already")
        return target

    return add(function) if function is not None else add


def find_callable(name: str) -> Callable[..., Any] | None:
    """The function registered under a name, None when there is none."""
    return _CALLABLES.get(name)


def callable_names() -> tuple[str, ...]:
    """The names of all registered functions."""
    return tuple(_CALLABLES)


def name_of_callable(function: Callable[..., Any]) -> str | None:
    """The name that a function is registered under, None when it is not."""
    return next((name for name, known in _CALLABLES.items() if known == function), None)
