"""How rules put what they have to say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from flowlint.changes import Rename
from flowlint.findings.model import Finding, Fix, FixSafety, Related, Severity
from flowlint.graph.guards import Guard
from flowlint.graph.model import END, Edge, FlowGraph, Violation
from flowlint.rules.registry import RuleInfo
from flowlint.source import Span

MAX_RELATED = 10
_UNNAMED = ("lambda", "a condition")


def listing(names: Sequence[str], limit: int = 4) -> str:
    """Names in prose: `a`, `b` and 3 more."""
    shown = [f"`{name}`" for name in names[:limit]]
    if len(names) > limit:
        return f"{', '.join(shown)} and {len(names) - limit} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def target_of(edge: Edge) -> str:
    """Where an edge leads to, in prose."""
    return "the end" if edge.target == END else f"`{edge.target}`"


def named(guard: Guard | None, unnamed: str) -> str:
    """The guard by its name, or what to call one without."""
    return unnamed if guard is None or guard.text in _UNNAMED else f"`{guard.text}`"


def way(names: Sequence[str], limit: int = 8) -> str:
    """A run in prose: `a → b → a`, long ones without their middle."""
    return f"`{' → '.join(shortened(names, limit))}`"


def shortened(names: Sequence[str], limit: int = 50) -> Sequence[str]:
    """The names, without the middle of many."""
    if len(names) <= limit:
        return names
    return [*names[: limit // 2], "…", *names[-limit // 2 + 1 :]]


def places(parts: Sequence[tuple[str, Span]]) -> list[Related]:
    """Related places, the first few of many."""
    shown = [Related(message, span) for message, span in parts[:MAX_RELATED]]
    hidden = len(parts) - len(shown)
    if hidden > 0:
        last = shown[-1]
        shown[-1] = Related(f"{last.message} (and {hidden} more like it)", last.span)
    return shown


def renaming(renames: Sequence[Rename], safety: FixSafety) -> Fix:
    """The fix that writes another name wherever the wrong one stands."""
    return Fix(f"write `{renames[0].new}`", safety, changes=tuple(renames))


@dataclass(frozen=True, slots=True)
class Report:
    """What one rule says about one graph."""

    rule: RuleInfo
    graph: FlowGraph

    def finding(
        self,
        span: Span,
        message: str,
        *,
        severity: Severity | None = None,
        help: str | None = None,  # noqa: A002 - the field's own name
        node: str | None = None,
        related: Iterable[Related] = (),
        witness: Sequence[str] = (),
        fix: Fix | None = None,
    ) -> Finding:
        """A finding, by default of the rule's own severity."""
        return Finding(
            code=self.rule.code,
            name=self.rule.name,
            severity=severity or self.rule.severity,
            message=message,
            span=span,
            help=help,
            flow=self.graph.name,
            node=node,
            related=tuple(related),
            witness=tuple(shortened(witness)),
            fix=fix,
        )

    def violations(self) -> Iterator[Finding]:
        """What the graph's dialect itself saw of this rule's kind."""
        for seen in self.graph.violations:
            if seen.rule == self.rule.name:
                yield self.violation(seen)

    def violation(self, seen: Violation) -> Finding:
        """A finding for what the graph's dialect saw."""
        related = (Related(message, span) for message, span in seen.related)
        message = seen.message if seen.message.endswith(".") else f"{seen.message}."
        return self.finding(
            seen.span,
            message,
            severity=seen.severity,
            help=seen.help,
            node=seen.node,
            related=related,
            fix=None if seen.rename is None else renaming([seen.rename], "safe"),
        )
