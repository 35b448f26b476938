"""A comment silences a rule that finds nothing there.

## What it does

Reports comments such as `# flowlint: ignore[dangling-edge]`, and rules in them, that silence
nothing: there is no finding of that rule at the place they speak of. Where a run does not report a
rule, or sees only a part of what may lead to a finding, it says nothing about comments for it.

## Why is this bad

The next real fault at this place would be silenced before anybody saw it, and whoever reads the
comment looks for a fault that is not there.

## Example

```python
from flows import Edge, Flow, Node


async def draft(state):
    return state


flow = Flow(nodes=[Node("draft", draft)], edges=[], entry="draft")  # flowlint: ignore[dead-end]
```

## Use instead

```python
from flows import Edge, Flow, Node


async def draft(state):
    return state


flow = Flow(nodes=[Node("draft", draft)], edges=[], entry="draft")
```

## Fix safety

Safe: what goes is a comment, or a word of one, that changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from flowlint.findings.model import Finding, Fix
from flowlint.rules.registry import RuleInfo
from flowlint.source import Edit, Span

RULE = RuleInfo(
    name="unused-suppression",
    code="FL903",
    category="meta",
    severity="warning",
    since="0.1.0",
    fix="sometimes",
    related=("unknown-suppression", "blanket-suppression"),
)


def unused_suppression(
    span: Span, names: Sequence[str], where: str, edits: tuple[Edit, ...]
) -> Finding:
    """The finding for words in a comment that silence nothing in the place it speaks of."""
    listed = " or ".join(f"`{name}`" for name in names)
    message = f"There is no finding of {listed} {where}: nothing is silenced."
    fix = Fix("remove what silences nothing", "safe", edits) if edits else None
    return Finding(RULE.code, RULE.name, RULE.severity, message, span, help="remove it", fix=fix)


def unopened_end(span: Span, edits: tuple[Edit, ...]) -> Finding:
    """The finding for an end that no start goes before."""
    message = "No `ignore-start` goes before this `ignore-end`: nothing is ended."
    fix = Fix("remove it", "safe", edits) if edits else None
    return Finding(RULE.code, RULE.name, RULE.severity, message, span, help="remove it", fix=fix)
