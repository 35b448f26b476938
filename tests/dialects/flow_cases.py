"""Reads Markdown files of small programs and the graphs they build.

A heading begins a case. A line such as `helpers.py`: names the file that the next block is; a
block without a name is the main file, `flow.py` or, of TypeScript, `flow.ts`. Blocks named alike
with `.ipynb` are the cells of one notebook, which then is the main file; so is a file of data.
Files under the title of the document belong to every case. Each ```graph block is one expected
graph.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

MAIN = "flow.py"
MAIN_TYPESCRIPT = "flow.ts"
OTHER_MAINS = (".ipynb", ".json", ".yaml", MAIN_TYPESCRIPT)

_FENCE = re.compile(r"^```(\w*)$")
_NAMED = re.compile(r"^`([\w./-]+)`:$")
_NOT_RUN = re.compile(r"^<!-- not run: .+ -->$")


@dataclass
class Case:
    """One program, the graphs that it is expected to build, and where these are written.

    `runs` is false where the real system cannot run the program as it stands.
    """

    title: str
    line: int
    files: dict[str, list[str]]
    graphs: list[str] = field(default_factory=list)
    written: list[tuple[int, int]] = field(default_factory=list)
    runs: bool = True

    @property
    def main(self) -> str:
        """The file that is analysed."""
        return next((name for name in self.files if name.endswith(OTHER_MAINS)), MAIN)

    def write(self, folder: Path) -> None:
        """Put the files of the case into a folder."""
        for name, parts in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(notebook(parts) if name.endswith(".ipynb") else "".join(parts))


def notebook(cells: list[str]) -> str:
    """A notebook that holds these cells."""
    made = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": cell.splitlines(True)}
        for cell in cells
    ]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def cases(path: Path) -> list[Case]:
    """The cases of a Markdown file, in order."""
    lines = path.read_text().splitlines()
    shared: dict[str, list[str]] = {}
    found: list[Case] = []
    name: str | None = None
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if line.startswith("## "):
            copied = {file: list(parts) for file, parts in shared.items()}
            found.append(Case(line.lstrip("# "), number, copied))
        elif named := _NAMED.match(line):
            name = named[1]
        elif _NOT_RUN.match(line):
            found[-1].runs = False
        elif opened := _FENCE.match(line):
            start = number
            number = lines.index("```", start) + 1
            block = "\n".join(lines[start : number - 1])
            if opened[1] == "graph":
                found[-1].graphs.append(block)
                found[-1].written.append((start, number - 1))
            else:
                files = found[-1].files if found else shared
                main = MAIN_TYPESCRIPT if opened[1] == "ts" else MAIN
                files.setdefault(name or main, []).append(block + "\n")
            name = None
    return found


def replace_graphs(path: Path, index: int, graphs: list[str]) -> None:
    """Write the graphs of a case anew; they stand where its first one stood, or at its end."""
    lines = path.read_text().splitlines()
    found = cases(path)
    case = found[index]
    blocks = [line for graph in graphs for line in ("", "```graph", *graph.splitlines(), "```")]
    if case.written:
        start, end = case.written[0][0] - 2, case.written[-1][1] + 1
    else:
        end = found[index + 1].line - 1 if index + 1 < len(found) else len(lines)
        while not lines[end - 1].strip():
            end -= 1
        start = end
    path.write_text("\n".join([*lines[:start], *blocks, *lines[end:]]) + "\n")
