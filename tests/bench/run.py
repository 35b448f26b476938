"""`make bench`: every number is a ratio or difference within one run of this machine.

Commands alternate, so that a busy moment of the machine hits both sides; medians are compared.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

from modules import make_repository
from tree import flow_sources, make_tree

from flowlint.project.workers import available_jobs

SCRIPTS = Path(sysconfig.get_path("scripts"))
ROUNDS = 7
REPOSITORY_ROUNDS = 3

REST = 3
"""Seconds after which files count as settled and are remembered."""


def main() -> int:
    """Run all benchmarks and end with 1 if one misses its goal."""
    benches = (whole_tree, warm_tree, repository, start_up, one_module, large_graphs)
    reached = [bench() for bench in benches]
    return 0 if all(reached) else 1


def whole_tree() -> bool:
    """A cold check of a tree of 10,000 files against ruff's cheapest useful check of it."""
    with tempfile.TemporaryDirectory() as folder:
        files, size = make_tree(Path(folder))
        flowlint = [str(SCRIPTS / "flowlint"), "check", "--no-cache", folder]
        ruff = [str(SCRIPTS / "ruff"), "check", "--no-cache", "--select", "F", "-q", folder]
        ours, theirs = alternate(partial(run, flowlint), partial(run, ruff), ROUNDS)
    what = f"check {files} files, {size / 1e6:.0f} MB: {ours:.0f} ms, ruff {theirs:.0f} ms"
    return report(what, theirs / ours, "at least", 2)


def warm_tree() -> bool:
    """The same when both remember what they found."""
    with tempfile.TemporaryDirectory() as folder:
        files, _ = make_tree(Path(folder))
        sleep(REST)
        flowlint = [str(SCRIPTS / "flowlint"), "check", folder]
        ruff = [str(SCRIPTS / "ruff"), "check", "--select", "F", "-q", folder]
        ours, theirs = alternate(partial(run, flowlint), partial(run, ruff), ROUNDS)
    what = f"check {files} files again: {ours:.0f} ms, ruff {theirs:.0f} ms"
    return report(what, theirs / ours, "at least", 1.5)


def repository() -> bool:
    """A cold check of 500 flow modules against libcst merely parsing them; and a warm one."""
    with tempfile.TemporaryDirectory() as folder:
        modules = [path.read_bytes() for path in make_repository(Path(folder))]
        command = [str(SCRIPTS / "flowlint"), "check", folder]
        cold, parse = alternate(
            partial(run, [*command, "--no-cache"]), partial(parse_all, modules), REPOSITORY_ROUNDS
        )
        sleep(REST)
        warm, _ = alternate(partial(run, command), lambda: None, ROUNDS)
    share = parse / available_jobs()
    what = f"check {len(modules)} flow modules: {cold:.0f} ms, libcst parse by cores {share:.0f} ms"
    fast = report(what, cold / share, "at most", 2.5)
    return report(f"check them again: {warm:.0f} ms; of cold", warm / cold, "at most", 0.1) and fast


def parse_all(modules: list[bytes]) -> None:
    """Parse the texts and do nothing with them."""
    import libcst

    for module in modules:
        libcst.parse_module(module)


def start_up() -> bool:
    """A check of a file without a flow against an interpreter that does nothing."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "plain.py").write_text("x = 1\n")
        flowlint = [str(SCRIPTS / "flowlint"), "check", folder]
        nothing = [sys.executable, "-c", "pass"]
        ours, base = alternate(partial(run, flowlint), partial(run, nothing), 4 * ROUNDS)
    what = f"start up: {ours:.0f} ms, python -c pass {base:.0f} ms; ms more"
    return report(what, ours - base, "at most", 60)


def one_module() -> bool:
    """The whole check of a module with flows against libcst merely parsing it."""
    import libcst

    from flowlint.pipeline import analyse_file
    from flowlint.project.files import ProjectFiles

    ours, theirs = [], []
    for number in range(3 * ROUNDS):
        # Every definition is new in every round, so that nothing remembered helps.
        texts = [text.replace("state", f"state{number}") for text in flow_sources()]
        files = ProjectFiles({f"flow{index}.py": text.encode() for index, text in enumerate(texts)})
        start = perf_counter()
        for index in range(len(texts)):
            analyse_file(f"flow{index}.py", files, ".")
        middle = perf_counter()
        for text in texts:
            libcst.parse_module(text)
        theirs.append(perf_counter() - middle)
        ours.append(middle - start)
    ours_ms, theirs_ms = median(ours[1:]) * 1000, median(theirs[1:]) * 1000
    what = f"check {len(texts)} flow modules: {ours_ms:.1f} ms, libcst parse {theirs_ms:.1f} ms"
    return report(what, ours_ms / theirs_ms, "at most", 2.5)


def large_graphs() -> bool:
    """All rules on one graph of 100,000 nodes and 300,000 edges, and how that grows."""
    sys.path.append(str(Path(__file__).parents[1] / "graph"))
    from big import big_flow

    from flowlint.rules.check import check_graph
    from flowlint.rules.registry import all_rules

    gc.disable()  # as the program does while it analyses
    all_rules()
    seconds = {}
    for nodes in (25_000, 50_000, 100_000):
        graph = big_flow(nodes)
        start = perf_counter()
        list(check_graph(graph))
        seconds[nodes] = perf_counter() - start
    growth = seconds[100_000] / seconds[25_000]
    shown = ", ".join(f"{nodes}: {spent:.2f} s" for nodes, spent in seconds.items())
    fast = report(f"all rules by nodes ({shown}); seconds", seconds[100_000], "at most", 3)
    return report("all rules, growth for 4 times the graph", growth, "at most", 6) and fast


def run(command: list[str]) -> None:
    """Run a command to its end, whatever it finds; raises when it fails."""
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{command[0]} ended with {done.returncode}")


def alternate(
    ours: Callable[[], None], theirs: Callable[[], None], rounds: int
) -> tuple[float, float]:
    """The median milliseconds of both, measured in turn after one round to warm up."""
    spent: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds + 1):
        for action, times in zip((ours, theirs), spent, strict=True):
            start = perf_counter()
            action()
            times.append((perf_counter() - start) * 1000)
    return median(spent[0][1:]), median(spent[1][1:])


def report(what: str, measured: float, bound: str, goal: float) -> bool:
    """Print one result and tell whether it reaches its goal."""
    reached = measured >= goal if bound == "at least" else measured <= goal
    print(f"{'ok  ' if reached else 'MISS'} {what}: {measured:.2f} ({bound} {goal:g})", flush=True)
    return reached


if __name__ == "__main__":
    sys.exit(main())
