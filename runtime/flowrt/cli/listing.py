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
from flowrt.cli.standing import STATUSES, status_of
from flowrt.cli.store_access import opened
from flowrt.cli.words import clean, moment
from flowrt.stores.base import Manifest

_HEAD = ("RUN", "FLOW", "STATUS", "BEGAN", "")


@click.command("list")
@store_option
@click.option(
    "--status",
    type=click.Choice(STATUSES),
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
    """List the runs of a store, the newest first.

    A run whose process is gone is `interrupted`.
    """
    kept = opened(store)
    found = (
        (manifest, status_of(kept, manifest))
        for manifest in kept.runs()
        if flow is None or manifest.flow == flow
    )
    runs = list(islice((run for run in found if status in (None, run[1])), limit))
    if format_ == "json":
        told = [{**asdict(manifest), "status": now} for manifest, now in runs]
        print(json.dumps(told, ensure_ascii=False, indent=2))
    elif not runs:
        click.echo("no runs", err=True)
    else:
        for line in _table([_HEAD, *(_row(manifest, now) for manifest, now in runs)]):
            print(line)
    return OK


def _row(manifest: Manifest, status: str) -> tuple[str, ...]:
    more = ""
    if manifest.waiting_on:
        more = f"waits for {', '.join(map(clean, manifest.waiting_on))}"
    elif manifest.error:
        more = clean(manifest.error)
    began = moment(manifest.created_at)
    return (manifest.run_id, clean(manifest.flow), status, began, more)


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(size) for cell, size in zip(row, widths, strict=True)).rstrip()
