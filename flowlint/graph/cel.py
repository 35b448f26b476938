"""Guards in CEL as formulas, and what is wrong with them."""

from __future__ import annotations

from flowlint.graph.cel_names import GUARD, cel_fault, parsed, shown
from flowlint.graph.cel_syntax import (
    Binary,
    CelError,
    ListOf,
    Literal,
    Name,
    Negated,
    Select,
    Tree,
)
from flowlint.graph.cel_types import kind_of, words_of
from flowlint.graph.cel_values import Values, constants_of, never_met
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
from flowlint.graph.reference import OUTCOMES
from flowlint.source import Span

_MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_MOST_LEVELS = 40
_CURE = 'write a condition such as `state.route == "retry"`'


_RESULT = {
    "result.outcome": Values("text", OUTCOMES),
    "result.attempts": Values("number"),
    "result.node": Values("text"),
}


def cel_guard(
    text: str,
    source: str,
    span: Span,
    nodes: frozenset[str] | None = None,
    *,
    literal: bool = False,
) -> tuple[Guard, Violation | None]:
    """A guard written in CEL on an edge from `source`, and what is wrong with it.

    `nodes` are those whose outputs it may look at, None where they are not all known. `literal`
    tells that a literal of the text itself stands at the span.
    """
    fault = cel_fault(
        f"Guard `{shown(text)}`", text, GUARD.among(nodes), _CURE, span, source, literal=literal
    )
    tree = parsed(text)
    if fault is not None or isinstance(tree, CelError):
        return Guard(text, span), fault
    kind = kind_of(tree)
    if kind is not None and kind != "bool":
        said = (
            f"Guard `{shown(text)}` gives {words_of(kind)}, which is neither true nor false: "
            "it raises whenever it is evaluated"
        )
        return Guard(text, span), Violation(span, said, _CURE, source, "invalid-expression")
    formula = _formula(tree)
    never = never_met(formula, _RESULT)
    if never is not None:
        name, words = never
        said = f"Guard `{shown(text)}` is never true: `{name}` is {words}"
        cure = _meant(formula, name) or "compare it with what it may be"
        return Guard(text, span), Violation(span, said, cure, source, "guard-never-true")
    return Guard(text, span, formula, False), None


def _meant(formula: Formula | None, name: str) -> str | None:
    """The choice that was meant where another text is compared with."""
    choices = _RESULT[name].choices
    if formula is None or not choices:
        return None
    texts = [one for one in constants_of(formula, name) if isinstance(one, str)]
    meant = next((near for text in texts if (near := NearNames(choices).of(text))), None)
    return f"did you mean `{meant}`?" if meant else None


def cel_formula(text: str, *, bare: bool = False) -> Formula | None:
    """A condition in CEL as a formula, None outside the fragment and where it is no CEL.

    `bare` tells that variables are values themselves, and not only the fields of variables.
    """
    tree = parsed(text)
    return None if isinstance(tree, CelError) else _formula(tree, bare)


def _formula(tree: Tree, bare: bool = False, depth: int = 0) -> Formula | None:
    """The condition as a formula, None outside the fragment."""
    if depth > _MOST_LEVELS:
        return None
    match tree:
        case Literal(bool(value)):
            return Truth(value)
        case Negated(operand):
            inner = _formula(operand, bare, depth + 1)
            return None if inner is None else Not(inner)
        case Binary("&&" | "||" as operator):
            parts = [_formula(part, bare, depth + 1) for part in _operands(tree, operator)]
            known = tuple(part for part in parts if part is not None)
            if len(known) < len(parts):
                return None
            return And(known, True) if operator == "&&" else Or(known, True)
        case Binary(operator, left, right):
            return _comparison(operator, left, right, bare)
    term = _term(tree, bare)
    return Truthy(term) if term is not None else None


def _operands(tree: Tree, operator: str) -> list[Tree]:
    """What an operator joins, from the left, however often it stands there."""
    found: list[Tree] = []
    while isinstance(tree, Binary) and tree.operator == operator:
        found.append(tree.right)
        tree = tree.left
    return [tree, *reversed(found)]


def _comparison(operator: str, left: Tree, right: Tree, bare: bool) -> Formula | None:
    if operator == "in":
        term, constants = _term(left, bare), _constants(right)
        return Member(term, constants) if term is not None and constants is not None else None
    if operator not in _MIRRORED:
        return None
    if isinstance(left, Literal):
        left, right, operator = right, left, _MIRRORED[operator]
    term = _term(left, bare)
    if term is None or not isinstance(right, Literal):
        return None
    return Compare(term, operator, right.value)  # type: ignore[arg-type]


def _constants(tree: Tree) -> tuple[Constant, ...] | None:
    if not isinstance(tree, ListOf):
        return None
    values = [item.value for item in tree.items if isinstance(item, Literal)]
    return tuple(values) if len(values) == len(tree.items) else None


def _term(tree: Tree, bare: bool) -> Term | None:
    path = path_of(tree)
    if path is None or not (bare or isinstance(tree, Select)):
        return None
    return Term(path, typed=True)


def path_of(tree: Tree) -> str | None:
    """A variable with the fields that are read of it, joined by dots; None for all else."""
    fields: list[str] = []
    while isinstance(tree, Select):
        fields.append(tree.field)
        tree = tree.operand
    return ".".join([tree.name, *reversed(fields)]) if isinstance(tree, Name) else None
