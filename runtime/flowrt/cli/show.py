"""`flowrt show`: how a run stands."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from shlex import quote
from time import time
from typing import Any, Literal

import click

from flowrt.cli import waits
from flowrt.cli.codes import OK
from flowrt.cli.options import report_option, run_argument, store_option
from flowrt.cli.scopes import Scopes
from flowrt.cli.standing import INTERRUPTED, OVER, status_of, under_way
from flowrt.cli.store_access import find_run, opened, store_argument
from flowrt.cli.telling import Teller
from flowrt.cli.words import ago, clean, duration, moment
from flowrt.errors import FlowError
from flowrt.stores.base import Event, Manifest, RunStore, Trace
from flowrt.stores.projections import MANIFEST_LOST

KEPT = "artifact_written"
_SHOWN = 200
"""Lines of steps shown unless all are asked for."""


@click.command()
@run_argument
@store_option
@click.option("--all", "all_", is_flag=True, help="Show every step of a long run.")
@click.option("--artifact", metavar="NAME", help="Print what the run kept under this name.")
@report_option
def show(
    run_id: str,
    store: str | None,
    all_: bool,
    artifact: str | None,
    format_: Literal["plain", "json"],
) -> int:
    """Show how a run stands: what runs now, its steps, and what it waits for.

    RUN_ID is the id, a part that only one run has, or `last`. What nodes kept beside the run, such
    as prompts and answers, is named in the steps; --artifact prints it.
    """
    kept = opened(store)
    found = find_run(kept, run_id)
    if artifact is not None:
        sys.stdout.buffer.write(_artifact(kept, found, artifact))
        return OK
    report = Report.of(kept, found)
    if format_ == "json":
        print(json.dumps(report.as_json(), ensure_ascii=False, indent=2, default=str))
        return OK
    for line in report.lines(store_argument(store), limit=None if all_ else _SHOWN):
        print(line)
    return OK


def _artifact(store: RunStore, run_id: str, name: str) -> bytes:
    """An artifact by its name, or the beginning of it. Raises FlowError when there is none."""
    events = store.trace(run_id).events
    names = {str(event.data.get("artifact")) for event in events if event.type == KEPT}
    meant = sorted(held for held in names if held.startswith(name))
    if len(meant) != 1:
        there = ", ".join(f"`{held[:19]}`" for held in meant or sorted(names)) or "nothing"
        how = "several artifacts" if meant else "no artifact"
        raise FlowError(f"run `{run_id}` has {how} `{clean(name)}`: there is {there}")
    try:
        return store.artifact(run_id, meant[0])
    except KeyError:
        raise FlowError(f"artifact `{meant[0]}` of run `{run_id}` is lost or damaged") from None


class Report:
    """Everything known of a run at this moment."""

    def __init__(
        self, manifest: Manifest, trace: Trace, live: Mapping[str, Any], origin: object, status: str
    ) -> None:
        self.manifest = manifest
        self.trace = trace
        self.origin = origin
        self.live = [node for node in live.get("nodes") or () if isinstance(node, Mapping)]
        self.status = status
        self.past = status in (INTERRUPTED, "cancelled")
        self.under_way = under_way(trace.events, self.live) if self.past else []
        self.waits = [] if self.status in OVER else waits.open_waits(trace.events)

    @classmethod
    def of(cls, store: RunStore, run_id: str) -> Report:
        """The report on a run. Raises FlowError for what cannot be read."""
        manifest = store.manifest(run_id)
        live, trace = store.live(run_id) or {}, store.trace(run_id)
        lost = [MANIFEST_LOST] if manifest.error == MANIFEST_LOST else []
        parts: list[Mapping[str, Any]] = []
        for part in (store.run_input, store.definition):
            try:
                parts.append(part(run_id))
            except FlowError as error:
                lost.append(str(error))
        origin = parts[-1].get("origin") if parts else None
        return cls(
            manifest,
            replace(trace, lost=(*trace.lost, *lost)),
            live,
            origin.get("file") if isinstance(origin, Mapping) else None,
            status_of(store, manifest),
        )

    def lines(self, more: str, limit: int | None) -> Iterator[str]:
        """The report for people. `more` are options that further commands need."""
        manifest = self.manifest
        title = f" ({clean(manifest.title)})" if manifest.title else ""
        yield f"run      {manifest.run_id}"
        yield f"flow     {clean(manifest.flow)}{title}"
        if self.origin:
            yield f"file     {clean(self.origin)}"
        yield f"status   {self._status()}"
        yield f"began    {moment(manifest.created_at)} ({ago(manifest.created_at)})"
        last = self.trace.events[-1].at if self.trace.events else manifest.updated_at
        yield f"last     {moment(last)} ({ago(last)})"
        yield from _section("now", self._now(self.live) if self.status == "running" else ())
        yield from _section("was under way", self._now(self.under_way))
        yield from _section("steps", self._steps(limit))
        yield from _section("waits for", waits.told(self.waits, manifest.run_id, more))
        yield from _section("lost", (clean(line) for line in self.trace.lost))
        if self.status in (INTERRUPTED, "failed", "timed_out", "halted"):
            yield ""
            yield f"go on with: flowrt resume {quote(manifest.run_id)}{more}"

    def as_json(self) -> dict[str, Any]:
        """The report for programs."""
        return {
            **asdict(self.manifest),
            "status": self.status,
            "file": self.origin,
            "now": self.live if self.status == "running" else [],
            "under_way": self.under_way,
            "waits": [
                {"signal": name, "node": wait.node, "scope": wait.scope} | dict(wait.data)
                for name, _, wait in waits.named(self.waits)
            ],
            "events": len(self.trace.events),
            "lost": list(self.trace.lost),
        }

    def _status(self) -> str:
        told = self.status.replace("_", " ")
        if self.status == INTERRUPTED:
            return f"{told}: the process that ran it is gone"
        return f"{told}: {clean(self.manifest.error)}" if self.manifest.error else told

    def _now(self, nodes: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        """What nodes are at, or were when their process or run ended."""
        now = time()
        scopes = _scopes(self.trace.events)
        for node in nodes:
            name = clean(node.get("node", "?"))
            chain = scopes.chain(str(node.get("scope") or ""))
            within = "".join(f", in {scope.told()}" for scope in reversed(chain))
            told = f"{name}{within}: {clean(node.get('state', '?'))}"
            told += f", attempt {clean(node.get('attempt', '?'))}"
            since, beat = node.get("since"), node.get("heartbeat")
            if isinstance(since, int | float):
                told += (
                    f", since {moment(since)}" if self.past else f", for {duration(now - since)}"
                )
            if isinstance(beat, int | float):
                when = moment(beat) if self.past else f"{duration(now - beat)} ago"
                told += f", last heartbeat {when}"
            detail = node.get("detail")
            yield f"{told}: {clean(detail)}" if detail else told

    def _steps(self, limit: int | None) -> Iterator[str]:
        teller = Teller(starts=False)
        lines = [
            line.indented
            for event in self.trace.events
            for line in teller.lines(event)
            if event.type != "run_started"
        ]
        if limit is not None and len(lines) > limit:
            yield f"({len(lines) - limit} lines before: --all shows them)"
            lines = lines[-limit:]
        yield from lines


def _section(title: str, lines: Sequence[str] | Iterator[str]) -> Iterator[str]:
    found = list(lines)
    if found:
        yield ""
        yield title
        yield from (f"  {line}" for line in found)


def _scopes(events: Sequence[Event]) -> Scopes:
    scopes = Scopes()
    for event in events:
        if event.type == "region_started":
            scopes.learn(event)
    return scopes
