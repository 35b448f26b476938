"""Running the triage of pull requests: a site of its own, and an agent that answers as told."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from example_runs import EXAMPLES, resume_example, run_example
from flowrt_program import Run, run_flowrt, start_flowrt

FOLDER = EXAMPLES / "acpx" / "pr_triage"
FLOW = "acpx/pr_triage/flow.py"
USUAL = json.loads((EXAMPLES / "acpx" / "answers" / "pr_triage.json").read_text("utf-8"))
ESCALATE = "comment_and_escalate_needs_judgment"
READY = "comment_and_escalate_ready_for_landing"


def _loaded() -> Any:
    spec = spec_from_file_location("demo_forge", FOLDER / "demo_forge.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


demo_forge = _loaded()


@dataclass(frozen=True)
class Triage:
    """One pull request on one site, in a folder of its own."""

    folder: Path

    def run(self, *options: str, grant: str = "--approve-all", **answers: Any) -> Run:
        """Triage it; `options` are those of the site, `answers` are given by node."""
        self.prepare(*options, **answers)
        program = partial(run_flowrt, cwd=self.folder)
        return run_example(program, FLOW, self.state, grant, *self.agent)

    def start(self, *options: str, **answers: Any) -> Any:
        """The same, without waiting for it."""
        self.prepare(*options, **answers)
        given = ("--run-id", "r1", "--input-json", json.dumps(self.state), "--approve-all")
        return start_flowrt("run", str(EXAMPLES / FLOW), *given, *self.agent, cwd=self.folder)

    def resume(self) -> Run:
        """Go on with it."""
        return resume_example(partial(run_flowrt, cwd=self.folder), "--approve-all")

    def prepare(self, *options: str, **answers: Any) -> None:
        """Make the site and the script of the agent."""
        demo_forge.make_forge(self.folder / "forge", **dict.fromkeys(options, True))
        self.answer(**answers)

    def answer(self, **answers: Any) -> None:
        """Let the agent answer differently at some nodes: with a route, or as an entry says."""
        own = [
            {
                "when": f"# {node}\n",
                **(given if isinstance(given, dict) else {"answer": _to(node, given)}),
            }
            for node, given in answers.items()
        ]
        (self.folder / "script.json").write_text(json.dumps([*own, *USUAL]))

    @property
    def state(self) -> dict[str, Any]:
        """What a run is started with."""
        return {"forge": str(self.folder / "forge"), "number": demo_forge.NUMBER}

    @property
    def agent(self) -> tuple[str, str]:
        """The agent; it keeps its sessions."""
        program = EXAMPLES / "agents" / "scripted_agent.py"
        files = f"--script {self.folder / 'script.json'} --memory {self.memory}"
        return "--agent", f"{sys.executable} {program} {files}"

    @property
    def memory(self) -> Path:
        """Where the agent keeps what was said."""
        return self.folder / "memory.json"

    @property
    def asked(self) -> Counter[str]:
        """How often the agent was asked, by node."""
        sessions = json.loads(self.memory.read_text()).values()
        prompts = (prompt for session in sessions for prompt, _ in session["turns"])
        return Counter(prompt.split("\n")[0].removeprefix("# ") for prompt in prompts)

    @property
    def code(self) -> str:
        """The code that was left in the workspace."""
        return (self.folder / "forge" / "workspaces" / "7-r1" / "calc.py").read_text()

    @property
    def outcome(self) -> dict[str, str] | None:
        """What the site was told."""
        told = self.folder / "forge" / "pulls" / "7" / "outcome.json"
        read: dict[str, str] | None = json.loads(told.read_text()) if told.exists() else None
        return read


def _to(node: str, route: str) -> dict[str, str]:
    return {"route": route, "reason": f"{node} says so"}
