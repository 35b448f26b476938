"""`flowlint rule`: explain a rule."""

from __future__ import annotations

import click

from flowlint.cli.explaining import (
    Format,
    format_option,
    show_json,
    show_pages,
    tell_refused,
)
from flowlint.cli.group import fail
from flowlint.cli.main import FAILURE, OK


@click.command()
@click.argument("rule_name", metavar="[NAME|CODE]", required=False)
@click.option("--all", "everything", is_flag=True, help="Explain every rule.")
@format_option
def rule(rule_name: str | None, everything: bool, output_format: Format) -> int:
    """Explain a rule by its name or code, or all of them; without either, list all rules.

    Rules of plugins are named with what they came with. Ends with 2 when there is no such rule, or
    a plugin cannot be used.
    """
    from flowlint.project.selection import suggest
    from flowlint.rules.registry import all_rules, find_rule

    if rule_name is not None and everything:
        raise click.UsageError("name a rule or ask for --all", click.get_current_context())
    refused = tell_refused()
    if rule_name is None and not everything and output_format != "json":
        for known in all_rules():
            origin = f"  ({known.origin})" if known.origin else ""
            click.echo(f"{known.info.code}  {known.info.name}{origin}")
        return FAILURE if refused else OK
    from flowlint.report import rule_docs

    if rule_name is None:
        if output_format == "json":
            show_json([rule_docs.data(known) for known in all_rules()])
        else:
            show_pages(map(rule_docs.markdown, all_rules()), output_format)
        return FAILURE if refused else OK
    found = find_rule(rule_name)
    if found is None:
        fail(f"unknown rule `{rule_name}`{suggest(rule_name)}")
        return FAILURE
    if output_format == "json":
        show_json(rule_docs.data(found))
    else:
        show_pages([rule_docs.markdown(found)], output_format)
    return FAILURE if refused else OK
