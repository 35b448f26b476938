"""`make bench`: what the language server takes from a keystroke to its diagnostics.

An editor that takes what is pushed types into a module of 1,000 lines, in a workspace of 5,000
files. Times are those at the client; the parse of the same module by libcst is the yardstick.
With the argument `data` it types into flow definitions in JSON and YAML instead.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import sysconfig
import tempfile
from itertools import count, pairwise
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any

from modules import WORDS, make_repository, node_function, opening_lines

FILES = 5_000
STROKES = 300
SERVER = [str(Path(sysconfig.get_path("scripts")) / "flowls"), "--stdio"]


class Editor:
    """As little of an editor as can be."""

    def __init__(self, folder: Path) -> None:
        self._server = subprocess.Popen(
            SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder
        )
        self._ids = count(1)

    def send(self, method: str, params: Any, *, asks: bool = False) -> Any:
        """Send a notification, or a request whose answer is waited for."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if asks:
            message["id"] = next(self._ids)
        data = json.dumps(message).encode()
        assert self._server.stdin is not None
        self._server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._server.stdin.flush()
        while asks:
            found = self.read()
            if found.get("id") == message["id"] and "method" not in found:
                return found.get("result")
        return None

    def read(self) -> dict[str, Any]:
        """The next message."""
        assert self._server.stdout is not None
        length = 0
        while (line := self._server.stdout.readline()) != b"\r\n":
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        found: dict[str, Any] = json.loads(self._server.stdout.read(length))
        return found

    def told(self, uri: str, version: int) -> list[Any]:
        """Wait for what is told of a version of a document."""
        while True:
            message = self.read()
            if message.get("method") == "textDocument/publishDiagnostics":
                params = message["params"]
                if params["uri"] == uri and params.get("version") == version:
                    found: list[Any] = params["diagnostics"]
                    return found

    def megabytes(self) -> float:
        """What the server holds in memory; 0 where the system does not tell."""
        status = Path(f"/proc/{self._server.pid}/status")
        lines = status.read_text().splitlines() if status.exists() else []
        held = [line.split()[1] for line in lines if line.startswith("VmRSS")]
        return int(held[0]) / 1024 if held else 0.0

    def processor(self) -> float:
        """Milliseconds of the processor that the server took so far, for all of its threads."""
        tasks = Path(f"/proc/{self._server.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6

    def end(self) -> None:
        """Say goodbye."""
        self.send("shutdown", None, asks=True)
        self.send("exit", None)
        self._server.wait(10)


def long_module(rng: random.Random) -> str:
    """A flow module of about 1,000 lines."""
    words = [f"{word}_{again}" for word in WORDS for again in ("first", "again")][:29]
    nodes = "".join(node_function(word, rng) for word in words)
    adds = "\n".join(f'builder.add_node("{word}", {word})' for word in words)
    edges = "\n".join(f'builder.add_edge("{one}", "{two}")' for one, two in pairwise(words))
    return (
        f"{opening_lines('team_0')}{nodes}builder = StateGraph(State)\n"
        f'{adds}\nbuilder.add_edge(START, "{words[0]}")\n{edges}\n'
        f'builder.add_edge("{words[-1]}", "nowhere")\ngraph = builder.compile()\n'
    )


def typing(text: str, rng: random.Random) -> list[tuple[int, int, str]]:
    """What somebody types: comments behind lines of several functions, and a line now and then."""
    lines = text.split("\n")
    places = [n for n, line in enumerate(lines) if line.startswith("        ") and "(" in line]
    strokes: list[tuple[int, int, str]] = []
    while len(strokes) < STROKES:
        line = rng.choice(places)
        column = len(lines[line])
        for character in f"  # {rng.choice(WORDS)} {rng.choice(WORDS)}":
            strokes.append((line, column, character))
            column += 1
        if rng.random() < 0.5:
            strokes.append((line, column, "\n"))
            return_to = [n + 1 if n > line else n for n in places]
            places = return_to
            lines.insert(line + 1, "")
        lines[line] += "#" * (column - len(lines[line]))
    return strokes[:STROKES]


def main() -> int:
    """Run it and end with 1 if a goal is missed."""
    if sys.argv[1:] == ["data"]:
        import data_keystrokes

        return data_keystrokes.main()
    from run import report

    rng = random.Random(7)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = len(make_repository(folder))
        for number in range(FILES - made):
            (folder / f"plain_{number}.py").write_text(f"def plain_{number}(x):\n    return x\n")
        text = long_module(rng)
        path = folder / "team_0" / "long.py"
        path.write_text(text)
        return 0 if measure(folder, path, text, rng, report) else 1


def measure(folder: Path, path: Path, text: str, rng: random.Random, report: Any) -> bool:
    """Type, and tell how long it took."""
    uri = path.as_uri()
    begun = perf_counter()
    editor = Editor(folder)
    roots = [{"uri": folder.as_uri(), "name": "bench"}]
    capabilities = {"textDocument": {"publishDiagnostics": {"versionSupport": True}}}
    asked = {"processId": None, "rootUri": folder.as_uri(), "workspaceFolders": roots}
    editor.send("initialize", {**asked, "capabilities": capabilities}, asks=True)
    editor.send("initialized", {})
    document = {"uri": uri, "languageId": "python", "version": 0, "text": text}
    editor.send("textDocument/didOpen", {"textDocument": document})
    assert editor.told(uri, 0)
    start = perf_counter() - begun
    spent = []
    for version, (line, column, character) in enumerate(typing(text, rng), start=1):
        place = {"line": line, "character": column}
        change = {"range": {"start": place, "end": place}, "text": character}
        document = {"uri": uri, "version": version}
        began = perf_counter()
        editor.send(
            "textDocument/didChange", {"textDocument": document, "contentChanges": [change]}
        )
        assert editor.told(uri, version)
        spent.append((perf_counter() - began) * 1000)
        sleep(0.01)
    held = editor.megabytes()
    editor.end()
    parse = parse_by_libcst(text)
    spent.sort()
    p95 = spent[int(len(spent) * 0.95)]
    shown = f"{len(text.splitlines())} lines: p50 {median(spent):.1f}, max {spent[-1]:.1f} ms"
    return all(
        (
            report(f"keystroke to diagnostics, {shown}; p95 ms", p95, "at most", 25),
            report(f"p95 of one libcst parse of it ({parse:.1f} ms)", p95 / parse, "at most", 0.5),
            report(
                "the longest of all keystrokes while 5,000 files are read, ms",
                spent[-1],
                "at most",
                100,
            ),
            report("start to first diagnostics, s", start, "at most", 1),
            report("memory, MB", held, "at most", 150),
        )
    )


def parse_by_libcst(text: str) -> float:
    """The median milliseconds of a parse."""
    import libcst

    times = []
    for _ in range(9):
        began = perf_counter()
        libcst.parse_module(text)
        times.append((perf_counter() - began) * 1000)
    return median(times)


if __name__ == "__main__":
    sys.exit(main())
