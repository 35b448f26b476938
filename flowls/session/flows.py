"""The flows of a file with what is told of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.report.drawing.marks import Marks, marks_of
from flowlint.source import Span
from flowls.session.session import Session


@dataclass(frozen=True, slots=True)
class ToldFlow:
    """A flow, and the findings about it with the parts that each is about."""

    graph: FlowGraph
    marks: Marks

    @property
    def findings(self) -> Sequence[Finding]:
        """All that is told of the flow, wherever it stands."""
        return self.marks.findings


def told_flows(session: Session, path: str) -> list[ToldFlow]:
    """The flows that are constructed in a file."""
    graphs = session.graphs(path)
    if not graphs:
        return []
    sites = {graph.span for graph in graphs}
    flows = [
        flow
        for known in session.known.showing_in(path)
        for flow in known.result.flows
        if flow.graph.span in sites
    ]
    about = {_key(finding) for flow in flows for finding in flow.findings}
    paths = dict.fromkeys([path, *sorted(key[1].path for key in about)])
    told = [
        finding
        for one in paths
        for finding in session.findings(one).findings
        if _key(finding) in about
    ]
    marks, _ = marks_of(graphs, told)
    return [ToldFlow(graph, own) for graph, own in zip(graphs, marks, strict=True)]


def _key(finding: Finding) -> tuple[str, Span, str]:
    return (finding.code, finding.span, finding.message)
