"""A project of many kinds of files, and edits that change what is found in it."""

from __future__ import annotations

import shutil
from pathlib import Path

from flow_sources import DANGLING, GOOD

EXAMPLES = Path(__file__).parents[2] / "examples"

NODES = """
from flows import Edge, Node

LAST = "publish"


async def collect(state):
    return None


def edges():
    return [Edge("collect", LAST)]
"""

IMPORTING = """
from flows import Flow, Node

from parts.nodes import collect, edges


def build():
    nodes = [Node("collect", collect), Node("publish", collect)]
    return Flow(nodes=nodes, edges=edges(), entry="collect")


FLOW = build()
"""

OUTSIDE = """
from flows import Edge, Flow, Node

from outside import LAST


async def collect(state):
    return None


nodes = [Node("collect", collect), Node("publish", collect)]
FLOW = Flow(nodes=nodes, edges=[Edge("collect", LAST)], entry="collect")
"""

PINNED = """
from langgraph.graph import END, START, StateGraph


def ask(state: dict) -> dict:
    return {"n": 1}


builder = StateGraph(dict)
builder.add_node("ask", ask)
builder.add_edge(START, "ask")
builder.add_edge("ask", "ask")
graph = builder.compile()
"""

PLAIN = "def plain(value):\n    return value + 1\n"

EDITS: dict[str, tuple[str, str | None]] = {
    "an import finds other edges": (
        "parts/nodes.py",
        NODES.replace('LAST = "publish"', 'LAST = "publihs"'),
    ),
    "an import finds the edges again": ("parts/nodes.py", NODES),
    "an import of the same length": (
        "parts/nodes.py",
        NODES.replace('LAST = "publish"', 'LAST = "publisg"'),
    ),
    "what is imported is gone": ("parts/nodes.py", None),
    "a folder is now meant by the import": (
        "parts/nodes/__init__.py",
        NODES.replace('"publish"', '"elsewhere"'),
    ),
    "the folder is gone": ("parts/nodes/__init__.py", None),
    "a plain file becomes a flow": ("plain_3.py", DANGLING),
    "it is plain again": ("plain_3.py", PLAIN),
    "what was outside of the project is in it": ("outside.py", "LAST = 'nowhere'\n"),
    "it is outside again": ("outside.py", None),
    "a flow is cured": ("dangling.py", GOOD),
    "a flow is broken": ("dangling.py", DANGLING),
    "a flow is silenced": ("dangling.py", f"# flowlint: ignore-file[FL105]\n{DANGLING}"),
    "a flow is gone": ("dangling.py", None),
    "an old version is asked for": ("requirements.txt", "langgraph==0.2.5\n"),
    "a new version is asked for": ("requirements.txt", "langgraph==1.2.0\n"),
    "no version is asked for": ("requirements.txt", None),
    "a rule is ignored": ("flowlint.toml", 'ignore = ["dangling-edge"]\n'),
    "a version is stated": ("flowlint.toml", '[versions]\nlanggraph = "0.2.5"\n'),
    "an option is stated": ("flowlint.toml", '[rules.loop-without-exit]\nexits = ["ask"]\n'),
    "another value of it": ("flowlint.toml", '[rules.loop-without-exit]\nexits = ["as"]\n'),
    "nothing is stated": ("flowlint.toml", ""),
    "a folder has settings": ("parts/flowlint.toml", 'select = ["FL2"]\n'),
    "a folder has none": ("parts/flowlint.toml", None),
    "a file cannot be parsed": ("agents/first.py", "from flows import Edge, Flow\nFlow(\n"),
    "a file is empty": ("agents/first.py", ""),
    "git ignores some": (".gitignore", "agents/\n"),
    "git ignores none": (".gitignore", None),
}
"""What is written to which file; None removes it."""


def make_project(folder: Path) -> None:
    """Fill a folder with flows of all systems, what they import, and files without flows."""
    for system in ("hydraflow", "langgraph", "flowrt"):
        shutil.copytree(EXAMPLES / system, folder / system)
    write(folder, "flowlint.toml", "")
    write(folder, "dangling.py", DANGLING)
    write(folder, "parts/__init__.py", "")
    write(folder, "parts/nodes.py", NODES)
    write(folder, "imports_parts.py", IMPORTING)
    write(folder, "pinned.py", PINNED)
    write(folder, "imports_outside.py", OUTSIDE)
    write(folder, "requirements.txt", "langgraph==1.2.0\n")
    for number in range(60):
        write(folder, f"plain_{number}.py", PLAIN)


def make_edit(folder: Path, name: str) -> None:
    """Do one of EDITS."""
    path, text = EDITS[name]
    write(folder, path, text)


def write(folder: Path, path: str, text: str | None) -> None:
    """Write a file, or remove it."""
    file = folder / path
    if text is None:
        file.unlink(missing_ok=True)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
