"""How arguments and methods are called by which classes can be seen to build flows."""

from __future__ import annotations

import re

NODES = frozenset(
    [
        "nodes",
        "steps",
        "stages",
        "tasks",
        "states",
        "actions",
        "activities",
        "blocks",
        "vertices",
        "components",
    ]
)
EDGES = frozenset(["edges", "transitions", "routes", "links", "connections", "arrows", "wires"])
ENTRY = frozenset(
    [
        "entry",
        "entry_point",
        "entrypoint",
        "start",
        "start_at",
        "start_node",
        "initial",
        "initial_state",
        "first",
        "root",
    ]
)
NAME = frozenset(["name", "id", "key", "node_id", "step_id", "label", "title"])
RUN = frozenset(
    [
        "run",
        "fn",
        "func",
        "function",
        "handler",
        "action",
        "call",
        "callable",
        "execute",
        "body",
        "task",
        "target",
    ]
)
KIND = frozenset(["kind", "type", "role", "node_type"])
SOURCE = frozenset(
    ["src", "source", "from", "origin", "from_node", "from_step", "tail", "start", "before", "frm"]
)
TARGET = frozenset(
    ["dst", "dest", "destination", "target", "to", "to_node", "to_step", "head", "end", "after"]
)
GUARD = frozenset(
    ["when", "guard", "condition", "cond", "only_if", "predicate", "if", "unless_not"]
)
LIMIT = frozenset(["max_steps", "max_rounds", "max_iterations", "step_limit"])
READS = frozenset(
    [
        "run",
        "arun",
        "run_sync",
        "execute",
        "invoke",
        "ainvoke",
        "resume",
        "start",
        "draw",
        "render",
        "validate",
        "describe",
    ]
)
FINISH = frozenset(["build", "compile", "finish", "done", "finalize", "freeze"])

_NODE = re.compile(r"(add|with|register|define)_(node|step|stage|task|state|action|block)")
_EDGE = re.compile(
    r"(add|with|register|define)_(edge|transition|route|link|connection)|connect|link|transition"
)
_ENTRY = re.compile(
    r"(set|with|add)_(entry|start|entrypoint|entry_point|initial|initial_state)"
    r"|(start|begin)_(at|with)|entry|entrypoint"
)


def adds_node(method: str) -> bool:
    """Whether a method of this name adds a node."""
    return _NODE.fullmatch(method) is not None


def adds_edge(method: str) -> bool:
    """Whether a method of this name adds an edge."""
    return _EDGE.fullmatch(method) is not None


def names_entry(method: str) -> bool:
    """Whether a method of this name states where a run begins."""
    return _ENTRY.fullmatch(method) is not None
