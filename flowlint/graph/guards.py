"""Guards of edges as formulas over terms of the state.

A language reads a guard's function and hands over this small algebra; the cells in
`flowlint.graph.cells` decide it. A guard outside the fragment has formula None: unknown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from flowlint.source import Span

Constant = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Term:
    """A value that guards look at, such as `state["kind"]` or `state.get("tries", 0)`.

    Terms with the same `variable` look at the same thing. With access `item` a missing value
    raises when it is read; with `get` it reads as `default`. Where it is `typed`, as in CEL, values
    of different types are never equal, only those of one type have an order, and only booleans are
    true or false: all else raises.
    """

    variable: str
    access: Literal["item", "get"] = "item"
    default: Constant = None
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Truth:
    """A guard that is always true or always false."""

    value: bool


@dataclass(frozen=True, slots=True)
class Truthy:
    """The truthiness of a term."""

    term: Term


@dataclass(frozen=True, slots=True)
class Compare:
    """A term compared with a constant. `is` and `is not` only compare with None, True, False."""

    term: Term
    operator: Literal["==", "!=", "<", "<=", ">", ">=", "is", "is not"]
    constant: Constant


@dataclass(frozen=True, slots=True)
class Member:
    """Whether a term is one of some constants (`in`); wrap in `Not` for `not in`."""

    term: Term
    constants: tuple[Constant, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    operand: Formula


@dataclass(frozen=True, slots=True)
class And:
    """Conjunction, evaluated from the left and stopping at the first false operand.

    With `any_order`, as in CEL, a false operand decides though one before it raises.
    """

    operands: tuple[Formula, ...]
    any_order: bool = False


@dataclass(frozen=True, slots=True)
class Or:
    """Disjunction, evaluated from the left and stopping at the first true operand.

    With `any_order`, as in CEL, a true operand decides though one before it raises.
    """

    operands: tuple[Formula, ...]
    any_order: bool = False


Formula = Truth | Truthy | Compare | Member | Not | And | Or


@dataclass(frozen=True, slots=True)
class Guard:
    """The condition on an edge: its text, its place and, where it can be decided, its formula.

    `is_async` is None when the function behind the guard is out of sight. Guards with the same
    `identity` are the same object; None: that cannot be told.
    """

    text: str
    span: Span
    formula: Formula | None = None
    is_async: bool | None = None
    definition: Span | None = None
    identity: int | str | None = field(default=None, compare=False)
