"""What is wrong with the shape of a region."""

from __future__ import annotations

from flowlint.dialects.objectstack.notes import REGISTERED, Notes
from flowlint.dialects.objectstack.parts import Scope
from flowlint.dialects.objectstack.shape_checks import shown
from flowlint.values.model import Const, Function, Sequence, Value


def no_region(value: Value, what: str, node: str, notes: Notes, is_branch: bool) -> None:
    """Note a region that is no object. Where it is not known, nothing is."""
    # A region may be left out, a branch may not.
    if isinstance(value, Const) and value.value is None and not is_branch:
        return
    if isinstance(value, Const | Sequence | Function):
        said = f"{what} is {shown(value)}, which is no region: {REGISTERED}"
        cure = "write an object with `nodes` and `edges`"
        notes.add(value.origin.span(), said, cure, rule="malformed-region", node=node)


def check_region(scope: Scope, what: str) -> None:
    """Note where a region has several ways in or out; a run goes through it from one to one."""
    if not scope.is_whole or any(node.presence for node in scope.nodes):
        return
    if any(edge.presence for edge in scope.edges):
        return
    names = dict.fromkeys(node.id for node in scope.nodes)
    inside = [e for e in scope.edges if e.source in names and e.target in names]
    led_to, leaving = {edge.target for edge in inside}, {edge.source for edge in inside}
    places = {node.id: node.name_span for node in reversed(scope.nodes)}
    begins = [name for name in names if name not in led_to]
    ends = [name for name in names if name not in leaving]
    for way, found, other, cure in (
        ("begins", begins, ends, "join these nodes by edges, so that one of them comes first"),
        ("ends", ends, [], "lead them to one node, which comes last"),
    ):
        if len(found) < 2:
            continue
        listed = f"{', '.join(f'`{name}`' for name in found[:-1])} and `{found[-1]}`"
        said = f"{what} {way} at {listed}, but a region has one way in and one way out"
        related = [(f"it {way} here", places[found[0]])]
        if len(other) > 1:
            related += [("it ends here", places[name]) for name in other]
        scope.notes.add(
            places[found[1]],
            f"{said}: {REGISTERED}",
            cure,
            rule="malformed-region",
            node=found[1],
            related=tuple(related),
        )
        return
