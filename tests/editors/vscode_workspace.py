"""The folder that VS Code opens in tests."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

COPIED = {
    "release.py": "hydraflow/broken_release.py",
    "triage.py": "hydraflow/broken_triage.py",
    "research.py": "langgraph/broken_research.py",
    "support.py": "langgraph/broken_support_agent.py",
    "reminders.yaml": "flowrt/objectstack/batch_reminders.yaml",
}

FIXABLE = """from flows import Edge, Flow, Node


async def collect(state):
    return None


FLOW = Flow(
    nodes=[Node("collect", collect), Node("publish", collect)],
    edges=[Edge("collect", "publihs")],
    entry="collect",
)
"""

NAMES = 'FIRST = "collect"\n'

TWO_FILES = """from flows import Edge, Flow, Node
from names import FIRST


async def collect(state):
    return None


FLOW = Flow(
    nodes=[Node(FIRST, collect), Node("publish", collect)],
    edges=[Edge("collect", "publish")],
    entry=FIRST,
)
"""

DEFINITION = {
    "flowrt": 1,
    "name": "in_json",
    "entry": "collect",
    "nodes": [{"name": "collect", "run": "collect"}, {"name": "publish", "run": "publish"}],
    "edges": [{"from": "collect", "to": "publihs"}],
}


def write_workspace(folder: Path) -> None:
    """Flows in all kinds of documents, with faults that tests know of."""
    folder.mkdir()
    for name, example in COPIED.items():
        shutil.copy(EXAMPLES / example, folder / name)
    (folder / "fixable.py").write_text(FIXABLE)
    (folder / "never_opened.py").write_text(FIXABLE)
    (folder / "names.py").write_text(NAMES)
    (folder / "two_files.py").write_text(TWO_FILES)
    (folder / "others.py").write_text(NAMES)
    (folder / "beside_others.py").write_text(TWO_FILES.replace("names", "others"))
    (folder / "flow.json").write_text(json.dumps(DEFINITION, indent=2))
    (folder / "flow.ipynb").write_text(json.dumps(_notebook(FIXABLE)))


def _notebook(text: str) -> dict[str, object]:
    imports, _, rest = text.partition("\n\n\n")
    cells = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "source": source,
            "metadata": {},
            "outputs": [],
            "execution_count": None,
        }
        for number, source in enumerate((imports, rest))
    ]
    language = {"language_info": {"name": "python"}}
    return {"cells": cells, "metadata": language, "nbformat": 4, "nbformat_minor": 5}
