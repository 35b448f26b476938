"""All-matching routing: every edge that applies is taken, joins wait, failures stay local."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from flowrt.authoring import Edge, FlowState, Merge, Node
from flowrt.engine.addresses import Key
from flowrt.engine.context import Pause, RegionResult
from flowrt.engine.plain import no_edge
from flowrt.engine.plan import Hop, Plan, targets_of
from flowrt.engine.routing import Look, all_taken, incoming_edge, may_end_well
from flowrt.engine.surroundings import Around
from flowrt.engine.visit import Ended, HaltedError, WaitingError, visit
from flowrt.errors import MergeConflictError, UnroutableError
from flowrt.merging import isolate, merge_states, same_value

if TYPE_CHECKING:
    from flowrt.engine.run import Run

Lead = tuple[int, str]
"""One way into a node: the number of the edge, and the node it leads to."""

_NOTHING = object()
"""Stands for a key that was not there."""


@dataclass(slots=True)
class Token:
    """The state that travels along an edge, with who wrote what.

    `chains` holds for each key the writes it went through, the latest last: two tokens agree on
    a key as long as their chains do. `shared`: the state, or a part of it, travels along other
    edges, too.
    """

    state: FlowState
    chains: dict[str, tuple[int, ...]] = field(default_factory=dict)
    shared: bool = False


@dataclass(slots=True)
class _Begun:
    """What a node began with: its token, the state it may write to, and what was in that."""

    token: Token
    state: FlowState
    held: FlowState


def _begun(token: Token) -> _Begun:
    """A state that is shared is copied for each node, so that none sees what others write."""
    if token.shared:
        return _Begun(token, isolate(token.state), token.state)
    return _Begun(token, token.state, dict(token.state))


def _take_back(begun: _Begun) -> None:
    """A node did not complete: what it changed in the state it was given is not handed on."""
    if not begun.token.shared:
        begun.token.state = begun.held


@dataclass(slots=True)
class _Graph:
    """What is decided so far in one region."""

    leads: dict[str, list[Lead]]
    flow: str
    decided: dict[Lead, Literal["taken", "skipped", "blocked"]] = field(default_factory=dict)
    tokens: dict[Lead, Token] = field(default_factory=dict)
    written: dict[tuple[int, str], Any] = field(default_factory=dict)
    writes: int = 0
    done: set[str] = field(default_factory=set)
    last: list[tuple[str, Token]] = field(default_factory=list)
    completed: dict[str, Token] = field(default_factory=dict)
    """What each node left that ended well."""
    waiting: list[Key] = field(default_factory=list)
    failures: list[BaseException] = field(default_factory=list)
    passed: set[str] = field(default_factory=set)
    """Nodes that will not run."""
    taken_up: list[tuple[BaseException, frozenset[str]]] = field(default_factory=list)
    """Failures, and the nodes that take them up if they run."""


async def schedule(run: Run, plan: Plan, state: FlowState, around: Around) -> RegionResult:
    """Run every node whose ways in are decided, until nothing can go on.

    A failure blocks what only it leads to; everything else goes on. Raises WaitingError when
    what is left waits, HaltedError when the kill switch said so.
    """
    graph = _Graph({name: _leads_to(plan, name) for name in plan.nodes}, run.flow.name)
    tasks: dict[asyncio.Task[Ended], tuple[str, _Begun]] = {}
    halted: HaltedError | None = None
    ready: list[tuple[str, Token, Edge | None]] = [(plan.entry, Token(state), None)]
    graph.done.add(plan.entry)
    try:
        while ready or tasks:
            for name, token, incoming in ready:
                begun = _begun(token)
                work = visit(run, around, plan.nodes[name], begun.state, incoming)
                tasks[asyncio.ensure_future(work)] = (name, begun)
            ready = []
            finished, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in sorted(finished, key=lambda task: list(plan.nodes).index(tasks[task][0])):
                name, begun = tasks.pop(task)
                try:
                    ended = task.result()
                except Pause as pause:
                    _take_back(begun)
                    graph.waiting.append(run.waits(around, name, pause))
                    continue
                except WaitingError as waiting:
                    graph.waiting += waiting.keys
                    continue
                except HaltedError as stopped:
                    halted = stopped
                    continue
                await _settle(run, plan, graph, around, name, begun, ended)
            if halted is None:
                ready = _ready(run, plan, graph, around, state)
    finally:
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.gather(*tasks, return_exceptions=True)
    if halted is not None:
        halted.state = _so_far(plan, graph, state, run.flow.merge)
        raise halted
    if graph.waiting:
        so_far = _so_far(plan, graph, state, run.flow.merge)
        raise WaitingError(list(dict.fromkeys(graph.waiting)), so_far)
    graph.failures += [error for error, targets in graph.taken_up if targets <= graph.passed]
    left = [(name, token) for name, token in graph.last]
    error = graph.failures[0] if graph.failures else None
    if error is not None or not left:
        end = _so_far(plan, graph, state, run.flow.merge)
    else:
        end = _end(plan, graph, state, run.flow.merge)
    terminal = left[0][0] if len(left) == 1 else None
    return RegionResult(end, around.outputs, terminal, error)


def _so_far(
    plan: Plan, graph: _Graph, start: FlowState, policies: Mapping[str, Merge]
) -> FlowState:
    """What the completed nodes of a graph left that did not come to its end.

    A key that several wrote, and that cannot be merged, is as it was before they did.
    """
    left = _frontier(plan, graph)
    return _joined(graph, left, start, policies, lenient=True).state if left else start


def _end(plan: Plan, graph: _Graph, start: FlowState, policies: Mapping[str, Merge]) -> FlowState:
    """What the last nodes left; and those whose followers were skipped, unless that clashes."""
    try:
        return _joined(graph, _frontier(plan, graph), start, policies).state
    except MergeConflictError:
        return _joined(graph, graph.last, start, policies).state


def _frontier(plan: Plan, graph: _Graph) -> list[tuple[str, Token]]:
    """The completed nodes that led to no other one, with what they left."""
    handed_on = {
        hop.edge.src
        for name in graph.completed
        for hop in plan.incoming[name]
        if graph.decided.get((hop.number, name)) == "taken"
    }
    ended = [(name, token) for name, token in graph.last if name not in graph.completed]
    left = [(name, token) for name, token in graph.completed.items() if name not in handed_on]
    return ended + left


def _leads_to(plan: Plan, name: str) -> list[Lead]:
    return [(hop.number, name) for hop in plan.incoming[name]]


async def _settle(
    run: Run,
    plan: Plan,
    graph: _Graph,
    around: Around,
    name: str,
    begun: _Begun,
    ended: Ended,
) -> None:
    """Take the edges that apply after a node ended; the others are decided too."""
    hops = plan.hops[name]
    recalled = ended.recalled
    routes = recalled.get("routes") if recalled is not None else None
    if ended.result.outcome == "ok":
        run.passed(ended)
    try:
        if ended.result.outcome == "ok":
            await run.hooks_of(ended)
        taken = (
            {(number, target) for number, target in routes}
            if routes is not None
            else {
                (hop.number, target)
                for hop, target in _taken(run, around, plan.nodes[name], hops, ended)
            }
        )
    except Exception as error:
        run.write_stuck(around, ended)
        error.__cause__ = ended.error
        ended = Ended(ended.result, ended.state, error, recalled)
        taken = set()
        graph.failures.append(error)
        run.failed(around, name, error)
    else:
        if routes is None:
            run.write_end(around, ended, sorted(taken), handled=bool(taken))
        if ended.error is not None:
            if taken:
                graph.taken_up.append((ended.error, frozenset(target for _, target in taken)))
            else:
                graph.failures.append(ended.error)
            run.failed(around, name, ended.error)
    token = _after(graph, begun, ended)
    if ended.error is None:
        graph.completed[name] = token
    else:
        _take_back(begun)
    token.shared = len(taken) > 1
    way: Literal["skipped", "blocked"] = "blocked" if ended.error is not None else "skipped"
    for hop in hops:
        for target in targets_of(hop.edge):
            lead = (hop.number, target)
            if lead in taken:
                graph.decided[lead] = "taken"
                graph.tokens[lead] = token
            else:
                graph.decided.setdefault(lead, way)
    if not taken and ended.error is None:
        graph.last.append((name, token))


def _taken(
    run: Run, around: Around, node: Node, hops: tuple[Hop, ...], ended: Ended
) -> list[tuple[Hop, str]]:
    """The edges that apply. Raises UnroutableError for a gate that lets nothing through."""
    look = Look(run.flow.name, ended.state, ended.result, around.outputs, run.input)
    taken = all_taken(hops, look)
    if not taken and node.kind == "gate" and ended.error is None and not may_end_well(hops):
        raise UnroutableError(no_edge(run.flow.name, node.name))
    return taken


def _ready(
    run: Run, plan: Plan, graph: _Graph, around: Around, start: FlowState
) -> list[tuple[str, Token, Edge | None]]:
    """The nodes that can start now; those that never will are marked, and what follows them."""
    ready: list[tuple[str, Token, Edge | None]] = []
    changed = True
    while changed:
        changed = False
        for name in plan.nodes:
            leads = graph.leads[name]
            if name in graph.done or not leads:
                continue
            if any(lead not in graph.decided for lead in leads):
                continue
            graph.done.add(name)
            changed = True
            taken = [lead for lead in leads if graph.decided[lead] == "taken"]
            enough = len(taken) == len(leads) if plan.nodes[name].join == "all" else bool(taken)
            if enough:
                tokens = [(_source(plan, lead), graph.tokens[lead]) for lead in taken]
                token = _joined(graph, tokens, start, run.flow.merge)
                ready.append((name, token, _edge(plan, taken[0])))
            else:
                _pass_by(run, plan, graph, around, name, leads)
    return ready


def _pass_by(
    run: Run, plan: Plan, graph: _Graph, around: Around, name: str, leads: list[Lead]
) -> None:
    """A node that never runs: blocked when a failure is why, skipped otherwise."""
    blocked = any(graph.decided[lead] == "blocked" for lead in leads)
    graph.passed.add(name)
    run.passes_by(around, name, blocked=blocked)
    for hop in plan.hops[name]:
        for target in targets_of(hop.edge):
            graph.decided[(hop.number, target)] = "blocked" if blocked else "skipped"


def _source(plan: Plan, lead: Lead) -> str:
    return next(hop.edge.src for hop in plan.incoming[lead[1]] if hop.number == lead[0])


def _edge(plan: Plan, lead: Lead) -> Edge:
    number, target = lead
    hop = next(hop for hop in plan.incoming[target] if hop.number == number)
    return incoming_edge(hop, target)


def _after(graph: _Graph, begun: _Begun, ended: Ended) -> Token:
    """The token a node hands on: what it changed, be it in place, is its own write."""
    copied = begun.token.shared or ended.recalled is not None
    graph.writes += 1
    chains = dict(begun.token.chains)
    for key, value in ended.state.items():
        held = begun.held.get(key, _NOTHING)
        if held is value or (copied and same_value(held, value)):
            continue
        chains[key] = (*chains.get(key, ()), graph.writes)
        graph.written[(graph.writes, key)] = value
    return Token(ended.state, chains)


def _joined(
    graph: _Graph,
    tokens: list[tuple[str, Token]],
    start: FlowState,
    policies: Mapping[str, Merge],
    *,
    lenient: bool = False,
) -> Token:
    """The state where tokens meet: what one wrote stands, what several wrote is merged."""
    if len(tokens) == 1:
        return tokens[0][1]
    ancestor = dict(start)
    states = [dict(token.state) for _, token in tokens]
    chains: dict[str, tuple[int, ...]] = {}
    for key in {key for _, token in tokens for key in token.chains}:
        own = [token.chains.get(key, ()) for _, token in tokens]
        shared = _shared(own)
        if shared:
            ancestor[key] = graph.written[(shared[-1], key)]
        for state, superseded in zip(states, _superseded(own), strict=True):
            if not superseded:
                continue
            if key in ancestor:
                state[key] = ancestor[key]
            else:
                state.pop(key, None)
        chains[key] = max(own, key=len)
    named = [(name, state) for (name, _), state in zip(tokens, states, strict=True)]
    try:
        state = merge_states(ancestor, named, policies, lenient=lenient)
    except Exception as error:
        error.add_note(f"where ways of flow `{graph.flow}` meet")
        raise
    graph.writes += 1
    for key, value in state.items():
        if any(token.state.get(key) is not value for _, token in tokens):
            chains[key] = (*chains.get(key, ()), graph.writes)
            graph.written[(graph.writes, key)] = value
    # What no branch wrote stands in other states, too.
    return Token(state, chains, shared=True)


def _superseded(chains: list[tuple[int, ...]]) -> list[bool]:
    """For each chain, whether another one holds all of its writes; of equal ones the first stays.

    What came over several ways is one write, and one that was written over is none.
    """
    return [
        any(
            other[: len(chain)] == chain and (len(other) > len(chain) or at < number)
            for at, other in enumerate(chains)
            if at != number
        )
        for number, chain in enumerate(chains)
    ]


def _shared(chains: list[tuple[int, ...]]) -> tuple[int, ...]:
    """The beginning that all chains have in common."""
    shortest = min(chains, key=len)
    for at, write in enumerate(shortest):
        if any(chain[at] != write for chain in chains):
            return shortest[:at]
    return shortest
