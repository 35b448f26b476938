"""`flowrt schema`: what definitions may hold, the kinds and actions of one's own included."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from flowrt_program import Flowrt

MODULE = """
from pydantic import BaseModel

from flowrt import ActionConfig, Kind, Output, register_action, register_kind

print("loaded")


class TranslateConfig(BaseModel):
    language: str


async def translate(context):
    return Output(context.node.config["language"])


register_kind(Kind("acme.translate", translate, "Translates.", TranslateConfig))


class PageConfig(ActionConfig):
    whom: str


@register_action("acme.page", PageConfig)
async def page(config, call):
    '''Calls somebody.'''
    return call.value
"""


@pytest.fixture
def schema(flowrt: Flowrt, tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "acme.py").write_text(MODULE)
    found: dict[str, Any] = flowrt("schema", "--module", "acme").state
    return found


def accepts(schema: dict[str, Any], **node: Any) -> bool:
    flow = {"flowrt": 1, "name": "x", "entry": "a", "nodes": [{"name": "a", **node}]}
    return jsonschema_rs.validator_for(schema).is_valid(flow)


def test_kinds_of_a_module_are_in_the_schema(schema: dict[str, Any], flowrt: Flowrt) -> None:
    assert accepts(schema, kind="acme.translate", config={"language": "de"})
    assert not accepts(schema, kind="acme.translate", config={})
    assert not accepts(flowrt("schema").state, kind="acme.translate", config={"language": "de"})


@pytest.mark.parametrize(
    ("action", "right"),
    [
        ({"type": "log", "message": "hi"}, True),
        ({"type": "log", "message": "hi", "when": "failed"}, True),
        ({"type": "log"}, False),
        ({"type": "log", "message": "hi", "masage": 1}, False),
        ({"type": "set-context", "key": "a", "value": 1}, True),
        ({"type": "set_context", "key": "a", "value": 1}, True),
        ({"type": "webhook"}, False),
        ({"type": "acme.page", "whom": "Ann"}, True),
        ({"type": "acme.page"}, False),
        ({"type": "other.thing", "anything": 1}, True),
        ({"type": "lgo", "message": "hi"}, False),
        ({}, False),
    ],
)
def test_actions_are_told_by_their_type(
    schema: dict[str, Any], action: dict[str, Any], right: bool
) -> None:
    for place in ("before", "after"):
        assert accepts(schema, run="x", **{place: [action]}) == right


def test_what_a_module_prints_is_not_in_the_schema(flowrt: Flowrt, tmp_path: Path) -> None:
    (tmp_path / "acme.py").write_text(MODULE)
    told = flowrt("schema", "--module", "acme")
    assert json.loads(told.out)["title"] == "flowrt flow definition"
    assert "loaded" in told.err
    missing = flowrt("schema", "--module", "nobody")
    assert missing.code == 2
    assert "`nobody` cannot be imported" in missing.err


def test_what_is_public_can_be_imported_from_the_top() -> None:
    import flowrt

    for name in flowrt.__all__:
        assert hasattr(flowrt, name), name


WITHOUT = """
import sys


class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pydantic":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Missing())
from flowrt.cli.group import run

sys.exit(run(["schema"]))
"""


def test_a_missing_package_is_told_with_what_to_type() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: `pydantic` is not installed: type `pip install ")
    assert "'.[runtime]'" in done.stderr
    extras = tomllib.loads(Path(__file__).parents[3].joinpath("pyproject.toml").read_text())
    assert "runtime" in extras["project"]["optional-dependencies"]
