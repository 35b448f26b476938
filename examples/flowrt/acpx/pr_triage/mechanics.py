"""What triage finds out and does without an agent. Each may be run again after a crash."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flowrt import NodeContext
from flowrt.parsing import parse_json

Parse = Callable[..., Any]

GIT = {
    "GIT_AUTHOR_NAME": "triage",
    "GIT_AUTHOR_EMAIL": "triage@example.org",
    "GIT_COMMITTER_NAME": "triage",
    "GIT_COMMITTER_EMAIL": "triage@example.org",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}

PREPARE = """
set -eu
rm -rf "$2"
git clone --quiet "$1" "$2"
cd "$2"
git checkout --quiet "pull/$3"
git diff --name-only origin/HEAD...HEAD
"""

# What is left of a merge here was begun by this very step, before the run was broken off.
MERGE = """
set -eu
git merge --abort 2>/dev/null || true
if git merge --quiet --no-edit origin/HEAD >/dev/null; then
  echo clean
elif [ -e .git/MERGE_HEAD ]; then
  echo conflicts
  git diff --name-only --diff-filter=U
else
  exit 1
fi
"""

# Commits what the agent edited. That conflicts are resolved is seen, not believed.
RECORD = """
set -eu
git add --all
if git grep --cached -n -E '^(<<<<<<<|>>>>>>>) ' >&2; then
  echo "conflict markers are left" >&2
  exit 1
fi
if [ -e .git/MERGE_HEAD ] || ! git diff --cached --quiet; then
  git commit --quiet -m "Triage of pull request $1"
fi
"""

REVIEW = (
    RECORD
    + """
git diff --check origin/HEAD...HEAD || true
"""
)

TESTS = """
if said=$(python3 -m unittest 2>&1); then echo green; else echo red; fi
printf '%s\\n' "$said"
"""

CI = RECORD + TESTS

FINAL_CHECK = (
    "git merge --abort 2>/dev/null || true\n"
    + RECORD
    + "git fetch --quiet origin\n"
    + MERGE
    + TESTS
)


def load(context: NodeContext) -> dict[str, Any]:
    """Where everything is, from the folder of the forge and the number of the pull request."""
    forge = Path(context.input["forge"]).absolute()
    number = int(context.input["number"])
    return {
        "number": number,
        "repository": str(forge / "repository"),
        "pull": str(forge / "pulls" / str(number)),
        "workspace": str(forge / "workspaces" / f"{number}-{context.run_id}"),
    }


def pull_request(result: dict[str, Any], context: NodeContext) -> dict[str, Any]:
    """What its author says of it, and the files it changes."""
    pull = Path(context.outputs["load_pr"]["pull"], "pull.json")
    said = json.loads(pull.read_text("utf-8"))
    return {"title": said["title"], "body": said["body"], "files": result["stdout"].strip()}


def initial_conflicts(result: dict[str, Any]) -> dict[str, Any]:
    """Whether the branch and its base can be merged."""
    verdict, *files = result["stdout"].splitlines()
    if verdict == "clean":
        return {"route": "bug_or_feature"}
    return {"route": "judge_initial_conflicts", "files": "\n".join(files)}


def review_state(result: dict[str, Any]) -> dict[str, Any]:
    """What a mechanical reviewer finds in the lines that were added."""
    findings = re.findall(r"^\S+:\d+: .+$", result["stdout"], re.MULTILINE)
    return {"count": len(findings), "findings": "\n".join(findings) or "(none)"}


def ci_state(result: dict[str, Any]) -> dict[str, Any]:
    """Whether the tests pass, and what they print."""
    verdict, _, log = result["stdout"].partition("\n")
    return {"verdict": verdict, "log": log.strip()[-2000:]}


def final_conflicts(result: dict[str, Any]) -> dict[str, Any]:
    """Whether what would be landed can be merged, and still passes the tests then."""
    merged, _, rest = result["stdout"].partition("\n")
    files, verdict, log = re.split(r"^(green|red)$", rest, maxsplit=1, flags=re.MULTILINE)
    if merged == "clean" and verdict == "green":
        return {"route": "comment_and_escalate_ready_for_landing"}
    return {
        "route": "judge_final_conflicts",
        "files": files.strip() or "(no file has conflicts)",
        "log": f"The tests are {verdict}: {log.strip()[-2000:]}",
    }


def at_most(rounds: int, route: str, *, instead: str) -> Parse:
    """Reads an answer, and takes another route when this one was taken often enough."""

    def parse(text: str, context: NodeContext) -> Any:
        answer = parse_json(text, "forgiving")
        if answer.get("route") == route and context.visit >= rounds:
            reason = f"{rounds} rounds did not settle it; the last: {answer.get('reason')}"
            return {"route": instead, "reason": reason}
        return answer

    return parse


def close(context: NodeContext) -> dict[str, Any]:
    """Close the pull request with the comment that was written."""
    return _posted(context, "closed")


def hand_over_as_ready(context: NodeContext) -> dict[str, Any]:
    """Give it to the maintainers, with all that is known."""
    return _posted(context, "ready for landing")


def hand_over_to_human(context: NodeContext) -> dict[str, Any]:
    """Ask a human to decide."""
    return _posted(context, "needs judgment")


def _posted(context: NodeContext, state: str) -> dict[str, Any]:
    outcome = {"state": state, "comment": context.outputs[context.incoming.src]}
    place = Path(context.outputs["load_pr"]["pull"], "outcome.json")
    place.write_text(json.dumps(outcome, indent=2) + "\n", "utf-8")
    return outcome


def report(context: NodeContext) -> dict[str, Any]:
    """What became of the pull request, whichever way it went."""
    outcome = context.outputs[context.incoming.src]
    number = context.outputs["load_pr"]["number"]
    return {"number": number, "state": outcome["state"], "comment": outcome["comment"]}
