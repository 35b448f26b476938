"""`flowlint init`: write a file of settings from what a project holds."""

from __future__ import annotations

import os
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator

import click

from flowlint.check import CheckResult, Options, check
from flowlint.cli.group import fail
from flowlint.cli.main import FAILURE, OK
from flowlint.cli.proposing import Proposal, place_of, proposals
from flowlint.project.settings.files import FILES, PYPROJECT
from flowlint.project.settings.finding import Configuration
from flowlint.project.settings.keys import dialect_names
from flowlint.project.settings.reading import layer_of_words
from flowlint.project.settings.stated import shown_path
from flowlint.report.summary import count

NAME = "flowlint.toml"
_MANY = 10
"""Findings of a rule from which on a project probably wants to take it up later."""


@click.command()
@click.argument("folder", default=".", type=click.Path(exists=True, file_okay=False))
def init(folder: str) -> int:
    """Write flowlint.toml to FOLDER (default: this folder), from what is found there.

    Never writes over settings that are there. Ends with 0, or with 2 when there are some.
    """
    stated = _stated(folder)
    if stated is not None:
        fail(f"{shown_path(stated)} states settings already: change them there")
        return FAILURE
    result = check([folder], Options(Configuration(isolated=True), graphs=True))
    proposed = _proposed(folder, result.files)
    text = "\n".join([*_lines(result), *_systems(proposed, folder)]) + "\n"
    path = os.path.join(folder, NAME)
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        fail(f"{shown_path(path)} is there already: change it there")
        return FAILURE
    flows, files = count(result.flows, "flow"), count(result.checked, "file")
    click.echo(f"Wrote {shown_path(path)}: {flows} found in {files}.")
    for proposal, number in proposed:
        where = place_of(proposal, folder)
        told = f"`{proposal.cls}` of {where}, by which {count(number, 'more flow')}"
        click.echo(f"Declared {told} can be read: say in {NAME} how it behaves.")
    return OK


def _proposed(folder: str, files: Iterable[str]) -> list[tuple[Proposal, int]]:
    """The declarations by which flows of the project are read, with how many these are."""
    found: list[tuple[Proposal, int]] = []
    for proposal in proposals(files):
        layer = layer_of_words(NAME, tomllib.loads(proposal.text))
        result = check([folder], Options(Configuration([layer], isolated=True), graphs=True))
        number = sum(graph.dialect == proposal.name for graph in result.graphs)
        if number:
            found.append((proposal, number))
    return found


def _systems(proposed: Iterable[tuple[Proposal, int]], folder: str) -> Iterator[str]:
    for proposal, number in proposed:
        yield ""
        yield f"# `{proposal.cls}` of {place_of(proposal, folder)} seems to build flows: with this"
        read = f"{count(number, 'flow')} {'is' if number == 1 else 'are'}"
        yield f"# declaration {read} read. What the system does with them is for you to say."
        yield from proposal.text.splitlines()
        yield ""
        yield "[systems.semantics]"
        yield '# routing = "first"  # or "all"'
        yield '# unmatched-route = "raises"  # or "ends-silently"'
        yield '# on-unreachable = "rejected"  # or "silent"'
        yield '# on-unknown-name = "rejected"  # or "fails", "silent"'


def _stated(folder: str) -> str | None:
    """The file in which this folder states settings already."""
    from flowlint.project.settings.reading import read_layers

    for name in FILES:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and (name != PYPROJECT or read_layers(path) is not None):
            return path
    return None


def _lines(result: CheckResult) -> Iterator[str]:
    dialects = Counter(graph.dialect for graph in result.graphs)
    listed = ", ".join(f"{count(number, 'flow')} of {name}" for name, number in dialects.items())
    yield "# Settings of flowlint; `flowlint check --show-settings` tells what holds and why."
    yield f"# Found here: {listed or 'no flows yet'}."
    yield ""
    yield '# Rules by name, code ("FL105"), beginning of codes ("FL1") or category ("structure").'
    yield 'select = ["all"]'
    yield from _ignored(result)
    yield ""
    yield "# Files and folders to leave out besides what git ignores, written as in .gitignore."
    yield "extend-exclude = []"
    unseen = [name for name in dialect_names() if name not in dialects]
    if dialects and unseen:
        yield ""
        yield "# Systems whose flows are not here; `false` leaves those of a system alone."
        yield "[dialects]"
        yield from (f"# {name} = false" for name in unseen)


def _ignored(result: CheckResult) -> Iterator[str]:
    found = Counter(finding.name for finding in result.findings if finding.severity != "error")
    many = [(name, number) for name, number in found.most_common() if number >= _MANY]
    if many:
        yield "# Milder rules with many findings today: take them up one by one."
        yield "ignore = ["
        yield from (f'  "{name}",  # {count(number, "finding")}' for name, number in many)
        yield "]"
