"""A page for every system that flowlint knows, and one that lists them."""

from __future__ import annotations

from flowlint.dialects.registry import built_in_dialects
from flowlint.report.dialect_docs import markdown
from flowlint.report.explanations import summary_of

_INTRODUCTION = """\
A dialect knows one system: which code builds its flows, and what the system does with them.
`flowlint dialect NAME` shows the same pages in a terminal. [What is resolved](../resolving.md)
tells what holds for all of them.
"""


def dialect_pages() -> dict[str, str]:
    """The pages by their place in the site."""
    entries = built_in_dialects()
    rows = [f"| [{e.name}]({e.name}.md) | {summary_of(e.docs)} |" for e in entries]
    listed = ["# Systems", "", _INTRODUCTION, "| dialect | what it reads |", "|---|---|", *rows]
    pages = {"dialects/index.md": "\n".join(listed) + "\n"}
    for entry in entries:
        pages[f"dialects/{entry.name}.md"] = "\n".join(markdown(entry)) + "\n"
    return pages
