"""The names by which flows of ObjectStack are made, and types that declare them."""

from __future__ import annotations

from flowlint.suffixes import FLOW_SUFFIXES
from flowlint.values.following import TypeModel

PACKAGE = "@objectstack/spec"
_AUTOMATION = f"{PACKAGE}/automation"
_PLACES = (PACKAGE, _AUTOMATION, f"{PACKAGE}.Automation")


def _named(*names: str) -> frozenset[str]:
    return frozenset(f"{place}.{name}" for place in _PLACES for name in names)


DEFINED = TypeModel("objectstack.defineFlow", _named("defineFlow"))
"""`defineFlow({…})`, which checks the shape at once."""

DECLARED = TypeModel(
    "objectstack.Flow",
    _named("FlowSchema.parse", "FlowSchema.safeParse"),
    annotates=_named("Flow", "FlowInput"),
)
"""An object that is declared as a `Flow`, which is checked when it is registered."""

EXPORTED = TypeModel(
    "objectstack.default",
    frozenset(),
    exported=frozenset({PACKAGE, _AUTOMATION, *(f"*{ending}" for ending in FLOW_SUFFIXES)}),
)
"""An object that its module exports by default, which may be a flow."""

STACK = TypeModel(
    "objectstack.defineStack",
    frozenset({f"{PACKAGE}.defineStack", f"{PACKAGE}/stack.defineStack"}),
    roots_flow=False,
)
"""`defineStack({…})`, which registers flows beside the objects that they are about."""

TYPES = (DEFINED, DECLARED, EXPORTED, STACK)

EXPRESSIONS = {
    f"{place}.{name}": dialect
    for place in (PACKAGE, f"{PACKAGE}/shared")
    for name, dialect in (
        ("P", "cel"),
        ("F", "cel"),
        ("cel", "cel"),
        ("expression", "cel"),
        ("tmpl", "template"),
        ("cron", "cron"),
    )
}
"""Functions that make an expression of a text, with the language it is in."""
