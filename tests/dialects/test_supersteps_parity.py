"""What is told of supersteps against runs of the real LangGraph."""

from __future__ import annotations

import json
import random
import subprocess
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from graph.step_specs import Spec, graph_of, random_spec
from langgraph_parity import interpreter

from flowlint.graph.fan_outs import fan_outs
from flowlint.graph.model import START
from flowlint.graph.step_length import fewest_steps
from flowlint.graph.step_search import Search, search_steps
from flowlint.graph.supersteps import steps_of

STEPPER = Path(__file__).with_name("langgraph_stepper.py")
FLOWS = 120

Run = dict[str, Any]


@cache
def runs() -> tuple[tuple[Spec, tuple[Run, ...]], ...]:
    """Flows at random, each with what it really did."""
    python = interpreter()
    if python is None:
        pytest.skip("langgraph cannot be imported; FLOWLINT_LANGGRAPH_PYTHON may name a Python")
    specs = [random_spec(random.Random(seed)) for seed in range(FLOWS)]
    asked = [{**asdict(spec), "deferred": sorted(spec.deferred)} for spec in specs]
    done = subprocess.run(
        [python, str(STEPPER)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return tuple(zip(specs, map(tuple, json.loads(done.stdout)), strict=True))


def test_every_run_is_one_that_the_search_knows() -> None:
    known = 0
    for spec, real in runs():
        search = search_steps(steps_of(graph_of(spec)))
        for run in real if search is not None else ():
            assert search is not None
            known += 1
            assert _is_known(search, run), (spec, run)
    assert known > FLOWS


def _is_known(search: Search, run: Run) -> bool:
    at = {0}
    for step in run["steps"]:
        after = {number for one in at for number in search.following[one]}
        at = {number for number in after if search.states[number].due == set(step)}
    if not run["ended"]:
        return bool(at)
    return any(not search.states[number].due for one in at for number in search.following[one])


def test_what_is_sure_after_a_fork_is_so() -> None:
    seen = 0
    for spec, real in runs():
        for fan in fan_outs(steps_of(graph_of(spec)), [START, *spec.nodes]):
            for run in real:
                steps = [[START], *run["steps"]]
                for number, step in enumerate(steps):
                    if fan.fork not in step:
                        continue
                    for level, arrivals in enumerate(fan.levels):
                        if number + level >= len(steps) and not run["ended"]:
                            break
                        sure = {name for name, of in arrivals.items() if of[0].is_certain}
                        due = steps[number + level] if number + level < len(steps) else []
                        assert sure <= set(due), (spec, run, fan.fork, level)
                        seen += bool(sure) and level > 0
    assert seen > FLOWS


def test_no_run_is_shorter_than_is_said() -> None:
    for spec, real in runs():
        steps = steps_of(graph_of(spec))
        way, search = fewest_steps(steps), search_steps(steps)
        lengths = [len(run["steps"]) for run in real if run["ended"]]
        if way is None:
            assert not lengths, spec
        elif lengths:
            assert len(way) <= min(lengths), spec
        if search is not None and lengths:
            assert search.shortest is not None
            assert search.shortest <= min(lengths), spec
