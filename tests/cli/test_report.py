"""Reports of findings and graphs made by hand."""

from __future__ import annotations

import json
from types import MappingProxyType

from flowlint.findings.model import Edit, Finding, Fix, Related
from flowlint.graph.guards import Guard
from flowlint.graph.model import END, START, Edge, Entry, FlowGraph, Gap, Node, Semantics
from flowlint.project.files import ProjectFiles
from flowlint.report import concise, findings_json, full, graph_json, mermaid
from flowlint.report.frames import MAX_WIDTH
from flowlint.report.style import Style, plain, width
from flowlint.report.summary import summary
from flowlint.source import Span


def at(line: int, column: int, end_line: int, end_column: int) -> Span:
    return Span("a.py", line, column, end_line, end_column)


HERE = at(1, 1, 1, 2)
EXPLICIT = Semantics(
    system="LangGraph",
    built_by="compile()",
    routing="all",
    join="all",
    cycles="allowed",
    end="explicit",
    unmatched_route="raises",
    failure="raises",
    on_unreachable="silent",
    on_unknown_name="rejected",
    on_duplicate_node="rejected",
    on_missing_entry="rejected",
    on_empty="rejected",
    on_duplicate_edge="collapsed",
    on_forbidden_cycle="rejected",
)


def node(name: str, kind: str = "step") -> Node:
    return Node(name, HERE, HERE, kind)


def edge(source: str, target: str, **more: object) -> Edge:
    return Edge(source, target, HERE, HERE, HERE, **more)  # type: ignore[arg-type]


def graph(*edges: Edge, nodes: tuple[Node, ...], **more: object) -> FlowGraph:
    entries = (Entry(nodes[0].name, HERE),) if nodes else ()
    parts: dict[str, object] = {"entries": entries, "semantics": EXPLICIT, **more}
    return FlowGraph("flow", "langgraph", HERE, nodes=nodes, edges=edges, **parts)  # type: ignore[arg-type]


def shown(source: str, *findings: Finding) -> list[str]:
    files = ProjectFiles({"a.py": source.encode()})
    return list(full.render(findings, files, Style()))


def found(span: Span, message: str = "wrong", **more: object) -> Finding:
    return Finding("FL105", "dangling-edge", "error", message, span, **more)  # type: ignore[arg-type]


def test_a_frame_with_everything() -> None:
    finding = found(
        at(2, 5, 2, 8),
        related=(Related("declared here", at(11, 1, 11, 2)),),
        witness=("a", "b", "a"),
        help="did you mean `b`?",
        fix=Fix("Rename it", "safe", (Edit(HERE, "b"),)),
    )
    source = "\n".join(["one", "f = bad()", *["x"] * 9])
    assert shown(source, finding) == [
        "error[dangling-edge] FL105: wrong",
        "  --> a.py:2:5",
        "   |",
        " 2 | f = bad()",
        "   |     ^^^",
        "  ::: a.py:11:1",
        "   |",
        "11 | x",
        "   | - declared here",
        "   |",
        "   = run: a → b → a",
        "   = help: did you mean `b`?",
        "   = fix: Rename it (safe)",
        " 1 | - one",
        "   | + bne",
        "",
    ]


def test_tabs_and_wide_characters_line_up() -> None:
    lines = shown("\tf('分類', é, bad)\n", found(at(1, 13, 1, 16)))
    source, marks = lines[3], lines[4]
    assert width(source[: source.index("bad")]) == marks.index("^")
    assert marks.count("^") == 3


def test_combining_characters_take_no_column() -> None:
    lines = shown("e\u0301e\u0301 bad\n", found(at(1, 6, 1, 9)))
    assert lines[4] == "  |    ^^^"


def test_long_lines_are_clipped_around_the_place() -> None:
    line = f"x = [{', '.join(f'item{number}' for number in range(200))}]"
    column = line.index("item100") + 1
    lines = shown(line, found(at(1, column, 1, column + 7)))
    text, marks = lines[3].removeprefix("1 | "), lines[4].removeprefix("  | ")
    assert width(text) <= MAX_WIDTH
    assert text[0] == text[-1] == "…"
    assert text[marks.index("^") : marks.index("^") + 7] == "item100"
    start = shown(line, found(at(1, 1, 1, 2)))[3].removeprefix("1 | ")
    assert start.startswith("x = [") and len(start) == MAX_WIDTH - 1
    whole = shown(line, found(at(1, 1, 1, len(line) + 1)))[4].removeprefix("  | ")
    assert set(whole) == {"^"} and len(whole) <= MAX_WIDTH


def test_a_place_of_many_lines_shows_its_ends() -> None:
    lines = shown("f(\n  1,\n  2,\n  3,\n)\n", found(at(1, 1, 5, 2)))
    assert lines[2:8] == ["  |", "1 | f(", "  | ^^", " ...", "5 | )", "  | ^"]


def test_a_place_beyond_the_source_is_only_named() -> None:
    assert shown("", found(at(9, 9, 9, 10)))[:2] == [
        "error[dangling-edge] FL105: wrong",
        " --> a.py:9:9",
    ]


def test_nothing_of_the_user_reaches_the_terminal_raw() -> None:
    lines = shown("\x1b[31m bad \u202e\n", found(at(1, 1, 1, 2), message="a\x1bb\nc"))
    assert all(line.isprintable() for line in lines)
    assert plain("a\nb\udc80") == "a\\nb\\udc80"


def test_concise() -> None:
    finding = Finding("FL1", "x", "warning", "m", Span("a.ipynb", 2, 3, 2, 4, 5))
    (line,) = concise.render([finding], Style())
    assert line == "a.ipynb:cell 5:2:3: FL1 [x] warning: m"


def test_json_of_fixes_and_cells() -> None:
    place = Span("a.ipynb", 2, 3, 2, 4, 5)
    finding = found(place, fix=Fix("t", "unsafe", (Edit(place, "new"),)))
    (data,) = json.loads(findings_json.render([finding]))
    ranges = {"start": {"line": 2, "column": 3}, "end": {"line": 2, "column": 4}, "cell": 5}
    assert data["range"] == ranges
    assert data["fix"] == {
        "title": "t",
        "safety": "unsafe",
        "edits": [{"path": "a.ipynb", "range": ranges, "new_text": "new"}],
    }


def test_summary() -> None:
    one, two = found(HERE), found(at(2, 1, 2, 2))
    warning = Finding("FL1", "x", "warning", "m", HERE)
    note = Finding("FL1", "x", "info", "m", HERE)
    assert summary([], 2, 12) == "No faults found: 2 flows in 12 files."
    assert summary([one], 1, 1) == "Found 1 error in 1 flow (1 file checked)."
    assert (
        summary([one, two, warning], 2, 12)
        == "Found 2 errors and 1 warning in 2 flows (12 files checked)."
    )
    assert (
        summary([one, warning, note, note], 2, 12)
        == "Found 1 error, 1 warning and 2 notes in 2 flows (12 files checked)."
    )


def test_graph_json_hides_the_markers_of_a_system() -> None:
    drawn = graph(
        edge(START, "a"),
        edge("a", END, kind="case", label="done", presence=frozenset({("c", True)})),
        edge("a", "b", group="join 1"),
        nodes=(node("a"), node("b"), node("a")),
        entries=(),
        gaps=(Gap(HERE, "unknown", frozenset({"edges"})),),
    )
    (data,) = json.loads(graph_json.render([drawn]))["graphs"]
    assert data["entry"] == ["a"]
    assert [each["name"] for each in data["nodes"]] == ["a", "b"]
    assert [(each["source"], each["target"]) for each in data["edges"]] == [
        ("a", "__end__"),
        ("a", "b"),
    ]
    assert (data["edges"][0]["label"], data["edges"][0]["certain"]) == ("done", False)
    assert data["edges"][1]["group"] == "join 1"
    assert data["exits"] == ["a"]
    assert data["complete"] is False
    assert data["gaps"][0]["reason"] == "unknown"
    assert data["state"] is None


def test_graph_json_of_regions() -> None:
    inner = graph(nodes=(node("inner"),))
    outer = Node("outer", HERE, HERE, regions=MappingProxyType({"body": inner}))
    (data,) = json.loads(graph_json.render([graph(nodes=(outer,))]))["graphs"]
    (drawn,) = data["nodes"]
    assert drawn["regions"]["body"]["nodes"][0]["name"] == "inner"


def test_mermaid_survives_any_name() -> None:
    name = 'end "x" <b>#`\n'
    drawn = graph(
        edge(name, "ok", guard=Guard('state["x"] > 1', HERE)),
        edge(name, "gone", presence=frozenset({("c", True)})),
        edge("ok", "last", group="g"),
        edge(name, "last", group="g"),
        edge("last", END),
        nodes=(node(name, "gate"), node("ok"), node("last", "loop")),
    )
    assert list(mermaid.render([drawn])) == [
        "flowchart TD",
        "    %% langgraph: a.py:1",
        '    subgraph g0["flow"]',
        '        g0n0{"end #quot;x#quot; #lt;b#gt;#35;#96;"}',
        '        g0n1["ok"]',
        '        g0n2{{"last"}}',
        "        g0start((start))",
        "        g0start --> g0n0",
        '        g0n0 -->|"state[#quot;x#quot;] #gt; 1"| g0n1',
        '        g0n3["gone (unknown)"]',
        "        style g0n3 stroke-dasharray: 4",
        "        g0n0 -.-> g0n3",
        "        g0n2 --> g0stop",
        '        g0j0{{"all of"}}',
        "        g0n1 --> g0j0",
        "        g0n0 --> g0j0",
        "        g0j0 --> g0n2",
        "        g0stop(((end)))",
        "    end",
    ]
