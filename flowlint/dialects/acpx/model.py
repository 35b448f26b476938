"""The names of acpx, its node kinds with their fields, and what it does with a flow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from flowlint.graph.model import Semantics
from flowlint.values.following import TypeModel

RUN = "`acpx flow run`"
DEFINE = "`defineFlow(…)`"

SEMANTICS = Semantics(
    system="acpx",
    built_by=RUN,
    routing="single-switch",
    join="any",
    cycles="allowed",
    end="implicit",
    unmatched_route="raises",
    failure="routes-by-result",
    on_unreachable="silent",
    on_unknown_name="rejected",
    on_duplicate_node="silent",
    kept_duplicate="last",
    on_missing_entry="rejected",
    on_empty="rejected",
    on_duplicate_edge="rejected",
    step_bound_name="",
    unknown_case_error="`No flow switch case`",
    node_kinds=("acp", "compute", "action", "checkpoint"),
)

MODULES = ("acpx/flows", "acpx/dist/flows.js", "acpx/dist/flows")
"""What the helpers are imported from."""

FLOW = TypeModel("acpx.defineFlow", frozenset(f"{module}.defineFlow" for module in MODULES))

MISPLACED: Mapping[TypeModel, str] = MappingProxyType(
    {
        TypeModel(f"acpx.defineFlow of {module}", frozenset({f"{module}.defineFlow"})): module
        for module in ("acpx", "acpx/flow", "@openclaw/acpx", "@openclaw/acpx/flows")
    }
)
"""Where `defineFlow` is looked for in vain, with the modules."""

BARE = TypeModel("acpx.bare", frozenset(), exported=frozenset(MODULES))
"""An object that a module exports as it is, though only `defineFlow` makes a flow of one."""

TYPES = (FLOW, BARE, *MISPLACED)

HELPERS = ("acp", "compute", "action", "shell", "checkpoint", "decision")
"""Functions that make a node."""
EDGE_HELPER = "decisionEdge"

EXPORTS = frozenset(
    {
        *HELPERS,
        EDGE_HELPER,
        "defineFlow",
        "FlowRunner",
        "extractJsonObject",
        "flowRunsBaseDir",
        "parseJsonObject",
        "parseStrictJsonObject",
    }
)

IMAGINED: Mapping[str, str] = MappingProxyType(
    {
        **{f"{helper}Node": helper for helper in HELPERS},
        **{f"{helper}Step": helper for helper in HELPERS},
        "agent": "acp",
        "prompt": "acp",
        "defineNode": "acp",
        "step": "compute",
        "edge": EDGE_HELPER,
        "switchEdge": EDGE_HELPER,
    }
)
"""Functions that acpx was never seen to have, with what was meant by them."""


def own_name(qualified: str) -> str | None:
    """The name of something that is imported from acpx, None for anything else."""
    module, _, name = qualified.rpartition(".")
    return name if module in MODULES else None


@dataclass(frozen=True, slots=True)
class KindFacts:
    """What nodes of a kind are called, and the fields that count for them."""

    called: str
    fields: tuple[str, ...]


COMMON = ("nodeType", "timeoutMs", "heartbeatMs", "statusDetail")

ACP = KindFacts("an acp node", (*COMMON, "profile", "cwd", "session", "prompt", "parse"))
COMPUTE = KindFacts("a compute node", (*COMMON, "run"))
FUNCTION = KindFacts("a function action", (*COMMON, "run"))
SHELL = KindFacts("a shell action", (*COMMON, "exec", "parse"))
CHECKPOINT = KindFacts("a checkpoint", (*COMMON, "summary", "run"))
DECISION = KindFacts(
    "a decision", (*COMMON, "profile", "cwd", "session", "question", "choices", "field")
)
ALL_KINDS = (ACP, COMPUTE, FUNCTION, SHELL, CHECKPOINT, DECISION)

RESULT_FIELDS = (
    "attemptId",
    "nodeId",
    "nodeType",
    "outcome",
    "startedAt",
    "finishedAt",
    "durationMs",
    "output",
    "error",
)
OUTCOMES = ("ok", "timed_out", "failed", "cancelled")
MODES = ("approve-all", "approve-reads", "deny-all")

LONGEST = 2**31 - 1
"""Milliseconds that a timer of Node.js can wait; it takes more for 1."""
