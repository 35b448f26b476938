"""Times of nodes that acpx takes and that mean something else than they look like."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isfinite

from flowlint.dialects.acpx.faults import Owner
from flowlint.dialects.acpx.fields import number_of
from flowlint.dialects.acpx.model import ACP, DECISION, LONGEST, SHELL, KindFacts
from flowlint.dialects.acpx.objects import Property, Shape
from flowlint.dialects.surroundings import Version
from flowlint.graph.model import Violation

REFUSED_FROM = (0, 19, 3)
"""From this release on acpx refuses what no timer can wait."""

_CURE = "give at most 2147483647, or 0 for none"


def limit_faults(
    facts: KindFacts | None, shape: Shape, owner: Owner, release: Callable[[], Version | None]
) -> Iterator[Violation]:
    """What is odd about the times of a node."""
    timeout, heartbeat = shape.find("timeoutMs"), shape.find("heartbeatMs")
    if timeout is not None and _is_too_long(timeout):
        # What asks an agent or starts a program takes longer than that.
        is_proven = facts in (ACP, SHELL, DECISION)
        yield _too_long(timeout, owner, "the node times out at once", is_proven, release)
    elif timeout is not None and number_of(timeout.value) == 0:
        said = f"`timeoutMs` of {owner.called} is 0, which means that nothing ever stops the node"
        cure = "give a limit, unless that is meant"
        yield Violation(timeout.span, said, cure, owner.node, "bad-limit", severity="info")
    if heartbeat is not None and _is_too_long(heartbeat):
        effect = "the node says all the time that it lives"
        yield _too_long(heartbeat, owner, effect, False, release)


def _too_long(
    found: Property,
    owner: Owner,
    effect: str,
    is_proven: bool,
    release: Callable[[], Version | None],
) -> Violation:
    used = release()
    is_refused = used is not None and used >= REFUSED_FROM
    happens = owner.throws if is_refused else f"it counts as 1 ms, and {effect}"
    return Violation(
        found.span,
        f"`{found.name}` of {owner.called} is more than a timer can wait: {happens}",
        _CURE,
        owner.node,
        "bad-limit",
        severity="error" if is_refused or is_proven else "warning",
    )


def _is_too_long(found: Property) -> bool:
    number = number_of(found.value)
    return number is not None and isfinite(number) and number > LONGEST
