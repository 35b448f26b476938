"""What is wrong with the configs of nodes that decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from flowlint.dialects.agentsflow.records import Record, record_of
from flowlint.dialects.agentsflow.shapes import (
    ANY,
    FLAG,
    NEEDED,
    About,
    Maker,
    Shape,
    shape_faults,
)
from flowlint.dialects.reading import listed, text_of
from flowlint.graph.model import Violation
from flowlint.graph.reference_faults import near
from flowlint.values.model import Const, Mapped, Value

_MODES = ("cio", "ballot", "consensus")
_TYPES = ("binary", "approval", "multi_choice", "custom")
_WEIGHTS = ("equal", "seniority", "confidence", "custom")

CONFIGS: Mapping[str, Shape] = {
    "decision": {
        "mode": About("text", required=True, choices=_MODES),
        "decision_type": About("text", required=True, choices=_TYPES),
        "vote_weight_strategy": About("text", choices=_WEIGHTS),
        "custom_weights": About("numbers", null=True),
        "minimum_votes": About("whole", least=1, null=True),
        "coordinator_agent_name": About("text", null=True),
        "cross_pollination_rounds": About("whole", least=0),
        "escalation_policy": About("mapping", null=True),
        "options": About("list", null=True),
        "agent_refs": About("names"),
        "agents": About("mapping"),
    },
    "interactive_decision": {
        "question": NEEDED,
        "options": About("names"),
    },
    "synthesis": {},
}
ESCALATION: Shape = {
    "enabled": FLAG,
    "on_low_confidence": About("number", null=True),
    "on_split_vote": FLAG,
    "on_explicit_keyword": FLAG,
    "target_humans": About("names"),
    "timeout_seconds": About("number", above=0),
    "fallback_decision": ANY,
}
_RAISES = "the run fails at this node"


def config_faults(
    record: Record, kind: str | None, node: str, *, voters: bool = True
) -> Iterator[Violation]:
    """What is wrong with the config of a node of a type whose config is known.

    `voters` tells whether to look for somebody who decides.
    """
    shape = CONFIGS.get(kind or "")
    if shape is None:
        return
    given = record.find("config")
    where = record.where("type")
    config = record_of(given.value) if given is not None else Record(where, {}, record.is_open)
    if config is None:
        return
    if given is not None and isinstance(given.value, Mapped):
        config = replace(config, span=given.place)
    by = Maker(f"the type `{kind}`", _RAISES)
    yield from shape_faults(config, shape, f"The config of node `{node}`", node, by)
    policy = config.get("escalation_policy")
    held = record_of(policy) if policy is not None else None
    if held is not None:
        owner = f"The escalation policy of node `{node}`"
        yield from shape_faults(held, ESCALATION, owner, node, by)
    if config.is_open:
        return
    question = config.find("question")
    if kind == "interactive_decision" and question and text_of(question.value) == "":
        said = f"The question of node `{node}` is empty: {_RAISES}"
        yield Violation(question.place, said, "write what it asks", node)
    if kind == "decision":
        if voters:
            yield from _voters(config, f"The config of node `{node}`", node)
        yield from _weights(config, node)


def _weights(config: Record, node: str) -> Iterator[Violation]:
    """Weights that are asked for and not there, and such as nothing looks at."""
    strategy, weights = config.find("vote_weight_strategy"), config.find("custom_weights")
    asked = config.text("vote_weight_strategy")
    is_empty = weights is None or (
        isinstance(weights.value, Mapped) and not weights.value.entries and not weights.value.rest
    )
    if strategy is not None and asked == "confidence":
        said = f"The votes of node `{node}` all weigh the same: `confidence` is not made yet"
        cure = "state `custom` with `custom_weights`, or leave it out"
        yield Violation(strategy.place, said, cure, node, "ineffective-field", severity="warning")
    elif strategy is not None and asked == "custom" and is_empty:
        said = f"Node `{node}` weighs votes by `custom_weights` and states none: all weigh the same"
        cure = "state `custom_weights`, or another strategy"
        yield Violation(strategy.place, said, cure, node, "ineffective-field", severity="warning")
    elif weights is not None and not is_empty and (strategy is None or asked in _WEIGHTS[:-1]):
        said = f"The `custom_weights` of node `{node}` count for nothing"
        cure = 'state `vote_weight_strategy: "custom"`'
        yield Violation(weights.key, said, cure, node, "ineffective-field", severity="warning")


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
    votes = config.find("minimum_votes")
    least = votes.value.value if votes is not None and isinstance(votes.value, Const) else None
    if mode == "cio" and len(agents) > 1:
        said = f"{owner} names {len(agents)} agents, of which only `{agents[0]}` decides"
        cure = "name one agent, or state another `mode`"
        yield Violation(where, said, cure, node, "ineffective-field", severity="warning")
    elif mode == "ballot" and votes is not None and isinstance(least, int) and least > len(agents):
        said = f"{owner} asks for {least} votes of {len(agents)} agents: {_RAISES}"
        yield Violation(votes.place, said, "ask for no more votes than agents", node, "bad-limit")
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
