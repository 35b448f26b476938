"""What the whole check of each flow module costs, against libcst merely parsing it.

`python tests/bench/bodies.py FOLDER…` measures every Python file there that builds flows, each as
if it were the only one: with all that has to be read of the modules that it imports. It prints how
the ratios are spread, against a parse of the module alone and of all that are read for it, and the
modules for which they are greatest.
"""

from __future__ import annotations

import argparse
import gc
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time

import libcst

from flowlint.languages.python.evaluation.program import _remembered
from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

NEEDLES = (b"langgraph", b"Flow(")
GOAL = 4
WORST = 12


def main() -> None:
    """Measure all that was named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    gc.disable()  # as the program does while it analyses
    measured = [
        Measured(f"{folder.name}/{path}", *spent)
        for folder in given.folders
        for path, *spent in measure(folder.resolve(), given.rounds)
    ]
    print(spread("of the module", [one.ours / one.alone for one in measured]))
    print(spread("of all that is read", [one.ours / one.everything for one in measured]))
    ours, alone = sum(one.ours for one in measured), sum(one.alone for one in measured)
    print(f"all together: {ours * 1e3:.0f} ms of {alone * 1e3:.0f} ms, {ours / alone:.2f} times")
    for one in sorted(measured, key=lambda one: one.alone / one.ours)[:WORST]:
        times = f"{one.ours * 1e3:7.1f} ms of {one.alone * 1e3:6.1f} ms"
        print(f"{one.ours / one.alone:6.1f}  {times} ({one.everything * 1e3:6.1f} ms)  {one.name}")


@dataclass(frozen=True)
class Measured:
    """Seconds for one flow module: the check, a bare parse, and one of all that is read for it."""

    name: str
    ours: float
    alone: float
    everything: float


def measure(folder: Path, rounds: int) -> Iterator[tuple[str, float, float, float]]:
    """The flow modules of a folder with their seconds, the best of several rounds."""
    os.chdir(folder)
    for path in sorted(str(path.relative_to(folder)) for path in folder.rglob("*.py")):
        data = Path(path).read_bytes()
        if not any(needle in data for needle in NEEDLES):
            continue
        flows = analyse_file(path, ProjectFiles(), ".").flows
        if not any(flow.graph.path == path for flow in flows):
            continue
        if not parses(data):
            continue
        ours = best(rounds, partial(check, path))
        alone = best(rounds, partial(parse, [data]))
        read = [text for other, (text, _) in _remembered.items() if other != path]
        read = [text for text in read if parses(text)]
        yield path, ours, alone, alone + best(1, partial(parse, read))


def parses(data: bytes) -> bool:
    """Whether libcst knows the syntax."""
    try:
        libcst.parse_module(data)
    except (libcst.ParserSyntaxError, UnicodeDecodeError):
        return False
    return True


def check(path: str) -> None:
    """The whole check, with nothing remembered."""
    _remembered.clear()
    analyse_file(path, ProjectFiles(), ".")


def parse(texts: list[bytes]) -> None:
    """The bare parse."""
    for text in texts:
        libcst.parse_module(text)


def best(rounds: int, act: Callable[[], None]) -> float:
    """The least seconds of several rounds."""
    spent = []
    for _ in range(rounds):
        start = process_time()
        act()
        spent.append(process_time() - start)
        gc.collect()
    return min(spent)


def spread(what: str, ratios: list[float]) -> str:
    """How ratios are spread, in one line."""
    ordered = sorted(ratios)
    above = sum(ratio > GOAL for ratio in ordered)
    tenth = ordered[int(len(ordered) * 0.9)]
    return (
        f"{len(ordered)} flow modules, times of a bare parse {what}: median {median(ordered):.2f}, "
        f"90 % below {tenth:.2f}, most {ordered[-1]:.2f}, above {GOAL}: {above}"
    )


if __name__ == "__main__":
    main()
