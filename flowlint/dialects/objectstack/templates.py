"""Texts of nodes that are filled in with values of the run."""

from __future__ import annotations

import re

from flowlint.dialects.objectstack.kinds import REGIONS
from flowlint.dialects.objectstack.objects import texts_within
from flowlint.dialects.objectstack.parts import Scope

_DOUBLE = re.compile(r"\{\{\s*([\w$][\w$.\s]*)\}\}")
_BARE = re.compile(r"(?:^|[^{])(\$[A-Za-z_]\w*\.[A-Za-z_]\w*)")
_IN_CEL = frozenset({"condition", "expression", "conditions", "source"})
_MOST_SHOWN = 60


def check_templates(scope: Scope) -> None:
    """Note references that are not filled in."""
    for node in scope.nodes:
        value = node.obj.get("config")
        if value is None:
            continue
        slots = {slot for slot, _ in REGIONS.get(node.kind, ())}
        for text in texts_within(value, _IN_CEL | slots):
            written = str(text.value)
            double = _DOUBLE.search(written)
            if double is not None:
                scope.notes.add(
                    text.origin.span(),
                    f"`{_short(double[0])}` in node `{node.id}` is not filled in rightly: values "
                    "have single braces",
                    f"write `{{{double[1].strip()}}}`",
                    rule="invalid-expression",
                    node=node.id,
                    severity="warning",
                )
            bare = _BARE.search(written)
            if bare is not None and double is None:
                scope.notes.add(
                    text.origin.span(),
                    f"`{bare[1]}` in node `{node.id}` is not filled in: it has no braces",
                    f"write `{{{bare[1]}}}`",
                    rule="invalid-expression",
                    node=node.id,
                    severity="warning",
                )


def _short(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"
