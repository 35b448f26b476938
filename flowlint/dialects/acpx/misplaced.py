"""Flows whose `defineFlow` is imported from where there is none."""

from __future__ import annotations

from flowlint.dialects.acpx.model import SEMANTICS
from flowlint.graph.model import FlowGraph, Violation
from flowlint.values.model import Built

_PACKAGE = "acpx"


def misplaced_flow(built: Built, module: str) -> FlowGraph:
    """A flow that is none, as acpx has its `defineFlow` elsewhere."""
    span = built.origin.span()
    is_own = module.partition("/")[0] == _PACKAGE
    what = (
        f"`{module}` has no `defineFlow`, so that this module cannot be loaded"
        if is_own
        else f"acpx does not know flows made by `{module}`: its package is called `acpx`"
    )
    violation = Violation(
        span,
        what,
        'import it from "acpx/flows"',
        rule="not-a-flow",
        severity=None if is_own else "warning",
    )
    return FlowGraph(
        built.name or built.symbol or "flow",
        "acpx",
        span,
        SEMANTICS,
        symbol=built.symbol,
        assumed=built.assumed is not None,
        violations=(violation,),
        malformed=True,
    )
