"""`flowrt list`: which runs there are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Literal

import click

from flowrt.cli.codes import OK
from flowrt.cli.options import report_option, store_option
from flowrt.cli.store_access import opened
from flowrt.cli.words import clean, moment
from flowrt.stores.base import Manifest

_HEAD = ("RUN", "FLOW", "STATUS", "BEGAN", "")


@click.command("list")
@store_option
@click.option(
    "--status",
    type=click.Choice(
        ["running", "waiting", "completed", "failed", "timed_out", "cancelled", "halted"]
    ),
    help="Only runs of this status.",
)
@click.option("--flow", metavar="NAME", help="Only runs of this flow.")
@click.option(
    "-n", "--limit", type=click.IntRange(min=1), metavar="N", help="Only the newest N runs."
)
@report_option
def listing(
    store: str | None,
    status: str | None,
    flow: str | None,
    limit: int | None,
    format_: Literal["plain", "json"],
) -> int:
    """List the runs of a store, the newest first."""
    found = (
        manifest
        for manifest in opened(store).runs()
        if (status is None or manifest.status == status) and (flow is None or manifest.flow == flow)
    )
    runs = list(islice(found, limit))
    if format_ == "json":
        print(json.dumps([asdict(manifest) for manifest in runs], ensure_ascii=False, indent=2))
    elif not runs:
        click.echo("no runs", err=True)
    else:
        for line in _table([_HEAD, *map(_row, runs)]):
            print(line)
    return OK


def _row(manifest: Manifest) -> tuple[str, ...]:
    more = ""
    if manifest.waiting_on:
        more = f"waits for {', '.join(map(clean, manifest.waiting_on))}"
    elif manifest.error:
        more = clean(manifest.error)
    began = moment(manifest.created_at)
    return (manifest.run_id, clean(manifest.flow), manifest.status, began, more)


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(size) for cell, size in zip(row, widths, strict=True)).rstrip()
