"""Runs the scripts of a composite action as GitHub does, and notes what it leaves to others."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")
_CONDITION = re.compile(r"\$\{\{\s*([\w.-]+)\s*!=\s*''\s*\}\}")


@dataclass
class Job:
    """One use of an action: what it is given, what it said and which other actions it called."""

    action: dict[str, Any]
    folder: Path
    temp: Path
    context: dict[str, str]
    env: dict[str, str]
    said: str = ""
    code: int = 0
    called: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def run(self, **inputs: str) -> Job:
        """Run the steps until one fails."""
        for name, stated in self.action["inputs"].items():
            self.context[f"inputs.{name}"] = inputs.pop(name.replace("-", "_"), stated["default"])
        assert not inputs
        for step in self.action["runs"]["steps"]:
            self._step(step)
            if self.code != 0:
                break
        return self

    def outputs(self) -> dict[str, str]:
        """The outputs of the action."""
        return {name: self._filled(one["value"]) for name, one in self.action["outputs"].items()}

    def _step(self, step: dict[str, Any]) -> None:
        if "if" in step:
            condition = _CONDITION.fullmatch(step["if"])
            assert condition is not None
            if not self.context.get(condition[1], ""):
                return
        if "uses" in step:
            given = {name: self._filled(value) for name, value in step["with"].items()}
            self.called.append((step["uses"], given))
            return
        if f"done.{step.get('id')}" not in self.context:
            self._script(step)

    def _script(self, step: dict[str, Any]) -> None:
        assert step["shell"] == "bash"
        script, output = self.temp / "script.sh", self.temp / "output"
        script.write_text(step["run"])
        output.write_text("")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script],
            cwd=self.folder,
            env={
                **self.env,
                **{name: self._filled(value) for name, value in step["env"].items()},
                "RUNNER_TEMP": str(self.temp),
                "GITHUB_OUTPUT": str(output),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=600,
            check=False,
        )
        self.said += done.stdout
        self.code = done.returncode
        for line in output.read_text().splitlines():
            name, _, value = line.partition("=")
            self.context[f"steps.{step['id']}.outputs.{name}"] = value

    def _filled(self, value: Any) -> str:
        return _EXPRESSION.sub(lambda found: self.context.get(found[1], ""), _text(value))


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def environment(folder: Path) -> dict[str, str]:
    """What GitHub sets for every script, beside what the machine has."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    return {
        **kept,
        **pip,
        "PIP_RETRIES": "1",
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(folder),
    }
