"""The one checker: flows as objects become the graph that flowlint's rules look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flowlint.findings.model import Finding
from flowlint.rules.check import check_graph
from flowrt.authoring import Edge, KillSwitch, Merge, Node, NodeHook, Switch
from flowrt.construction import placed
from flowrt.drawing import draw
from flowrt.errors import FlowValidationError
from flowrt.telling import told


def check_flow(  # noqa: PLR0913 - all that bounds a flow
    *,
    name: str,
    nodes: Sequence[Node],
    edges: Sequence[Edge | Switch],
    entry: str | None,
    routing: str = "first",
    max_steps: int | None = None,
    merge: Mapping[str, Merge] | None = None,
    kill_switch: KillSwitch | None = None,
    max_parallel: int | None = None,
    hooks: Mapping[str, NodeHook | None] | None = None,
) -> tuple[Finding, ...]:
    """Check a flow and return what is worth a warning. Runs nothing.

    Raises FlowValidationError with every finding when one of them is an error.
    """
    faults = find_faults(
        name=name,
        nodes=nodes,
        edges=edges,
        entry=entry,
        routing=routing,
        max_steps=max_steps,
        merge=merge,
        kill_switch=kill_switch,
        max_parallel=max_parallel,
        hooks=hooks,
    )
    found = placed(faults)
    refuse_errors(name, found)
    return found


def find_faults(  # noqa: PLR0913 - all that bounds a flow
    *,
    name: str,
    nodes: Sequence[Node],
    edges: Sequence[Edge | Switch],
    entry: str | None,
    routing: str = "first",
    max_steps: int | None = None,
    merge: Mapping[str, Merge] | None = None,
    kill_switch: KillSwitch | None = None,
    max_parallel: int | None = None,
    hooks: Mapping[str, NodeHook | None] | None = None,
) -> tuple[Finding, ...]:
    """Everything that flowlint finds in a flow, errors and warnings. Runs nothing."""
    graph = draw(
        name=name,
        nodes=nodes,
        edges=edges,
        entry=entry,
        routing=routing,
        max_steps=max_steps,
        merge=merge or {},
        kill_switch=kill_switch,
        max_parallel=max_parallel,
        hooks=hooks,
    )
    return tuple(check_graph(graph))


def refuse_errors(name: str, findings: Sequence[Finding]) -> None:
    """Raise FlowValidationError with all findings when one of them is an error."""
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        milder = [finding for finding in findings if finding.severity != "error"]
        lines = [f"  {told(finding)}" for finding in (*errors, *milder)]
        count = "1 error" if len(errors) == 1 else f"{len(errors)} errors"
        raise FlowValidationError("\n".join([f"flow `{name}` has {count}:", *lines]), findings)
