"""How far a comment reaches, what is said of comments, and comments that are written for one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flow_sources import DANGLING, GOOD
from support import Run, RunFlowlint

EDGE = '        edges=[Edge("collect", "publihs")],'
SITE = "    return Flow("


def found(flowlint: RunFlowlint, *arguments: str) -> list[dict[str, Any]]:
    run = flowlint("check", "--format", "json", *arguments)
    assert "error" not in run.err
    findings: list[dict[str, Any]] = json.loads(run.out)
    return findings


def names(flowlint: RunFlowlint, *arguments: str) -> list[str]:
    return [finding["name"] for finding in found(flowlint, *arguments)]


def at(line: str, comment: str, source: str = DANGLING) -> str:
    assert line in source
    return source.replace(line, f"{line}  {comment}")


def above(line: str, *comments: str, source: str = DANGLING) -> str:
    return source.replace(line, "\n".join([*(f"        {one}" for one in comments), line]))


@pytest.mark.parametrize(
    ("source", "left"),
    [
        (at(SITE, "# flowlint: ignore-flow[FL105]"), []),
        (above(SITE, "# flowlint: ignore-flow[FL105] known"), []),
        (at(EDGE, "# flowlint: ignore-flow[FL105]"), ["dangling-edge", "unused-suppression"]),
        (at(SITE, "# flowlint: ignore-flow[FL301]"), ["dangling-edge", "unused-suppression"]),
        (above("async def collect", "# flowlint: ignore-start[FL105]"), []),
        (
            above("async def publish", "# flowlint: ignore-start[FL105]")
            + "# flowlint: ignore-end[FL105]\n",
            [],
        ),
        (
            f"# flowlint: ignore-start[FL105]\n# flowlint: ignore-end\n{DANGLING}",
            ["dangling-edge", "unused-suppression"],
        ),
        (
            "# flowlint: ignore-start[FL105]\n# flowlint: ignore-start[FL106]\n"
            f"# flowlint: ignore-end[FL106]\n{DANGLING}# flowlint: ignore-end[FL105]\n",
            ["unused-suppression"],
        ),
        (f"{DANGLING}# flowlint: ignore-end[FL105]\n", ["dangling-edge", "unused-suppression"]),
        (at(EDGE, "# flowlint: ignore-all[FL105]"), ["dangling-edge", "unknown-suppression"]),
        (at(EDGE, "# flowlint: ignoring this"), ["dangling-edge"]),
        (at(EDGE, "# flowlint: ignore"), ["dangling-edge", "blanket-suppression"]),
        (at(EDGE, "# flowlint: ignore[FL105] # flowlint: ignore[FL106]"), ["unused-suppression"]),
        (at(EDGE, "# flowlint: ignore[FL105, FL903, dead-end]"), []),
        (at(EDGE, "# flowlint: ignore[FL105, FL903]"), []),
        (f"# flowlint: ignore-file[meta]\n{at(EDGE, '# flowlint: ignore')}", ["dangling-edge"]),
    ],
)
def test_how_far_comments_reach(
    flowlint: RunFlowlint, tmp_path: Path, source: str, left: list[str]
) -> None:
    (tmp_path / "flow.py").write_text(source)
    assert sorted(names(flowlint)) == sorted(left)


TWO_FLOWS = DANGLING + "\n\nother = Flow(nodes=[], edges=[Edge('a', 'b')], entry='a')\n"


def test_a_flow_is_silenced_and_no_other(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(at("other = Flow(", "# x", TWO_FLOWS))
    before = {finding["range"]["start"]["line"] for finding in found(flowlint)}
    (tmp_path / "flow.py").write_text(at(SITE, "# flowlint: ignore-flow[structure]", TWO_FLOWS))
    after = {finding["range"]["start"]["line"] for finding in found(flowlint)}
    assert before - after == {15}


def test_a_flow_is_silenced_for_what_lies_in_other_files(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    helper = "from flows import Edge\n\nEDGES = [Edge('collect', 'publihs')]\n"
    (tmp_path / "helper.py").write_text(helper)
    source = DANGLING.replace('[Edge("collect", "publihs")]', "EDGES")
    source = f"from helper import EDGES\n{source}"
    (tmp_path / "flow.py").write_text(source)
    assert [finding["path"] for finding in found(flowlint)] == ["helper.py"]
    (tmp_path / "flow.py").write_text(at(SITE, "# flowlint: ignore-flow[FL105]", source))
    assert names(flowlint) == []
    # Another flow with the same edges is still told of.
    (tmp_path / "more.py").write_text(source)
    assert names(flowlint) == ["dangling-edge"]


def test_what_a_run_cannot_see_is_not_called_unused(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    helper = "from flows import Edge, Flow\n\nEDGES = [Edge('collect', 'publihs')]"
    (tmp_path / "helper.py").write_text(f"{helper}  # flowlint: ignore[FL105]\n")
    source = DANGLING.replace('[Edge("collect", "publihs")]', "EDGES")
    (tmp_path / "flow.py").write_text(f"from helper import EDGES\n{source}")
    assert names(flowlint) == []
    assert names(flowlint, "helper.py") == []
    (tmp_path / "flow.py").write_text(GOOD)
    assert names(flowlint, "helper.py") == []
    assert names(flowlint) == ["unused-suppression"]


def test_comments_for_rules_that_are_off_are_let_be(flowlint: RunFlowlint, tmp_path: Path) -> None:
    source = at('        edges=[Edge("collect", "publish")],', "# flowlint: ignore[FL105]", GOOD)
    (tmp_path / "flow.py").write_text(source)
    assert names(flowlint) == ["unused-suppression"]
    assert names(flowlint, "--ignore", "FL105") == []
    assert names(flowlint, "--select", "FL2,meta") == []
    assert names(flowlint, "--ignore", "unused-suppression") == []
    (tmp_path / "flowlint.toml").write_text('per-file-ignores = { "flow.py" = ["FL105"] }\n')
    assert names(flowlint) == []


def test_comments_in_broken_files_are_let_be(flowlint: RunFlowlint, tmp_path: Path) -> None:
    source = at('        edges=[Edge("collect", "publish")],', "# flowlint: ignore[FL105]", GOOD)
    (tmp_path / "flow.py").write_text(f"{source}\ndef broken(:\n")
    assert names(flowlint) == ["syntax-error"]


YAML = """\
flowrt: 1
name: demo
entry: a
nodes:
  - {name: a, run: "m:a"}
  - name: b{comment}
    run: |
      m:b # flowlint: ignore-file[FL106]
  - name: "c # flowlint: ignore[FL106]"
    run: m:c
"""


def test_yaml(flowlint: RunFlowlint, tmp_path: Path) -> None:
    flow = tmp_path / "flow.yaml"
    flow.write_text(YAML.replace("{comment}", ""))
    assert names(flowlint) == ["unreachable-node", "unreachable-node"]
    flow.write_text(YAML.replace("{comment}", "  # flowlint: ignore[unreachable-node] later"))
    assert names(flowlint) == ["unreachable-node"]
    flow.write_text("# flowlint: ignore-flow[FL106]\n" + YAML.replace("{comment}", ""))
    assert names(flowlint) == []
    flow.write_text("# flowlint: ignore-file[FL106, FL105]\n" + YAML.replace("{comment}", ""))
    assert names(flowlint) == ["unused-suppression"]


JSON = {
    "flowrt": 1,
    "name": "demo",
    "entry": "a",
    "nodes": [{"name": "a", "run": "m:a"}, {"name": "b", "run": "m:b"}],
}


def test_json(flowlint: RunFlowlint, tmp_path: Path) -> None:
    def check(**more: object) -> list[tuple[str, object]]:
        (tmp_path / "flow.json").write_text(json.dumps({**JSON, **more}))
        return [(finding["name"], finding["fix"]) for finding in found(flowlint)]

    assert [name for name, _ in check()] == ["unreachable-node"]
    assert check(flowlint={"ignore": ["FL106"], "reason": "soon"}) == []
    told = check(flowlint={"ignore": ["FL106", "FL105", "nosuch"]})
    assert [name for name, _ in told] == ["unused-suppression", "unknown-suppression"]
    assert all(fix for _, fix in told)
    told = check(flowlint={"ignore": []})
    assert {name for name, _ in told} == {"blanket-suppression", "unreachable-node"}


FIXED = [
    (at(EDGE, "# flowlint: ignore[FL105, dead-end]"), at(EDGE, "# flowlint: ignore[FL105]")),
    (at(EDGE, "# flowlint: ignore[dead-end,FL105] x"), at(EDGE, "# flowlint: ignore[FL105] x")),
    (at(EDGE, "# flowlint: ignore[a, FL105, b, c]"), at(EDGE, "# flowlint: ignore[FL105]")),
    (at("return state", "# flowlint: ignore[FL105]", GOOD), GOOD),
    (at("return state", "# flowlint: ignore[x] # noqa", GOOD), at("return state", "# noqa", GOOD)),
    (at("return state", "# noqa # flowlint: ignore", GOOD), at("return state", "# noqa", GOOD)),
    (f"# flowlint: ignore-start[FL105]\n{GOOD}# flowlint: ignore-end[FL105]\n", GOOD),
    (f"{GOOD}# flowlint: ignore-end\n", GOOD),
    (
        f"# flowlint: ignore-start[FL105, FL2]\n{DANGLING}# flowlint: ignore-end[FL2, FL105]\n",
        f"# flowlint: ignore-start[FL105]\n{DANGLING}# flowlint: ignore-end[FL105]\n",
    ),
]


@pytest.mark.parametrize(("before", "after"), FIXED)
def test_what_silences_nothing_is_taken_out(
    flowlint: RunFlowlint, tmp_path: Path, before: str, after: str
) -> None:
    flow = tmp_path / "flow.py"
    for ends in ("\n", "\r\n"):
        flow.write_bytes(before.replace("\n", ends).encode())
        flowlint("check", "--fix", "--select", "meta,FL105,FL107,FL2")
        assert flow.read_bytes().decode() == after.replace("\n", ends)
        assert not [name for name in names(flowlint) if name.endswith("suppression")]


@pytest.mark.parametrize(
    ("wrong", "offer"),
    [
        ("# flowlint: ignore[dangling-egde]", "write `dangling-edge`"),
        ("# flowlint: ignore", "name dangling-edge"),
        ("# flowlint: ignore[all] why", "name dangling-edge"),
    ],
)
def test_what_was_meant_is_offered(
    flowlint: RunFlowlint, tmp_path: Path, wrong: str, offer: str
) -> None:
    (tmp_path / "flow.py").write_text(at(EDGE, wrong))
    (fix,) = (one["fix"] for one in found(flowlint) if one["name"].endswith("suppression"))
    assert (fix["title"], fix["safety"]) == (offer, "unsafe")


def test_a_word_stays_where_the_rule_it_may_mean_is_not_looked_for(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    source = at(EDGE, "# flowlint: ignore[dangling-egde, xyzzy]")
    (tmp_path / "flow.py").write_text(source)
    flowlint("check", "--fix", "--unsafe-fixes", "--select", "meta")
    assert (tmp_path / "flow.py").read_text() == source.replace(", xyzzy", "")


MANY = """\
from flows import Edge, Flow, Node


def collect(state):
    return state


flow = Flow(
    nodes=[Node("collect", collect)],
    edges=[
        Edge("collect", "größe"),  # noqa
        Edge(
            "collect",
            '''two
lines''',
        ), Edge("collect", "nobody"), \\
        Edge("collect", "none"),
    ],
    entry="collect",
)
"""


def check_adding(flowlint: RunFlowlint, path: Path, *arguments: str) -> Run:
    """Write comments, and check that nothing is told any more and nothing else is written."""
    run = flowlint("check", path.name, *(arguments or ("--add-ignore",)))
    assert (run.code, run.err) == (0, ""), run
    assert names(flowlint, path.name) == []
    written = path.read_bytes()
    again = flowlint("check", path.name, "--add-ignore")
    assert (again.code, again.out) == (0, "Wrote 0 comments in 0 files.\n")
    assert path.read_bytes() == written
    return run


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_comments_are_added_and_all_else_stays(
    flowlint: RunFlowlint, tmp_path: Path, encoding: str, ends: str
) -> None:
    head = "# -*- coding: latin-1 -*-\n" if encoding == "latin-1" else ""
    source = (head + MANY).replace("\n", ends).encode(encoding)
    path = tmp_path / "flow.py"
    path.write_bytes(source)
    (tmp_path / "flowlint.toml").write_text('select = ["FL105", "meta"]')
    assert set(names(flowlint)) == {"dangling-edge"}
    run = check_adding(flowlint, path, "--add-ignore=größer als früher")
    assert run.out == "Wrote 4 comments in 1 file.\n"
    plain = "utf-8" if encoding == "utf-8-sig" else encoding
    reason = "[dangling-edge] größer als früher"
    written = path.read_bytes()
    for comment in (
        f"  # flowlint: ignore{reason}".encode(plain),
        f"        # flowlint: ignore-next-line{reason}{ends}".encode(plain),
    ):
        assert comment in written
        written = written.replace(comment, b"")
    assert written == source


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ("#!/usr/bin/env python\n# vim: set fileencoding=latin-1 :\n", "latin-1"),
        ("# größe\n# höhe\n# coding: latin-1\n", "utf-8"),
        ("'größe'\n# coding: latin-1\n", "utf-8"),
    ],
    ids=["in line 2", "in line 3", "below code"],
)
def test_only_the_first_two_lines_state_an_encoding(
    flowlint: RunFlowlint, tmp_path: Path, head: str, encoding: str, ends: str
) -> None:
    path = tmp_path / "flow.py"
    path.write_bytes((head + MANY).replace("\n", ends).encode(encoding))
    (tmp_path / "flowlint.toml").write_text('select = ["FL105", "meta"]')
    check_adding(flowlint, path, "--add-ignore=größer")
    text = path.read_bytes().decode(encoding)
    assert text.count("größer") == 4
    assert text.startswith(head.replace("\n", ends))


def test_what_an_encoding_cannot_hold_is_not_written(flowlint: RunFlowlint, tmp_path: Path) -> None:
    source = ("# coding: latin-1\r" + DANGLING.replace("\n", "\r")).encode("latin-1")
    (tmp_path / "flow.py").write_bytes(source)
    run = flowlint("check", "--add-ignore=später → nie", "--select", "FL105")
    assert (run.code, run.out) == (2, "Wrote 0 comments in 0 files.\n")
    assert run.err == "error: flow.py: cannot hold what is to be written in latin-1\n"
    assert (tmp_path / "flow.py").read_bytes() == source


def test_comments_that_are_there_name_more(flowlint: RunFlowlint, tmp_path: Path) -> None:
    path = tmp_path / "flow.py"
    path.write_text(at(EDGE, "# flowlint: ignore[dead-end] known", DANGLING))
    run = flowlint("check", "--add-ignore=new", "--select", "FL105")
    assert (run.code, run.out) == (0, "Wrote 1 comment in 1 file.\n")
    expected = at(EDGE, "# flowlint: ignore[dead-end, dangling-edge] known", DANGLING)
    assert path.read_text() == expected


def test_comments_are_added_in_notebooks_and_yaml(flowlint: RunFlowlint, tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# A flow"]},
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": DANGLING.splitlines(True)},
    ]
    book = tmp_path / "book.ipynb"
    book.write_text(json.dumps({"cells": cells, "nbformat": 4}, indent=1) + "\n")
    before = book.read_text().splitlines()
    check_adding(flowlint, book)
    after = book.read_text().splitlines()
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert len(changed) == 1
    assert "# flowlint: ignore[dangling-edge]\\n" in changed[0]
    flow = tmp_path / "flow.yaml"
    flow.write_text(YAML.replace("{comment}", ""))
    check_adding(flowlint, flow, "--add-ignore=later")
    assert "  - name: b  # flowlint: ignore[unreachable-node] later\n" in flow.read_text()


def test_yaml_is_utf_8_whatever_a_comment_states(flowlint: RunFlowlint, tmp_path: Path) -> None:
    flow = tmp_path / "flow.yaml"
    text = "# vim: set fileencoding=latin-1 :\n" + YAML.replace("name: b{comment}", "{node}")
    flow.write_text(
        text.replace("{node}", "name: größe  # flowlint: ignore[unreachable-node, xyzzy]")
    )
    flowlint("check", "--fix", "--select", "unreachable-node,meta")
    fixed = text.replace("{node}", "name: größe  # flowlint: ignore[unreachable-node]")
    assert flow.read_text() == fixed


def test_where_no_comment_can_stand_it_is_told(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.json").write_text(json.dumps(JSON))
    run = flowlint("check", "--add-ignore")
    assert (run.code, run.out) == (2, "Wrote 0 comments in 0 files.\n")
    assert '`"flowlint": {"ignore": ["unreachable-node"]}`' in run.err
    assert json.loads((tmp_path / "flow.json").read_text()) == JSON


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--add-ignore=a # b"], "has to be one line without `#`"),
        (["--add-ignore=a\nb"], "has to be one line without `#`"),
        (["--add-ignore", "-"], "not to standard input"),
    ],
)
def test_what_cannot_be_added(flowlint: RunFlowlint, arguments: list[str], said: str) -> None:
    run = flowlint("check", *arguments)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
