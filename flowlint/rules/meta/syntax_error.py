"""The file cannot be parsed.

## What it does

Reports the place at which a file stops being valid source text. The rest of the file is still
checked as far as it can be read.

## Why is this bad

The program cannot be imported, and flows in the broken part are not checked.

## Example

```python
from flows import Edge, Flow, Node

flow = Flow(nodes=[, edges=[], entry="draft")
```

## Use instead

```python
from flows import Edge, Flow, Node


async def draft(state):
    return state


flow = Flow(nodes=[Node("draft", draft)], edges=[], entry="draft")
```
"""

from __future__ import annotations

from flowlint.findings.model import Finding
from flowlint.rules.registry import RuleInfo
from flowlint.source import Span

RULE = RuleInfo(
    name="syntax-error",
    code="FL901",
    category="meta",
    severity="error",
    since="0.1.0",
    related=("invalid-definition", "unresolved-flow"),
)


def syntax_error(span: Span, message: str, help: str | None = None) -> Finding:  # noqa: A002
    """The finding for a file, or a part of one, that cannot be parsed."""
    return Finding(RULE.code, RULE.name, RULE.severity, message, span, help=help)
