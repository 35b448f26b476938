"""`make bench`: from a keystroke in TypeScript to its diagnostics, as an editor sees it.

Comments, texts and code are typed into functions of modules of about 1,000 lines, one for each
system; `python tests/bench/script_keystrokes.py FILE…` types into other files instead. Before that
such modules are checked whole, with nothing remembered of them.
"""

from __future__ import annotations

import gc
import random
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, sleep

from keystrokes import Editor
from modules import WORDS
from script_modules import LONG_SCRIPTS

STROKES = 400
GOAL = 15
MODULES = 12
GOAL_WHOLE = 60
TYPED = (
    "  // {} what was found",
    '\n  const {} = shorten("some text");',
    "\n  if (known.{}) console.log({});",
)
"""What is typed at the end of a line of a function."""


def main() -> int:
    """Run it and end with 1 if a goal is missed."""
    from run import report

    if len(sys.argv) > 1:
        for name in sys.argv[1:]:
            path = Path(name).resolve()
            print(f"{told(path.parent, path)}  {name}")
        return 0
    reached = True
    for system, make in LONG_SCRIPTS.items():
        spent = sorted(checked([make(random.Random(number)) for number in range(MODULES)]))
        what = f"whole check of a module of {system}: {spent[0]:.1f} to {spent[-1]:.1f}; median ms"
        reached &= report(what, median(spent), "at most", GOAL_WHOLE)
    for system, make in LONG_SCRIPTS.items():
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / "flows.ts"
            path.write_text(make(random.Random(7)))
            found = told(path.parent, path)
            reached &= report(f"keystroke in {system}, {found}; p95 ms", found.p95, "at most", GOAL)
    return 0 if reached else 1


def checked(texts: list[str]) -> list[float]:
    """How long the whole check of each module takes, once the program is under way, in ms."""
    from flowlint.pipeline import analyse_file
    from flowlint.project.files import ProjectFiles

    spent: list[float] = []
    gc.disable()
    for text in [texts[-1], *texts[:-1]]:
        files = ProjectFiles({"flows.ts": text.encode()})
        began = process_time()
        analyse_file("flows.ts", files, ".")
        spent.append((process_time() - began) * 1000)
    gc.enable()
    return spent[1:]


class Told:
    """How long it took from each keystroke to what is told of it, in milliseconds."""

    def __init__(self, lines: int, spent: list[float]) -> None:
        self.lines = lines
        self.spent = sorted(spent)
        self.p95 = self.spent[int(len(spent) * 0.95)]

    def __str__(self) -> str:
        p50, most = median(self.spent), self.spent[-1]
        return f"{self.lines} lines: p50 {p50:.1f}, p95 {self.p95:.1f}, max {most:.1f} ms"


def told(folder: Path, path: Path) -> Told:
    """Type into a file of a workspace."""
    text = path.read_text()
    uri, rng = path.as_uri(), random.Random(11)
    editor = Editor(folder)
    roots = [{"uri": folder.as_uri(), "name": "bench"}]
    capabilities = {"textDocument": {"publishDiagnostics": {"versionSupport": True}}}
    asked = {"processId": None, "rootUri": folder.as_uri(), "workspaceFolders": roots}
    editor.send("initialize", {**asked, "capabilities": capabilities}, asks=True)
    editor.send("initialized", {})
    document = {"uri": uri, "languageId": "typescript", "version": 0, "text": text}
    editor.send("textDocument/didOpen", {"textDocument": document})
    editor.told(uri, 0)
    sleep(1)
    spent: list[float] = []
    lines = text.split("\n")
    while len(spent) < STROKES:
        places = [n for n, line in enumerate(lines) if line[:2] == "  " and line[-1:] in "{;,"]
        line = rng.choice(places)
        column = len(lines[line])
        typed = rng.choice(TYPED).replace("{}", rng.choice(WORDS))
        for character in typed:
            place = {"line": line, "character": column}
            change = {"range": {"start": place, "end": place}, "text": character}
            named = {"uri": uri, "version": len(spent) + 1}
            sent = {"textDocument": named, "contentChanges": [change]}
            began = perf_counter()
            editor.send("textDocument/didChange", sent)
            editor.told(uri, len(spent) + 1)
            spent.append((perf_counter() - began) * 1000)
            sleep(0.01)
            if character == "\n":
                lines.insert(line + 1, "")
                line, column = line + 1, 0
            else:
                lines[line] += character
                column += 1
    editor.end()
    return Told(len(lines), spent)


if __name__ == "__main__":
    sys.exit(main())
