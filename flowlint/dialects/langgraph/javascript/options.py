"""Options of LangGraph.js that are written wrongly, so that they are passed over."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.changes import Rename
from flowlint.dialects.reading import live_entries, text_of
from flowlint.graph.model import Violation
from flowlint.graph.names import NearNames
from flowlint.values.model import Built, Mapped, Operation, Value

KNOWN = {
    "addNode": (
        *("cachePolicy", "defer", "ends", "errorHandler", "input", "metadata", "retryPolicy"),
        *("subgraphs", "timeout", "tracePolicy"),
    ),
    "addConditionalEdges": ("path", "pathMap", "source"),
    "compile": (
        *("cache", "checkpointer", "description", "interruptAfter", "interruptBefore", "name"),
        *("store", "transformers"),
    ),
}
"""The options that each method takes."""


def misspelt_options(built: Built) -> Iterator[Violation]:
    """Options that are plainly meant for others; what else is written there may be of use."""
    for operation in built.operations:
        known = KNOWN.get(operation.method)
        if known is None:
            continue
        for options in _options(operation):
            yield from _misspelt(options, operation.method, known)


def _options(operation: Operation) -> Iterator[Mapped]:
    position = {"addNode": 2, "addConditionalEdges": 0, "compile": 0}[operation.method]
    given: Value | None = operation.arguments.get("", position)
    if isinstance(given, Mapped):
        yield given


def _misspelt(options: Mapped, method: str, known: tuple[str, ...]) -> Iterator[Violation]:
    names = {text_of(entry.key) for _, entry in live_entries(options)}
    near_names = NearNames([name for name in known if name not in names])
    for _, entry in live_entries(options):
        name = text_of(entry.key)
        near = near_names.only(name) if name is not None and name not in known else None
        if name is None or near is None:
            continue
        span = entry.key.origin.span()
        yield Violation(
            span,
            f"{method}() knows no option `{name}` and passes over it",
            f"did you mean `{near}`?",
            rule="unknown-field",
            severity="warning",
            rename=Rename(span, name, near),
        )
