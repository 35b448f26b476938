"""First-match routing: one token, the first edge that applies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowrt.authoring import Edge, FlowState
from flowrt.engine.context import Pause, RegionResult
from flowrt.engine.plain import no_edge
from flowrt.engine.plan import Hop, Plan
from flowrt.engine.routing import Look, first_taken, may_end_well
from flowrt.engine.visit import Around, Ended, WaitingError, visit
from flowrt.errors import UnroutableError

if TYPE_CHECKING:
    from flowrt.engine.run import Run


async def walk(run: Run, plan: Plan, state: FlowState, around: Around, start: str) -> RegionResult:
    """Run from `start` until a node has no edge out of it.

    A failure that no edge takes up is raised. Raises WaitingError where a node waits.
    """
    current, incoming = start, None
    while True:
        node = plan.nodes[current]
        try:
            ended = await visit(run, around, node, state, incoming)
        except Pause as pause:
            raise WaitingError([run.waits(around, current, pause)]) from None
        state = ended.state
        try:
            if ended.result.outcome == "ok":
                run.passed(ended)
                await run.hooks_of(ended)
            target, hop = _next(run, plan, around, ended)
        except Exception:
            # The node itself is done: a resumed run takes up its hooks and edges again.
            if ended.recalled is None and ended.error is None:
                run.write_end(around, ended, None, handled=True)
            raise
        if ended.recalled is None or ended.recalled.get("routes") is None:
            run.write_end(around, ended, [target] if target else [], handled=hop is not None)
        if ended.error is not None and hop is None:
            raise ended.error
        if target is None:
            return RegionResult(state, around.outputs, current)
        current = target
        incoming = hop.edge if hop is not None and isinstance(hop.edge, Edge) else None


def _next(run: Run, plan: Plan, around: Around, ended: Ended) -> tuple[str | None, Hop | None]:
    """Where the run goes on, and over which edge; what was written down holds."""
    name = ended.result.node
    hops = plan.hops[name]
    routes = ended.recalled.get("routes") if ended.recalled is not None else None
    if routes is not None:
        target = routes[0] if routes else None
        return target, next((hop for hop in hops if target in _targets(hop)), None)
    if not hops:
        return None, None
    look = Look(ended.state, ended.result, around.outputs, run.input)
    taken = first_taken(hops, look)
    if taken is not None:
        return taken[1], taken[0]
    if ended.error is None:
        if may_end_well(hops):
            return None, None
        raise UnroutableError(no_edge(run.flow.name, name))
    return None, None


def _targets(hop: Hop) -> tuple[str, ...]:
    edge = hop.edge
    return (edge.dst,) if isinstance(edge, Edge) else tuple(edge.cases.values())
