"""`flowlint graph` as dot, svg and a page: what was found is drawn where it is."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from flow_sources import DANGLING, GOOD, LANGGRAPH
from support import RunFlowlint

SVG = "{http://www.w3.org/2000/svg}"
REGIONS = """\
flowrt: 1
name: batch
entry: find
nodes:
  - name: find
    run: find_late
  - name: each
    kind: repeat
    config: {over: state.late, item: one, max_iterations: 5}
    body:
      entry: look
      nodes:
        - {name: look, kind: gate}
      edges: []
edges:
  - {from: find, to: each}
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(DANGLING)
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "lang.py").write_text(LANGGRAPH)


def titles(element: ElementTree.Element, kind: str) -> list[str]:
    return [
        group.findtext(f"{SVG}title", "")
        for group in element.iter(f"{SVG}g")
        if kind in group.attrib.get("class", "").split()
    ]


def test_svg_shows_nodes_edges_and_findings(flowlint: RunFlowlint) -> None:
    run = flowlint("graph", "bad.py", "--format", "svg")
    assert (run.code, run.err) == (0, "")
    picture = ElementTree.fromstring(run.out)
    assert titles(picture, "node")[:3] == ["start", "collect", "publish"]
    assert titles(picture, "unknown") == ["publihs (unknown)"]
    (wrong,) = titles(picture, "marked")
    name, told = wrong.splitlines()
    assert name == "collect → publihs"
    assert told.startswith("error FL105 dangling-edge: ")
    shown = " ".join(text.text or "" for text in picture.iter(f"{SVG}text"))
    assert "error FL105 dangling-edge: " in shown


def test_svg_without_findings_marks_nothing(flowlint: RunFlowlint) -> None:
    picture = ElementTree.fromstring(flowlint("graph", "good.py", "--format", "svg").out)
    assert titles(picture, "marked") == []
    assert titles(picture, "edge") == ["start → collect", "collect → publish", "publish → end"]


def test_svg_tells_cases_and_ways_back(flowlint: RunFlowlint) -> None:
    picture = ElementTree.fromstring(flowlint("graph", "lang.py", "--format", "svg").out)
    assert titles(picture, "edge") == [
        "start → draft",
        "draft → review",
        "review → end: yes",
        "review → draft: no",
    ]
    paths = [p.attrib["d"] for p in picture.iter(f"{SVG}path") if p.attrib["class"] == "line"]
    ends = [[float(n) for n in re.findall(r"-?[\d.]+", path)] for path in paths]
    leads_down = [numbers[-1] > numbers[1] for numbers in ends]
    assert leads_down == [True, True, True, False]


def test_regions_are_drawn_in_their_nodes(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "batch.yaml").write_text(REGIONS)
    picture = ElementTree.fromstring(flowlint("graph", "batch.yaml", "--format", "svg").out)
    (outer,) = [g for g in picture.iter(f"{SVG}g") if "region" in g.get("class", "").split()]
    assert "look (gate)" in titles(outer, "node")
    dot = flowlint("graph", "batch.yaml", "--format", "dot").out
    assert re.findall(r"subgraph (\w+)", dot) == ["cluster_f0", "cluster_f0_n1_r0"]


def test_dot_has_a_cluster_for_each_flow(flowlint: RunFlowlint) -> None:
    run = flowlint("graph", ".", "--format", "dot")
    assert run.code == 0
    assert re.findall(r"subgraph (\w+)", run.out) == ["cluster_f0", "cluster_f1", "cluster_f2"]
    (wrong,) = [line for line in run.out.splitlines() if "dangling-edge" in line]
    assert re.search(r'f0_n0 -> f0_n\d+ \[color="#cf222e", penwidth=2, tooltip="', wrong)
    assert run.out.count("{") == run.out.count("}")


def test_no_flow_is_an_empty_picture(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "none.py").write_text("x = 1\n")
    ElementTree.fromstring(flowlint("graph", "none.py", "--format", "svg").out)
    assert "subgraph" not in flowlint("graph", "none.py", "--format", "dot").out


def test_the_page_needs_nothing_else(flowlint: RunFlowlint, tmp_path: Path) -> None:
    run = flowlint("graph", ".", "--html", "out/flows.html")
    assert (run.code, run.out) == (0, "Wrote 3 flows to out/flows.html.\n")
    page = (tmp_path / "out" / "flows.html").read_text("utf-8")
    assert page.count("<svg ") == 3
    assert "dangling-edge" in page
    assert "default-src 'none'" in page.replace("&#39;", "'")
    addresses = set(re.findall(r"https?://[^\s\"'<>]+", page)) - {"http://www.w3.org/2000/svg"}
    assert addresses == set()
    assert not re.search(r"<(?:link|img|iframe)\b|\bsrc=|url\(|@import", page)


def test_the_page_tells_what_belongs_to_no_flow(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(DANGLING + "x = (\n")
    flowlint("graph", "bad.py", "--html", "flows.html")
    assert "1 finding in no flow" in (tmp_path / "flows.html").read_text("utf-8")
