"""`flowrt resume`: go on with a run."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from flowrt.authoring import FlowResult
from flowrt.cli.codes import TABLE
from flowrt.cli.loading import flows_beside, loaded, signals_of
from flowrt.cli.options import (
    RunOptions,
    fresh_sessions_option,
    module_option,
    run_argument,
    run_options,
)
from flowrt.cli.store_access import find_run, opened, store_argument
from flowrt.cli.waits import named, open_waits
from flowrt.engine.observer import Observer
from flowrt.errors import FlowError, NotResumableError

if TYPE_CHECKING:
    from flowrt.flow import Flow
    from flowrt.stores.base import Json, RunStore


@click.command(epilog=TABLE)
@run_argument
@click.argument("file", metavar="[FILE[:NAME]]", required=False)
@click.option(
    "--signal",
    "signals",
    multiple=True,
    metavar="KEY=JSON",
    help="Answer what the run waits for; can be given several times. KEY alone answers null.",
)
@module_option
@fresh_sessions_option
@run_options
def resume(
    run_id: str,
    file: str | None,
    *,
    signals: tuple[str, ...],
    modules: tuple[str, ...],
    fresh_sessions: bool,
    options: RunOptions,
) -> int:
    """Go on with a run that was interrupted, failed, was halted or waits.

    RUN_ID is the id, a part that only one run has, or `last`. The flow is loaded from where the
    run was started from, unless FILE is given. Nodes that completed are not run again; those
    that were under way are.
    """
    from flowrt.cli.execution import Telling, carry_out

    kept = opened(options.store)
    name = find_run(kept, run_id)
    answers = signals_of(signals, _waited_for(kept, name) if signals else ())
    definition = _begun_with(kept, name, file)
    origin = _mapping(_mapping(definition).get("origin"))
    given = file or _origin_of(name, origin)
    modules = modules or tuple(map(str, origin.get("modules") or ()))
    flow = _flow_of(name, kept.manifest(name).flow, given, modules)
    options = options.recalling(origin)
    if options.max_steps is not None:
        flow.max_steps = options.max_steps
    if definition is not None:
        _warn_of_changes(name, flow, definition, options.secrets)

    def start(observer: Observer) -> Awaitable[FlowResult]:
        return flow.resume_run(
            name,
            kept,
            signals=answers,
            services={**options.services(), "fresh_sessions": fresh_sessions},
            flows=flows_beside(flow, given, modules),
            granted=options.grant.mode,
            explicit=options.grant.explicit,
            observer=observer,
        )

    more = ("" if file is None else f" {quote(file)}") + store_argument(options.store)
    return carry_out(flow, start, Telling(options, kept, name, more))


def _begun_with(kept: RunStore, run_id: str, file: str | None) -> Json | None:
    """The definition that a run began with; None where it is lost and a file stands in for it.

    Raises FlowError where it is lost and no file is given.
    """
    try:
        return kept.definition(run_id)
    except FlowError as error:
        if file is None:
            raise FlowError(
                f"{error}: give the file with the flow, as in `flowrt resume {run_id} FILE`"
            ) from error
        click.echo(f"warning: {error}; the flow in {file} is taken for it", err=True)
        return None


def _waited_for(kept: RunStore, run_id: str) -> set[str]:
    waits = named(open_waits(kept.trace(run_id).events))
    return {called for *names, _ in waits for called in map(str, names)}


def _origin_of(run_id: str, origin: Mapping[str, Any]) -> str:
    """From where the run was started. Raises FlowError when that is not known or not there."""
    from flowrt.definition.load import split_target

    file = origin.get("file")
    if not isinstance(file, str):
        raise NotResumableError(
            f"it was not written down from which file run `{run_id}` was started: "
            f"give it, as in `flowrt resume {run_id} FILE`"
        )
    if not split_target(file)[0].exists():
        raise NotResumableError(
            f"run `{run_id}` was started from {file}, which is not there any more: "
            f"give the file, as in `flowrt resume {run_id} FILE`"
        )
    return file


def _flow_of(run_id: str, began_as: str, file: str, modules: tuple[str, ...]) -> Flow:
    """The flow that the run is one of. Raises FlowError when the file has another."""
    flow = loaded(file, modules)
    if flow.name != began_as:
        raise FlowError(
            f"run `{run_id}` is one of the flow `{began_as}`, but {file} has `{flow.name}`"
        )
    return flow


def _warn_of_changes(
    run_id: str, flow: Flow, definition: Mapping[str, Any], secrets: Mapping[str, Any]
) -> None:
    """Say when the shape of the flow is not the one the run began with."""
    import json

    from flowrt.definition.snapshot import snapshot
    from flowrt.stores.markers import HIDDEN, MARKER
    from flowrt.stores.scrub import DEFAULT_SCRUBBER

    scrubber = DEFAULT_SCRUBBER.for_run()
    scrubber.hide(secrets)
    written = scrubber.encoded(snapshot(flow)), json.dumps(definition, ensure_ascii=False)
    # What a secret is called depends on what else the run has seen.
    now, then = (json.loads(MARKER.sub(HIDDEN, text)) for text in written)
    for shape in (now, then):
        for told_apart in ("origin", "title", "max_steps"):
            shape.pop(told_apart, None)
    if now != then:
        click.echo(
            f"warning: the flow `{flow.name}` has changed since run `{run_id}` began; "
            "nodes that completed stay completed",
            err=True,
        )


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
