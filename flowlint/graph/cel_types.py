"""What is wrong with an expression in every state: calls with the wrong number of values, and
operations that raise each time.
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.graph.cel_functions import FUNCTIONS, Kind
from flowlint.graph.cel_syntax import Binary, ListOf, Literal, Negated, Other, Tree, parts_of

MOST_LEVELS = 60
_WORDS: dict[Kind, str] = {
    "bool": "a boolean",
    "int": "a whole number",
    "double": "a number with a fraction",
    "text": "a text",
    "null": "null",
    "list": "a list",
    "map": "a map",
    "bytes": "bytes",
}
_ORDERED: tuple[Kind, ...] = ("bool", "int", "double", "text", "bytes")
_LITERALS: dict[type, Kind] = {
    bool: "bool",
    int: "int",
    float: "double",
    str: "text",
    type(None): "null",
}
_COMPARED = ("<", "<=", ">", ">=")


def call_fault(tree: Tree) -> str | None:
    """What is wrong with a call of a function that there is, the first one in the text."""
    for call in _calls(tree):
        function = FUNCTIONS.get(call.calls or "")
        if function is None or call.given in function.takes(call.form):
            continue
        ways = " or ".join(f"`{written}`" for written in function.signatures)
        is_macro = function.forms[0][0] == "macro"
        if not is_macro and not function.takes(call.form):
            how = "a method" if call.form == "method" else "a function"
            return f"calls `{function.name}` as {how}, but it is written {ways}"
        values = "value" if call.given == 1 else "values"
        return f"calls `{function.name}` with {call.given} {values}, but it is written {ways}"
    return None


def raises_always(tree: Tree) -> str | None:
    """Why evaluating an expression raises in every state; None where it need not."""
    return _fault(tree, 0)


def kind_of(tree: Tree) -> Kind | None:
    """What an expression gives, where that does not rest on the state."""
    match tree:
        case Literal(value):
            return _LITERALS[type(value)]
        case Negated():
            return "bool"
        case Binary(operator, left, right):
            if operator in ("&&", "||", "==", "!=", "in", *_COMPARED):
                return "bool"
            kind = kind_of(right) if _is_deep(left) else kind_of(left)
            return kind if kind in ("int", "double", "text") else None
        case ListOf():
            return "list"
        case Other(calls=str(name)):
            return FUNCTIONS[name].gives if name in FUNCTIONS else None
    return None


def words_of(kind: Kind) -> str:
    """What something is, as it is spoken of."""
    return _WORDS[kind]


def _is_deep(tree: Tree) -> bool:
    return isinstance(tree, Binary)


def _calls(tree: Tree) -> Iterator[Other]:
    pending = [tree]
    while pending:
        part = pending.pop()
        if isinstance(part, Other) and part.calls is not None:
            yield part
        pending += reversed(parts_of(part))


def _fault(tree: Tree, depth: int) -> str | None:
    if depth > MOST_LEVELS:
        return None
    if isinstance(tree, Other) and tree.calls is None:
        # What stands behind `? :` need not be evaluated; a key of a map or list is.
        return None
    if isinstance(tree, Other) and tree.form == "macro":
        return None
    found = [_fault(part, depth + 1) for part in parts_of(tree)]
    if isinstance(tree, Binary) and tree.operator in ("&&", "||"):
        # One that raises does not count where the other one decides.
        return found[0] if None not in found else None
    if isinstance(tree, Negated) and (kind := kind_of(tree.operand)) not in (None, "bool"):
        found.append(f"`!` before {_WORDS[kind]}")
    if isinstance(tree, Binary):
        found.append(_operation(tree))
    return next((one for one in found if one is not None), None)


def _operation(tree: Binary) -> str | None:
    left, right = kind_of(tree.left), kind_of(tree.right)
    between = f"{_WORDS[left]} and {_WORDS[right]}" if left and right else ""
    if tree.operator in _COMPARED:
        for kind in (left, right):
            if kind is not None and kind not in _ORDERED:
                return f"`{tree.operator}` with {_WORDS[kind]}, which has no order"
        numbers = {"int", "double"}
        if left and right and left != right and not {left, right} <= numbers:
            return f"`{tree.operator}` between {between}"
    if tree.operator == "in" and right is not None and right not in ("list", "map"):
        return f"`in` with {_WORDS[right]} behind it"
    if tree.operator in ("+", "-", "*", "/", "%") and left and right and left != right:
        return f"`{tree.operator}` between {between}"
    return None
