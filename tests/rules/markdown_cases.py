"""Reads the tests of rules from Markdown: headings part the cases, blocks are files.

A block of code is a case: `flow.py`, `flow.ts`, or what stands behind the language in the line that
opens it. A block after a line such as `helpers.py`: is that file. It belongs to the cases under its
heading, or, under the title of the document, to all of them.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

import yaml

MAIN = "flow.py"
MAIN_BY_LANGUAGE = {
    "python": MAIN,
    "ts": "flow.ts",
    "typescript": "flow.ts",
    "tsx": "flow.tsx",
    "js": "flow.js",
    "javascript": "flow.js",
    "yaml": "flow.yaml",
}
"""The languages of blocks that are cases, and what their files are called."""

_FENCE = re.compile(r"^(`{3,})(\w*)(?:\s+([\w./-]+))?\s*$")
_NAMED = re.compile(r"^`([\w./@-]+\.\w+)`:\s*$")
_EXPECTED = re.compile(r"(?:#|//) (error|warning|info): \[([a-z-]+)\]")


@dataclass(frozen=True)
class Case:
    """One flow file with its helper files, and the snapshot of its report where there is one.

    `snapshot` holds the lines of the Markdown file, from and to, between the fences.
    """

    title: str
    line: int
    code: str
    helpers: dict[str, str] = field(default_factory=dict)
    snapshot: tuple[int, int] | None = None
    main: str = MAIN

    def files(self) -> dict[str, str]:
        """Every file of the case by its name."""
        return {**self.helpers, self.main: self.code}

    def expected(self) -> list[tuple[str, int, str, str]]:
        """What must be found: file, line, severity and rule."""
        return sorted(
            (path, number, severity, name)
            for path, text in self.files().items()
            for number, line in enumerate(text.splitlines(), start=1)
            for severity, name in _EXPECTED.findall(line)
        )


@dataclass
class _Block:
    language: str
    name: str | None
    main: str | None
    start: int
    end: int
    heading: str
    is_in_title: bool


def cases(path: Path) -> list[Case]:
    """The cases of a Markdown file."""
    lines = path.read_text().splitlines()
    found: list[Case] = []
    shared: dict[str, str] = {}
    helpers: dict[str, str] = {}
    heading = ""
    for block in _blocks(lines):
        if block.heading != heading:
            heading, helpers = block.heading, dict(shared)
        text = "\n".join(lines[block.start : block.end]) + "\n"
        if block.name is not None:
            helpers[block.name] = text
            if block.is_in_title:
                shared[block.name] = text
        elif main := MAIN_BY_LANGUAGE.get(block.language):
            main = block.main or main
            found.append(Case(heading, block.start + 1, text, dict(helpers), main=main))
        elif block.language == "text" and found and found[-1].snapshot is None:
            found[-1] = replace(found[-1], snapshot=(block.start, block.end))
    return found


def _blocks(lines: list[str]) -> list[_Block]:
    blocks: list[_Block] = []
    heading, name, fence = "", None, ""
    is_in_title = True
    for number, line in enumerate(lines):
        opened = _FENCE.match(line)
        if fence:
            if line.strip() == fence:
                blocks[-1].end = number
                fence = ""
        elif opened:
            fence = opened[1]
            place = (number + 1, number + 1, heading, is_in_title)
            blocks.append(_Block(opened[2], name, opened[3], *place))
            name = None
        elif line.startswith("#"):
            heading, is_in_title = line.lstrip("# "), line.startswith("# ")
        elif named := _NAMED.match(line):
            name = named[1]
        elif line.strip():
            name = None
    return blocks


def parses(path: str, data: bytes) -> bool:
    """Whether a text is what its name says."""
    if path.endswith(".py"):
        try:
            ast.parse(data)
        except SyntaxError:
            return False
        return True
    if path.endswith((".yaml", ".yml")):
        try:
            yaml.compose(data)
        except yaml.YAMLError:
            return False
        return True
    from tree_sitter import Language, Parser
    from tree_sitter_typescript import language_tsx, language_typescript

    language = (
        language_tsx() if path.endswith(("x", ".js", ".mjs", ".cjs")) else language_typescript()
    )
    return not Parser(Language(language)).parse(data).root_node.has_error
