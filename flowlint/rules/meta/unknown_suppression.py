"""A comment is to silence a rule that does not exist.

## What it does

Reports words in comments such as `# flowlint: ignore[dangling-egde]` that are neither a rule nor
a category nor the beginning of codes, and comments whose own name is none that flowlint knows.

## Why is this bad

Nothing is silenced, so the author's decision does not hold.

## Example

```python
from flows import Edge, Flow, Node


async def draft(state):
    return state


flow = Flow(nodes=[Node("draft", draft)], edges=[], entry="draft")  # flowlint: ignore[dead-edn]
```

## Use instead

```python
from flows import Edge, Flow, Node


async def draft(state):
    return state


flow = Flow(nodes=[Node("draft", draft)], edges=[], entry="draft")
```

## Fix safety

Safe where the word goes, for it changes nothing. Unsafe where it becomes the rule that is found
there and was probably meant: a finding disappears with it.
"""

from __future__ import annotations

from flowlint.findings.model import Finding, Fix
from flowlint.rules.registry import RuleInfo
from flowlint.source import Span

RULE = RuleInfo(
    name="unknown-suppression",
    code="FL904",
    category="meta",
    severity="warning",
    since="0.1.0",
    fix="sometimes",
    related=("blanket-suppression",),
)


def unknown_suppression(span: Span, message: str, help: str, fix: Fix | None) -> Finding:  # noqa: A002
    """The finding for a word in a comment that stands for nothing."""
    return Finding(RULE.code, RULE.name, RULE.severity, message, span, help=help, fix=fix)
