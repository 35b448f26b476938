"""A small agent that speaks ACP over stdio and does what prompts tell it, for tests and examples.

Prompts, by how they begin (else the prompt comes back after `echo: `):

    json: TEXT      TEXT, in a fenced block with words around it
    say: TEXT       TEXT as it is
    count           how many prompts this session has had, this one included
    recall          the prompts of this session before this one, joined by ` | `
    cwd             the folder of the session
    pid             the process of the agent
    env: NAME       a variable of its environment
    read: PATH      ask for permission to read, then read PATH over ACP
    edit: PATH      ask for permission to edit, then write `edited` to PATH over ACP
    slow: SECONDS   answer after so long, sooner when cancelled
    stubborn: SECS  the same, but cancelling does not help
    refuse          stop with the reason `refusal`
    crash           die with code 3 in the middle of the prompt

A prompt that asks for a JSON object with a field of choices (`"route": "a" | "b"`) is answered
with the first choice, unless the script says otherwise.

Options: `--no-load` cannot load sessions; `--memory FILE` keeps sessions, so that another process
can load them; `--script FILE` is JSON, a list of [text, answer]: the first text that is in the
prompt gives the answer, before anything above is looked at; an answer that is no text is JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import acp
from acp import schema

CHOICES = re.compile(r'"(\w+)":\s*"([^"]+)"\s*\|')


class EchoAgent:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.memory = Path(options.memory) if options.memory else None
        self.script = json.loads(Path(options.script).read_text()) if options.script else []
        self.sessions: dict[str, dict[str, Any]] = {}
        self.cancelled: dict[str, asyncio.Event] = {}
        self.client: Any = None

    def on_connect(self, conn: Any) -> None:
        self.client = conn

    async def initialize(self, protocol_version: int, **_: Any) -> schema.InitializeResponse:
        return schema.InitializeResponse(
            protocol_version=acp.PROTOCOL_VERSION,
            agent_capabilities=schema.AgentCapabilities(load_session=not self.options.no_load),
        )

    async def new_session(self, cwd: str, **_: Any) -> schema.NewSessionResponse:
        session_id = uuid4().hex
        self.sessions[session_id] = {"cwd": cwd, "prompts": []}
        return schema.NewSessionResponse(session_id=session_id)

    async def load_session(self, cwd: str, session_id: str, **_: Any) -> schema.LoadSessionResponse:
        kept = json.loads(self.memory.read_text()) if self.memory and self.memory.exists() else {}
        if session_id not in kept:
            raise acp.RequestError(-32603, "there is no such session")
        self.sessions[session_id] = kept[session_id]
        for prompt in kept[session_id]["prompts"]:
            await self.say(session_id, f"(replayed) {prompt}")
        return schema.LoadSessionResponse()

    async def cancel(self, session_id: str, **_: Any) -> None:
        if session_id in self.cancelled:
            self.cancelled[session_id].set()

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> schema.PromptResponse:
        text = "\n".join(getattr(block, "text", f"<{block.type}>") for block in prompt)
        session = self.sessions[session_id]
        before = list(session["prompts"])
        session["prompts"].append(text)
        self.keep()
        reason = await self.answer(session_id, session["cwd"], text, before)
        return schema.PromptResponse(stop_reason=reason)  # type: ignore[arg-type]

    def keep(self) -> None:
        if self.memory is not None:
            kept = json.loads(self.memory.read_text()) if self.memory.exists() else {}
            self.memory.write_text(json.dumps({**kept, **self.sessions}))

    async def say(self, session_id: str, text: str) -> None:
        await self.client.session_update(session_id, acp.update_agent_message_text(text))

    async def answer(self, session_id: str, cwd: str, text: str, before: list[str]) -> str:
        for wanted, scripted in self.script:
            if wanted in text:
                said = scripted if isinstance(scripted, str) else json.dumps(scripted)
                await self.say(session_id, said)
                return "end_turn"
        word, _, rest = text.partition(":")
        rest = rest.strip()
        if word in ("slow", "stubborn"):
            return await self.slowly(session_id, word, float(rest))
        if word == "refuse":
            return "refusal"
        if word == "crash":
            print("the agent met its end", file=sys.stderr, flush=True)
            os._exit(3)
        answers = {
            "json": f"Here you are:\n```json\n{rest}\n```\nAnything else?",
            "say": rest,
            "count": str(len(before) + 1),
            "recall": " | ".join(before),
            "cwd": cwd,
            "pid": str(os.getpid()),
            "env": os.environ.get(rest, "(not set)"),
        }
        if word in ("read", "edit"):
            await self.say(session_id, await self.touched(session_id, word, rest))
        elif word in answers:
            for part in re.findall(r".{1,7}", answers[word], re.DOTALL):
                await self.say(session_id, part)
        elif "JSON object" in text and (choices := CHOICES.search(text)):
            chosen = {choices[1]: choices[2], "reason": "the first one"}
            await self.say(session_id, f"I think so: {json.dumps(chosen)}")
        else:
            await self.say(session_id, f"echo: {text}")
        return "end_turn"

    async def slowly(self, session_id: str, word: str, seconds: float) -> str:
        self.cancelled[session_id] = asyncio.Event()
        if word == "stubborn":
            await asyncio.sleep(seconds)
            return "end_turn"
        try:
            async with asyncio.timeout(seconds):
                await self.cancelled[session_id].wait()
            return "cancelled"
        except TimeoutError:
            await self.say(session_id, "at last")
            return "end_turn"

    async def touched(self, session_id: str, word: str, path: str) -> str:
        answer = await self.client.request_permission(
            session_id,
            schema.ToolCallUpdate(tool_call_id="1", title=f"{word} {path}", kind=word),
            [
                schema.PermissionOption(option_id="yes", name="Allow", kind="allow_once"),
                schema.PermissionOption(option_id="no", name="Reject", kind="reject_once"),
            ],
        )
        if getattr(answer.outcome, "option_id", None) != "yes":
            return "denied"
        try:
            if word == "read":
                return str((await self.client.read_text_file(session_id, path)).content)
            await self.client.write_text_file(session_id, path, "edited")
        except acp.RequestError as error:
            return f"failed: {error.data}"
        return "edited"


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--no-load", action="store_true")
    options.add_argument("--memory")
    options.add_argument("--script")
    asyncio.run(acp.run_agent(EchoAgent(options.parse_args())))  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
