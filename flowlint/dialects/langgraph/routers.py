"""Declarations of routers: those that LangGraph fails on, and those that it passes over."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.langgraph.model import LITERAL
from flowlint.dialects.reading import alternatives
from flowlint.graph.model import Violation
from flowlint.source import Span
from flowlint.values.model import (
    Built,
    Class,
    External,
    Function,
    Generic,
    Instance,
    Partial,
    Union,
    Value,
)

PATHS = {"add_conditional_edges": 1, "set_conditional_entry_point": 0}
"""Methods that take a router, with the position of that argument."""


def router_violations(built: Built) -> Iterator[Violation]:
    """Routers whose declarations cannot be read when the program runs."""
    told: set[Span] = set()
    for operation in built.operations:
        position = PATHS.get(operation.method)
        path = operation.arguments.find("path", position) if position is not None else None
        if path is None or operation.arguments.spread:
            continue
        for presence, router in alternatives(path.value, operation.presence - built.presence):
            if not isinstance(router, Function) or router.decorators:
                continue
            missing = router.reader.for_types_only()
            if missing is None or missing[1].span() in told:
                continue
            told.add(missing[1].span())
            yield Violation(
                missing[1].span(),
                f"The annotation of the router `{router.name}` needs `{missing[0]}`, which is only "
                f"imported for type checkers: {operation.method}() raises NameError",
                f"import `{missing[0]}` outside of `if TYPE_CHECKING:`",
                related=(("the router is used here", operation.origin.span()),),
                severity="warning" if presence else None,
            )


def unread_declaration(router: Value) -> str | None:
    """Why LangGraph passes over targets that a router does declare, None if it declares none."""
    if isinstance(router, Instance):
        call = router.cls.reader.method("__call__")
        if call is not None and _names_targets(call.reader.returns()):
            return "LangGraph does not read the annotation of an object's `__call__`"
    if isinstance(router, Partial) and isinstance(router.target, Function):
        if _names_targets(router.target.reader.returns()):
            return "LangGraph does not read the annotation of a `partial`"
    if not isinstance(router, Function):
        return None
    returns = router.reader.returns()
    if _names_targets(returns) and not _is_literal(returns):
        return "LangGraph only reads an annotation that is a `Literal[…]` as a whole"
    return None


def _names_targets(declared: Value | None) -> bool:
    """Whether a type is a `Literal[…]` or has one in it."""
    if isinstance(declared, Union):
        return any(_names_targets(member) for member in declared.members)
    if isinstance(declared, Generic):
        return _is_literal(declared) or any(_names_targets(a) for a in declared.arguments)
    return False


def _is_literal(declared: Value | None) -> bool:
    if not isinstance(declared, Generic):
        return False
    base = declared.base
    return isinstance(base, External | Class) and base.qualified in LITERAL
