"""From a keystroke in a flow definition that is data to its diagnostics.

`python tests/bench/keystrokes.py data`. What counts is the processor's time that the server takes,
as others may use the machine at the same time; how long it took at the client is told with it.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any

from data_documents import documents
from keystrokes import Editor
from modules import WORDS

STROKES = 200
GOALS = {1_000: 15, 20_000: 50}
_TYPED_IN = re.compile(r'"?(?:note|label|agent_ref|run|id|to)"?: "?[^"]+"?,?$')


def main() -> int:
    """Run it and end with 1 if a goal is missed."""
    from run import report

    reached = True
    for lines, goal in GOALS.items():
        for name, text in documents(lines):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / name
                path.write_text(text)
                cpu, seen = told(path, text)
            shown = (
                f"{name}, {text.count(chr(10))} lines: p50 {median(cpu):.1f}, max {max(cpu):.1f}"
            )
            at_client = f"at the client p95 {p95(seen):.1f}"
            label = f"keystroke in {shown}, {at_client} ms; p95 ms of the processor"
            reached &= report(label, p95(cpu), "at most", goal)
    return 0 if reached else 1


def p95(spent: list[float]) -> float:
    """What 95 of 100 do not exceed."""
    return sorted(spent)[int(len(spent) * 0.95)]


def told(path: Path, text: str) -> tuple[list[float], list[float]]:
    """Milliseconds of the processor, and those at the client, for each keystroke."""
    uri, folder = path.as_uri(), path.parent
    editor = Editor(folder)
    capabilities = {"textDocument": {"publishDiagnostics": {"versionSupport": True}}}
    roots = [{"uri": folder.as_uri(), "name": "bench"}]
    asked = {"processId": None, "rootUri": folder.as_uri(), "workspaceFolders": roots}
    editor.send("initialize", {**asked, "capabilities": capabilities}, asks=True)
    editor.send("initialized", {})
    language = path.suffix.removeprefix(".")
    document = {"uri": uri, "languageId": language, "version": 0, "text": text}
    editor.send("textDocument/didOpen", {"textDocument": document})
    assert editor.told(uri, 0)
    sleep(1)
    cpu: list[float] = []
    seen: list[float] = []
    for version, change in enumerate(_typing(text, random.Random(7)), start=1):
        before, began = editor.processor(), perf_counter()
        held = {"uri": uri, "version": version}
        editor.send("textDocument/didChange", {"textDocument": held, "contentChanges": [change]})
        assert editor.told(uri, version)
        seen.append((perf_counter() - began) * 1000)
        cpu.append(editor.processor() - before)
        sleep(0.01)
    editor.end()
    return cpu, seen


def _typing(text: str, rng: random.Random) -> Iterator[dict[str, Any]]:
    """Words at the ends of texts of several elements, and a new line now and then."""
    lines = text.split("\n")
    places = [number for number, line in enumerate(lines) if _TYPED_IN.search(line.strip())]
    typed = 0
    while typed < STROKES:
        line = rng.choice(places)
        column = len(lines[line].rstrip('",'))
        for character in f" {rng.choice(WORDS)} {rng.choice(WORDS)}":
            yield _change(line, column, character)
            column += 1
            typed += 1
        lines[line] = f"{lines[line]}{' ' * 40}"
        if rng.random() < 0.5:
            yield _change(line, 0, "\n")
            lines.insert(line, "")
            places = [number + (number >= line) for number in places if number != line]
            typed += 1


def _change(line: int, column: int, text: str) -> dict[str, Any]:
    place = {"line": line, "character": column}
    return {"range": {"start": place, "end": place}, "text": text}
