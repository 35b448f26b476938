"""A page for every rule of flowlint, and one that lists them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from flowlint.report.explanations import summary_of
from flowlint.report.rule_docs import markdown
from flowlint.rules.registry import Rule, built_in_rules

_INTRODUCTION = """\
Rules have a name and a code; both work everywhere. `flowlint rule NAME` shows the same pages in a
terminal. What is said of the severity is the gravest: where a system takes a fault lightly, or it
holds for some runs only, a finding is milder.
"""


def rule_pages() -> dict[str, str]:
    """The pages by their place in the site."""
    rules = built_in_rules()
    pages = {"rules/index.md": "\n".join(_list(rules))}
    for rule in rules:
        pages[f"rules/{rule.info.name}.md"] = "\n".join(markdown(rule, _link)) + "\n"
    return pages


def _link(name: str) -> str:
    return f"[{name}]({name}.md)"


def _list(rules: tuple[Rule, ...]) -> Iterator[str]:
    yield "# Rules"
    yield ""
    yield _INTRODUCTION
    for category, members in groupby(rules, key=lambda rule: rule.info.category):
        yield f"## {category}"
        yield ""
        yield "| code | name | severity | fix | what it finds |"
        yield "|---|---|---|---|---|"
        for rule in members:
            info = rule.info
            fix = "" if info.fix == "none" else info.fix
            summary = summary_of(rule.docs).replace("|", "\\|")
            yield f"| {info.code} | {_link(info.name)} | {info.severity} | {fix} | {summary} |"
        yield ""
