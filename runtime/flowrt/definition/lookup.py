"""Functions that definitions name, looked up where they are registered or defined."""

from __future__ import annotations

from collections.abc import Callable, Collection
from importlib import import_module
from typing import Any, cast

from flowlint.graph import reference_faults as told
from flowlint.graph.model import CallableFacts, Violation
from flowlint.source import Span
from flowrt.callables import is_async, is_plain, name_of, takes
from flowrt.places import Places
from flowrt.registry import callable_names, find_callable

HERE = Span("<flow flow>", 1, 1, 1, 1)


class Lookup:
    """Finds functions by their names, and keeps count of what is not there.

    `modules` are those that functions may come from.
    """

    def __init__(self, modules: Collection[str]) -> None:
        self.modules = modules
        self.faults: list[Violation] = []
        self._guards: dict[str, Callable[..., Any]] = {}
        self._places = Places("flow")

    def function(
        self, name: str, node: str | None, *, is_guard: bool = False
    ) -> Callable[..., Any]:
        """The function of a name; a stand-in where there is none, which is noted."""
        found = self._find(name, node, HERE)
        return self._stand_in(name, is_guard) if found is None else found

    def facts(self, name: str, node: str | None, span: Span) -> CallableFacts | None:
        """What is known of the function that is named at a place; None when it is not there,
        which is noted."""
        found = self._find(name, node, span)
        if found is None:
            return None
        has_to_wait = True if is_async(found) else False if is_plain(found) else None
        place = self._places.of_function(found)
        return CallableFacts(name_of(found), place, has_to_wait, takes(found))

    def _find(self, name: str, node: str | None, span: Span) -> Callable[..., Any] | None:
        module, colon, attribute = name.partition(":")
        found = self._imported(module, attribute) if colon else find_callable(name)
        if callable(found):
            return cast(Callable[..., Any], found)
        if isinstance(found, str):
            reason, cure = found, "correct the name, or name the module with `--module`"
        elif found is None:
            reason = "which is registered nowhere"
            cure = told.near(name, callable_names(), told.REGISTER)
        else:
            self.faults.append(told.not_callable(f"`{name}`", found, span, node))
            return None
        self.faults.append(told.undefined_callable(name, reason, cure, node, span))
        return None

    def _stand_in(self, name: str, is_guard: bool) -> Callable[..., Any]:
        """What stands for a function that is not there while all else is checked."""
        if is_guard:
            return self._guards.setdefault(name, _guard_that_is_not_there())
        return _step_that_is_not_there

    def _imported(self, module: str, attribute: str) -> object:
        """What a module has under a name; a text says why it cannot be had."""
        if module not in self.modules:
            return f"but the module `{module}` is not allowed"
        try:
            value: object = import_module(module)
        except Exception as error:
            return f"but `{module}` cannot be imported ({type(error).__name__}: {error})"
        for part in attribute.split("."):
            if not hasattr(value, part):
                return f"but `{module}` has no `{attribute}`"
            value = getattr(value, part)
        return value


def _guard_that_is_not_there() -> Callable[..., Any]:
    return lambda _state: False


async def _step_that_is_not_there(state: Any) -> Any:
    return state
