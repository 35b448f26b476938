"""The regions of a run, known from the scopes that its events name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from flowrt.cli.words import clean
from flowrt.stores.base import Event

_LAST = re.compile(r"/(?P<node>[^/]*)#(?P<visit>\d+):(?P<label>[^/]*)\Z", re.DOTALL)
_LABEL = re.compile(
    r"(?P<kind>[a-z][a-z-]*)(?:\.(?P<name>.*?))?(?:\[(?P<number>\d+)\])?\Z", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Scope:
    """A region that was entered: a loop body, a branch, something tried, another flow.

    `outer` is the scope around it; `depth` counts from 1.
    """

    path: str
    outer: str
    parent: str
    visit: int
    kind: str
    name: str | None
    iteration: int | None
    depth: int

    def told(self) -> str:
        """The region in words: kind, name, which try or iteration, and the node it belongs to."""
        text = self.kind
        if self.kind == "try" and self.iteration is not None:
            text += f" {self.iteration}"
        if self.name:
            text += f" `{clean(self.name)}`"
        text += f" of {clean(self.parent)}"
        if self.visit > 1:
            text += f" (visit {self.visit})"
        if self.iteration is None or self.kind in ("try", "parallel-branch"):
            return text
        return f"{text}, iteration {self.iteration}"


class Scopes:
    """Finds the region that a scope names, and those around it."""

    def __init__(self) -> None:
        self._known: dict[str, Scope | None] = {"": None}

    def learn(self, event: Event) -> None:
        """Take over what the beginning of a region says about it."""
        if event.scope not in self._known:
            self._known[event.scope] = self._made(event.scope, event.data)

    def of(self, path: str) -> Scope | None:
        """The region of a scope; None for the flow itself."""
        if path not in self._known:
            self._known[path] = self._made(path, {})
        return self._known[path]

    def chain(self, path: str) -> list[Scope]:
        """The region of a scope and all around it, the outermost first."""
        found: list[Scope] = []
        scope = self.of(path)
        while scope is not None:
            found.append(scope)
            scope = self.of(scope.outer)
        return found[::-1]

    def _made(self, path: str, about: Mapping[str, object]) -> Scope:
        parent = about.get("parent")
        cut = path.rfind(f"/{parent}#") if isinstance(parent, str) else -1
        if cut >= 0:
            node = str(parent)
            visit, _, label = path[cut + len(node) + 2 :].partition(":")
        else:
            match = _LAST.search(path)
            if match is None:
                return Scope(path, "", path, 1, "region", None, None, 1)
            cut = match.start()
            node, visit, label = match["node"], match["visit"], match["label"]
        outer = self.of(path[:cut])
        parts = _LABEL.match(label)
        kind = str(about.get("kind") or (parts["kind"] if parts else label))
        number = about.get("iteration")
        if number is None and parts and parts["number"] is not None:
            number = int(parts["number"])
        return Scope(
            path,
            path[:cut],
            node,
            int(visit) if visit.isdecimal() else 1,
            kind,
            parts["name"] if parts else None,
            number if isinstance(number, int) else None,
            1 if outer is None else outer.depth + 1,
        )
