"""Fields that acpx accepts and that do nothing, or not what they look like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from flowlint.dialects.acpx import faults
from flowlint.dialects.acpx.faults import Owner
from flowlint.dialects.acpx.model import ALL_KINDS, DECISION, SHELL, KindFacts
from flowlint.dialects.acpx.objects import Property, Shape, is_undefined
from flowlint.dialects.reading import text_of
from flowlint.graph.model import Violation
from flowlint.values.model import Const

_BY_SWITCH = "lead to the next node by an edge with a `switch`"
_RETRY = 'lead back to the node by a switch on "$result.outcome"'
_FAILURE = 'lead on from a failure by a switch on "$result.outcome"'
_EDGE = "name the next node by an edge in `edges`"
_SCHEMA = "say in `prompt` what to answer, and check it in `parse`"
_AGENT = "name the agent by `profile`"

NODE: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("retries", "retry", "maxRetries", "maxAttempts", "attempts"), _RETRY),
        **dict.fromkeys(("onError", "onFailure", "catch", "fallback"), _FAILURE),
        **dict.fromkeys(("next", "to", "edges", "dependsOn", "needs", "after"), _EDGE),
        **dict.fromkeys(("when", "if", "condition", "switch", "cases"), _BY_SWITCH),
        **dict.fromkeys(("schema", "outputSchema", "structuredOutput", "output"), _SCHEMA),
        **dict.fromkeys(("agent", "model"), _AGENT),
        **dict.fromkeys(("timeout", "timeoutSeconds"), "write `timeoutMs`, in milliseconds"),
        "permissions": "state the permissions of the whole flow",
        "command": "return the command from `exec`",
        "args": "return the arguments from `exec`",
        "steps": "name each step as a node of its own",
    }
)
EDGE: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("when", "if", "condition", "guard"), "write a `switch` instead of `to`"),
        **dict.fromkeys(
            ("default", "else", "otherwise", "fallback"), "write a case for each value"
        ),
        **dict.fromkeys(("on", "cases"), "write it inside of `switch`"),
        **dict.fromkeys(("onError", "onFailure", "outcome"), _FAILURE),
        "priority": "one edge leaves a node: write a `switch`",
        **dict.fromkeys(
            ("fork", "join", "parallel", "branches"),
            "acpx runs one node at a time: let the nodes follow each other",
        ),
        "choices": "make the edge with `decisionEdge`",
    }
)
SWITCH: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(
            ("default", "else", "otherwise", "fallback"), "write a case for each value"
        ),
        "when": "write the values under `cases`",
    }
)
SESSION: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("name", "id", "key"), "write `handle`"),
        **dict.fromkeys(("agent", "profile", "model"), "name the agent by `profile` of the node"),
        "cwd": "write `cwd` in the node",
        **dict.fromkeys(("fresh", "new"), "write `isolated: true`"),
    }
)
FLOW: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("entry", "start", "initial", "entryPoint"), "write `startAt`"),
        "steps": "name each step as a node under `nodes`",
        "title": "write `run: { title: … }`",
        **dict.fromkeys(
            ("maxSteps", "maxIterations", "maxTurns"),
            "count the rounds in a node, and lead out of the loop by a case",
        ),
        **dict.fromkeys(("timeoutMs", "timeout"), "write `timeoutMs` in each node"),
        **dict.fromkeys(
            ("profile", "agent", "model", "session", "cwd"), "write it in each acp node"
        ),
        **dict.fromkeys(("retries", "retry"), _RETRY),
        **dict.fromkeys(("onError", "onFailure", "finally"), _FAILURE),
    }
)


NOTES: Mapping[str, str] = MappingProxyType(
    {
        "id": "remove it: nodes are called by their keys, and edges by their ends",
        "label": "write a comment, or `statusDetail` in a node",
    }
)
"""Fields that are read by people, if by anybody."""


def vain(
    shape: Shape, known: tuple[str, ...], vainly: Mapping[str, str], owner: Owner
) -> Iterator[Violation]:
    """Fields that acpx passes over though they look as if they counted."""
    for one in shape.properties:
        if one.name in known or one.presence or is_undefined(one.value):
            continue
        meant = faults.near(one.name, known)
        cure = vainly.get(one.name)
        if cure is not None:
            yield faults.ignored(owner, one, cure)
        elif one.name in NOTES:
            yield replace(faults.ignored(owner, one, NOTES[one.name]), severity="info")
        elif meant is not None and shape.own(meant) is False:
            yield faults.misspelt(owner, one, meant)


def vain_fields(
    facts: KindFacts, shape: Shape, session: Shape | None, owner: Owner
) -> Iterator[Violation]:
    """What has no effect in a node of this kind, or an odd one."""
    others = {name for kind in ALL_KINDS for name in kind.fields} - {*facts.fields}
    if facts is DECISION:
        others |= {"prompt", "parse"}
    told = {one.name for one in shape.properties if one.name in others}
    for one in shape.properties:
        if one.name in told and not one.presence and not is_undefined(one.value):
            if not _is_told_otherwise(one, facts):
                yield faults.ignored(owner, one, *_why_vain(one.name, facts))
    yield from vain(shape, (*facts.fields, *others), NODE, owner)
    if session is not None and facts in (ALL_KINDS[0], DECISION):
        yield from _session(session, owner)


def _is_told_otherwise(one: Property, facts: KindFacts) -> bool:
    """Whether acpx refuses the field, so that this is told."""
    return facts is SHELL and one.name == "run"


def _why_vain(name: str, facts: KindFacts) -> tuple[str, str]:
    if facts is DECISION:
        return "ask by `question`", f"`decision` writes its own `{name}`"
    why = f"{facts.called} does not look at it"
    if name == "cwd":
        how = "return `cwd` from `exec`" if facts is SHELL else "remove it"
        return how, why
    if name in ("run", "exec"):
        return "make the node with `action` or `compute`", why
    if name in ("question", "choices", "field"):
        return "make the node with `decision`", why
    return "remove it", why


def _session(session: Shape, owner: Owner) -> Iterator[Violation]:
    about = faults.Owner(
        f"the session of node `{owner.node}`", session.span, owner.checked_by, owner.node
    )
    yield from vain(session, ("handle", "isolated"), SESSION, about)
    handle, isolated = session.given("handle"), session.find("isolated")
    is_alone = isolated is not None and isinstance(isolated.value, Const)
    if handle is not None and isolated is not None and is_alone:
        if isolated.value.value is True and text_of(handle.value) is not None:  # type: ignore[union-attr]
            why = "each attempt of an isolated session has a session of its own"
            yield faults.ignored(about, handle, "remove `handle`, or `isolated`", why)
