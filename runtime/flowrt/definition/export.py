"""Flows that were made in Python as definitions, where every function has a registered name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any

from flowlint.graph.reference import KINDS
from flowlint.graph.reference_fields import FORMAT
from flowrt.authoring import Edge, Node, Permissions, Region, Retry, Switch
from flowrt.definition.building import parse_definition
from flowrt.definition.model import FlowDefinition
from flowrt.errors import FlowError
from flowrt.flow import Flow
from flowrt.registry import name_of_callable


def to_definition(flow: Flow) -> FlowDefinition:
    """The flow as data. Raises FlowError naming each part that cannot be written as data."""
    writer = _Writer()
    data: dict[str, Any] = {
        "flowrt": FORMAT,
        "name": flow.name,
        "title": flow.title,
        "entry": flow.entry,
        "routing": flow.routing,
        **writer.graph(flow.nodes, flow.edges),
        "max_steps": flow.max_steps,
        "max_parallel": flow.max_parallel,
        "merge": {key: writer.policy(key, policy) for key, policy in flow.merge.items()} or None,
        "permissions": None if flow.permissions == Permissions() else asdict(flow.permissions),
    }
    if writer.faults:
        lines = "\n".join(f"  {fault}" for fault in writer.faults)
        raise FlowError(f"flow `{flow.name}` cannot be written as data:\n{lines}")
    return parse_definition(data)


def to_dict(flow: Flow | FlowDefinition) -> dict[str, Any]:
    """The flow as plain data, without what is not set. Raises FlowError as `to_definition`."""
    definition = flow if isinstance(flow, FlowDefinition) else to_definition(flow)
    return definition.model_dump(mode="json", by_alias=True, exclude_defaults=True) | {
        "flowrt": FORMAT
    }


class _Writer:
    """Writes parts as data and collects what cannot be written."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def graph(self, nodes: Iterable[Node], edges: Iterable[Edge | Switch]) -> dict[str, Any]:
        """The nodes and edges of a flow or region."""
        return {
            "nodes": [self._node(node) for node in nodes],
            "edges": [self._edge(edge) for edge in edges],
        }

    def policy(self, key: str, policy: object) -> object:
        """How values of a key are merged."""
        if isinstance(policy, str):
            return policy
        return {"call": self._name(policy, f"the merge of `{key}`")}

    def _name(self, function: object, where: str) -> str:
        name = name_of_callable(function) if callable(function) else None
        if name is None:
            shown = getattr(function, "__qualname__", type(function).__name__)
            self.faults.append(
                f"{where} is `{shown}`, which has no name: register it with `register_callable`"
            )
        return name or ""

    def _node(self, node: Node) -> dict[str, Any]:
        where = f"what node `{node.name}` runs"
        return {
            "name": node.name,
            "kind": node.kind,
            "run": None if node.run is None else self._name(node.run, where),
            "timeout": node.timeout,
            "heartbeat": node.heartbeat,
            "retry": None if node.retry is None else self._retry(node.name, node.retry),
            "join": node.join,
            "detail": node.detail,
            "config": self._plain(dict(node.config), f"the config of node `{node.name}`"),
            "before": self._actions(node.before, node.name),
            "after": self._actions(node.after, node.name),
            **self._regions(node),
        }

    def _actions(self, actions: Iterable[Mapping[str, Any]], node: str) -> list[Any]:
        return [self._plain(dict(action), f"an action of node `{node}`") for action in actions]

    def _retry(self, name: str, retry: Retry) -> dict[str, Any]:
        if retry.on != (Exception,):
            self.faults.append(f"the retry of node `{name}` names exceptions, which data cannot")
        return {key: value for key, value in asdict(retry).items() if key != "on"}

    def _regions(self, node: Node) -> dict[str, Any]:
        regions = {name: self._region(region) for name, region in node.regions.items()}
        if node.kind == "parallel":
            return {"branches": regions}
        if node.kind in KINDS:
            return regions
        return {"regions": regions} if regions else {}

    def _region(self, region: Region) -> dict[str, Any]:
        graph = self.graph(region.nodes, region.edges)
        return {**graph, "entry": region.entry, "routing": region.routing}

    def _edge(self, edge: Edge | Switch) -> dict[str, Any]:
        if isinstance(edge, Switch):
            switch = {"on": edge.on, "cases": dict(edge.cases), "default": edge.default}
            return {"from": edge.src, "switch": switch, "priority": edge.priority}
        where = f"the guard of the edge from `{edge.src}` to `{edge.dst}`"
        when: object = edge.when
        if when is not None and not isinstance(when, str):
            when = {"call": self._name(when, where)}
        return {
            "from": edge.src,
            "to": edge.dst,
            "when": when,
            "outcome": edge.outcome,
            "priority": edge.priority,
            "prompt": self._plain(edge.prompt, f"the prompt from `{edge.src}` to `{edge.dst}`"),
        }

    def _plain(self, value: object, where: str) -> Any:
        """A value as data; functions in it by their names."""
        if value is None or isinstance(value, str | int | float | bool):
            return value
        if isinstance(value, Mapping):
            return {str(key): self._plain(inner, where) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self._plain(inner, where) for inner in value]
        if isinstance(value, Callable):  # type: ignore[arg-type]
            return self._name(value, f"a function in {where}")
        self.faults.append(f"{where} holds a {type(value).__name__}, which is no data")
        return None
