"""The pictures of the documentation, drawn from what the program prints: `make pictures`."""

from __future__ import annotations

import re
import subprocess
import sysconfig
from collections.abc import Iterator
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
FLOW = "examples/langgraph/broken_support_agent.py"

_CODE = re.compile(r"\x1b\[([\d;]*)m")
_COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "36": "#76e3ea"}
_TEXT, _BACKGROUND = "#e6edf3", "#0d1117"
_CELL, _LINE, _EDGE, _SIZE = 7.8, 19, 18, 13
_LONGEST = 112


def pictures() -> dict[str, str]:
    """Every picture by the name of its file."""
    check = f"flowlint check {FLOW}"
    return {
        "support_agent.svg": _printed("graph", FLOW, "--format", "svg"),
        "check.svg": terminal(f"$ {check}\n" + _printed("check", FLOW, "--color", "always")),
    }


def terminal(text: str) -> str:
    """What a terminal shows of a text with colours, as an SVG."""
    lines = [part for line in text.splitlines() for part in _wrapped(line)]
    width = _EDGE * 2 + _CELL * _LONGEST
    height = _EDGE * 2 + _LINE * len(lines)
    rows = [
        f'<text x="{_EDGE}" y="{_EDGE + _LINE * number + _SIZE}">{"".join(_spans(line))}</text>'
        for number, line in enumerate(lines)
        if line
    ]
    style = (
        f"text {{ font: {_SIZE}px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; "
        f"fill: {_TEXT}; white-space: pre }}"
    )
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" '
        f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}">'
    )
    back = f'<rect width="100%" height="100%" rx="8" fill="{_BACKGROUND}"/>'
    return "\n".join([head, f"<style>{style}</style>", back, *rows, "</svg>"]) + "\n"


def _wrapped(line: str) -> Iterator[str]:
    """A line in parts that fit, cut between words; colours go on in the next part."""
    style = ""
    shown = 0
    part = ""
    for piece in re.findall(r"\x1b\[[\d;]*m| +|[^ \x1b]+", line):
        if code := _CODE.fullmatch(piece):
            style = "" if code[1] in ("", "0") else piece
            part += piece
            continue
        if shown + len(piece) > _LONGEST and shown:
            yield part
            part, shown = style, 0
            if piece.isspace():
                continue
        part += piece
        shown += len(piece)
    yield part


def _spans(line: str) -> Iterator[str]:
    codes: list[str] = []
    for number, piece in enumerate(_CODE.split(line)):
        if number % 2:
            codes = [] if piece in ("", "0") else piece.split(";")
            continue
        if piece:
            weight = ' font-weight="bold"' if "1" in codes else ""
            colour = next((_COLOURS[code] for code in codes if code in _COLOURS), None)
            fill = f' style="fill:{colour}"' if colour else ""
            yield f"<tspan{weight}{fill}>{escape(piece)}</tspan>"


def _printed(*arguments: str) -> str:
    program = Path(sysconfig.get_path("scripts")) / "flowlint"
    done = subprocess.run(
        [program, *arguments], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return done.stdout


if __name__ == "__main__":
    for name, picture in pictures().items():
        (IMAGES / name).write_text(picture, "utf-8")
