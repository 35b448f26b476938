"""`flowlint graph`: show the graphs of flows."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Literal, get_args

import click

from flowlint.check import CheckResult, Options, check
from flowlint.cli.group import fail
from flowlint.cli.main import FAILURE, OK
from flowlint.cli.options import jobs_option, paths_argument
from flowlint.cli.settings_options import Wanted, places_options, run_settings

Format = Literal["json", "mermaid", "dot", "svg"]


@click.command()
@paths_argument
@click.option(
    "--format",
    "--output-format",
    "output_format",
    type=click.Choice(get_args(Format)),
    default="json",
    show_default=True,
    help="How to write the graphs.",
)
@click.option(
    "--html",
    metavar="FILE",
    help="Write a page with the flows and what was found in them, which needs no network.",
)
@places_options
@jobs_option
def graph(
    paths: tuple[str, ...],
    output_format: Format,
    html: str | None,
    jobs: int | None,
    wanted: Wanted,
) -> int:
    """Show the graphs of the flows in files and folders (default: this folder).

    Pictures (dot, svg, the page) also show what was found. Ends with 0, or with 2 when the command
    line or a setting is wrong, a path could not be read, or there was nothing to read.
    """
    configuration = wanted.configuration()
    jobs = jobs or run_settings(configuration).jobs
    result = check(paths or (".",), Options(configuration, jobs, graphs=True))
    if html is not None:
        from flowlint.cli.writing import write_whole
        from flowlint.report.drawing import page
        from flowlint.report.summary import count

        lines = page.render(result.graphs, result.findings, result.flows, result.checked)
        write_whole(html, lines)
        print(f"Wrote {count(len(result.graphs), 'flow')} to {html}.")
    else:
        sys.stdout.writelines(f"{line}\n" for line in _lines(result, output_format))
    for problem in result.problems:
        fail(str(problem))
    return FAILURE if result.problems else OK


def _lines(result: CheckResult, output_format: Format) -> Iterator[str]:
    match output_format:
        case "json":
            from flowlint.report import graph_json

            return iter((graph_json.render(result.graphs),))
        case "mermaid":
            from flowlint.report import mermaid

            return mermaid.render(result.graphs)
        case "dot":
            from flowlint.report import dot

            return dot.render(result.graphs, result.findings)
        case "svg":
            from flowlint.report.drawing import svg

            return svg.render(result.graphs, result.findings)
