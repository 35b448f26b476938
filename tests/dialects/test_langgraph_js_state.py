"""The keys of states of LangGraph.js, in all the ways in which they are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

pytest.importorskip("tree_sitter_typescript")

PRELUDE = """
import { z } from "zod";
import * as all from "@langchain/langgraph";
import {
  Annotation, MessagesAnnotation, MessagesValue, MessagesZodState, ReducedValue, StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { registry, withLangGraph } from "@langchain/langgraph/zod";
import { later } from "elsewhere";

const join = (before: string[], more: string[]) => before.concat(more);
const Base = Annotation.Root({ text: Annotation<string>, log: Annotation({ reducer: join }) });
const Shape = z.object({ text: z.string().optional(), count: z.number() });
"""

STATES = {
    "new StateGraph(Base)": {"text": "last", "log": "reducer"},
    "new all.StateGraph(Base)": {"text": "last", "log": "reducer"},
    "new StateGraph(Annotation.Root({ ...Base.spec, note: Annotation<string>() }))": {
        "note": "last",
        "text": "last",
        "log": "reducer",
    },
    "new StateGraph(Annotation.Root({ ...MessagesAnnotation.spec, a: Annotation({}) }))": {
        "a": "last",
        "messages": "reducer",
    },
    "new StateGraph(Annotation.Root({ a: Annotation<string[]>({ value: join }) }))": {
        "a": "reducer"
    },
    "new StateGraph(Annotation.Root({ a: Annotation(later) }))": {"a": "other"},
    "new StateGraph(Annotation.Root({ ...later }))": "more",
    "new StateGraph({ text: Annotation<string>, log: Annotation({ reducer: join }) })": {
        "text": "last",
        "log": "reducer",
    },
    "new StateGraph<{ a: string }>({ channels: { a: null, b: { reducer: join } } })": {
        "a": "last",
        "b": "reducer",
    },
    "new StateGraph({ stateSchema: Base, input: Annotation.Root({ q: Annotation }) })": {
        "text": "last",
        "log": "reducer",
        "q": "last",
    },
    "new StateGraph(Base, { output: Annotation.Root({ a: Annotation }) })": {
        "text": "last",
        "log": "reducer",
        "a": "last",
    },
    "new StateGraph(MessagesAnnotation)": {"messages": "reducer"},
    "new StateGraph(MessagesZodState.extend({ a: z.string() }))": {
        "messages": "reducer",
        "a": "last",
    },
    "new StateGraph(Shape)": {"text": "last", "count": "last"},
    "new StateGraph(Shape.extend({ a: z.array(z.string()).default([]) }))": {
        "text": "last",
        "count": "last",
        "a": "last",
    },
    "new StateGraph(Shape.pick({ count: true }))": {"count": "last"},
    "new StateGraph(Shape.omit({ count: true }))": {"text": "last"},
    "new StateGraph(z.object({ ...Shape.shape, a: z.string() }))": {
        "a": "last",
        "text": "last",
        "count": "last",
    },
    "new StateGraph(z.object({ a: withLangGraph(z.any(), { reducer: { fn: join } }) }))": {
        "a": "reducer"
    },
    "new StateGraph(z.object({ a: z.any().register(registry, { reducer: { fn: join } }) }))": {
        "a": "reducer"
    },
    "new StateGraph(z.object({ a: z.any().register(later, { reducer: { fn: join } }) }))": {
        "a": "other"
    },
    "new StateGraph(new StateSchema({ m: MessagesValue, a: z.string() }))": {
        "m": "reducer",
        "a": "last",
    },
    "new StateGraph(new StateSchema({ a: new ReducedValue(z.any(), { reducer: join }) }))": {
        "a": "reducer"
    },
    "new StateGraph(later)": "more",
}


@pytest.mark.parametrize("made", STATES)
def test_keys(made: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("flow.ts").write_text(
        f'{PRELUDE}\nexport const flow = {made}\n  .addNode("n", () => ({{}}))\n'
        '  .addEdge("__start__", "n")\n  .compile();\n'
    )
    (graph,) = analyse_file("flow.ts", ProjectFiles(), ".").graphs
    assert graph.state is not None
    told = {key: channel.kind for key, channel in graph.state.channels.items()}
    assert (told if graph.state.more is None else "more") == STATES[made]
