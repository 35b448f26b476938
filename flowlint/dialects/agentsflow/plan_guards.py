"""What is wrong with the guards of plans, which decide whether a node is skipped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flowlint.dialects.agentsflow.plan_parts import REFUSED, PlanNode
from flowlint.dialects.reading import text_of
from flowlint.graph.cel_names import parsed, position, shown
from flowlint.graph.cel_syntax import CelError, mentions
from flowlint.graph.model import Violation
from flowlint.graph.reference_faults import near

_GIVEN = ("artifacts", "status", "errors")
"""What a guard can look at below `ctx`."""


def guard_faults(
    node: PlanNode, nodes: Mapping[str, PlanNode], before: frozenset[str] | None
) -> Iterator[Violation]:
    """What is wrong with the guard of a node. `before` are the nodes that surely ran by then, None
    where they are not all known."""
    given = node.record.find("when")
    text = text_of(given.value) if given is not None else None
    if given is None or text is None or not text.strip():
        return
    what = f"The guard `{shown(text)}` of node `{node.name}`"
    tree = parsed(text)
    if isinstance(tree, CelError):
        at = position(text, tree.offset)
        said = f"{what} is no CEL expression: {tree.message}{at}: {REFUSED}"
        cure = "write a condition such as `ctx.artifacts.list.count > 0`"
        yield Violation(given.place, said, cure, node.name, "invalid-expression")
        return
    for path in mentions(tree):
        fault = _fault(path, nodes, before) if isinstance(path, tuple) else None
        if fault is not None:
            said, cure = fault
            yield Violation(given.place, f"{what} {said}", cure, node.name, "unknown-variable")


def _fault(
    path: tuple[str, ...], nodes: Mapping[str, PlanNode], before: frozenset[str] | None
) -> tuple[str, str] | None:
    root, *fields = path
    if root not in ("ctx", "result", "error"):
        said = f"looks at `{root}`, which no guard of a plan has, so the node is skipped"
        return said, near(root, ["ctx"], "look at `ctx.artifacts`, `ctx.status` or `ctx.errors`")
    if root != "ctx" or not fields:
        return None
    kind, *rest = fields
    if kind not in _GIVEN:
        said = f"looks at `ctx.{kind}`, which no guard of a plan has, so the node is skipped"
        return said, near(kind, _GIVEN, "there is `artifacts`, `status` and `errors`")
    if kind == "errors" or not rest or before is None:
        return None
    name = rest[0]
    held = nodes.get(name)
    shown = f"ctx.{kind}.{name}"
    if held is None:
        cure = near(name, [*nodes], "name a node of this plan")
        return f"looks at `{shown}`, but no node of this plan is called `{name}`: {REFUSED}", cure
    if kind == "status":
        return None
    if name not in before:
        said = f"looks at `{shown}`, but the node does not wait for `{name}`: {REFUSED}"
        return said, f"add `{name}` to its `depends_on`"
    if len(rest) > 1 and held.facets is not None and rest[1] not in held.facets:
        said = f"looks at `{shown}.{rest[1]}`, but `{name}` tells no such facet: {REFUSED}"
        return said, near(rest[1], held.facets, f"state it in the `facets` of `{name}`")
    return None
