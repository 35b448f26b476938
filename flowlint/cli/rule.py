"""`flowlint rule`: explain a rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import click

from flowlint.cli.group import fail
from flowlint.cli.main import FAILURE, OK

if TYPE_CHECKING:
    from flowlint.rules.registry import Rule


@click.command()
@click.argument("rule_name", metavar="NAME|CODE", required=False)
@click.option(
    "--format",
    "--output-format",
    "output_format",
    type=click.Choice(["text", "markdown"]),
    default="text",
    show_default=True,
    help="How to write the explanation.",
)
def rule(rule_name: str | None, output_format: Literal["text", "markdown"]) -> int:
    """Explain a rule by its name or code; without one, list all rules."""
    from flowlint.project.selection import suggest
    from flowlint.rules.registry import all_rules, find_rule

    if rule_name is None:
        for known in all_rules():
            click.echo(f"{known.info.code}  {known.info.name}")
        return OK
    found = find_rule(rule_name)
    if found is None:
        fail(f"unknown rule `{rule_name}`{suggest(rule_name)}")
        return FAILURE
    lines = _markdown(found)
    click.echo("\n".join(_text(lines) if output_format == "text" else lines))
    return OK


def _markdown(rule: Rule) -> Iterator[str]:
    info = rule.info
    yield f"# {info.name} ({info.code})"
    yield ""
    facts = [f"category {info.category}", f"severity {info.severity}", f"since {info.since}"]
    if info.preview:
        facts.append("preview")
    if info.fix != "none":
        facts.append(f"fix {info.fix}")
    yield f"{', '.join(facts)}."
    yield ""
    yield from rule.docs.splitlines()


def _text(lines: Iterator[str]) -> Iterator[str]:
    """Markdown for a terminal: headings underlined, code indented."""
    in_code = False
    for line in lines:
        if line.lstrip().startswith("```"):
            in_code = not in_code
        elif in_code:
            yield f"    {line}".rstrip()
        elif line.startswith("#"):
            heading = line.lstrip("#").strip()
            yield heading
            yield ("=" if line.startswith("# ") else "-") * len(heading)
        else:
            yield line
