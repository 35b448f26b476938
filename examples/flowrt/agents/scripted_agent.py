"""A small agent that speaks ACP over stdio and answers by a script, so that flows need no model.

`--script FILE` is JSON, a list of entries; the first one whose texts are all in the prompt answers:

    {"when": "# Review",               a text, or a list of texts, to be found in the prompt
     "answer": {"route": "retry"},     a text, or JSON, which is said in a fenced block
     "answers": ["no", "yes"],         or one for each time it is asked in a session; the last stays
     "write": {"notes.txt": "done"},   files it first asks leave to write, below its folder
     "hold": "go"}                     a file that has to be there before it answers

Answers may hold `{cwd}` (the folder of the session), `{files}` (what lies there), `{turn}` (which
prompt of the session this is), `{prompt}`, and `{last}` (what was answered before). A prompt that
no entry is for comes back as `You said: …`.

`--memory FILE` keeps the sessions, so that a later process of this agent can load them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from pathlib import Path
from typing import Any
from uuid import uuid4

import acp
from acp import schema


class ScriptedAgent:
    """Remembers what was said in each session, and finds its answers in a script."""

    def __init__(self, script: list[dict[str, Any]], memory: Path | None = None) -> None:
        self.script = script
        self.memory = memory
        self.can_load = memory is not None
        self.sessions: dict[str, dict[str, Any]] = {}
        self.client: Any = None

    def on_connect(self, conn: Any) -> None:
        self.client = conn

    async def initialize(self, protocol_version: int, **_: Any) -> schema.InitializeResponse:
        return schema.InitializeResponse(
            protocol_version=acp.PROTOCOL_VERSION,
            agent_capabilities=schema.AgentCapabilities(load_session=self.can_load),
        )

    async def new_session(self, cwd: str, **_: Any) -> schema.NewSessionResponse:
        session_id = uuid4().hex
        self.sessions[session_id] = {"cwd": cwd, "turns": []}
        return schema.NewSessionResponse(session_id=session_id)

    async def load_session(self, cwd: str, session_id: str, **_: Any) -> schema.LoadSessionResponse:
        kept = self.kept()
        if session_id not in kept:
            raise acp.RequestError(-32603, "there is no such session")
        self.sessions[session_id] = {**kept[session_id], "cwd": cwd}
        for prompt, answer in kept[session_id]["turns"]:
            said = acp.update_user_message_text(prompt)
            await self.client.session_update(session_id, said)
            if answer is not None:
                await self.say(session_id, answer)
        return schema.LoadSessionResponse()

    async def cancel(self, session_id: str, **_: Any) -> None:
        """Nothing here takes long."""

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> schema.PromptResponse:
        text = "\n".join(getattr(block, "text", f"<{block.type}>") for block in prompt)
        turn: list[Any] = [text, None]
        self.sessions[session_id]["turns"].append(turn)
        self.keep()
        answer, reason = await self.answer(session_id, text)
        await self.say(session_id, answer)
        turn[1] = answer
        self.keep()
        return schema.PromptResponse(stop_reason=reason)  # type: ignore[arg-type]

    async def say(self, session_id: str, text: str) -> None:
        await self.client.session_update(session_id, acp.update_agent_message_text(text))

    def kept(self) -> dict[str, Any]:
        """The sessions that this and earlier processes kept."""
        if self.memory is None or not self.memory.exists():
            return {}
        kept: dict[str, Any] = json.loads(self.memory.read_text("utf-8"))
        return kept

    def keep(self) -> None:
        """Keep the sessions; a process that dies meanwhile leaves the old or the new file."""
        if self.memory is None:
            return
        beside = self.memory.with_name(f"{self.memory.name}.{os.getpid()}")
        beside.write_text(json.dumps({**self.kept(), **self.sessions}), "utf-8")
        beside.replace(self.memory)

    async def answer(self, session_id: str, text: str) -> tuple[str, str]:
        """What to say to a prompt, and why to stop after that."""
        session = self.sessions[session_id]
        entry = next((entry for entry in self.script if _is_for(entry, text)), None)
        if entry is None:
            return f"You said: {text}", "end_turn"
        while "hold" in entry and not Path(session["cwd"], entry["hold"]).exists():
            await asyncio.sleep(0.02)
        for path, content in entry.get("write", {}).items():
            if not await self.write(session_id, path, content):
                return f"I was not allowed to write {path}.", "refusal"
        answers = entry.get("answers", [entry.get("answer", "")])
        earlier = sum(_is_for(entry, asked) for asked, said in session["turns"] if said is not None)
        return _said(_filled(answers[min(earlier, len(answers) - 1)], session, text)), "end_turn"

    async def write(self, session_id: str, path: str, content: str) -> bool:
        """Write a file over ACP if that is allowed; whether it was."""
        if not await self.allowed(session_id, "edit", path):
            return False
        await self.client.write_text_file(session_id, path, content)
        return True

    async def allowed(self, session_id: str, kind: Any, path: str) -> bool:
        """Ask for leave to read or edit a file."""
        asked = schema.ToolCallUpdate(tool_call_id=uuid4().hex, title=f"{kind} {path}", kind=kind)
        options = [
            schema.PermissionOption(option_id="yes", name="Allow", kind="allow_once"),
            schema.PermissionOption(option_id="no", name="Reject", kind="reject_once"),
        ]
        given = await self.client.request_permission(session_id, asked, options)
        return getattr(given.outcome, "option_id", None) == "yes"


def _is_for(entry: dict[str, Any], prompt: str) -> bool:
    wanted = entry["when"]
    return all(text in prompt for text in ([wanted] if isinstance(wanted, str) else wanted))


def _said(answer: Any) -> str:
    if isinstance(answer, str):
        return answer
    return f"Here is what I found:\n```json\n{json.dumps(answer, indent=2)}\n```"


def _filled(answer: Any, session: dict[str, Any], prompt: str) -> Any:
    """The answer with the words in braces filled in, wherever in it they stand."""
    if isinstance(answer, dict):
        return {key: _filled(value, session, prompt) for key, value in answer.items()}
    if isinstance(answer, list):
        return [_filled(value, session, prompt) for value in answer]
    if not isinstance(answer, str):
        return answer
    turns = session["turns"]
    last = next((said for _, said in reversed(turns) if said is not None), "")
    words = {
        "{cwd}": session["cwd"],
        "{files}": ", ".join(sorted(os.listdir(session["cwd"]))),
        "{turn}": str(len(turns)),
        "{last}": last,
        "{prompt}": prompt,
    }
    for word, value in words.items():
        answer = answer.replace(word, value)
    return answer


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--script", type=Path)
    options.add_argument("--memory", type=Path)
    given = options.parse_args()
    script = json.loads(given.script.read_text("utf-8")) if given.script else []
    asyncio.run(acp.run_agent(ScriptedAgent(script, given.memory)))  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
