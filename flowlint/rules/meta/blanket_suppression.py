"""A comment names no rule to silence.

## What it does

Reports comments such as `# flowlint: ignore` that do not say which rules they are to silence, and
those that name `all` of them.

## Why is this bad

Such a comment would hide faults that nobody had seen when it was written, so flowlint silences
nothing for it.

## Example

```python
from flows import Edge, Flow, Node


async def draft(state):
    return state


flow = Flow(nodes=[Node("draft", draft)], edges=[], entry="draft")  # flowlint: ignore
```

## Use instead

Name the rules, or remove the comment.

```python
from flows import Edge, Flow, Node


async def draft(state):
    return state


flow = Flow(nodes=[Node("draft", draft)], edges=[], entry="draft")
```

## Fix safety

Safe where the comment goes, for it changes nothing. Unsafe where it comes to name the rules that
are broken there: their findings disappear with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from flowlint.findings.model import Finding, Fix
from flowlint.rules.registry import RuleInfo
from flowlint.source import Edit, Span

RULE = RuleInfo(
    name="blanket-suppression",
    code="FL905",
    category="meta",
    severity="warning",
    since="0.1.0",
    fix="always",
)


def blanket_suppression(
    span: Span,
    broken: Sequence[str],
    naming: Edit | None,
    removal: tuple[Edit, ...],
    what: str = "comment",
) -> Finding:
    """The finding for a comment that names no rule; `broken` are the rules that are broken there.

    `naming` is the edit that makes it name those; `what` is what it is instead of a comment.
    """
    listed = ", ".join(broken)
    if broken and naming is not None:
        help_, fix = f"name the rules: `[{listed}]`", Fix(f"name {listed}", "unsafe", (naming,))
    else:
        help_, fix = "remove it, or name the rules", Fix(f"remove the {what}", "safe", removal)
    message = f"This {what} names no rule: nothing is silenced."
    offered = fix if fix.edits else None
    return Finding(RULE.code, RULE.name, RULE.severity, message, span, help=help_, fix=offered)
