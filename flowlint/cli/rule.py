"""`flowlint rule`: explain a rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, get_args

import click

from flowlint.cli.group import fail
from flowlint.cli.main import FAILURE, OK

if TYPE_CHECKING:
    from flowlint.report.places import Json
    from flowlint.rules.registry import Rule


Format = Literal["text", "markdown", "json"]


@click.command()
@click.argument("rule_name", metavar="[NAME|CODE]", required=False)
@click.option("--all", "everything", is_flag=True, help="Explain every rule.")
@click.option(
    "--format",
    "--output-format",
    "output_format",
    type=click.Choice(get_args(Format)),
    default="text",
    show_default=True,
    help="How to write the explanation.",
)
def rule(rule_name: str | None, everything: bool, output_format: Format) -> int:
    """Explain a rule by its name or code, or all of them; without either, list all rules."""
    from flowlint.project.selection import suggest
    from flowlint.rules.registry import all_rules, find_rule

    if rule_name is None:
        if everything or output_format == "json":
            _explain(all_rules(), output_format)
        else:
            click.echo("\n".join(f"{known.info.code}  {known.info.name}" for known in all_rules()))
        return OK
    if everything:
        raise click.UsageError("name a rule or ask for --all", click.get_current_context())
    found = find_rule(rule_name)
    if found is None:
        fail(f"unknown rule `{rule_name}`{suggest(rule_name)}")
        return FAILURE
    if output_format == "json":
        click.echo(_json(_data(found)))
    else:
        _explain([found], output_format)
    return OK


def _explain(rules: Sequence[Rule], output_format: Format) -> None:
    if output_format == "json":
        click.echo(_json([_data(rule) for rule in rules]))
        return
    pages: list[str] = []
    for rule in rules:
        lines = _markdown(rule)
        pages.append("\n".join(_text(lines) if output_format == "text" else lines))
    click.echo("\n\n".join(pages))


def _json(data: Json) -> str:
    import json

    return json.dumps(data, indent=2, ensure_ascii=False)


def _data(rule: Rule) -> dict[str, Json]:
    from flowlint.report.links import rule_url

    info = rule.info
    return {
        "code": info.code,
        "name": info.name,
        "category": info.category,
        "severity": info.severity,
        "since": info.since,
        "preview": info.preview,
        "fix": info.fix,
        "summary": " ".join(rule.docs.split("\n\n", 1)[0].split()),
        "docs": rule.docs,
        "url": rule_url(info.name),
    }


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
