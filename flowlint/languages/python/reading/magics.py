"""IPython's own lines in notebook cells become Python of the same shape."""

from __future__ import annotations

import re

from flowlint.languages.python.reading.grammar import UNREADABLE, Problem, parse
from flowlint.languages.python.reading.layout import OPAQUE

# Cell magics whose body is Python that runs in the notebook itself.
_PYTHON_BODIES = {"capture", "memit", "mprun", "prun", "snakeviz", "time", "timeit"}
_CELL_MAGIC = re.compile(r"\s*%%[ \t]*(\w*)[^\n]*")
# Some hosts choose the language of a cell by a lone line magic on top.
_OTHER_LANGUAGE = re.compile(
    r"\s*%(?:md|markdown|sql|sh|bash|fs|scala|r|html|js|javascript|latex)[ \t]*(?:\n|\Z)"
)
_TIMED = re.compile(r"(%(?:time|timeit|memit|prun)(?:[ \t]+-\w+(?:[ \t]*\d+)?)*[ \t]+)(\S.*)")
_ESCAPED = re.compile(r"[!%?]|,\w|;\w|/[A-Za-z]")
_HELP = re.compile(r"[^#\"'(]*[\w)\]*]\?{1,2}\s*\Z")
_ASSIGNED = re.compile(r"[^=!<>%#\"'()]*[^=!<>%#\"'():+*/&|^@-]=[ \t]*(?=[!%])")
# Line magics that are mostly written without their `%`.
_BARE = re.compile(
    r"(?:pip3?|conda|mamba|uv|cd|ls|cat|mkdir|rm|cp|mv|load_ext|matplotlib|run|time|timeit)"
    r"[ \t]+[-\w./~\"'].*"
)
_LOGICAL = re.compile(rf"{OPAQUE.pattern}|[(\[{{]|[)\]}}]|\\\n|\n", OPAQUE.flags)


def python_of(cell: str) -> str | None:
    """The Python of a cell that may begin with a cell magic; None if it holds no Python."""
    if _OTHER_LANGUAGE.match(cell):
        return None
    magic = _CELL_MAGIC.match(cell)
    if magic is None:
        return cell
    if magic.group(1) not in _PYTHON_BODIES:
        return None
    return "\n" * magic.group().count("\n") + cell[magic.end() :]


def neutralise(cell: str) -> str:
    """A cell that does not parse, without magics, shell commands and questions.

    Every other character keeps its line and column. Call it inside `quiet()`.
    """
    pieces: list[str] = []
    start = 0
    while start < len(cell):
        end = cell.find("\n", start)
        end = len(cell) if end < 0 else end
        plain = _plain(cell[start:end])
        if plain is None:
            end = _logical_end(cell, start)
            pieces.append(cell[start:end])
        else:
            pieces.append(plain)
            while cell[start:end].endswith("\\") and end < len(cell):
                start, end = end + 1, cell.find("\n", end + 1)
                end = len(cell) if end < 0 else end
                pieces.append("\n")
        if end < len(cell):
            pieces.append("\n")
        start = end + 1
    return "".join(pieces)


def _plain(line: str) -> str | None:
    """A line of IPython as Python; None if it is none."""
    code = line.lstrip()
    lead = line[: len(line) - len(code)]
    timed = _TIMED.match(code)
    if timed is not None:
        head, rest = timed.groups()
        if not isinstance(parse(f"if 1: {rest}"), Problem):
            return f"{lead}if 1:{' ' * (len(head) - 5)}{rest}"
    assigned = _ASSIGNED.match(line)
    if assigned is not None:
        return assigned.group() + UNREADABLE
    if _ESCAPED.match(code) or _HELP.match(code):
        return lead + ("pass" if len(code) >= 4 else "0")
    if _BARE.match(code) and isinstance(parse(code), Problem):
        return f"{lead}pass"
    return None


def _logical_end(text: str, start: int) -> int:
    """Where the statement that begins at `start` ends its last line."""
    depth = 0
    for match in _LOGICAL.finditer(text, start):
        token = match.group()
        if token == "\n" and depth <= 0:
            return match.start()
        if len(token) == 1:
            depth += (token in "([{") - (token in ")]}")
    return len(text)
