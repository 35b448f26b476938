"""Which edges are taken after a node."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from flowlint.graph.reference import case_label
from flowrt.authoring import Edge, FlowState, NodeResult, Switch
from flowrt.engine.plain import edge_of, holds
from flowrt.engine.plan import Hop, targets_of
from flowrt.errors import FlowError
from flowrt.nodes.values import cel_value, follow

_OUTPUT = re.compile(r"\bresult\b[\s\S]*\boutput\b")

Taken = tuple[Hop, str]
"""An edge that is taken, and where it leads to (a switch may lead to several places)."""


class Look:
    """What guards and switches may look at after a node ended."""

    __slots__ = ("flow", "input", "outputs", "result", "state")

    def __init__(
        self,
        flow: str,
        state: FlowState,
        result: NodeResult,
        outputs: Mapping[str, Any],
        run_input: Any,
    ) -> None:
        self.flow = flow
        self.state = state
        self.result = result
        self.outputs = outputs
        self.input = run_input

    def variables(self, text: str) -> dict[str, Any]:
        """The names that a condition in CEL may use."""
        result = self.result
        found = {
            "node": result.node,
            "outcome": result.outcome,
            "error": result.error or "",
            "attempts": result.attempts,
        }
        if _OUTPUT.search(text):
            # An output that CEL cannot hold is no matter where nobody asks for it.
            found["output"] = result.output
        return {
            "state": self.state,
            "output": result.output,
            "outputs": self.outputs,
            "input": self.input,
            "result": found,
        }


def first_taken(hops: tuple[Hop, ...], look: Look) -> Taken | None:
    """The first edge that applies, None when none does."""
    for hop in hops:
        target = lead(hop, look)
        if target is not None:
            return hop, target
    return None


def incoming_edge(hop: Hop, target: str) -> Edge:
    """The edge over which a node was reached; the case of a switch is an edge to its target."""
    edge = hop.edge
    return edge if isinstance(edge, Edge) else Edge(edge.src, target, priority=edge.priority)


def recalled(hops: tuple[Hop, ...], route: Sequence[Any]) -> Taken | None:
    """An edge taken before, told by its number and target.

    In a flow that was changed since, it is another edge to that target; None when there is none.
    """
    number, target = route
    leading = [hop for hop in hops if target in targets_of(hop.edge)]
    same = [hop for hop in leading if hop.number == number]
    found = next(iter(same or leading), None)
    return None if found is None else (found, target)


def may_end_well(hops: tuple[Hop, ...]) -> bool:
    """Whether a node with these ways out may complete and lead nowhere: no edge is for that."""
    return all(isinstance(hop.edge, Edge) and hop.edge.outcome != "ok" for hop in hops)


def all_taken(hops: tuple[Hop, ...], look: Look) -> list[Taken]:
    """Every edge that applies."""
    found = ((hop, lead(hop, look)) for hop in hops)
    return [(hop, target) for hop, target in found if target is not None]


def lead(hop: Hop, look: Look) -> str | None:
    """Where an edge leads to after this end of its source, None when it does not apply."""
    edge = hop.edge
    if isinstance(edge, Switch):
        return _switched(edge, look)
    if edge.outcome != look.result.outcome:
        return None
    if hop.when is not None:
        is_taken = holds(hop.when, look.state, (edge.src, edge.dst), look.flow)
        return edge.dst if is_taken else None
    if isinstance(edge.when, str):
        return edge.dst if _holds(edge, edge.when, look) else None
    return edge.dst


def _holds(edge: Edge, text: str, look: Look) -> bool:
    guard = f"the guard on {edge_of(edge.src, edge.dst, look.flow)}"
    try:
        answer = cel_value(text, look.variables(text))
    except FlowError as error:
        raise FlowError(f"{guard}: {error}") from error
    if not isinstance(answer, bool):
        raise FlowError(
            f"{guard}: `{text}` gives {_shown(answer)}, which is neither true nor false"
        )
    return answer


def _switched(edge: Switch, look: Look) -> str | None:
    """The case of a switch. After a failure only a switch on `$result` counts."""
    if look.result.outcome == "ok":
        return _case(edge, look)
    if not edge.on.startswith("$result."):
        return None
    try:
        return _case(edge, look)
    except FlowError:
        # The run ends with the node's own error, not with one about where to go on.
        return None


def _case(edge: Switch, look: Look) -> str:
    """Where the value of a switch leads to. Raises FlowError when that is nowhere."""
    switch = f"the switch after `{edge.src}` of flow `{look.flow}`"
    try:
        value = read_path(edge.on, look)
    except FlowError as error:
        raise FlowError(f"{switch}: {error}") from error
    if not isinstance(value, str | int | float):
        raise FlowError(
            f"{switch}: `{edge.on}` needs a text, number or truth value, not {_shown(value)}"
        )
    key = case_label(value)
    target = edge.cases.get(key)
    if target is None:
        # In Python a case may be written as the value itself.
        named = {case_label(case): to for case, to in edge.cases.items()}
        target = named.get(key, edge.default)
    if target is None:
        cases = ", ".join(f"`{case}`" for case in named)
        raise FlowError(f"{switch}: `{edge.on}` has no case `{key}`, only {cases}")
    return target


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"


def read_path(path: str, look: Look) -> Any:
    """What a path such as `$.route`, `$output.a.0` or `$result.outcome` leads to.

    Raises FlowError for another kind of path, and where the path ends before its last part.
    """
    head, _, rest = path.partition(".")
    if head not in ("$", "$output", "$result") or not rest:
        raise FlowError(f"`{path}` is no path: write `$.x`, `$output.x` or `$result.x`")
    value: Any = look.result.output
    if head == "$result":
        value = {
            "outcome": look.result.outcome,
            "output": look.result.output,
            "error": look.result.error,
            "attempts": look.result.attempts,
            "node": look.result.node,
        }
    return follow(value, rest, path)
