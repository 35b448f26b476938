"""`flowlint graph`: show the graphs of flows."""

from __future__ import annotations

import sys
from typing import Literal

import click

from flowlint.check import Options, check
from flowlint.cli.group import fail
from flowlint.cli.main import FAILURE, OK
from flowlint.cli.options import jobs_option, paths_argument


@click.command()
@paths_argument
@click.option(
    "--format",
    "--output-format",
    "output_format",
    type=click.Choice(["json", "mermaid"]),
    default="json",
    show_default=True,
    help="How to write the graphs.",
)
@jobs_option
def graph(
    paths: tuple[str, ...], output_format: Literal["json", "mermaid"], jobs: int | None
) -> int:
    """Show the graphs of the flows in files and folders (default: this folder).

    Ends with 0, or with 2 when the command line is wrong, a path could not be read, or there was
    nothing to read.
    """
    result = check(paths or (".",), Options(jobs=jobs, graphs=True))
    if output_format == "json":
        from flowlint.report import graph_json

        print(graph_json.render(result.graphs))
    else:
        from flowlint.report import mermaid

        sys.stdout.writelines(f"{line}\n" for line in mermaid.render(result.graphs))
    for problem in result.problems:
        fail(str(problem))
    return FAILURE if result.problems else OK
