"""Fields that may be stated, and that nothing reads when a flow runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from flowlint.dialects.agentsflow.records import Record, record_of
from flowlint.graph.model import Violation
from flowlint.values.model import Const, Sequence, Value

_DEFAULTS: dict[str, object] = {
    "priority": 0,
    "max_parallel_tasks": 10,
    "default_max_retries": 3,
    "enable_execution_memory": True,
    "vector_dimension": 384,
    "vector_index_type": "Flat",
}

IGNORED: dict[str, tuple[str, ...]] = {
    "metadata": (
        "max_parallel_tasks",
        "default_max_retries",
        "execution_timeout",
        "truncation_length",
        "enable_execution_memory",
        "embedding_model",
        "vector_dimension",
        "vector_index_type",
    ),
    "node": ("instruction",),
    "edge": ("priority", "instruction"),
}
"""Fields of which users expect an effect, and that have none."""


def ignored_fields(
    record: Record, what: Literal["metadata", "node", "edge"], owner: str, node: str | None
) -> Iterator[Violation]:
    """The fields of a record that have no effect."""
    for name in IGNORED[what]:
        found = record.find(name)
        if found is None:
            continue
        is_default = isinstance(found.value, Const) and found.value.value == _DEFAULTS.get(name)
        if is_default:
            continue
        yield Violation(
            found.key,
            f"{owner} states `{name}`, which AgentsFlow never reads",
            _CURES.get(name, "remove it"),
            node,
            "ineffective-field",
            severity="info",
        )


def idle_actions(value: Value | None, node: str) -> Iterator[Violation]:
    """Actions that are well formed and do nothing, or less than they say."""
    for item in value.items if isinstance(value, Sequence) else ():
        record = record_of(item.value)
        said = _idle(record) if record is not None else None
        if record is not None and said is not None:
            what, cure = said
            yield Violation(
                record.where("type"),
                f"The action `{record.text('type')}` of node `{node}` {what}",
                cure,
                node,
                "ineffective-field",
                severity="info",
            )


def _idle(record: Record) -> tuple[str, str] | None:
    kind = record.text("type")
    if kind in ("set_context", "transform"):
        what = "does nothing: AgentsFlow gives actions no context to write to"
        return what, "let the node itself give the value"
    channel = record.text("channel")
    if kind == "notify" and channel in ("slack", "teams", "email"):
        what = f"only writes to the log: nothing is sent to `{channel}`"
        return what, "use a `webhook`, or send it in a node of its own"
    if kind == "validate" and record.text("on_failure") == "fallback":
        what = "does not put `fallback_value` in the place of a result that is not valid"
        return what, 'state `on_failure: "raise"`, and an edge for the failure'
    return None


_CURES = {
    "priority": "all edges whose condition holds are taken: make the conditions exclude each other",
    "default_max_retries": "state `max_retries` on each node",
    "instruction": "put it into the prompt of the agent",
    "execution_timeout": "let the nodes themselves stop in time",
}
