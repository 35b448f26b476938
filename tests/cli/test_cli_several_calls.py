"""One place that builds several flows: what is wrong with any of them is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import RunFlowlint

MAKING = """from flows import Edge, Flow, Node


def run(state):
    return state


def make(target):
    return Flow(
        nodes=[Node("a", run), Node("b", run)],
        edges=[Edge("a", target)],
        entry="a",
    )


"""
GOOD, BAD = 'X = make("b")\n', 'Y = make("nowhere")\n'


@pytest.mark.parametrize("calls", [GOOD + BAD, BAD + GOOD, GOOD + BAD + GOOD])
@pytest.mark.parametrize("cache", [(), ("--no-cache",)])
def test_an_error_of_one_call_is_told(
    flowlint: RunFlowlint, tmp_path: Path, calls: str, cache: tuple[str, ...]
) -> None:
    (tmp_path / "flow.py").write_text(MAKING + calls)
    for _ in range(2):
        run = flowlint("check", "--format", "concise", *cache, ".")
        assert run.code == 1
        assert [line.split()[1] for line in run.out.splitlines()[:-1]] == ["FL105"]
