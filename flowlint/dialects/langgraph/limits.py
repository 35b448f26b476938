"""The limit of supersteps that is stated where a flow is compiled or run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flowlint.dialects.langgraph.model import RUNS
from flowlint.dialects.reading import live_entries, written
from flowlint.source import Span
from flowlint.values.model import Argument, Arguments, Call, Const, Mapped, Operation

KEY = "recursion_limit"


def stated_limit(operations: Iterable[Operation]) -> tuple[int, Span] | None:
    """The smallest limit that a run is given as a number, with its place.

    One that the flow itself is given holds for runs that state none, until it is given another.
    """
    of_runs: list[tuple[int, Span]] = []
    of_flow: list[tuple[int, Span]] = []
    for operation in operations:
        for use in operation.calls if operation.method == "compile" else ():
            found = of_flow if use.method == "with_config" else of_runs
            found.extend(_limits(use.method, use.arguments))
    if of_runs:
        return min(of_runs, key=lambda limit: limit[0])
    return max(of_flow, key=lambda limit: limit[0], default=None)


def _limits(method: str, arguments: Arguments) -> Iterator[tuple[int, Span]]:
    if method == "with_config":
        named = arguments.find(KEY)
        configured = arguments.find("config", 0)
    elif method in RUNS:
        named, configured = None, arguments.find("config", 1)
    else:
        return
    if named is not None:
        yield from _number(named)
    if configured is not None:
        yield from _of_config(configured)


def _of_config(configured: Argument) -> Iterator[tuple[int, Span]]:
    config = configured.value
    if isinstance(config, Call) and config.target.endswith(".RunnableConfig"):
        stated = config.arguments.find(KEY)
        if stated is not None:
            yield from _number(stated)
    elif isinstance(config, Mapped):
        for presence, entry in live_entries(config):
            if isinstance(entry.key, Const) and entry.key.value == KEY and not presence:
                yield from _number(Argument(entry.value, place=entry.place))


def _number(stated: Argument) -> Iterator[tuple[int, Span]]:
    value = stated.value
    if isinstance(value, Const) and type(value.value) is int:
        yield value.value, written(stated)
