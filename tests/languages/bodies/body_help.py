"""Bodies of functions as flows see them, told in words that are easy to compare."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from flowlint.graph.code import Code, Router
from flowlint.graph.model import FlowGraph
from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

FLOW = """
from functools import partial, wraps
from enum import Enum
from typing import Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Overwrite, Send

{source}

builder = StateGraph(dict)
builder.add_node("n", {node})
builder.add_node("other", lambda state: {{}})
builder.add_edge(START, "n")
builder.add_conditional_edges("other", {router})
"""


def graph_of(folder: Path, source: str, node: str, router: str) -> FlowGraph:
    """The flow in which the source's functions are a node or a router."""
    path = folder / "flow.py"
    path.write_text(FLOW.format(source=dedent(source), node=node, router=router))
    result = analyse_file(str(path), ProjectFiles(), str(folder))
    assert not result.faults
    return result.flows[0].graph


def code_of(folder: Path, source: str, node: str = "node") -> Code | None:
    """What a function is seen to do as a node."""
    return graph_of(folder, source, node, "lambda state: END").nodes[0].code


def router_of(folder: Path, source: str, router: str = "route") -> Router:
    """What a function is seen to return as a router."""
    return graph_of(folder, source, "lambda state: {}", router).routers[0]


def writes(code: Code) -> str:
    """The keys that are written; `?` those that may be, `…` where there may be others."""
    keys = {write.key: write.certain for write in code.writes}
    shown = [key if certain else f"{key}?" for key, certain in sorted(keys.items())]
    return " ".join([*shown, *(["…"] if code.more_writes else [])])


def handovers(code: Code) -> str:
    """Where it hands over to, in the same way."""
    shown = []
    for found in code.handovers:
        name = f"{found.kind} {found.target}"
        name += "" if found.certain else "?"
        name += " (many)" if found.many else ""
        name += " (parent)" if found.to_parent else ""
        shown.append(name)
    return ", ".join([*dict.fromkeys(shown), *(["…"] if code.more_handovers else [])])


def routes(router: Router) -> str:
    """What it returns; `…` where there may be other values."""
    shown = [("send " if r.sends else "") + r.shown + (" (many)" if r.many else "")
             for r in router.routes]  # fmt: skip
    return " ".join([*sorted(dict.fromkeys(shown)), *(["…"] if router.more else [])])
