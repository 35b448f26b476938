"""What cannot be a hook is refused by both checkers, before any node ran."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flowrt import Flow, FlowValidationError, Node
from flowrt.definition.building import build_flow

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

SOURCE = """
from flowrt import Flow, Node


async def step(state):
    return state


async def keeps(node, state):
    pass


def counts(node):
    pass


def may_take_more(node, state, more=None):
    pass


flow = Flow(nodes=[Node("a", step)], edges=[], entry="a", HOOK=GIVEN)
"""


@pytest.mark.parametrize("hook", ["on_node", "checkpoint"])
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("None", None),
        ("keeps", None),
        ("may_take_more", None),
        ("lambda *told: None", None),
        ("counts", "cannot be called with the name of a node and the state"),
        ("lambda: None", "cannot be called with the name of a node and the state"),
        ("'keeps'", 'is the text "keeps", which cannot be called'),
        ("[]", "is of type list, which cannot be called"),
    ],
)
def test_both_checks_say_the_same(hook: str, given: str, said: str | None, tmp_path: Path) -> None:
    source = SOURCE.replace("HOOK", hook).replace("GIVEN", given)
    (tmp_path / "flow.py").write_text(source)
    seen = analyse_file(str(tmp_path / "flow.py"), ProjectFiles(), str(tmp_path)).findings
    static = [(finding.code, finding.severity, finding.message) for finding in seen]
    assert static == _built(source)
    assert [code for code, _, _ in static] == ([] if said is None else ["FL705"])
    assert said is None or static[0][2].startswith(f"The hook `{hook}` {said}")


def _built(source: str) -> list[tuple[str, str, str]]:
    space: dict[str, Any] = {}
    try:
        exec(compile(source, "flow.py", "exec"), space)
    except FlowValidationError as error:
        return [(finding.code, finding.severity, finding.message) for finding in error.findings]
    assert isinstance(space["flow"], Flow)
    return []


def test_hooks_of_a_definition_are_checked_too() -> None:
    made = {"flowrt": 1, "name": "f", "entry": "a", "nodes": [{"name": "a", "kind": "end"}]}
    with pytest.raises(FlowValidationError, match="The hook `checkpoint` is `3`"):
        build_flow(made, checkpoint=3)  # type: ignore[arg-type]


async def test_a_hook_that_hides_what_it_takes_is_called() -> None:
    seen: list[str] = []

    def keeps(kept: list[str], node: str, state: object) -> None:
        kept.append(node)

    flow = Flow(nodes=[Node("a", kind="end")], edges=[], entry="a", on_node=partial(keeps, seen))
    await flow.run({})
    assert seen == ["a"]
