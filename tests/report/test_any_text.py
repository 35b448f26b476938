"""Whatever characters names, messages and paths hold, every format stays what it says it is."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import jsonschema_rs
import pytest
import xmlschema
from hypothesis import given, settings
from hypothesis import strategies as st
from report_samples import BACK, FINDINGS, GRAPH, PROBLEMS, SCHEMAS, report

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.report import dot
from flowlint.report.drawing import page, svg
from flowlint.report.formats import Format, lines_of
from flowlint.report.paths import from_root
from flowlint.report.style import plain
from flowlint.source import Span

NASTY = [
    *("]]>", "</svg>", "<!--", '"', "\\", "\\n", "&amp;", "%0A", "::", ",", "a=b"),
    *("\x1b[31m", "\r\n", "é"),
]
TEXT = st.one_of(
    st.text(max_size=12),
    st.text(st.characters(codec=None, categories=["Cs", "Cc", "Po"]), max_size=4),
    st.lists(st.sampled_from(NASTY), max_size=3).map("".join),
)

PATH = st.one_of(TEXT.map(lambda text: text.encode("utf-8", "replace")), st.binary(max_size=9)).map(
    lambda name: os.fsdecode(name.replace(b"\0", b"")) or "a.py"
)


@st.composite
def findings(draw: st.DrawFn) -> list[Finding]:
    base = FINDINGS[draw(st.integers(0, 2))]
    path = draw(PATH)
    span = replace(base.span, path=path)
    return [
        replace(
            base,
            span=span,
            message=draw(TEXT),
            help=draw(TEXT),
            flow=draw(TEXT),
            node=draw(TEXT),
            witness=tuple(draw(st.lists(TEXT, max_size=2))),
            related=tuple(replace(r, message=draw(TEXT)) for r in base.related),
        )
    ]


@cache
def sarif_schema() -> Any:
    return jsonschema_rs.validator_for(json.loads((SCHEMAS / "sarif-2.1.0.json").read_text()))


@cache
def junit_schema() -> xmlschema.XMLSchema:
    return xmlschema.XMLSchema(str(SCHEMAS / "junit-10.xsd"))


def whole(text: str) -> str:
    """The text with the halves of characters that meet put together, as JSON does it."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def written(name: Format, found: list[Finding]) -> str:
    """The report as it comes out of the program."""
    text = "\n".join(lines_of(name, report(*found, problems=PROBLEMS))) + "\n"
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


@given(findings())
@settings(deadline=None)
def test_sarif_is_valid(found: list[Finding]) -> None:
    document = json.loads(written("sarif", found))
    # Halves of characters are no text to the validator, though JSON can name them.
    sarif_schema().validate(json.loads(json.dumps(document).replace("\\ud", "\\\\ud")))
    (run,) = document["runs"]
    (result,) = run["results"]
    assert whole(found[0].message) in result["message"]["text"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"[\w.~/%:-]*", uri, re.ASCII)


@given(findings())
@settings(deadline=None)
def test_junit_is_valid(found: list[Finding]) -> None:
    text = written("junit", found)
    junit_schema().validate(text)
    ElementTree.fromstring(text.encode())


@given(findings())
def test_json_keeps_every_character(found: list[Finding]) -> None:
    (data,) = json.loads(written("json", found))
    assert data["message"] == whole(found[0].message)
    (line,) = written("json-lines", found).splitlines()
    assert json.loads(line) == data
    assert len(json.loads(written("gitlab", found))) == 1
    assert len(json.loads(written("rdjson", found))["diagnostics"]) == 1


@given(findings())
def test_a_workflow_command_is_one_line_and_says_what_it_was_given(found: list[Finding]) -> None:
    first, *problems = written("github", found).split("\n")[:-1]
    assert len(problems) == len(PROBLEMS)
    command = re.fullmatch(r"::(?:error|warning|notice) ([^:]*)::(.*)", first)
    assert command is not None
    stated = dict(part.split("=", 1) for part in command[1].split(","))
    assert set(stated) <= {"title", "file", "line", "endLine", "col", "endColumn"}
    assert plain(found[0].message) in _read_back(command[2])
    file = stated["file"].replace("%3A", ":").replace("%2C", ",")
    assert _read_back(file) == plain(from_root(found[0].span.path, "."))


def _read_back(text: str) -> str:
    return text.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")


@given(findings())
def test_lines_for_people_are_lines(found: list[Finding]) -> None:
    assert len(written("concise", found).split("\n")) == 2
    for name in ("full", "grouped"):
        shown = written(name, found).replace("\n", "")
        assert shown.isprintable() or any(0xD800 <= ord(char) < 0xE000 for char in str(found))


def drawn_with(text: str, found: list[Finding]) -> tuple[list[FlowGraph], list[Finding]]:
    draft, review = GRAPH.nodes
    renamed = replace(
        GRAPH,
        name=text,
        span=Span(text or "a.py", 1, 1, 5, 2),
        nodes=(replace(draft, name=text, kind=text), review),
        edges=(replace(GRAPH.edges[0], source=text, label=text), GRAPH.edges[1]),
        entries=(replace(GRAPH.entries[0], name=text),),
    )
    return [renamed], [replace(found[0], flow=text, span=BACK)]


@given(TEXT, findings())
@settings(deadline=None)
def test_pictures_are_xml(text: str, found: list[Finding]) -> None:
    lines = svg.render(*drawn_with(text, found))
    root = ElementTree.fromstring("\n".join(lines).encode("utf-8", "backslashreplace"))
    assert {element.tag.partition("}")[2] for element in root.iter()} <= {
        "svg", "style", "rect", "g", "text", "title", "path", "circle", "tspan",
    }  # fmt: skip


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)


@given(TEXT, findings())
@settings(max_examples=50, deadline=None)
def test_pages_hold_no_tags_of_others(text: str, found: list[Finding]) -> None:
    parser, plain_parser = _Tags(), _Tags()
    parser.feed("\n".join(page.render(*drawn_with(text, found), 1, 1)))
    base = replace(found[0], message="m", help=found[0].help and "h")
    plain_parser.feed("\n".join(page.render(*drawn_with("name", [base]), 1, 1)))
    assert parser.seen.count("script") == plain_parser.seen.count("script") == 1
    assert set(parser.seen) <= {*plain_parser.seen, "tspan", "text", "rect", "p"}


@pytest.mark.parametrize("name", NASTY)
def test_dot_shows_names_as_they_are(name: str) -> None:
    (label,) = re.findall(r'f0_n0 \[label=("(?:[^"\\]|\\.)*")', "\n".join(
        dot.render(*drawn_with(name, [FINDINGS[0]]))
    ))  # fmt: skip
    shown = re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found[1], found[1]), label[1:-1])
    lines = [plain(line) for line in f"{name}\n{name}".splitlines()]
    assert shown.replace("&amp;", "&") == "\n".join(lines)


@given(TEXT, findings())
def test_dot_strings_end_where_they_should(text: str, found: list[Finding]) -> None:
    for line in dot.render(*drawn_with(text, found)):
        assert "\n" not in line
        bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", line)
        assert re.fullmatch(r"[\w \[\]{};=.,>-]*", bare, re.ASCII), line
