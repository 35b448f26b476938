"""Where a rule of flowlint is explained on the web."""

from __future__ import annotations

import os

from flowlint.plugins.installed import RULES, installed

DOCS_VARIABLE = "FLOWLINT_DOCS_URL"
"""Names the address at which the documentation is served; without it there are no links."""


def rule_url(name: str) -> str | None:
    """The address of a rule's page, if the documentation has one: that of plugins has none."""
    docs = os.environ.get(DOCS_VARIABLE, "").strip().rstrip("/")
    if not docs.startswith(("https://", "http://")) or not docs.isprintable():
        return None
    return None if _is_of_plugin(name) else f"{docs}/rules/{name}/"


def _is_of_plugin(name: str) -> bool:
    if not installed(RULES):
        return False
    from flowlint.rules.registry import find_rule

    rule = find_rule(name)
    return rule is not None and rule.origin is not None
