"""Long flow definitions as data, for benchmarks: AgentsFlow and flowrt, as JSON and YAML."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import yaml

Document = dict[str, Any]


def documents(lines: int) -> Iterator[tuple[str, str]]:
    """A file name and a text of about so many lines, for each form."""
    yield "agentsflow.json", _as_json(agentsflow(lines // 15))
    yield "agentsflow.yaml", yaml.safe_dump(agentsflow(lines // 10), sort_keys=False)
    yield "flowrt.json", _as_json(flowrt(lines // 8))
    yield "flowrt.yaml", yaml.safe_dump(flowrt(lines // 4), sort_keys=False)


def agentsflow(count: int) -> Document:
    """A definition with branches that meet again, and one edge to no node."""
    names = [f"worker_{number}" for number in range(count)]
    nodes = [
        {"id": "start", "type": "start"},
        *(
            {
                "id": name,
                "type": "agent",
                "agent_ref": f"agent-of-{name}",
                "max_retries": 2,
                "metadata": {"label": f"The step of {name}", "note": "as agreed on"},
            }
            for name in names
        ),
        {"id": "end", "type": "end"},
    ]
    edges: list[Document] = [{"from": "start", "to": names[0]}]
    for number, (one, other) in enumerate(pairwise([*names, "end"])):
        edges.append({"from": one, "to": other, "condition": "on_success"})
        if number % 5 == 0 and number + 2 < count:
            edges.append({"from": one, "to": names[number + 2], "condition": "on_error"})
    edges.append({"from": names[0], "to": "nowhere"})
    return {"flow": "long", "version": "1.0", "nodes": nodes, "edges": edges}


def flowrt(count: int) -> Document:
    """A definition in which every step follows the one before, and one edge to no node."""
    names = [f"step_{number}" for number in range(count)]
    return {
        "flowrt": 1,
        "name": "long",
        "entry": names[0],
        "nodes": [{"name": name, "run": f"steps:{name}"} for name in names],
        "edges": [
            *({"from": one, "to": other} for one, other in pairwise(names)),
            {"from": names[-1], "to": "nowhere"},
        ],
    }


def _as_json(document: Document) -> str:
    return json.dumps(document, indent=2) + "\n"
