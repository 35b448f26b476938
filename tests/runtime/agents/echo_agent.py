"""The agent of the examples, which here does what prompts tell it, good or bad, for tests.

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
with the first choice.

Options: `--no-load` cannot load sessions; `--memory FILE` keeps sessions, so that another process
can load them.
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

import acp

sys.path.insert(0, str(Path(__file__).parents[3] / "examples" / "flowrt" / "agents"))

from scripted_agent import ScriptedAgent

CHOICES = re.compile(r'"(\w+)":\s*"([^"]+)"\s*\|')


class EchoAgent(ScriptedAgent):
    def __init__(self, memory: Path | None, *, can_load: bool) -> None:
        super().__init__([], memory)
        self.can_load = can_load
        self.cancelled: dict[str, asyncio.Event] = {}

    async def cancel(self, session_id: str, **_: Any) -> None:
        if session_id in self.cancelled:
            self.cancelled[session_id].set()

    async def say(self, session_id: str, text: str) -> None:
        for part in re.findall(r".{1,7}", text, re.DOTALL):
            await super().say(session_id, part)

    async def answer(self, session_id: str, text: str) -> tuple[str, str]:
        word, _, rest = text.partition(":")
        rest = rest.strip()
        if word in ("slow", "stubborn"):
            return await self.slowly(session_id, word, float(rest))
        if word == "refuse":
            return "", "refusal"
        if word == "crash":
            print("the agent met its end", file=sys.stderr, flush=True)
            os._exit(3)
        if word in ("read", "edit"):
            return await self.touched(session_id, word, rest), "end_turn"
        session = self.sessions[session_id]
        *before, _ = (prompt for prompt, _ in session["turns"])
        answers = {
            "json": f"Here you are:\n```json\n{rest}\n```\nAnything else?",
            "say": rest,
            "count": str(len(before) + 1),
            "recall": " | ".join(before),
            "cwd": session["cwd"],
            "pid": str(os.getpid()),
            "env": os.environ.get(rest, "(not set)"),
        }
        if word in answers:
            return answers[word], "end_turn"
        if "JSON object" in text and (choices := CHOICES.search(text)):
            chosen = {choices[1]: choices[2], "reason": "the first one"}
            return f"I think so: {json.dumps(chosen)}", "end_turn"
        return f"echo: {text}", "end_turn"

    async def slowly(self, session_id: str, word: str, seconds: float) -> tuple[str, str]:
        self.cancelled[session_id] = asyncio.Event()
        if word == "stubborn":
            await asyncio.sleep(seconds)
            return "", "end_turn"
        try:
            async with asyncio.timeout(seconds):
                await self.cancelled[session_id].wait()
            return "", "cancelled"
        except TimeoutError:
            return "at last", "end_turn"

    async def touched(self, session_id: str, word: str, path: str) -> str:
        try:
            if word == "edit":
                return "edited" if await self.write(session_id, path, "edited") else "denied"
            if not await self.allowed(session_id, "read", path):
                return "denied"
            return str((await self.client.read_text_file(session_id, path)).content)
        except acp.RequestError as error:
            return f"failed: {error.data}"


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--no-load", action="store_true")
    options.add_argument("--memory", type=Path)
    given = options.parse_args()
    asyncio.run(acp.run_agent(EchoAgent(given.memory, can_load=not given.no_load)))


if __name__ == "__main__":
    main()
