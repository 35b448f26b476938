"""What nodes of AgentsFlow give, by their type and their config."""

from __future__ import annotations

from flowlint.dialects.agentsflow.records import Record, record_of
from flowlint.dialects.reading import listed, text_of
from flowlint.graph.cel_values import Values
from flowlint.graph.node_outputs import Fields, Output
from flowlint.values.model import Const, Mapped

_AGENT = Output(
    fields=(
        ("response", Values("text")),
        ("output", None),
        ("execution_time", Values("number")),
        ("prompt", None),
    )
)
_ASKED_FOR = {"binary": ("YES", "NO"), "approval": ("APPROVE", "REJECT", "ESCALATE")}
"""What voters are asked for, by the type of the decision."""

_NOTHING_CHOSEN = "unknown"
"""What an interactive decision gives where nobody chooses."""


def result_of(kind: str | None, config: Record | None) -> Output | None:
    """What a node of a type gives with its config; None where that is not known."""
    match kind:
        case "agent":
            return _AGENT
        case "decision":
            return _decision(_asked_for(config) if config is not None else None)
        case "interactive_decision":
            return _decision(_chosen(config) if config is not None else None)
    return None


def _decision(decided: Values | None) -> Output:
    fields: Fields = (
        ("decision_id", None),
        ("mode", None),
        ("final_decision", decided),
        ("confidence", Values("number", null=True)),
        ("votes", None),
        ("vote_distribution", None),
        ("consensus_level", None),
        ("escalated", Values("boolean")),
        ("escalation_reason", None),
        ("agent_responses", None),
        ("execution_time", Values("number", null=True)),
        ("metadata", None),
    )
    return Output(fields=fields)


def _asked_for(config: Record) -> Values | None:
    """What voters are asked for, or what stands in where they cannot decide."""
    choices = _ASKED_FOR.get(config.text("decision_type") or "")
    policy = config.get("escalation_policy")
    if choices is None or config.is_open:
        return None
    if policy is None:
        return Values("text", choices)
    # Only in code can people be asked, who may answer anything.
    escalation = record_of(policy) if isinstance(policy, Mapped) else None
    if escalation is None or escalation.is_open:
        return None
    fallback = escalation.get("fallback_decision")
    if fallback is None:
        return Values("text", choices, null=True)
    text = text_of(fallback)
    return Values("text", (*choices, text)) if text is not None else None


def _chosen(config: Record) -> Values | None:
    """The options in small letters, as they are given on."""
    options = config.get("options")
    found = listed(options) if options is not None else None
    if found is None or found[1] is not None:
        return None
    texts = [one.value.value for one in found[0] if isinstance(one.value, Const)]
    if len(texts) < len(found[0]) or any(one.presence for one in found[0]) or not texts:
        return None
    small = [text.lower() for text in texts if isinstance(text, str)]
    return Values("text", tuple(dict.fromkeys([*small, _NOTHING_CHOSEN])))
