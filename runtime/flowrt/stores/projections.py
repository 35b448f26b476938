"""What a bundle shows beside its trace: the run at a glance and its steps, made from events."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, get_args

from flowrt.stores.base import Event, Json, Manifest, RunStatus, Trace

MANIFEST_LOST = "the manifest is damaged; this was told from the trace"
"""The error of a run whose manifest cannot be read."""
_STATUSES = frozenset(get_args(RunStatus))
_ENDS = {
    "attempt_failed": "failed",
    "node_completed": "ok",
    "node_failed": "failed",
    "node_waiting": "waiting",
    "node_skipped": "skipped",
    "node_blocked": "blocked",
}

_STOPS = {
    "run_waiting": "waiting",
    "run_halted": "halted",
    "run_cancelled": "cancelled",
    "run_failed": "cancelled",
    "run_timed_out": "cancelled",
}
"""What became of nodes under way when the run came to a rest, as of those around one that waits."""


def steps(events: Iterable[Event]) -> list[dict[str, Any]]:
    """One record for each attempt of a node, in the order in which they began or ended."""
    made: list[dict[str, Any]] = []
    under_way: dict[tuple[str, str, int], dict[str, Any]] = {}
    for event in events:
        key = (event.scope, event.node, event.visit)
        if event.type in _STOPS:
            for record in under_way.values():
                record["outcome"] = _STOPS[event.type]
            under_way.clear()
            continue
        if event.type == "node_started":
            record = _record(event) | {"started_at": event.at}
            made.append(record)
            under_way[key] = record
            continue
        outcome = _ENDS.get(event.type)
        if outcome is None:
            continue
        found = under_way.pop(key, None)
        if found is None or found["attempt"] != event.attempt:
            found = _record(event)
            made.append(found)
            took = event.data.get("took")
            if isinstance(took, int | float):
                # What is over at once is not announced.
                found["started_at"] = round(event.at - took, 6)
        found["outcome"] = event.data.get("outcome", outcome)
        found["ended_at"] = event.at
        if event.data.get("error") is not None:
            found["error"] = event.data["error"]
    return made


def run_view(manifest: Manifest, trace: Trace, records: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The run at a glance: its header, how each node last ended by `steps`, what was lost."""
    counts: dict[str, int] = {}
    nodes: dict[str, str] = {}
    for record in records:
        outcome = record.get("outcome", "interrupted")
        counts[outcome] = counts.get(outcome, 0) + 1
        place = f"{record['scope']}/{record['node']}" if record["scope"] else record["node"]
        nodes[place] = outcome
    return {
        **manifest_json(manifest),
        "events": len(trace.events),
        "steps": counts,
        "nodes": nodes,
        "lost": list(trace.lost),
    }


def manifest_json(manifest: Manifest, events: int = 0) -> dict[str, Any]:
    """A manifest as JSON, with how many events there are; what is unknown is left out."""
    made: dict[str, Any] = {
        "run_id": manifest.run_id,
        "flow": manifest.flow,
        "status": manifest.status,
        "created_at": manifest.created_at,
        "updated_at": manifest.updated_at,
    }
    if manifest.title is not None:
        made["title"] = manifest.title
    if manifest.waiting_on:
        made["waiting_on"] = list(manifest.waiting_on)
    if manifest.error is not None:
        made["error"] = manifest.error
    if events:
        made["events"] = events
    return made


def read_manifest(made: Any) -> Manifest:
    """The manifest that `manifest_json` wrote. Raises ValueError when it is none."""
    try:
        manifest = Manifest(
            run_id=made["run_id"],
            flow=made["flow"],
            status=made["status"],
            created_at=float(made["created_at"]),
            updated_at=float(made["updated_at"]),
            title=made.get("title"),
            waiting_on=tuple(made.get("waiting_on", ())),
            error=made.get("error"),
            events=int(made.get("events", 0)),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("is no manifest") from error
    if not isinstance(manifest.run_id, str) or manifest.status not in _STATUSES:
        raise ValueError("is no manifest")
    return manifest


def manifest_from(run_id: str, definition: Json, trace: Trace) -> Manifest:
    """What the trace tells of a run whose manifest is damaged."""
    status: RunStatus = "running"
    for event in trace.events:
        told = event.type.removeprefix("run_")
        if event.type in ("run_started", "run_resumed"):
            status = "running"
        elif event.type.startswith("run_") and told in _STATUSES:
            status = told  # type: ignore[assignment]
    first = trace.events[0].at if trace.events else 0.0
    last = trace.events[-1].at if trace.events else 0.0
    flow = str(definition.get("flow", ""))
    return Manifest(run_id, flow, status, first, last, error=MANIFEST_LOST)


def _record(event: Event) -> dict[str, Any]:
    return {
        "scope": event.scope,
        "node": event.node,
        "visit": event.visit,
        "attempt": event.attempt,
    }


def told_events(manifest: str | bytes | None, live: str | bytes | None) -> int:
    """How many events a run told that it had, in its manifest or of what goes on.

    What is damaged tells nothing. Both are to be read before the events: more may come meanwhile.
    """
    counts = [0]
    with suppress(ValueError):
        counts.append(read_manifest(json.loads(manifest or b"")).events)
    with suppress(ValueError):
        told = json.loads(live or b"")
        count = told.get("events") if isinstance(told, dict) else None
        counts.append(count if type(count) is int else 0)
    return max(counts)
