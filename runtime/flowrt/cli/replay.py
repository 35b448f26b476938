"""`flowrt replay`: tell again what a run did."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable

import click

from flowrt.cli.codes import OK
from flowrt.cli.group import fail
from flowrt.cli.options import report_option, run_argument, store_option
from flowrt.cli.store_access import find_run, opened
from flowrt.cli.telling import Teller
from flowrt.cli.views import event_json
from flowrt.cli.words import clean, duration, moment
from flowrt.errors import FlowError
from flowrt.stores.base import Event

LONGEST_PAUSE = 60.0
"""Seconds; a run that waited for days is told in less."""


@click.command()
@run_argument
@store_option
@click.option(
    "--speed",
    type=click.FloatRange(min=0, min_open=True),
    metavar="X",
    help="Keep the pauses, X times as fast.  [default: no pauses]",
)
@click.option("--step", is_flag=True, help="Go on at each press of Enter.")
@report_option
def replay(run_id: str, store: str | None, speed: float | None, step: bool, format_: str) -> int:
    """Tell step by step what a run did, from what was written down. Nothing is run.

    What stands in a region (a loop's body, a branch) is indented under a line that names the
    region, its node and the iteration.
    """
    if speed is not None and step:
        raise click.UsageError("give --speed or --step, not both")
    kept = opened(store)
    name = find_run(kept, run_id)
    trace = kept.trace(name)
    if not trace.events:
        raise FlowError(f"nothing is left of the trace of run `{name}`")
    pace = _Pace(trace.events[0].at, speed, step)
    if format_ == "json":
        for event in trace.events:
            pace.reach(event)
            print(event_json(event), flush=True)
    else:
        manifest = kept.manifest(name)
        print(f"run {name} of flow {clean(manifest.flow)}, {moment(trace.events[0].at)}")
        _tell(trace.events, pace)
    for lost in trace.lost:
        fail(f"lost of the trace: {clean(lost)}")
    return OK


def _tell(events: Iterable[Event], pace: _Pace) -> None:
    teller = Teller()
    began: float | None = None
    for event in events:
        began = event.at if began is None else began
        lines = list(teller.lines(event))
        if lines:
            pace.reach(event)
        for line in lines:
            print(f"{_offset(event.at - began):>12}  {line.indented}", flush=True)


def _offset(seconds: float) -> str:
    return f"+{duration(seconds)}"


class _Pace:
    """Waits as long as the run did, or for somebody, before an event is told."""

    def __init__(self, began: float, speed: float | None, step: bool) -> None:
        self._last = began
        self._speed = speed
        self._step = step
        self._first = True

    def reach(self, event: Event) -> None:
        """Wait until it is time for an event."""
        gap, self._last = event.at - self._last, event.at
        if self._speed is not None and gap > 0:
            time.sleep(min(gap / self._speed, LONGEST_PAUSE))
        if self._step and not self._first:
            # Without a terminal, or at its end, the rest is told at once.
            self._step = bool(sys.stdin.readline())
        self._first = False
