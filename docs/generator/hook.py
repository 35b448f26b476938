"""Adds to the site what the program itself tells: rules, dialects, commands and settings.

Nothing of it is kept in the repository, so none of it can be out of date.
"""

from __future__ import annotations

import re
from typing import Any

from commands import commands_page
from dialect_pages import dialect_pages
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from rule_pages import rule_pages
from settings_tables import options_table, settings_table, values_table
from system_tables import edges_table, entry_table, nodes_table, semantics_table, systems_table

TABLES = {
    "settings": settings_table,
    "values": values_table,
    "options": options_table,
    "systems": systems_table,
    "nodes": nodes_table,
    "edges": edges_table,
    "entry": entry_table,
    "semantics": semantics_table,
}
"""What a mark such as `<!-- generated: settings -->` in a page is replaced by."""

_MARK = re.compile(r"^<!-- generated: (\w+) -->$", re.MULTILINE)


def generated() -> dict[str, str]:
    """All generated pages by their place in the site, in the order of the navigation."""
    return {"commands.md": commands_page(), **rule_pages(), **dialect_pages()}


def on_config(config: MkDocsConfig) -> None:
    """Put the pages of single rules and dialects below those that list them."""
    assert config.nav is not None
    for item in config.nav:
        for title, target in list(item.items()):
            if isinstance(target, str) and target.endswith("/index.md"):
                folder = target.removesuffix("index.md")
                own = [uri for uri in generated() if uri.startswith(folder) and uri != target]
                item[title] = [target, *own]


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the generated pages."""
    for uri, text in generated().items():
        files.append(File.generated(config, uri, content=text))


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace marks by what they stand for; an unknown one is an error."""
    return _MARK.sub(lambda mark: TABLES[mark[1]](), markdown)
