"""Flows that `defineFlow` of acpx has not made."""

from __future__ import annotations

import os
from typing import Literal

from flowlint.dialects.acpx.model import RUN, SEMANTICS
from flowlint.dialects.acpx.objects import shape_of
from flowlint.dialects.surroundings import Surroundings
from flowlint.graph.model import FlowGraph, Violation
from flowlint.values.model import Built

_PACKAGE = "acpx"
_MARK = ".flow."
"""What stands in the names of files that are run as flows."""

_BRANDED_FROM = (0, 5, 3)
"""From this release on acpx runs only what `defineFlow` has made."""


def misplaced_flow(built: Built, module: str) -> FlowGraph:
    """A flow that is none, as acpx has its `defineFlow` elsewhere."""
    is_own = module.partition("/")[0] == _PACKAGE
    said = (
        f"`{module}` has no `defineFlow`, so that this module cannot be loaded"
        if is_own
        else f"acpx does not know flows made by `{module}`: its package is called `acpx`"
    )
    return _none(built, said, 'import it from "acpx/flows"', None if is_own else "warning")


def bare_flow(built: Built, around: Surroundings) -> FlowGraph | None:
    """An object with all that a flow has, exported as it is by a file that is run; else None."""
    value = built.arguments.get("", 0)
    span = built.origin.span()
    shape = shape_of(value, built.presence, span) if value is not None else None
    if shape is None or _MARK not in os.path.basename(span.path):
        return None
    if not all(shape.own(name) for name in ("startAt", "nodes", "edges")):
        return None
    used = around.version_of("acpx")
    if used is not None and used < _BRANDED_FROM:
        return None
    said = f"This flow is exported as it is, and {RUN} only takes what `defineFlow` has made"
    return _none(built, said, "write `export default defineFlow({ … })`", None)


def _none(built: Built, said: str, cure: str, severity: Literal["warning"] | None) -> FlowGraph:
    span = built.origin.span()
    fault = Violation(span, said, cure, rule="not-a-flow", severity=severity)
    return FlowGraph(
        built.name or built.symbol or "flow",
        "acpx",
        span,
        SEMANTICS,
        symbol=built.symbol,
        assumed=built.assumed is not None,
        violations=(fault,),
        malformed=True,
    )
