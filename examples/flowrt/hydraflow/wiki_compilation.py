"""The wiki worker: claims are taken from sources, held against them, and made into a page.

extract → verify → synthesize → validate → done; it stops early where no source says anything, or
where nothing that was extracted is really there.
"""

from __future__ import annotations

from typing import Protocol

from flowrt import Edge, Flow, FlowState, KillSwitch, Node, NodeHook, jsonl_checkpoint
from stopping import asked_to_halt, flow_stopped, report, stopped


class Reader(Protocol):
    """What reads a source: a model in production, plain text search here."""

    async def claims(self, topic: str, text: str) -> list[str]: ...


class Search:
    """Takes each sentence that mentions the topic."""

    async def claims(self, topic: str, text: str) -> list[str]:
        sentences = [sentence.strip() for sentence in text.split(".")]
        return [sentence for sentence in sentences if topic.lower() in sentence.lower()]


class WikiCompiler:
    """Compiles the page of one topic."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def build_compile_flow(
        self,
        *,
        on_node: NodeHook | None = None,
        checkpoint: NodeHook | None = None,
        kill_switch: KillSwitch | None = None,
    ) -> Flow:
        return Flow(
            nodes=[
                Node("extract", self._extract, kind="gate"),
                Node("verify", self._verify),
                Node("synthesize", self._synthesize, kind="gate"),
                Node("validate", self._validate),
                Node("done", self._done),
            ],
            edges=[
                Edge("extract", "done", when=flow_stopped),
                Edge("extract", "verify"),
                Edge("verify", "synthesize"),
                Edge("synthesize", "done", when=flow_stopped),
                Edge("synthesize", "validate"),
                Edge("validate", "done"),
            ],
            entry="extract",
            on_node=on_node,
            checkpoint=checkpoint,
            kill_switch=kill_switch,
        )

    async def _extract(self, state: FlowState) -> FlowState:
        claims = [
            {"source": source["name"], "text": text}
            for source in state.get("sources", [])
            for text in await self._reader.claims(state["topic"], source["text"])
        ]
        if not claims:
            return stopped(state, "no source says anything")
        return {**state, "claims": claims}

    async def _verify(self, state: FlowState) -> FlowState:
        texts = {source["name"]: source["text"] for source in state["sources"]}
        kept = [claim for claim in state["claims"] if claim["text"] in texts[claim["source"]]]
        return {**state, "claims": kept, "dropped": len(state["claims"]) - len(kept)}

    async def _synthesize(self, state: FlowState) -> FlowState:
        if not state["claims"]:
            return stopped(state, "no claim is backed by its source")
        lines = [f"- {claim['text']} [{claim['source']}]" for claim in state["claims"]]
        return {**state, "page": "\n".join([f"# {state['topic']}", *lines])}

    async def _validate(self, state: FlowState) -> FlowState:
        names = {source["name"] for source in state["sources"]}
        cited = {line.rpartition("[")[2].rstrip("]") for line in state["page"].splitlines()[1:]}
        return {**state, "valid": cited <= names}

    async def _done(self, state: FlowState) -> FlowState:
        return state


flow = WikiCompiler(Search()).build_compile_flow(
    on_node=report,
    checkpoint=jsonl_checkpoint(".flowrt/wiki-compilation.jsonl"),
    kill_switch=asked_to_halt,
)
