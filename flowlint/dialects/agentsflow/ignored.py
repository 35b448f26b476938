"""Fields that may be stated, and that nothing reads when a flow runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from flowlint.dialects.agentsflow.records import Record
from flowlint.graph.model import Violation
from flowlint.values.model import Const

_DEFAULTS: dict[str, object] = {"priority": 0, "max_parallel_tasks": 10, "default_max_retries": 3}

IGNORED: dict[str, tuple[str, ...]] = {
    "metadata": (
        "max_parallel_tasks",
        "default_max_retries",
        "execution_timeout",
        "truncation_length",
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


_CURES = {
    "priority": "all edges whose condition holds are taken: make the conditions exclude each other",
    "default_max_retries": "state `max_retries` on each node",
    "instruction": "put it into the prompt of the agent",
    "execution_timeout": "let the nodes themselves stop in time",
}
