"""What is wrong with the configs of nodes that decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flowlint.dialects.agentsflow.records import Record, record_of
from flowlint.dialects.agentsflow.shapes import About, Shape
from flowlint.dialects.reading import listed, text_of
from flowlint.graph.model import Violation
from flowlint.graph.reference_faults import near, near_rename, one_of
from flowlint.values.model import Const, Mapped, Value

_MODES = ("cio", "ballot", "consensus")
_TYPES = ("binary", "approval", "multi_choice", "custom")
_WEIGHTS = ("equal", "seniority", "confidence", "custom")

CONFIGS: Mapping[str, Shape] = {
    "decision": {
        "mode": About("text", required=True, choices=_MODES),
        "decision_type": About("text", required=True, choices=_TYPES),
        "vote_weight_strategy": About("text", choices=_WEIGHTS),
        "custom_weights": About("mapping"),
        "minimum_votes": About("whole", least=1),
        "coordinator_agent_name": About("text"),
        "cross_pollination_rounds": About("whole", least=0),
        "escalation_policy": About("mapping"),
        "options": About("list"),
        "agent_refs": About("any"),
        "agents": About("any"),
    },
    "interactive_decision": {
        "question": About("text", required=True),
        "options": About("list"),
    },
    "synthesis": {},
}
_RAISES = "the run fails at this node"


def config_faults(record: Record, kind: str | None, node: str) -> Iterator[Violation]:
    """What is wrong with the config of a node of a type whose config is known."""
    shape = CONFIGS.get(kind or "")
    if shape is None:
        return
    value = record.get("config")
    config = record_of(value) if value is not None else Record(record.span, {}, record.is_open)
    if config is None:
        return
    owner = f"The config of node `{node}`"
    for name, given in config.fields.items():
        about = shape.get(name)
        if about is None:
            said = f"{owner} has a field `{name}`, which the type `{kind}` does not know: {_RAISES}"
            rename = near_rename(given.key, name, [*shape])
            cure = near(name, [*shape], "remove it")
            yield Violation(given.key, said, cure, node, "unknown-field", rename=rename)
        elif about.choices and isinstance(given.value, Const):
            if given.value.value not in about.choices:
                shown = str(given.value.value)
                said = f"{owner} has the {name} `{shown}`, which is not there: {_RAISES}"
                cure = near(shown, about.choices, one_of(about.choices))
                yield Violation(given.place, said, cure, node)
    if config.is_open:
        return
    for name, about in shape.items():
        if about.required and name not in config.fields:
            said = f"{owner} has no `{name}`: {_RAISES}"
            where = record.where("config") if value is not None else record.where("type")
            yield Violation(where, said, f"state its `{name}`", node)
    if kind == "decision":
        yield from _voters(config, owner, node)


def _voters(config: Record, owner: str, node: str) -> Iterator[Violation]:
    """Whether there is somebody to decide."""
    mode = config.text("mode")
    agents = _agents(config)
    if mode not in _MODES or agents is None:
        return
    where = config.where("mode")
    if not agents:
        effect = {
            "cio": _RAISES,
            "ballot": "it decides nothing, and the run reports success",
            "consensus": _RAISES,
        }[mode]
        said = f"{owner} names no agent that decides: {effect}"
        severity = "warning" if mode == "ballot" else None
        yield Violation(
            where,
            said,
            "name them in `agent_refs`",
            node,
            severity=severity,  # type: ignore[arg-type]
        )
        return
    if mode == "consensus":
        coordinator = config.text("coordinator_agent_name")
        if config.find("coordinator_agent_name") is None:
            said = f"{owner} asks for a consensus and names no coordinator: {_RAISES}"
            yield Violation(where, said, "state `coordinator_agent_name`", node)
        elif coordinator is not None and coordinator not in agents:
            said = (
                f"{owner} names the coordinator `{coordinator}`, which is none of its agents: "
                f"{_RAISES}"
            )
            place = config.where("coordinator_agent_name")
            cure = near(coordinator, agents, "name one of its agents")
            yield Violation(place, said, cure, node)


def _agents(config: Record) -> list[str] | None:
    """The names of the agents that decide, None where they are not all known."""
    found: list[str] = []
    for name in ("agent_refs", "agents"):
        value = config.get(name)
        if value is None:
            continue
        names = _names(value)
        if names is None:
            return None
        found += names
    return found


def _names(value: Value) -> list[str] | None:
    if isinstance(value, Mapped):
        keys = [text_of(entry.key) for entry in value.entries]
        return None if value.rest is not None or None in keys else [key or "" for key in keys]
    items = listed(value)
    if items is None or items[1] is not None:
        return None
    texts = [text_of(item.value) for item in items[0]]
    return None if None in texts else [text or "" for text in texts]
