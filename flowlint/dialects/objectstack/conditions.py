"""Conditions of ObjectStack: their syntax, and formulas of those that guard edges."""

from __future__ import annotations

import re
from collections.abc import Iterable

from flowlint.dialects.objectstack.notes import Notes
from flowlint.dialects.objectstack.objects import Expression
from flowlint.graph.cel import cel_formula
from flowlint.graph.cel_names import parsed, place_within, position
from flowlint.graph.cel_syntax import CelError, mentions
from flowlint.graph.cells import can_match
from flowlint.graph.guards import Formula, Guard

_BRACES = re.compile(r"\{\s*([A-Za-z_$][\w$]*(?:\.[\w$]+)*)\s*\}")
_OWN_SYNTAX = re.compile(r"\.\?|\[\?|\?(?![.?])[^?:]+\?(?![.?])[^?]*:|!\s*-|\d{19}", re.DOTALL)
"""What the engine takes beyond CEL: fields that may be missing, one choice within another."""
_PREFIXES = ("record", "vars")
_CURE = "write a condition such as `record.amount > 1000`"


def check_condition(
    written: Expression | None,
    what: str,
    notes: Notes,
    node: str | None = None,
    *,
    is_alone: bool = True,
) -> bool:
    """Note what is wrong with a condition; whether it is one that can be true.

    `is_alone` is false for that of an edge, which is told to be never true where edges are.
    """
    if written is None or written.source is None or not written.source.strip():
        return True
    if written.dialect == "cron":
        said = f"{what} is in the language `{written.dialect}`, so it counts as false on every run"
        cure = 'write it in CEL, with the dialect "cel"'
        notes.add(written.span, said, cure, rule="guard-never-true", node=node, severity="error")
        return False
    if written.dialect != "cel":
        return True
    tree = parsed(written.source)
    if not isinstance(tree, CelError):
        if is_alone and can_match(cel_formula(written.source, bare=True)) is False:
            said = f"{what} is never true: `{written.source.strip()}`"
            notes.add(
                written.span,
                said,
                "correct the condition",
                rule="guard-never-true",
                node=node,
                severity="error",
            )
            return False
        return True
    if _OWN_SYNTAX.search(written.source):
        return True
    where = position(written.source, tree.offset)
    said = f"{what} is no CEL expression: {tree.message}{where}: registerFlow(…) raises"
    cure = _CURE
    braces = _BRACES.search(written.source)
    if braces is not None:
        cure = f"write `{braces[1]}` without braces"
    elif "===" in written.source or "!==" in written.source:
        cure = "write `==` and `!=`"
    place = place_within(written.span, written.source, tree.offset)
    notes.add(place, said, cure, rule="invalid-expression", node=node, severity="error")
    return True


def guards_of(conditions: Iterable[Expression]) -> list[Guard]:
    """The guards of the edges of one node, with formulas where these can be compared.

    A field of the record and a variable go by their bare names as well, so that two names may
    stand for one thing: where that may be, nothing is compared.
    """
    written = list(conditions)
    names: dict[str, set[tuple[str, ...]]] = {}
    for one in written:
        tree = parsed(one.source or "") if one.dialect == "cel" else None
        for path in mentions(tree) if tree is not None and not isinstance(tree, CelError) else ():
            if isinstance(path, tuple):
                tail = path[1:] if path[0] in _PREFIXES else path
                names.setdefault(tail[0] if tail else "", set()).add(path[: len(path) - len(tail)])
    is_ambiguous = any(len(prefixes) > 1 for prefixes in names.values())
    return [
        Guard(_shown(one), one.span, None if is_ambiguous else _formula(one)) for one in written
    ]


def _shown(written: Expression) -> str:
    return written.source.strip() if written.source else "a condition"


def _formula(written: Expression) -> Formula | None:
    if written.source is None:
        return None
    return cel_formula(written.source, bare=True) if written.dialect == "cel" else None
