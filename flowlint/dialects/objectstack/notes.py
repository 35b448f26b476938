"""What is found wrong with a flow while it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from flowlint.changes import Rename
from flowlint.graph.model import Violation
from flowlint.source import Span

Severity = Literal["error", "warning", "info"]

REGISTERED = "registerFlow(…) raises"
PARSED = "defineFlow(…) raises"
FAILS = "the run fails when it gets there"
NODE_FAILS = "the node fails when a run gets there"
"""What an edge of type `fault` may take care of."""


@dataclass(slots=True)
class Notes:
    """The violations of one flow or region.

    `is_parsed` tells that its shape is checked by `defineFlow` where it stands.
    """

    is_parsed: bool
    found: list[Violation] = field(default_factory=list)

    @property
    def refusal(self) -> str:
        """What becomes of a flow whose shape is wrong."""
        return PARSED if self.is_parsed else REGISTERED

    def inner(self) -> Notes:
        """Those of a region, which `defineFlow` does not look into."""
        return Notes(False)

    def add(
        self,
        span: Span,
        message: str,
        cure: str | None,
        *,
        rule: str = "invalid-definition",
        node: str | None = None,
        severity: Severity | None = None,
        rename: Rename | None = None,
        related: tuple[tuple[str, Span], ...] = (),
    ) -> None:
        """Note something, as it is."""
        self.found.append(
            Violation(span, message, cure, node, rule, related, severity=severity, rename=rename)
        )

    def soften(self, doubtful: Sequence[Span]) -> None:
        """Warn only of what stands in places that may not be there."""
        for number, seen in enumerate(self.found if doubtful else ()):
            if seen.severity != "info" and any(place.contains(seen.span) for place in doubtful):
                self.found[number] = replace(seen, severity="warning")

    def refuse(
        self,
        span: Span,
        said: str,
        cure: str | None,
        node: str | None = None,
        rule: str = "invalid-definition",
        rename: Rename | None = None,
    ) -> None:
        """Note what is refused for its shape."""
        self.found.append(
            Violation(
                span,
                f"{said}: {self.refusal}",
                cure,
                node,
                rule,
                severity="error",
                rename=rename,
                shape=True,
            )
        )

    def gone(
        self,
        span: Span,
        said: str,
        cure: str,
        node: str | None = None,
        rename: Rename | None = None,
        is_converted: bool = False,
    ) -> None:
        """Note what is left of an older release: refused by `defineFlow`, else passed over."""
        effect = "it is only converted when the flow is registered"
        if not is_converted:
            effect = "it has no effect"
        effect = PARSED if self.is_parsed else effect
        severity: Severity = "error" if self.is_parsed else "warning"
        self.add(
            span,
            f"{said}: {effect}",
            cure,
            rule="removed-api",
            node=node,
            severity=severity,
            rename=rename,
        )
