"""Conditions in CEL inside the texts of other languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_client import Document
from lsprotocol import types
from marked import open_all, said
from pytest_lsp import LanguageClient

CURSOR = "¦"

FLOWRT = """from flowrt import Edge, Flow, Node


async def work(state):
    return state


FLOW = Flow(
    nodes=[
        Node("draft", work, kind="gate"),
        Node("review", work, kind="gate"),
        Node("publish", work),
    ],
    edges=[
        Edge("draft", "review", when='state.route == "check" && size(state.notes) > 0'),
        Edge("draft", "publish"),
        Edge("review", "draft", when="outputs.draft.score < 0.5"),
        Edge("review", "publish"),
    ],
    entry="draft",
    max_steps=20,
)
"""

FLOWRT_JSON = """{
  "flowrt": 1,
  "name": "papers",
  "entry": "draft",
  "nodes": [
    {"name": "draft", "run": "work:draft", "kind": "gate"},
    {"name": "publish", "run": "work:publish"}
  ],
  "edges": [
    {"from": "draft", "to": "draft", "when": "state.route == \\"again\\" && outputs.draft.ok"},
    {"from": "draft", "to": "publish"}
  ],
  "max_steps": 9
}
"""

DECLARED = """flowrt: 1
name: refunds
entry: approve
max_steps: 9
nodes:
  - {name: approve, kind: ask, config: {question: "Good?", options: ["yes", "no"]}}
  - {name: judge, kind: decision, config: {mode: ballot, question: "Pay?", voters: [a, b]}}
  - {name: stop, kind: end}
edges:
  - {from: approve, to: judge, when: "output == 'yes'"}
  - {from: approve, to: stop}
  - {from: judge, to: approve, when: "output.confidence < 0.5"}
  - {from: judge, to: stop}
"""

BLOCKS = """flowrt: 1
name: refunds
entry: approve
max_steps: 9
nodes:
  - {name: approve, kind: ask, config: {question: "Good?", options: ["yes", "no"]}}
  - {name: judge, kind: decision, config: {mode: ballot, question: "Pay?", voters: [a, b]}}
  - {name: stop, kind: end}
edges:
  - {from: approve, to: judge}
  - from: judge
    to: stop
    when: |
      output.confidence > 0.5
      && state.first == 1
  - from: judge
    to: stop
    when: >-
      output.escalated &&

        state.second == 2
  - from: judge
    to: stop
    when: output.decision == 'NO' &&
      state.third == 3
  - from: judge
    to: stop
    when: "output.decision == 'YES' &&
      outputs.approve == 'yes'"
  - {from: judge, to: approve}
"""

MULTILINE = """from flowrt import Edge, Flow, Node


async def work(state):
    return state


FLOW = Flow(
    nodes=[Node("draft", work, kind="gate"), Node("publish", work)],
    edges=[
        Edge(
            "draft",
            "draft",
            when=\'\'\'state.route == "again"
                && outputs.draft.ok\'\'\',
        ),
        Edge("draft", "publish"),
    ],
    entry="draft",
    max_steps=20,
)
"""

AGENTSFLOW = """flow: sample
nodes:
  - {id: ask, type: agent, agent_ref: x}
  - {id: choose, type: decision, config: {mode: cio, decision_type: binary, agent_refs: [x]}}
  - {id: b, type: agent, agent_ref: x}
  - {id: c, type: agent, agent_ref: x}
edges:
  - {from: ask, to: choose}
  - {from: choose, to: b, condition: on_condition, predicate: 'result.final_decision == "YES"'}
  - from: choose
    to: c
    condition: on_condition
    predicate: result.final_decision == "NO"
"""

OBJECTSTACK = """import { defineFlow } from "@objectstack/spec/automation";

export const flow = defineFlow({
  name: "sample",
  label: "Sample",
  type: "autolaunched",
  nodes: [
    { id: "start", type: "start", label: "Start" },
    { id: "size", type: "decision", label: "How large?" },
    { id: "a", type: "assignment", label: "A", config: { x: 1 } },
    { id: "end", type: "end", label: "End" },
  ],
  edges: [
    { id: "e1", source: "start", target: "size" },
    { id: "e2", source: "size", target: "a", condition: "record.amount > 1000" },
    { id: "e3", source: "size", target: "end", isDefault: true },
    { id: "e4", source: "a", target: "end" },
  ],
});
"""


async def offered(
    client: LanguageClient, folder: Path, name: str, text: str, old: str, new: str
) -> list[types.CompletionItem]:
    """What is offered after `old` has been replaced by `new`, at the cursor in it."""
    assert old in text
    document = open_all(client, folder, {name: text})[name]
    document.replace(old, new.replace(CURSOR, ""))
    place = document.place(text.index(old) + new.index(CURSOR))
    found = await client.text_document_completion_async(types.CompletionParams(document.id, place))
    return [] if found is None else list(found.items)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("outputs.draft.score", "outputs.¦", ["draft", "review", "publish"]),
        ("outputs.draft.score < 0.5", "state.¦ < 0.5", ["route", "notes"]),
        ("outputs.draft.score < 0.5", "state.ro¦ < 0.5", ["route", "notes"]),
        ("outputs.draft.score < 0.5", "state.route == ¦", ["'check'"]),
        ("outputs.draft.score < 0.5", "state.route == 'ch¦'", ["check"]),
        (
            "outputs.draft.score < 0.5",
            "result.outcome == ¦",
            ["'ok'", "'failed'", "'timed_out'", "'cancelled'"],
        ),
        (
            "outputs.draft.score < 0.5",
            "result.¦",
            ["outcome", "output", "error", "attempts", "node"],
        ),
        (
            "outputs.draft.score < 0.5",
            "outputs.draft.score < 0.5 && ¦",
            ["state", "output", "outputs", "input", "result"],
        ),
    ],
)
async def test_flowrt_is_completed(
    vscode: LanguageClient, tmp_path: Path, old: str, new: str, expected: list[str]
) -> None:
    found = await offered(vscode, tmp_path, "flow.py", FLOWRT, old, new)
    functions = types.CompletionItemKind.Function
    others = [item.label for item in found if item.kind != functions]
    assert others[: len(expected)] == expected
    names = {item.label for item in found if item.kind == functions}
    if new.endswith(".¦"):
        assert {"startsWith", "exists", "size"} <= names and "string" not in names
    elif new.endswith("&& ¦"):
        assert {"size", "has", "string"} <= names and "startsWith" not in names


async def test_what_is_written_takes_the_place_of_the_word(
    vscode: LanguageClient, tmp_path: Path
) -> None:
    old = "size(state.notes)"
    found = await offered(vscode, tmp_path, "flow.py", FLOWRT, old, "si¦z(state.notes)")
    item = next(item for item in found if item.label == "size")
    assert isinstance(item.text_edit, types.TextEdit)
    line = FLOWRT.replace(old, "siz(state.notes)")
    assert said(line, item.text_edit.range) == "15: siz"
    assert item.detail == "size(value) · value.size()"


@pytest.mark.parametrize(
    ("name", "text", "old", "new", "expected"),
    [
        ("f.json", FLOWRT_JSON, "outputs.draft.ok", "outputs.¦", ["draft", "publish"]),
        (
            "f.json",
            FLOWRT_JSON,
            "outputs.draft.ok",
            "st¦",
            ["state", "output", "outputs", "input", "result"],
        ),
        ("f.yaml", DECLARED, "output == 'yes'", "output == ¦", ["'yes'", "'no'"]),
        ("f.yaml", DECLARED, "output.confidence < 0.5", "output.¦", ["mode", "decision"]),
        ("f.yaml", DECLARED, "confidence < 0.5", "decision == '¦'", ["YES", "NO"]),
        ("f.yaml", DECLARED, "output.confidence < 0.5", "outputs.approve == ¦", ["'yes'", "'no'"]),
        ("f.yaml", DECLARED, "confidence < 0.5", "escalated == ¦", ["true", "false"]),
        ("f.yaml", BLOCKS, "output.confidence >", "output.¦ >", ["mode", "decision"]),
        ("f.yaml", BLOCKS, "state.first ==", "outputs.¦ ==", ["approve", "judge", "stop"]),
        ("f.yaml", BLOCKS, "state.second == 2", "output.decision == ¦ && true", ["'YES'", "'NO'"]),
        ("f.yaml", BLOCKS, "state.third == 3", "output.decision == '¦'", ["YES", "NO"]),
        ("f.yaml", BLOCKS, "outputs.approve == 'yes'", "outputs.¦ == 'yes'", ["approve"]),
        ("f.py", MULTILINE, "outputs.draft.ok", "outputs.¦", ["draft", "publish"]),
        ("f.yaml", AGENTSFLOW, '== "NO"', "== ¦", ["'YES'", "'NO'"]),
        ("f.yaml", AGENTSFLOW, '== "NO"', '== "¦"', ["YES", "NO"]),
        ("f.ts", OBJECTSTACK, "record.amount > 1000", "rec¦", ["record", "previous", "vars"]),
    ],
)
async def test_other_forms_are_completed(
    vscode: LanguageClient,
    tmp_path: Path,
    name: str,
    text: str,
    old: str,
    new: str,
    expected: list[str],
) -> None:
    found = await offered(vscode, tmp_path, name, text, old, new)
    functions = types.CompletionItemKind.Function
    others = [item.label for item in found if item.kind != functions]
    assert others[: len(expected)] == expected


async def test_fields_of_a_decision(vscode: LanguageClient, tmp_path: Path) -> None:
    found = await offered(vscode, tmp_path, "f.yaml", AGENTSFLOW, 'final_decision == "NO"', "¦")
    told = {item.label: item.detail for item in found}
    assert told["confidence"] == "how sure it is: a number"
    assert "response" not in told


async def test_other_texts_are_no_conditions(vscode: LanguageClient, tmp_path: Path) -> None:
    found = await offered(vscode, tmp_path, "flow.py", FLOWRT, 'entry="draft"', 'entry="¦"')
    assert [item.label for item in found] == ["draft", "review", "publish"]


@pytest.mark.parametrize(
    ("name", "text", "at", "expected"),
    [
        ("f.py", FLOWRT, "state.route", "`state`: the state of the run"),
        ("f.py", FLOWRT, "size(", "```cel\nsize(value)\nvalue.size()\n```\n\nHow many characters"),
        ("f.py", FLOWRT, "draft.score", "**`draft`** · gate of `FLOW`"),
        ("f.json", FLOWRT_JSON, "draft.ok", "**`draft`** · gate of `papers`"),
        ("f.yaml", DECLARED, "confidence <", "`output.confidence`: what it gives: a number"),
        ("f.yaml", BLOCKS, "confidence >", "`output.confidence`: what it gives: a number"),
        ("f.yaml", BLOCKS, "escalated &&", "`output.escalated`: what it gives: a boolean"),
        ("f.yaml", BLOCKS, "approve == 'yes'", "**`approve`** · ask of `refunds`"),
        ("f.py", MULTILINE, "draft.ok", "**`draft`** · gate of `FLOW`"),
        ("f.yaml", AGENTSFLOW, "final_decision ==", "`result.final_decision`: what was decided"),
        ("f.ts", OBJECTSTACK, "record.amount", "`record`: the record that the flow is about"),
    ],
)
async def test_what_words_are(
    vscode: LanguageClient, tmp_path: Path, name: str, text: str, at: str, expected: str
) -> None:
    document = open_all(vscode, tmp_path, {name: text})[name]
    place = document.at(at, 0)
    found = await vscode.text_document_hover_async(
        types.HoverParams(place.text_document, place.position)
    )
    assert found is not None and isinstance(found.contents, types.MarkupContent)
    assert found.contents.value.startswith(expected)


async def test_from_a_condition_to_its_node_and_to_another_name(
    vscode: LanguageClient, tmp_path: Path
) -> None:
    document = open_all(vscode, tmp_path, {"flow.py": FLOWRT})["flow.py"]
    place = document.at("draft.score", 0)
    found = await vscode.text_document_definition_async(
        types.DefinitionParams(place.text_document, place.position)
    )
    assert isinstance(found, list) and len(found) == 1
    one = found[0]
    range_ = one.target_selection_range if isinstance(one, types.LocationLink) else one.range
    assert said(FLOWRT, range_) == "10: draft"
    references = await vscode.text_document_references_async(
        types.ReferenceParams(
            types.ReferenceContext(include_declaration=True), place.text_document, place.position
        )
    )
    assert references is not None
    lines = [said(FLOWRT, reference.range) for reference in references]
    assert lines.count("17: draft") == 2 and "10: draft" in lines
    edit = await vscode.text_document_rename_async(
        types.RenameParams(place.text_document, place.position, "sketch")
    )
    assert edit is not None
    changes = edit.changes or {
        change.text_document.uri: change.edits
        for change in edit.document_changes or ()
        if isinstance(change, types.TextDocumentEdit)
    }
    (edits,) = changes.values()
    assert sorted({change.range.start.line + 1 for change in edits}) == [10, 15, 16, 17, 20]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "f.py",
            FLOWRT,
            'state variable · route property · == operator · "check" string · && operator · '
            "size function · state variable · notes property · > operator · 0 number",
        ),
        (
            "f.py",
            FLOWRT,
            "outputs variable · draft enumMember · score property · < operator · 0.5 number",
        ),
        (
            "f.json",
            FLOWRT_JSON,
            'state variable · route property · == operator · \\"again\\" string · && operator · '
            "outputs variable · draft enumMember · ok property",
        ),
        ("f.ts", OBJECTSTACK, "record variable · amount property · > operator · 1000 number"),
        (
            "f.yaml",
            BLOCKS,
            "output variable · confidence property · > operator · 0.5 number · && operator · "
            "state variable · first property · == operator · 1 number",
        ),
        (
            "f.yaml",
            BLOCKS,
            "output variable · escalated property · && operator · state variable · "
            "second property · == operator · 2 number",
        ),
    ],
)
async def test_words_are_coloured(
    vscode: LanguageClient, tmp_path: Path, name: str, text: str, expected: str
) -> None:
    document = open_all(vscode, tmp_path, {name: text})[name]
    assert expected in " · ".join(await _coloured(vscode, document))


async def _coloured(client: LanguageClient, document: Document) -> list[str]:
    found = await client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(document.id)
    )
    assert found is not None
    provider = client.server_capabilities.semantic_tokens_provider
    assert provider is not None
    lines, line, character, told = document.text.split("\n"), 0, 0, []
    for at in range(0, len(found.data), 5):
        below, right, length, kind, _ = found.data[at : at + 5]
        line, character = line + below, right if below else character + right
        word = lines[line][character : character + length]
        told.append(f"{word} {provider.legend.token_types[kind]}")
    return told
