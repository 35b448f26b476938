"""What cannot be a kill switch is refused, without running it and when the flow is built."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flowrt import Flow, FlowValidationError
from flowrt.checking import find_faults

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

SOURCE = """
from flowrt import Flow, Node


async def step(state):
    return state


async def slow():
    return False


def quick():
    return False


flow = Flow(nodes=[Node("a", step)], edges=[], entry="a", kill_switch=SWITCH)
"""


@pytest.mark.parametrize(
    ("switch", "said"),
    [
        ("None", None),
        ("quick", None),
        ("lambda: False", None),
        ("slow", "The kill switch `slow` is async and never awaited"),
        ("'quick'", 'The kill switch is the text "quick", which cannot be called'),
        ("False", "The kill switch is `False`, which cannot be called"),
    ],
)
def test_both_checks_say_the_same(switch: str, said: str | None, tmp_path: Path) -> None:
    source = SOURCE.replace("SWITCH", switch)
    (tmp_path / "flow.py").write_text(source)
    seen = analyse_file(str(tmp_path / "flow.py"), ProjectFiles(), str(tmp_path)).findings
    static = [(finding.code, finding.severity, finding.message) for finding in seen]
    assert static == _built(source)
    assert [code for code, _, _ in static] == ([] if said is None else ["FL705"])
    assert said is None or static[0][2].startswith(said)


def _built(source: str) -> list[tuple[str, str, str]]:
    space: dict[str, Any] = {}
    try:
        exec(compile(source, "flow.py", "exec"), space)
    except FlowValidationError as error:
        return [(finding.code, finding.severity, finding.message) for finding in error.findings]
    assert isinstance(space["flow"], Flow)
    return []


def test_one_that_is_async_is_found_whatever_it_is() -> None:
    async def slow(answer: bool = False) -> bool:
        return answer

    class Slow:
        async def __call__(self) -> bool:
            return False

    for switch in (slow, partial(slow, answer=True), Slow()):
        found = find_faults(name="x", nodes=[], edges=[], entry="a", kill_switch=switch)  # type: ignore[arg-type]
        assert "FL705" in {finding.code for finding in found}
