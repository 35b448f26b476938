"""Reports made by hand, so that they do not change when a rule does."""

from __future__ import annotations

import json
from pathlib import Path

from flowlint.findings.model import Finding, Fix, Related
from flowlint.graph.model import Edge, Entry, FlowGraph, Node, Semantics
from flowlint.project.files import ProjectFiles
from flowlint.report.model import Report
from flowlint.report.style import Style
from flowlint.source import Edit, Span

SCHEMAS = Path(__file__).parents[1] / "fixtures" / "schemas"

SOURCE = """\
flow = Flow(
    nodes=[Node("draft", draft), Node("review", review)],
    edges=[Edge("draft", "reveiw"), Edge("review", "draft")],
    entry="draft",
)
"""

NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "metadata": {}, "source": ["# Title"]},
            {
                "cell_type": "code",
                "execution_count": None,
                "metadata": {},
                "outputs": [],
                "source": ["# é, so that bytes are not characters\n", 'g.add_edge("a", "b")\n'],
            },
        ],
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    },
    indent=1,
    ensure_ascii=False,
)

SEMANTICS = Semantics(
    system="HydraFlow",
    built_by="Flow(…)",
    routing="first",
    join="any",
    cycles="allowed",
    end="implicit",
    unmatched_route="raises",
    failure="raises",
    on_unreachable="rejected",
    on_unknown_name="rejected",
    on_duplicate_node="rejected",
    on_missing_entry="rejected",
    on_empty="rejected",
    on_duplicate_edge="silent",
)


def at(path: str, line: int, column: int, end: int, cell: int | None = None) -> Span:
    return Span(path, line, column, line, end, cell)


TARGET = at("flows/é.py", 3, 26, 34)
BACK = at("flows/é.py", 3, 37, 60)

FINDINGS = (
    Finding(
        "FL105",
        "dangling-edge",
        "error",
        "Edge from `draft` leads to `reveiw`, which is no node of this flow: 2 uses.",
        TARGET,
        help="did you mean `review`?",
        flow="flow",
        node="draft",
        related=(Related("`review` is added here", at("flows/é.py", 2, 39, 47)),),
        fix=Fix("Write `review`", "safe", (Edit(TARGET, '"review"'),)),
    ),
    Finding(
        "FL301",
        "loop-without-exit",
        "warning",
        "No edge leads out of the loop `draft → review → draft`, in 100% of <runs> & more.",
        BACK,
        flow="flow",
        node="review",
        witness=("draft", "review", "draft"),
    ),
    Finding(
        "FL902",
        "unresolved-flow",
        "info",
        "Cannot tell all edges of `g`.",
        at("notes.ipynb", 2, 1, 21, cell=1),
        help="name them in the code",
        flow="g",
    ),
)

PROBLEMS = (("gone.py", "no such file or folder"), (None, "nothing to check"))


def node(name: str, span: Span, **more: object) -> Node:
    return Node(name, span, span, **more)  # type: ignore[arg-type]


def edge(source: str, target: str, span: Span, **more: object) -> Edge:
    return Edge(source, target, span, span.start(), span.start(), **more)  # type: ignore[arg-type]


GRAPH = FlowGraph(
    "flow",
    "hydraflow",
    Span("flows/é.py", 1, 1, 5, 2),
    SEMANTICS,
    nodes=(node("draft", at("flows/é.py", 2, 17, 24)), node("review", at("flows/é.py", 2, 39, 47))),
    edges=(
        Edge("draft", "reveiw", at("flows/é.py", 3, 12, 35), at("flows/é.py", 3, 17, 24), TARGET),
        edge("review", "draft", BACK),
    ),
    entries=(Entry("draft", at("flows/é.py", 4, 11, 18)),),
)


def report(*findings: Finding, root: str = ".", **more: object) -> Report:
    """A report of these findings, by default of all of them."""
    facts: dict[str, object] = {"flows": 1, "checked": 2, "graphs": (GRAPH,), **more}
    files = ProjectFiles({"flows/é.py": SOURCE.encode(), "notes.ipynb": NOTEBOOK.encode()})
    return Report(findings or FINDINGS, files, style=Style(), root=root, **facts)  # type: ignore[arg-type]
