"""Documents of TypeScript: what editors get of flows of Python they get of these."""

from __future__ import annotations

from pathlib import Path

import pytest
from applying import actions, applied
from lsp_client import Document
from lsprotocol import types
from marked import applied as with_edits
from marked import changes, open_all, said, shown
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient

LANGGRAPH = """\
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { publish } from "./steps.js";

const State = Annotation.Root({ text: Annotation<string>, good: Annotation<boolean> });

async function draft(state: typeof State.State) {
  return { text: "draft" };
}

const review = (state: typeof State.State) => ({ good: true });

export const graph = new StateGraph(State)
  .addNode("draft", draft)
  .addNode('review', review)
  .addNode(`publish`, publish)
  .addEdge(START, "draft")
  .addEdge("draft", 'review')
  .addConditionalEdges("review", (s) => (s.good ? "yes" : "no"), { yes: "publish", no: "draft" })
  .addEdge("publish", END)
  .compile();
"""
STEPS = """\
export async function publish(state: { text: string }) {
  return { text: state.text };
}
"""
ACPX = """\
import { acp, compute, defineFlow } from "acpx/flows";

const load = compute({ run: ({ input }) => ({ route: input.route }) });

export default defineFlow({
  name: "triage",
  startAt: "load",
  nodes: {
    load,
    fix: acp({ prompt: () => "fix" }),
    "publish": compute({ run: () => ({}) }),
  },
  edges: [
    { from: "load", switch: { on: "$.route", cases: { fix: "fix", skip: "publish" } } },
    { from: "fix", to: "publish" },
  ],
});
"""
DANGLING = ACPX.replace('to: "publish"', 'to: "publihs"')


def langgraph(client: LanguageClient, folder: Path, text: str = LANGGRAPH) -> Document:
    return open_all(client, folder, {"steps.ts": STEPS, "graph.ts": text})["graph.ts"]


def acpx(client: LanguageClient, folder: Path, text: str = ACPX) -> Document:
    return open_all(client, folder, {"triage.flow.ts": text})["triage.flow.ts"]


async def definitions(document: Document, text: str, which: int = 0) -> list[str]:
    place = document.at(text, which)
    found = await document.client.text_document_definition_async(
        types.DefinitionParams(place.text_document, place.position)
    )
    return shown(found) if isinstance(found, list) else []


async def references(document: Document, text: str, which: int = 0) -> list[str]:
    place = document.at(text, which)
    found = await document.client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(True), place.text_document, place.position)
    )
    return [] if found is None else shown(found)


async def renamed(document: Document, text: str, new: str, which: int = 0) -> str:
    place = document.at(text, which)
    edit = await document.client.text_document_rename_async(
        types.RenameParams(place.text_document, place.position, new)
    )
    return with_edits(document.text, changes(edit)[document.path.name])


async def hover(document: Document, text: str, which: int = 0) -> str:
    place = document.at(text, which)
    found = await document.client.text_document_hover_async(
        types.HoverParams(place.text_document, place.position)
    )
    return "" if found is None else found.contents.value


async def test_names_are_symbols(vscode: LanguageClient, tmp_path: Path) -> None:
    graph = langgraph(vscode, tmp_path)
    assert await graph.codes() == []
    assert "graph.ts:14: review" in await definitions(graph, "'review'", 1)
    assert await definitions(graph, '"publish"') == ["graph.ts:15: publish"]
    assert await definitions(graph, "publish)") == ["steps.ts:1: publish"]
    assert await references(graph, '"draft"', 1) == [
        "graph.ts:13: draft",
        "graph.ts:16: draft",
        "graph.ts:17: draft",
        "graph.ts:18: draft",
    ]
    assert await hover(graph, "'review'") == (
        "**`review`** · step of `graph`\n\n"
        "```typescript\nreview = (state: typeof State.State)\n```\n\n"
        "- comes from `draft`\n"
        "- leads to `publish` on `yes`, `draft` on `no`\n"
        "- shortest path: `draft` → `review`\n"
        "- writes `good`"
    )
    found = await hover(graph, '"draft"', 1)
    assert "```typescript\nasync function draft(state: typeof State.State)\n```" in found
    expected = LANGGRAPH.replace("'review'", "'check'").replace('"review"', '"check"')
    assert await renamed(graph, "'review'", "check") == expected
    expected = LANGGRAPH.replace("`publish`", "`print`").replace('"publish"', '"print"')
    assert await renamed(graph, "`publish`", "print") == expected


async def test_keys_are_names(vscode: LanguageClient, tmp_path: Path) -> None:
    flow = acpx(vscode, tmp_path)
    assert await flow.codes() == []
    assert await references(flow, '"fix", to') == [
        "triage.flow.ts:10: fix",
        "triage.flow.ts:14: fix",
        "triage.flow.ts:15: fix",
    ]
    assert await definitions(flow, '"publish" }') == ["triage.flow.ts:11: publish"]
    expected = ACPX.replace("fix: acp", '"mend it": acp').replace('fix: "fix"', 'fix: "mend it"')
    expected = expected.replace('from: "fix"', 'from: "mend it"')
    assert await renamed(flow, "fix: acp", "mend it") == expected
    expected = ACPX.replace("    load,", "    fetch: load,").replace('"load"', '"fetch"')
    assert await renamed(flow, '"load"', "fetch") == expected
    expected = ACPX.replace('"publish"', '"print"')
    assert await renamed(flow, '"publish"', "print") == expected
    with pytest.raises(JsonRpcException, match="has a node `fix` already"):
        await renamed(flow, '"publish"', "fix")


CURSOR = "¦"
ALL = ["load", "fix", "publish"]
OFFERED = [
    ('to: "publish" }', 'to: "¦" }', ALL),
    ('to: "publish" },', 'to: "pu¦', ALL),
    ('to: "publish" },', "to: ¦ },", ALL),
    ('to: "publish" },', "to: ¦", ALL),
    ('{ from: "fix", to: "publish" },', '{ from: "¦', ALL),
    ('fix: "fix"', 'fix: "¦"', ALL),
    ('startAt: "load"', 'startAt: "¦"', ALL),
    ('name: "triage"', 'name: "¦"', []),
    ('to: "publish" },', '}, // "¦', []),
]


async def offered(document: Document, old: str, new: str) -> list[types.CompletionItem]:
    """What is offered after `old` has been replaced by `new`, at the cursor in it."""
    await document.diagnostics()
    document.replace(old, new.replace(CURSOR, ""))
    start = document.position(new.replace(CURSOR, ""))
    place = types.Position(start.line, start.character + new.index(CURSOR))
    params = types.CompletionParams(document.id, place)
    found = await document.client.text_document_completion_async(params)
    return [] if found is None else list(found.items)


async def test_completion(vscode: LanguageClient, tmp_path: Path) -> None:
    flow = acpx(vscode, tmp_path)
    for old, new, expected in OFFERED:
        assert [item.label for item in await offered(flow, old, new)] == expected, new
        flow.become(ACPX)
    flow.become(ACPX.replace('"', "'"))
    items = await offered(flow, "to: 'publish' },", "to: ¦ },")
    (edit,) = (item.text_edit for item in items if item.label == "fix")
    assert isinstance(edit, types.TextEdit)
    assert edit.new_text == "'fix'"


async def test_findings_are_fixed_and_silenced(vscode: LanguageClient, tmp_path: Path) -> None:
    flow = acpx(vscode, tmp_path, DANGLING)
    (found,) = await flow.diagnostics()
    assert (found.code, said(DANGLING, found.range)) == ("FL105", '15: "publihs"')
    cures = await actions(vscode, flow, "publihs")
    silence = cures["Silence dangling-edge here, with a reason"]
    line = '    { from: "fix", to: "publihs" },'
    assert await applied(vscode, flow, silence) == DANGLING.replace(
        line, f"{line} // flowlint: ignore[dangling-edge] reason"
    )
    assert await flow.codes() == []
    flow.become(DANGLING)
    fix = (await actions(vscode, flow, "publihs"))["Write `publish`"]
    assert await applied(vscode, flow, fix) == ACPX
    flow.become(DANGLING)
    all_of_them = await actions(vscode, flow, "publihs", ["source.fixAll.flowlint"])
    (fix,) = all_of_them.values()
    assert await applied(vscode, flow, fix) == ACPX
    assert await flow.codes() == []


async def test_what_is_shown_in_the_text(vscode: LanguageClient, tmp_path: Path) -> None:
    flow = acpx(vscode, tmp_path, DANGLING)
    await flow.diagnostics()
    symbols = await vscode.text_document_document_symbol_async(types.DocumentSymbolParams(flow.id))
    assert symbols is not None
    (one,) = symbols
    assert isinstance(one, types.DocumentSymbol)
    assert (one.name, [node.name for node in one.children or ()]) == ("triage", ALL)
    lenses = await vscode.text_document_code_lens_async(types.CodeLensParams(flow.id))
    assert lenses is not None
    assert [lens.range.start.line for lens in lenses] == [DANGLING.split("export")[0].count("\n")]
    whole = types.Range(types.Position(0, 0), types.Position(99, 0))
    hints = await vscode.text_document_inlay_hint_async(types.InlayHintParams(flow.id, whole))
    assert not hints
    tokens = await vscode.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(flow.id)
    )
    assert tokens is not None
    assert list(tokens.data[:5]) == [6, 12, 4, 0, 0]


async def test_other_files_count(vscode: LanguageClient, tmp_path: Path) -> None:
    names = "export const LAST = 'publish';\n"
    text = ACPX.replace('to: "publish"', "to: LAST").replace(
        "\n\n", '\nimport { LAST } from "./names.js";\n\n', 1
    )
    opened = open_all(vscode, tmp_path, {"names.ts": names, "triage.flow.ts": text})
    assert await opened["triage.flow.ts"].codes() == []
    opened["names.ts"].replace("'publish'", "'publihs'")
    told = [*await opened["triage.flow.ts"].codes(), *await opened["names.ts"].codes()]
    assert told == ["FL105"]
    opened["names.ts"].replace("'publihs'", "'publish'")
    edit = await renamed(opened["triage.flow.ts"], '"publish"', "print")
    assert edit == text.replace('"publish"', '"print"')
    (change,) = [
        one for one in vscode.registered if one.method == "workspace/didChangeWatchedFiles"
    ]
    patterns = str(change.register_options["watchers"])
    assert all(f",{suffix}," in patterns for suffix in ("ts", "tsx", "mjs", "json"))


async def test_unsaved_documents_are_read_as_their_language_says(
    vscode: LanguageClient, tmp_path: Path
) -> None:
    for language, codes in (("typescript", ["FL105"]), ("javascriptreact", ["FL105"])):
        uri = f"untitled:Untitled-{language}"
        item = types.TextDocumentItem(uri, language, 1, DANGLING)
        vscode.text_document_did_open(types.DidOpenTextDocumentParams(item))
        report = await vscode.text_document_diagnostic_async(
            types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
        )
        assert [one.code for one in report.items] == codes
        vscode.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
        )


READING = ACPX.replace(
    "run: () => ({})",
    'run: ({ outputs, results }) => [outputs.fix, outputs["load"].route, results.fix?.outcome]',
)


async def test_what_code_reads_of_nodes_bears_their_names(
    vscode: LanguageClient, tmp_path: Path
) -> None:
    flow = acpx(vscode, tmp_path, READING)
    assert await references(flow, "fix: acp") == [
        "triage.flow.ts:10: fix",
        "triage.flow.ts:11: fix",
        "triage.flow.ts:11: fix",
        "triage.flow.ts:14: fix",
        "triage.flow.ts:15: fix",
    ]
    assert await definitions(flow, "fix?.outcome") == ["triage.flow.ts:10: fix"]
    mended = READING.replace("fix: acp", "mend: acp").replace('fix: "fix"', 'fix: "mend"')
    mended = mended.replace('from: "fix"', 'from: "mend"').replace("outputs.fix", "outputs.mend")
    mended = mended.replace("results.fix", "results.mend")
    assert await renamed(flow, "fix: acp", "mend") == mended
    assert await renamed(flow, "fix, outputs", "mend") == mended
    fetched = await renamed(flow, '"load"', "fetch")
    assert 'outputs["fetch"].route' in fetched
    # There is no such name behind a dot.
    with pytest.raises(JsonRpcException):
        await renamed(flow, "fix: acp", "mend it")


async def test_names_that_a_pattern_takes_out_are_changed_too(
    vscode: LanguageClient, tmp_path: Path
) -> None:
    text = ACPX.replace("run: () => ({})", "run: ({ outputs: { fix } }) => fix.length")
    flow = acpx(vscode, tmp_path, text)
    assert "({ outputs: { mend: fix } }) => fix.length" in await renamed(flow, "fix: acp", "mend")
