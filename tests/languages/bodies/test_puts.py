"""What nodes are seen to set on the very state that they are given."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from body_help import code_of, writes

SOURCE = """
import elsewhere

def fill(given):
    given["filled"] = 1

def node(state):
{body}
"""

PUTS = {
    "a key": ('state["x"] = 1\nreturn state', "x?"),
    "a key that is added to": ('state["x"] += 1\nreturn state', "x?"),
    "one of two": ('state["x" if state["y"] else "z"] = 1\nreturn state', "x? z?"),
    "an attribute": ("state.x = 1\nreturn state", "x?"),
    "an update": ('state.update({"x": 1}, y=2)\nreturn state', "x? y?"),
    "under another name": ('given = state\ngiven["x"] = 1\nreturn state', "x?"),
    "in a helper": ("fill(state)\nreturn state", "filled?"),
    "and a copy beside": ('state["x"] = 1\nreturn {**state, "y": 1}', "x? y"),
    "nothing that is returned": ('state["x"] = 1\nreturn {"y": 1}', "y"),
    "a key out of sight": ('state[state["name"]] = 1\nreturn state', "…"),
    "an update out of sight": ('state.update(state["more"])\nreturn state', "…"),
    "all of something": ('state.update(**state["more"])\nreturn state', "…"),
    "what is taken away": ('state.pop("x")\nreturn state', "…"),
    "what is deleted": ('del state["x"]\nreturn state', "…"),
    "code out of sight": ("elsewhere.fill(state)\nreturn state", "…"),
    "an element of a value": ('state["x"].append(1)\nreturn state', ""),
    "no change": ("return state", ""),
}


@pytest.mark.parametrize(("body", "expected"), PUTS.values(), ids=PUTS)
def test_puts(body: str, expected: str, tmp_path: Path) -> None:
    code = code_of(tmp_path, SOURCE.format(body=indent(body, "    ")))
    assert code is not None
    assert writes(code) == expected
