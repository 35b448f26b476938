"""What the whole check of each flow module costs, against libcst merely parsing it.

`python tests/bench/bodies.py FOLDER…` measures every Python file there that builds flows, each as
if it were the only one: with all that has to be read of the modules that it imports. It prints how
the ratios are spread, and the modules for which they are greatest.
"""

from __future__ import annotations

import argparse
import gc
import os
from collections.abc import Callable, Iterator
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
        (ours / theirs, ours, theirs, f"{folder.name}/{path}")
        for folder in given.folders
        for path, ours, theirs in measure(folder.resolve(), given.rounds)
    ]
    print(spread([ratio for ratio, *_ in measured]))
    total, base = sum(row[1] for row in measured), sum(row[2] for row in measured)
    print(f"all together: {total * 1e3:.0f} ms of {base * 1e3:.0f} ms, {total / base:.2f} times")
    for ratio, ours, theirs, name in sorted(measured, reverse=True)[:WORST]:
        print(f"{ratio:6.1f}  {ours * 1e3:7.1f} ms of {theirs * 1e3:6.1f} ms  {name}")


def measure(folder: Path, rounds: int) -> Iterator[tuple[str, float, float]]:
    """The flow modules of a folder with the seconds of both, the best of several rounds."""
    os.chdir(folder)
    for path in sorted(str(path.relative_to(folder)) for path in folder.rglob("*.py")):
        data = Path(path).read_bytes()
        if not any(needle in data for needle in NEEDLES):
            continue
        flows = analyse_file(path, ProjectFiles(), ".").flows
        if not any(flow.graph.path == path for flow in flows):
            continue
        try:
            libcst.parse_module(data)
        except libcst.ParserSyntaxError:
            continue
        yield path, best(rounds, partial(check, path)), best(rounds, partial(parse, data))


def check(path: str) -> None:
    """The whole check, with nothing remembered."""
    _remembered.clear()
    analyse_file(path, ProjectFiles(), ".")


def parse(data: bytes) -> None:
    """The bare parse."""
    libcst.parse_module(data)


def best(rounds: int, act: Callable[[], None]) -> float:
    """The least seconds of several rounds."""
    spent = []
    for _ in range(rounds):
        start = process_time()
        act()
        spent.append(process_time() - start)
        gc.collect()
    return min(spent)


def spread(ratios: list[float]) -> str:
    """How ratios are spread, in one line."""
    ordered = sorted(ratios)
    above = sum(ratio > GOAL for ratio in ordered)
    tenth = ordered[int(len(ordered) * 0.9)]
    return (
        f"{len(ordered)} flow modules, times of a bare parse: median {median(ordered):.2f}, "
        f"90 % below {tenth:.2f}, most {ordered[-1]:.2f}, above {GOAL}: {above}"
    )


if __name__ == "__main__":
    main()
