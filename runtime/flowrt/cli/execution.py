"""Running or resuming a flow in this process, and telling how it ended."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TextIO

from flowrt.authoring import FlowResult
from flowrt.cli import failures, waits
from flowrt.cli.codes import CANCELLED, FAILED, INTERRUPTED, INVALID, OF_STATUS
from flowrt.cli.group import fail
from flowrt.cli.interrupting import SecondInterrupt
from flowrt.cli.options import RunOptions
from flowrt.cli.plain import plain
from flowrt.cli.streams import results_alone
from flowrt.cli.views import Active, JsonView, View, say, view_for
from flowrt.cli.words import clean, without_node
from flowrt.engine.observer import Observer
from flowrt.errors import (
    FlowError,
    NotResumableError,
    PermissionRefusedError,
    RecordedFailureError,
    RunBusyError,
    RunNotFoundError,
)
from flowrt.stores.base import Event, RunStore

if TYPE_CHECKING:
    from flowrt.flow import Flow

Start = Callable[[Observer], Awaitable[FlowResult]]

_REFUSALS = (NotResumableError, PermissionRefusedError, RunBusyError, RunNotFoundError)
_LAST_WORDS = frozenset(f"run_{status}" for status in OF_STATUS)


@dataclass
class Watcher:
    """Passes on to the view what happens, and remembers what the ending is told from."""

    view: View
    announcement: str = ""
    began: bool = False
    status: str | None = None
    """How the run ended; None while it has not, or never began."""
    failed: list[Event] = field(default_factory=list)

    def watch(self, active: Active) -> None:
        """The run begins."""
        self.view.watch(active)

    def event(self, event: Event) -> None:
        """Something happened."""
        if not self.began:
            self.began = True
            self.view.note(self.announcement)
        if event.type in _LAST_WORDS:
            self.status = event.type[4:]
        elif event.type == "node_failed" and not event.data.get("handled"):
            self.failed.append(event)
        self.view.event(event)

    def where(self, flow: str, error: BaseException) -> failures.Failed | None:
        """The node whose failure ended the run; the innermost of those it went up."""
        told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        ours = [event for event in self.failed if event.data.get("error") == told]
        if not ours:
            return None
        event = max(ours, key=lambda event: event.scope.count("/"))
        inside = f" ({clean(event.scope[1:])})" if event.scope else ""
        times = f" after {event.attempt} attempts" if event.attempt > 1 else ""
        told = f"node `{clean(event.node)}`{inside} of flow `{clean(flow)}` failed{times}"
        return failures.Failed(event.node, told)


@dataclass(frozen=True, slots=True)
class Telling:
    """How the run is shown and its end is told."""

    options: RunOptions
    store: RunStore | None = None
    run_id: str | None = None
    """The id, where the run is kept."""
    more: str = ""
    """What every further command about the run needs, beside the permission."""

    def paused(self) -> list[Event]:
        """What the run waits for, from what was written down."""
        if self.store is None or self.run_id is None:
            return []
        return waits.open_waits(self.store.trace(self.run_id).events)

    def resumed_by(self) -> str:
        """What a command that goes on with the run needs beside its id."""
        return self.more + self.options.grant.as_arguments()


def carry_out(flow: Flow, start: Start, telling: Telling) -> int:
    """Run to the end, show how it goes, tell how it ended, and give the exit code.

    SIGTERM lets the nodes under way end and halts before the next one; a second one ends the
    process at once. Ctrl-C cancels the run.
    """
    with results_alone() as results:
        return _carried_out(flow, start, telling, results)


def _carried_out(flow: Flow, start: Start, telling: Telling, results: TextIO) -> int:
    view = view_for(telling.options.format, flow.name, results)
    run_id = "(kept nowhere)" if telling.run_id is None else telling.run_id
    watcher = Watcher(view, f"run {run_id} of flow {clean(flow.name)}")
    result: FlowResult | None = None
    error: BaseException | None = None
    try:
        printed = view.printed
        with (
            redirect_stdout(printed),
            _logged(printed),
            _halting(flow),
            SecondInterrupt() as interrupt,
        ):
            result = asyncio.run(_as_coroutine(start, watcher, interrupt))
    except BaseException as raised:
        error = raised
    finally:
        view.close()
    unsaid = None
    if isinstance(view, JsonView):
        unsaid = _unsaid(_result_json(flow, result, error, watcher, telling), results)
    if error is not None:
        return _broken(flow, error, watcher, telling)
    if result is None:
        return INVALID
    if result.status == "completed" and not isinstance(view, JsonView):
        state = json.dumps(plain(result.state), ensure_ascii=False, indent=2)
        unsaid = _unsaid(state, results)
    else:
        _tell(result, telling)
    code = OF_STATUS.get(result.status, INVALID)
    if unsaid is None:
        return code
    fail(f"the run is {result.status}, but its result cannot be written to stdout: {unsaid}")
    return code or FAILED


def _unsaid(text: str, results: TextIO) -> str | None:
    """Write a result; why it could not be written, None where it was."""
    try:
        say(text, results)
    except OSError as error:
        # What is left to flush must not fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), results.fileno())
        return error.strerror or str(error)
    return None


async def _as_coroutine(start: Start, watcher: Watcher, interrupt: SecondInterrupt) -> FlowResult:
    interrupt.count()
    return await start(watcher)


@contextmanager
def _logged(stream: TextIO) -> Iterator[None]:
    """Show what the flow's actions log, unless the program has set up logging itself."""
    import logging

    if logging.getLogger().handlers:
        yield
        return
    logger, handler = logging.getLogger("flowrt"), logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(level or logging.INFO)
    try:
        yield
    finally:
        logger.setLevel(level)
        logger.removeHandler(handler)


@contextmanager
def _halting(flow: Flow) -> Iterator[None]:
    """Make SIGTERM a kill switch beside the flow's own."""
    own, asked = flow.kill_switch, False

    def ask(number: int, frame: object) -> None:
        nonlocal asked
        asked = True
        signal.signal(number, signal.SIG_DFL)

    def halted() -> bool:
        return asked or (own is not None and own())

    before = signal.signal(signal.SIGTERM, ask)
    flow.kill_switch = halted
    try:
        yield
    finally:
        flow.kill_switch = own
        signal.signal(signal.SIGTERM, before)


def _tell(result: FlowResult, telling: Telling) -> None:
    """What is left to say of a run that did not complete: why, and how to go on."""
    if telling.options.format == "json":
        return
    match result.status:
        case "waiting":
            if telling.run_id is None:
                _say("the run was kept nowhere and cannot be gone on with: leave out --no-store")
                return
            _say("waits for")
            for line in waits.told(telling.paused(), telling.run_id, telling.resumed_by()):
                _say(f"  {line}")
        case "failed":
            for name, text in result.failed.items():
                _tell_failed(name, text, result.errors.get(name))
            if result.blocked:
                _say(f"blocked: {', '.join(map(clean, result.blocked))}")
            _tell_resume(telling)
        case "halted":
            _tell_resume(telling)


def _tell_failed(name: str, text: str, error: BaseException | None) -> None:
    """A node that failed in a flow that went on."""
    where = failures.Failed(name, f"node `{clean(name)}` failed")
    if error is None or isinstance(error, RecordedFailureError):
        fail(f"{where.told}: {clean(without_node(text, name))}")
        return
    first, *others = failures.lines_of(error, where)
    fail(first)
    for line in others:
        _say(line)


def _tell_resume(telling: Telling) -> None:
    if telling.run_id is not None:
        _say(f"go on with: flowrt resume {telling.run_id}{telling.resumed_by()}")


def _broken(flow: Flow, error: BaseException, watcher: Watcher, telling: Telling) -> int:
    """Tell of an error that ended the run, or that kept it from beginning."""
    if isinstance(error, KeyboardInterrupt):
        if watcher.began:
            how = (watcher.status or "").replace("_", " ")
            _say(f"interrupted: the run is {how}" if how else "interrupted")
        return INTERRUPTED
    if isinstance(error, _REFUSALS) or not watcher.began:
        if not isinstance(error, FlowError | OSError):
            raise error
        fail(str(error))
        return INVALID
    if isinstance(error, asyncio.CancelledError):
        return CANCELLED
    if telling.options.with_traceback:
        print(failures.whole(error), file=sys.stderr)
    first, *others = failures.lines_of(error, watcher.where(flow.name, error))
    fail(first)
    for line in others:
        _say(line)
    _tell_resume(telling)
    # A run that is over and could not be written down to its end has not gone well.
    return OF_STATUS.get(watcher.status or "failed", FAILED) or FAILED


def _say(text: str) -> None:
    say(text, sys.stderr)


def _result_json(
    flow: Flow,
    result: FlowResult | None,
    error: BaseException | None,
    watcher: Watcher,
    telling: Telling,
) -> str:
    """The last line of `--format json`: how the run ended."""
    status = result.status if result is not None else watcher.status
    told: dict[str, Any] = {
        "type": "result",
        "status": status or "refused",
        "run_id": telling.run_id,
        "flow": flow.name,
    }
    if error is not None:
        place = failures.place_of(error)
        at = None if place is None else {"path": place.filename, "line": place.lineno}
        told["error"] = {
            "type": type(error).__name__,
            "message": str(error),
            "notes": list(getattr(error, "__notes__", ())),
            "place": at,
        }
    if result is not None:
        told |= {
            "state": plain(result.state),
            "path": result.path,
            "terminal": result.terminal,
            "halted_at": result.halted_at,
            "waiting_on": result.waiting_on,
            "failed": result.failed,
            "skipped": result.skipped,
            "blocked": result.blocked,
        }
    return json.dumps(told, ensure_ascii=False)
