"""`flowrt run`: run a flow."""

from __future__ import annotations

from collections.abc import Awaitable

import click

from flowrt.authoring import FlowResult
from flowrt.cli.codes import TABLE
from flowrt.cli.loading import flows_beside, input_of, loaded
from flowrt.cli.options import RunOptions, file_argument, module_option, run_options
from flowrt.cli.store_access import opened, store_argument
from flowrt.engine.observer import Observer


@click.command(epilog=TABLE)
@file_argument
@click.option("--input-json", metavar="JSON", help="The state to begin with.")
@click.option(
    "--input-file", metavar="PATH", help="A file with the state to begin with; - is stdin."
)
@click.option("--no-store", is_flag=True, help="Keep nothing: the run cannot be gone on with.")
@click.option("--run-id", metavar="ID", help="What to call the run.  [default: time and flow]")
@module_option
@run_options
def run(
    file: str,
    *,
    input_json: str | None,
    input_file: str | None,
    no_store: bool,
    run_id: str | None,
    modules: tuple[str, ...],
    options: RunOptions,
) -> int:
    """Run the flow in FILE, a Python module or a definition in JSON or YAML.

    NAME says which flow is meant where the file has several. The flow is checked first; one with
    an error is refused with every finding. Progress goes to stderr, the state that the flow ends
    with to stdout.
    """
    if no_store and _typed("store", "run_id"):
        raise click.UsageError("--no-store keeps nothing: leave out --store and --run-id")
    from flowrt.cli.execution import Telling, carry_out

    state = input_of(input_json, input_file)
    flow = loaded(file, modules)
    flow.origin = {**(flow.origin or {}), **options.remembered()}
    if options.max_steps is not None:
        flow.max_steps = options.max_steps
    kept, name = None, None
    if not no_store:
        from flowrt.stores.runs import new_run_id

        kept = opened(options.store)
        name = new_run_id(flow.name) if run_id is None else run_id

    def start(observer: Observer) -> Awaitable[FlowResult]:
        return flow.run(
            state,
            store=kept,
            run_id=name,
            services=options.services(),
            flows=flows_beside(flow, file, modules),
            granted=options.grant.mode,
            explicit=options.grant.explicit,
            observer=observer,
        )

    return carry_out(flow, start, Telling(options, kept, name, store_argument(options.store)))


def _typed(*names: str) -> bool:
    """Whether one of the options stood on the command line, not in the environment."""
    context = click.get_current_context()
    given = click.core.ParameterSource.COMMANDLINE
    return any(context.get_parameter_source(name) is given for name in names)
