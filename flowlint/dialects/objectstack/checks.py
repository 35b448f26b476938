"""All checks of a flow beyond its shape."""

from __future__ import annotations

from collections.abc import Sequence

from flowlint.dialects.objectstack.approvals import check_approvals
from flowlint.dialects.objectstack.branches import check_branches
from flowlint.dialects.objectstack.calls import check_calls
from flowlint.dialects.objectstack.configs import check_loops, check_nodes
from flowlint.dialects.objectstack.filters import check_filters
from flowlint.dialects.objectstack.flows import check_handling, check_identity, check_start
from flowlint.dialects.objectstack.parts import NodePart, Scope
from flowlint.dialects.objectstack.templates import check_templates


def check_scope(scope: Scope) -> None:
    """Note what is wrong with the nodes and edges of one flow or region."""
    check_nodes(scope)
    check_branches(scope)
    check_approvals(scope)
    check_filters(scope)
    check_templates(scope)


def check_flow(scope: Scope, start: NodePart | None, inner: Sequence[Scope]) -> None:
    """Note what is wrong with a flow as a whole; `inner` are its regions."""
    check_start(scope, start)
    check_identity(scope, start, inner)
    check_handling(scope)
    check_calls(scope, start)
    check_loops(scope, inner)
