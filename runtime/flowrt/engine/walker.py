"""First-match routing: one token, the first edge that applies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowrt.authoring import FlowState
from flowrt.engine.context import Pause, RegionResult
from flowrt.engine.plain import no_edge
from flowrt.engine.plan import Plan
from flowrt.engine.routing import (
    Look,
    Taken,
    first_taken,
    incoming_edge,
    may_end_well,
    recalled,
)
from flowrt.engine.surroundings import Around
from flowrt.engine.visit import Ended, HaltedError, WaitingError, visit
from flowrt.errors import UnroutableError

if TYPE_CHECKING:
    from flowrt.engine.run import Run


async def walk(run: Run, plan: Plan, state: FlowState, around: Around, start: str) -> RegionResult:
    """Run from `start` until a node has no edge out of it.

    A failure that no edge takes up is raised. Raises WaitingError where a node waits, HaltedError
    where the kill switch stopped the run; both tell the state that came to the node.
    """
    current, incoming = start, None
    stop = run.cancellation.here()
    while True:
        stop.check()
        node = plan.nodes[current]
        try:
            ended = await visit(run, around, node, state, incoming)
        except Pause as pause:
            raise WaitingError([run.waits(around, current, pause)], state) from None
        except (WaitingError, HaltedError) as stopped:
            stopped.state = state
            raise
        state = ended.state
        try:
            if ended.result.outcome == "ok":
                run.passed(ended)
                await run.hooks_of(ended)
            taken = _next(run, plan, around, ended)
        except Exception as error:
            run.write_stuck(around, ended)
            raise error from ended.error
        if ended.recalled is None or ended.recalled.get("routes") is None:
            routes = [] if taken is None else [(taken[0].number, taken[1])]
            run.write_end(around, ended, routes, handled=taken is not None)
        if taken is None:
            if ended.error is not None:
                raise ended.error
            return RegionResult(state, around.outputs, current)
        hop, current = taken
        incoming = incoming_edge(hop, current)


def _next(run: Run, plan: Plan, around: Around, ended: Ended) -> Taken | None:
    """Over which edge the run goes on, and where to; what was written down holds."""
    name = ended.result.node
    hops = plan.hops[name]
    routes = ended.recalled.get("routes") if ended.recalled is not None else None
    if not hops or routes == []:
        return None
    known = recalled(hops, routes[0]) if routes else None
    if known is not None:
        return known
    look = Look(run.flow.name, ended.state, ended.result, around.outputs, run.input)
    taken = first_taken(hops, look)
    if taken is None and ended.error is None and not may_end_well(hops):
        raise UnroutableError(no_edge(run.flow.name, name))
    return taken
