"""Guards in CEL as formulas, and what is wrong with them."""

from __future__ import annotations

from functools import lru_cache

from flowlint.graph.cel_syntax import (
    Binary,
    CelError,
    ListOf,
    Literal,
    Name,
    Negated,
    Select,
    Tree,
    free_names,
    parse_cel,
)
from flowlint.graph.guards import (
    And,
    Compare,
    Constant,
    Formula,
    Guard,
    Member,
    Not,
    Or,
    Term,
    Truth,
    Truthy,
)
from flowlint.graph.model import Violation
from flowlint.graph.names import NearNames
from flowlint.source import Span

VARIABLES = ("state", "output", "outputs", "input", "result")
"""What a guard may look at, by the names that flowrt gives it."""

_MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def cel_guard(text: str, source: str, span: Span) -> tuple[Guard, Violation | None]:
    """A guard written in CEL on an edge from `source`, and what is wrong with it."""
    tree = _parsed(text)
    if isinstance(tree, CelError):
        where = f" at column {tree.offset + 1}" if tree.offset < len(text) else ""
        said = f"Guard `{text}` is no CEL expression: {tree.message}{where}: Flow(…) raises"
        cure = 'write a condition such as `state.route == "retry"`'
        return Guard(text, span), Violation(span, said, cure, source, "invalid-expression")
    guard = Guard(text, span, _formula(tree), False)
    unknown = [name for name in free_names(tree) if name not in VARIABLES]
    if not unknown:
        return guard, None
    near = NearNames(VARIABLES).of(unknown[0])
    cure = f"did you mean `{near}`?" if near else f"did you mean `state.{unknown[0]}`?"
    said = f"Guard `{text}` looks at `{unknown[0]}`, which is no variable of a guard"
    fault = Violation(span, f"{said}: Flow(…) raises", cure, source, "unknown-variable")
    return Guard(text, span), fault


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Tree | CelError:
    try:
        return parse_cel(text)
    except CelError as error:
        return error


def _formula(tree: Tree) -> Formula | None:
    """The condition as a formula, None outside the fragment."""
    match tree:
        case Literal(bool(value)):
            return Truth(value)
        case Negated(operand):
            inner = _formula(operand)
            return None if inner is None else Not(inner)
        case Binary("&&" | "||" as operator, left, right):
            first, second = _formula(left), _formula(right)
            if first is None or second is None:
                return None
            return And((first, second)) if operator == "&&" else Or((first, second))
        case Binary(operator, left, right):
            return _comparison(operator, left, right)
    term = _term(tree)
    return Truthy(term) if term is not None else None


def _comparison(operator: str, left: Tree, right: Tree) -> Formula | None:
    if operator == "in":
        term, constants = _term(left), _constants(right)
        return Member(term, constants) if term is not None and constants is not None else None
    if operator not in _MIRRORED:
        return None
    if isinstance(left, Literal):
        left, right, operator = right, left, _MIRRORED[operator]
    term = _term(left)
    if term is None or not isinstance(right, Literal):
        return None
    return Compare(term, operator, right.value)  # type: ignore[arg-type]


def _constants(tree: Tree) -> tuple[Constant, ...] | None:
    if not isinstance(tree, ListOf):
        return None
    values = [item.value for item in tree.items if isinstance(item, Literal)]
    return tuple(values) if len(values) == len(tree.items) else None


def _term(tree: Tree) -> Term | None:
    fields: list[str] = []
    while isinstance(tree, Select):
        fields.append(tree.field)
        tree = tree.operand
    if not isinstance(tree, Name) or not fields:
        return None
    return Term(".".join([tree.name, *reversed(fields)]))
