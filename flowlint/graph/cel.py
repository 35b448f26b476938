"""Guards in CEL as formulas, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

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
    mentions,
)
from flowlint.graph.cel_types import kind_of, words_of
from flowlint.graph.cel_values import Values, meant_choice, never_met
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
from flowlint.graph.node_outputs import Outputs, looks
from flowlint.graph.reference import OUTCOMES
from flowlint.source import Span

_MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_MOST_LEVELS = 40
_CURE = 'write a condition such as `state.route == "retry"`'


_Bare = Callable[[str], bool]
_NOTHING_KNOWN: Outputs = MappingProxyType({})
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
    outputs: Outputs = _NOTHING_KNOWN,
    *,
    literal: bool = False,
) -> tuple[Guard, Violation | None]:
    """A guard written in CEL on an edge from `source`, and what is wrong with it.

    `nodes` are those whose outputs it may look at, None where they are not all known, and
    `outputs` what is known of these. `literal` tells that a literal of the text itself stands at
    the span.
    """
    fault = cel_fault(
        f"Guard `{shown(text)}`", text, GUARD.among(nodes), _CURE, span, source, literal=literal
    )
    tree = parsed(text)
    if fault is not None or isinstance(tree, CelError):
        return Guard(text, span), fault
    fault = _output_fault(text, tree, source, span, outputs)
    if fault is not None:
        return Guard(text, span), fault
    kind = kind_of(tree)
    if kind is not None and kind != "bool":
        said = (
            f"Guard `{shown(text)}` gives {words_of(kind)}, which is neither true nor false: "
            "it raises whenever it is evaluated"
        )
        return Guard(text, span), Violation(span, said, _CURE, source, "invalid-expression")
    formula = _formula(tree, _is_output)
    known = {**_RESULT, **_known_of(tree, source, outputs)}
    never = never_met(formula, known)
    if never is not None:
        name, words = never
        said = f"Guard `{shown(text)}` is never true: `{name}` is {words}"
        cure = meant_choice(formula, name, known[name]) or "compare it with what it may be"
        return Guard(text, span), Violation(span, said, cure, source, "guard-never-true")
    return Guard(text, span, formula, False), None


def _output_fault(
    text: str, tree: Tree, source: str, span: Span, outputs: Outputs
) -> Violation | None:
    """A field of what a node gives that it does not give."""
    for at, node, fields in looks(mentions(tree), source):
        output = outputs.get(node)
        found = output.fault(fields) if output is not None else None
        if found is not None:
            said, cure = found
            said = f"Guard `{shown(text)}` looks at `{at}.{fields[0]}`, but `{node}` {said}"
            return Violation(span, f"{said}: Flow(…) raises", cure, source, "unknown-variable")
    return None


def _known_of(tree: Tree, source: str, outputs: Outputs) -> dict[str, Values]:
    """What is known of the outputs that a guard looks at, by the names that it uses."""
    found: dict[str, Values] = {}
    for at, node, fields in looks(mentions(tree), source):
        values = outputs[node].of(fields) if node in outputs else None
        if values is not None:
            found[".".join((at, *fields))] = values
    return found


def cel_formula(text: str, *, bare: bool = False) -> Formula | None:
    """A condition in CEL as a formula, None outside the fragment and where it is no CEL.

    `bare` tells that variables are values themselves, and not only the fields of variables.
    """
    tree = parsed(text)
    return None if isinstance(tree, CelError) else _formula(tree, _always if bare else _never)


def _is_output(name: str) -> bool:
    return name == "output"


def _always(_name: str) -> bool:
    return True


def _never(_name: str) -> bool:
    return False


def _formula(tree: Tree, bare: _Bare, depth: int = 0) -> Formula | None:
    """The condition as a formula, None outside the fragment.

    `bare` tells of which variables it counts what they are themselves, not only their fields.
    """
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


def _comparison(operator: str, left: Tree, right: Tree, bare: _Bare) -> Formula | None:
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


def _term(tree: Tree, bare: _Bare) -> Term | None:
    path = path_of(tree)
    if path is None or not (isinstance(tree, Select) or bare(path)):
        return None
    return Term(path, typed=True)


def path_of(tree: Tree) -> str | None:
    """A variable with the fields that are read of it, joined by dots; None for all else."""
    fields: list[str] = []
    while isinstance(tree, Select):
        fields.append(tree.field)
        tree = tree.operand
    return ".".join([tree.name, *reversed(fields)]) if isinstance(tree, Name) else None
