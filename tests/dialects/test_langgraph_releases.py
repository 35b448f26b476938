"""What is told of the same flow in projects that use different releases of LangGraph.

`FLOWLINT_LANGGRAPH_PYTHONS` may name interpreters that have releases of LangGraph, with the
separator of paths between them: then each must raise for exactly the programs of which we say so.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from langgraph_parity import record
from test_langgraph_micro import MICROS
from test_langgraph_micro import PRELUDE as BUILDING

from flowlint.findings.model import Finding
from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles
from flowlint.project.versions import ProjectVersions

PRELUDE = """
from enum import Enum
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str
    note: str


class Step(str, Enum):
    A = "a"
    B = "b"


def a(state: State):
    return {"text": "a"}


def b(state: State):
    return {"note": "b"}


async def waiting(state: State):
    return {"text": "waiting"}


"""

FLOW = """
builder = StateGraph(State)
builder.add_node("a", a)
builder.add_edge(START, "a")
{lines}
graph = builder.compile()
"""
RUN = '\ngraph.invoke({"text": "", "note": ""})\n'


def flow(*lines: str, before: str = "") -> str:
    """A flow that begins at `a`, with these lines, compiled; `before` it is defined."""
    return PRELUDE + before + FLOW.format(lines="\n".join(lines))


def told(folder: Path, version: str | None, program: str) -> list[Finding]:
    """What is found in a program of a project that uses a release; None: nobody knows which."""
    (folder / "flow.py").write_text(program)
    if version is not None:
        (folder / "requirements.txt").write_text(f"langgraph=={version}\n")
    result = analyse_file("flow.py", ProjectFiles(), str(folder))
    return list(result.findings)


ROUTER = "\n\ndef route(state):\n    return 'nowhere'\n\n"
SENDER = (
    "\n\nfrom langgraph.constants import Send\n\n\ndef route(state):\n"
    "    return [Send('nowhere', {})]\n\n"
)
GOTO = (
    "\n\nfrom langgraph.types import Command\n\n\ndef jump(state):\n"
    "    return Command(goto='nowhere', update={'text': 'jump'})\n\n"
)
SAVER = "\n\nclass Saver:\n    pass\n\n"
ADD_B = 'builder.add_node("b", b)'

Expected = tuple[str | None, str | None, str]
PROGRAMS: dict[str, tuple[str, list[Expected]]] = {
    "a loop without a way out": (
        flow('builder.add_edge("a", "a")') + RUN,
        [
            ("0.2.76", "loop-without-exit", "recursion_limit, 25 by default, stops it"),
            ("1.0.5", "loop-without-exit", "recursion_limit, 25 by default, stops it"),
            ("1.0.6", "loop-without-exit", "recursion_limit, 10000 by default, stops it"),
            ("1.1.3", "loop-without-exit", "recursion_limit, 10000 by default, stops it"),
            ("1.1.4", "loop-without-exit", "recursion_limit, 10007 by default, stops it"),
            (None, "loop-without-exit", "recursion_limit, 10007 by default, stops it"),
        ],
    ),
    "a way of 25 steps": (
        flow(
            'previous = "a"',
            "for number in range(24):",
            '    builder.add_node(f"n{number}", a)',
            '    builder.add_edge(previous, f"n{number}")',
            '    previous = f"n{number}"',
        )
        + RUN,
        [
            ("0.6.11", "step-limit-too-small", "recursion_limit is 25 by default"),
            ("1.0.10", None, ""),
            (None, None, ""),
        ],
    ),
    "a way of 24 steps": (
        flow(
            'previous = "a"',
            "for number in range(23):",
            '    builder.add_node(f"n{number}", a)',
            '    builder.add_edge(previous, f"n{number}")',
            '    previous = f"n{number}"',
        )
        + RUN,
        [("0.6.11", None, ""), (None, None, "")],
    ),
    "a router that returns no node": (
        flow('builder.add_conditional_edges("a", route)', before=ROUTER) + RUN,
        [
            ("0.2.74", "unhandled-route", "the run fails with KeyError"),
            ("0.2.75", "unhandled-route", "the run ends there and reports success"),
            (None, "unhandled-route", "the run ends there and reports success"),
        ],
    ),
    "a hand-over to no node": (
        flow('builder.add_node("b", jump)', 'builder.add_edge("a", "b")', before=GOTO) + RUN,
        [
            ("0.2.74", "dangling-edge", "the run fails with KeyError when it gets there"),
            ("0.2.75", "dangling-edge", "nothing runs there, and the run reports success"),
            (None, "dangling-edge", "nothing runs there, and the run reports success"),
        ],
    ),
    "a message to no node": (
        flow('builder.add_conditional_edges("a", route)', before=SENDER) + RUN,
        [
            ("0.4.5", "dangling-edge", "the run fails with InvalidUpdateError when it gets there"),
            ("0.4.6", "dangling-edge", "nothing runs there, and the run reports success"),
            (None, "dangling-edge", "nothing runs there, and the run reports success"),
        ],
    ),
    "a key that the state lacks": (
        flow(ADD_B.replace("b)", "lost)"), 'builder.add_edge("a", "b")').replace(
            "builder = ", "def lost(state):\n    return {'nte': 1}\n\n\nbuilder = "
        )
        + RUN,
        [
            ("0.2.56", "unknown-state-key", "raises InvalidUpdateError where nothing else is"),
            ("0.2.74", "unknown-state-key", "raises KeyError where a Command brings it"),
            ("0.2.75", "unknown-state-key", "LangGraph drops the value"),
            (None, "unknown-state-key", "LangGraph drops the value"),
        ],
    ),
    "a node that nothing leads to": (
        flow(ADD_B, 'builder.add_edge("b", END)', 'builder.add_edge("a", END)'),
        [
            ("0.2.53", "unreachable-node", "compile() raises"),
            ("0.2.54", "unreachable-node", "it never runs, and nothing says so"),
            (None, "unreachable-node", "it never runs, and nothing says so"),
        ],
    ),
    "a node that a router may lead to, for all that is checked": (
        flow(
            ADD_B,
            'builder.add_conditional_edges("a", route)',
            before=ROUTER.replace("nowhere", "__end__"),
        ),
        [
            ("0.2.53", "unreachable-node", "it never runs, and nothing says so"),
            (None, "unreachable-node", "it never runs, and nothing says so"),
        ],
    ),
    "a node called like a key": (
        flow('builder.add_node("note", b)', 'builder.add_edge("a", "note")'),
        [
            ("0.4.10", "invalid-definition", "`note` is a key of the state"),
            ("0.5.0", None, ""),
            (None, None, ""),
        ],
    ),
    "an edge from the start to the end": (
        PRELUDE + "graph = StateGraph(State).add_edge(START, END).compile()\n",
        [
            ("0.3.21", "invalid-definition", "compile() raises KeyError"),
            ("0.3.22", None, ""),
            (None, None, ""),
        ],
    ),
    "a member of an enumeration for its text": (
        flow("builder.add_node(Step.B, b)", 'builder.add_edge("a", "b")'),
        [
            ("0.3.21", None, ""),
            ("0.3.22", "dangling-edge", "nothing runs there, and the run reports success"),
            (None, "dangling-edge", "nothing runs there, and the run reports success"),
        ],
    ),
    "something else for a checkpointer": (
        flow(before=SAVER).replace("compile()", "compile(checkpointer=Saver())"),
        [
            ("1.0.5", None, ""),
            ("1.0.6", "invalid-definition", "no checkpointer of LangGraph: compile() raises"),
            (None, "invalid-definition", "no checkpointer of LangGraph: compile() raises"),
        ],
    ),
    "a timeout": (
        flow('builder.add_node("b", b, timeout=5)', 'builder.add_edge("a", "b")'),
        [
            ("0.4.10", "invalid-definition", "add_node() raises TypeError"),
            ("0.5.0", "ineffective-field", "add_node() ignores it"),
            ("1.1.10", "ineffective-field", "add_node() ignores it"),
            ("1.2.0", "bad-limit", "`b` is not async: compile() raises"),
            (None, "bad-limit", "`b` is not async: compile() raises"),
        ],
    ),
    "a timeout that is none": (
        flow('builder.add_node("b", b, timeout=None)', 'builder.add_edge("a", "b")'),
        [
            ("0.4.10", "invalid-definition", "add_node() raises TypeError"),
            ("1.1.10", None, ""),
            ("1.2.0", None, ""),
            (None, None, ""),
        ],
    ),
    "a deferred node": (
        flow('builder.add_node("b", b, defer=True)', 'builder.add_edge("a", "b")'),
        [
            ("0.4.3", "invalid-definition", "takes `defer` from LangGraph 0.4.5 on, but this"),
            ("0.4.5", None, ""),
            (None, None, ""),
        ],
    ),
    "destinations": (
        flow('builder.add_node("b", b, destinations=("a",))', 'builder.add_edge("a", "b")'),
        [("0.2.70", "invalid-definition", "raises TypeError"), ("0.2.71", None, "")],
    ),
    "schemas by their new names": (
        flow().replace("StateGraph(State)", "StateGraph(State, input_schema=State)"),
        [
            ("0.4.10", "invalid-definition", "StateGraph() raises TypeError"),
            ("0.5.0", None, ""),
            (None, None, ""),
        ],
    ),
    "a schema of the context": (
        flow().replace("StateGraph(State)", "StateGraph(State, context_schema=State)"),
        [
            ("0.4.10", "invalid-definition", "StateGraph() raises TypeError"),
            ("0.5.4", "ineffective-field", "StateGraph() ignores it"),
            ("0.6.0", None, ""),
            (None, None, ""),
        ],
    ),
    "defaults of nodes": (
        flow("builder.set_node_defaults()"),
        [
            ("1.1.10", "invalid-definition", "calling it raises AttributeError"),
            ("1.2.0", None, ""),
            (None, None, ""),
        ],
    ),
    "a node after all targets of a router": (
        flow(
            ADD_B,
            'builder.add_node("c", b)',
            'builder.add_conditional_edges("a", route, {"nowhere": "b"}, then="c")',
            before=ROUTER,
        ),
        [
            ("0.4.10", "unresolved-flow", "`then`"),
            ("0.5.0", "invalid-definition", "takes no `then` from LangGraph 0.5.0 on"),
            (None, "unresolved-flow", "`then`"),
        ],
    ),
}

CASES = [
    pytest.param(program, *expected, id=f"{title.replace(' ', '-')}-{expected[0]}")
    for title, (program, all_expected) in PROGRAMS.items()
    for expected in all_expected
]


@pytest.mark.parametrize(("program", "version", "rule", "text"), CASES)
def test_what_is_told(
    program: str,
    version: str | None,
    rule: str | None,
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    found = told(tmp_path, version, program)
    assert [finding.name for finding in found] == ([] if rule is None else [rule])
    assert text in "".join(finding.message for finding in found)


def test_a_version_that_is_stated_goes_before_the_files(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("langgraph==0.2.76\n")
    path = tmp_path / "flow.py"
    path.write_text(flow('builder.add_edge("a", "a")'))
    stated = ProjectVersions(ProjectFiles(), {"langgraph": "1.0.8"})
    result = analyse_file(str(path), ProjectFiles(), str(tmp_path), stated)
    assert "10000 by default" in result.findings[0].message


def interpreters() -> list[str]:
    """The interpreters to compare with."""
    named = os.environ.get("FLOWLINT_LANGGRAPH_PYTHONS", "")
    return [path for path in named.split(os.pathsep) if path]


def test_the_releases_raise_for_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not interpreters():
        pytest.skip("FLOWLINT_LANGGRAPH_PYTHONS names no interpreters with releases of LangGraph")
    programs = {title: program for title, (program, _) in PROGRAMS.items()}
    for micro in MICROS:
        programs[f"{micro.title}, wrong"] = f"{BUILDING}{micro.raises}\n"
        programs[f"{micro.title}, right"] = f"{BUILDING}{micro.accepted}\n"
    problems = []
    for number, python in enumerate(interpreters()):
        version = _version(python)
        folders = [tmp_path / str(number) / str(program) for program in range(len(programs))]
        said: dict[str, list[Finding]] = {}
        for (title, program), folder in zip(programs.items(), folders, strict=True):
            folder.mkdir(parents=True)
            monkeypatch.chdir(folder)
            said[title] = told(folder, version, program)
        for (title, findings), real in zip(said.items(), record(folders, python), strict=True):
            failing = [f for f in findings if _tells_failure(f, programs[title].endswith(RUN))]
            if any("or raises" in finding.message for finding in findings):
                continue
            if (real["error"] is not None) != bool(failing):
                problems.append(f"{version}: {title}: {real['error']}, told: {failing}")
    assert not problems, "\n".join(problems)


def _version(python: str) -> str:
    asked = "import importlib.metadata as m; print(m.version('langgraph'))"
    return subprocess.run(
        [python, "-c", asked], capture_output=True, text=True, check=True, timeout=60
    ).stdout.strip()


def _tells_failure(finding: Finding, is_run: bool) -> bool:
    """Whether a finding says that the program raises, as it is or once it is run."""
    if finding.severity == "error" or "raises" in finding.message:
        return True
    return is_run and "the run fails" in finding.message
