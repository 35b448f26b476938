"""Conditions that what they look at never meets: by its type, or by the values that there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from flowlint.graph.cells import can_match, can_match_where
from flowlint.graph.guards import And, Compare, Constant, Formula, Member, Not, Or, Truthy
from flowlint.graph.names import NearNames

Type = Literal["text", "number", "boolean"]


@dataclass(frozen=True, slots=True)
class Values:
    """What something may be: of a type, or one of some texts. `null` tells that it may be null."""

    type: Type
    choices: tuple[str, ...] = ()
    null: bool = False

    def admits(self, value: object) -> bool:
        """Whether it may be this value."""
        if value is None:
            return self.null
        if isinstance(value, bool) or self.type == "boolean":
            return isinstance(value, bool) and self.type == "boolean"
        if isinstance(value, str):
            return self.type == "text" and (not self.choices or value in self.choices)
        return self.type == "number"

    @property
    def words(self) -> str:
        """What it is, as it is spoken of."""
        if self.choices:
            *most, last = (f"`{choice}`" for choice in self.choices)
            one = f"{', '.join(most)} or {last}" if most else last
        else:
            one = f"a {self.type}"
        return f"{one} or null" if self.null else one


def never_met(formula: Formula | None, known: Mapping[str, Values]) -> tuple[str, str] | None:
    """The variable that keeps a condition from being true, and what that is instead.

    None where it may be true, where it cannot be told, and where it is never true by itself.
    """
    if formula is None or can_match(formula) is not True:
        return None
    for name in dict.fromkeys(_variables(formula)):
        if name in known and _can_be(formula, name, known[name]) is False:
            return name, known[name].words
    return None


def meant_choice(formula: Formula | None, variable: str, values: Values) -> str | None:
    """The cure where another text is compared with and it is plain which choice was meant."""
    near = NearNames(values.choices)
    for part in _atoms(formula) if formula is not None and values.choices else ():
        if part.term.variable != variable:
            continue
        for text in _compared_with(part):
            meant = near.of(text) if isinstance(text, str) else None
            if meant is not None:
                return f"did you mean `{meant}`?"
    return None


def _compared_with(part: Truthy | Compare | Member) -> tuple[Constant, ...]:
    if isinstance(part, Compare):
        return (part.constant,)
    return part.constants if isinstance(part, Member) else ()


def _can_be(formula: Formula, name: str, values: Values) -> bool | None:
    """Whether it can be true where all other variables may be anything."""
    return can_match_where(formula, name, values.admits, values.choices)


def _variables(formula: Formula) -> list[str]:
    return [part.term.variable for part in _atoms(formula)]


def _atoms(formula: Formula) -> list[Truthy | Compare | Member]:
    found: list[Truthy | Compare | Member] = []
    pending = [formula]
    while pending:
        part = pending.pop()
        if isinstance(part, Not):
            pending.append(part.operand)
        elif isinstance(part, And | Or):
            pending += reversed(part.operands)
        elif isinstance(part, Truthy | Compare | Member):
            found.append(part)
    return found
