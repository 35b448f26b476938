"""Where a rule is explained on the web."""

from __future__ import annotations

import os

DOCS_VARIABLE = "FLOWLINT_DOCS_URL"
"""Names the address at which the documentation is served; without it there are no links."""


def rule_url(name: str) -> str | None:
    """The address of a rule's page, if the documentation has one."""
    docs = os.environ.get(DOCS_VARIABLE, "").strip().rstrip("/")
    if not docs.startswith(("https://", "http://")) or not docs.isprintable():
        return None
    return f"{docs}/rules/{name}/"
