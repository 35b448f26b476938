"""Secrets: hidden in everything that is kept, and given again where a run is gone on with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flowrt import Edge, Flow, Node, open_store
from flowrt.errors import SecretsMissingError
from flowrt_program import Flowrt, write_flow

LONG = "hunter2hunter2"
ECHO = "import sys; print(sys.stdin.read())"
COPIES = f"""
async def copies(context):
    return "copied: " + context.state["password"]


async def compares(state):
    if state["password"] != "{LONG}":
        raise ValueError("wrong password " + state["password"])
    return {{**state, "right": True}}


async def uses(context):
    return context.services["secrets"]["db"] == "{LONG}"


ECHO = {{
    "command": "python3",
    "args": ["-c", {ECHO!r}],
    "stdin": "{{state.password}}",
    "templates": True,
}}
"""


@pytest.fixture(params=["folder:runs", "sqlite:runs.db"])
def store(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def kept(folder: Path) -> bytes:
    """Everything that the runs left on the disk."""
    files = [*folder.glob("runs/**/*"), *folder.glob("runs.db*")]
    return b"".join(file.read_bytes() for file in files if file.is_file())


def test_a_secret_is_in_nothing_that_is_kept(flowrt: Flowrt, tmp_path: Path, store: str) -> None:
    nodes = (
        'Node("echo", kind="shell", config={**ECHO, "into": "echoed"}), '
        'Node("copy", copies, kind="compute", config={"into": "copy"})'
    )
    write_flow(tmp_path, "m.py", nodes=nodes, edges='Edge("echo", "copy")', functions=COPIES)
    state = {"note": f"my password is {LONG}", "password": LONG}
    ran = flowrt("run", "m.py", "--store", store, "--input-json", json.dumps(state))
    assert ran.code == 0, ran.err
    assert ran.state["copy"] == f"copied: {LONG}"
    assert ran.state["echoed"]["stdout"].strip() == LONG
    content = kept(tmp_path)
    assert content
    assert LONG.encode() not in content
    assert b"copied: [secret password]" in content


def test_a_resumed_run_is_not_given_a_marker_for_a_secret(
    flowrt: Flowrt, tmp_path: Path, store: str
) -> None:
    write_flow(
        tmp_path,
        "m.py",
        nodes='Node("w", kind="checkpoint"), Node("compares", compares)',
        edges='Edge("w", "compares")',
        functions=COPIES,
    )
    given = json.dumps({"password": LONG, "note": f"<{LONG}>"})
    assert flowrt("run", "m.py", "--store", store, "--input-json", given).code == 3
    refused = flowrt("resume", "last", "--store", store, "--signal", "w")
    assert refused.code == 2
    assert refused.err.count("\n") == 1
    assert "give `password` again" in refused.err
    assert "--secret password=…" in refused.err
    # Nothing was begun: it waits as before.
    assert flowrt("show", "last", "--store", store, "--format", "json").state["status"] == "waiting"
    wrong = flowrt(
        "resume", "last", "--store", store, "--signal", "w", "--secret", "password=other1"
    )
    assert wrong.code == 1
    assert "wrong password other1" in wrong.err
    (tmp_path / "secrets.json").write_text(json.dumps({"password": LONG}))
    right = flowrt("resume", "last", "--store", store, "--secrets-file", "secrets.json")
    assert (right.code, right.err.count("warning")) == (0, 0)
    assert right.state == {"password": LONG, "note": f"<{LONG}>", "right": True}
    assert LONG.encode() not in kept(tmp_path)


def test_secrets_can_come_from_the_environment(flowrt: Flowrt, tmp_path: Path) -> None:
    nodes = (
        'Node("w", kind="checkpoint"), Node("uses", uses, kind="compute", config={"into": "ok"})'
    )
    write_flow(tmp_path, "m.py", nodes=nodes, edges='Edge("w", "uses")', functions=COPIES)
    given = json.dumps({"note": LONG})
    ran = flowrt("run", "m.py", "--store", "runs", "--input-json", given, "--secret", f"db={LONG}")
    assert ran.code == 3
    assert LONG.encode() not in kept(tmp_path)
    resumed = flowrt(
        "resume", "last", "--store", "runs", "--signal", "w", env={"FLOWRT_SECRET_db": LONG}
    )
    assert resumed.state == {"note": LONG, "ok": True}
    assert LONG.encode() not in kept(tmp_path)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--secret", LONG], "NAME=VALUE"),
        (["--secrets-file", "none.json"], "none.json"),
        (["--secrets-file", "list.json"], "JSON object"),
    ],
)
def test_secrets_that_are_not_written_right_are_not_shown(
    flowrt: Flowrt, tmp_path: Path, options: list[str], said: str
) -> None:
    (tmp_path / "list.json").write_text(f'["{LONG}"]')
    write_flow(tmp_path, "m.py", nodes='Node("a", a)')
    refused = flowrt("run", "m.py", *options)
    assert refused.code == 2
    assert said in refused.err
    assert LONG not in refused.err


async def test_secrets_are_given_again_in_python(tmp_path: Path) -> None:
    seen = []

    async def sees(state: dict[str, object]) -> dict[str, object]:
        seen.append(state)
        return state

    flow = Flow(
        nodes=[Node("w", kind="checkpoint"), Node("sees", sees)],
        edges=[Edge("w", "sees")],
        entry="w",
    )
    store = open_store(tmp_path)
    await flow.run(
        {"token": (LONG, 1), "n": LONG}, store=store, run_id="r", services={"secrets": {"db": LONG}}
    )
    with pytest.raises(SecretsMissingError) as refused:
        await flow.resume_run("r", store, signals={"w": None})
    assert refused.value.names == ("token", "db")
    result = await flow.resume_run(
        "r", store, signals={"w": None}, secrets={"token": (LONG, 1), "db": LONG}
    )
    assert seen == [{"token": (LONG, 1), "n": LONG}]
    assert result.state == seen[0]


def test_a_run_can_be_gone_on_with_without_a_value_that_nobody_has(
    flowrt: Flowrt, tmp_path: Path, store: str
) -> None:
    write_flow(tmp_path, "m.py", nodes='Node("w", kind="checkpoint"), Node("a", a)',
               edges='Edge("w", "a")')  # fmt: skip
    given = json.dumps({"said": "the token: abc123 is new"})
    assert flowrt("run", "m.py", "--store", store, "--input-json", given).code == 3
    resume = ("resume", "last", "--store", store, "--signal", "w")
    assert "give `token` again" in flowrt(*resume).err
    ended = flowrt(*resume, "--secret", "token=[secret token]")
    assert ended.state == {"said": "the token: [secret token] is new", "a": 1}
