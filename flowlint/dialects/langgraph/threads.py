"""Runs that are to be kept, but are given no thread to keep them under."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from flowlint.dialects.langgraph.javascript.model import PACKAGE
from flowlint.dialects.langgraph.model import RUNS
from flowlint.dialects.reading import alternatives
from flowlint.graph.model import Violation
from flowlint.values.model import (
    Call,
    Class,
    Const,
    External,
    Instance,
    Mapped,
    Operation,
    Use,
    Value,
)

SAVERS = ("langgraph.checkpoint.", "@langchain/langgraph-checkpoint", f"{PACKAGE}.MemorySaver")
"""Where what keeps runs comes from."""
THREAD = "thread_id"
OTHER_KEYS = frozenset(
    {"callbacks", "max_concurrency", "metadata", "recursion_limit", "run_id", "run_name", "tags"}
)
"""Keys of a config that are no names of its own; any other one LangGraph takes for such a name."""

Lack = Literal["names", "thread"]
"""What a config lacks: any name at all, or only that of the thread."""


def unnamed_runs(compiled: Operation) -> Iterator[Violation]:
    """The runs of a compiled flow that have a checkpointer and no thread."""
    saver = compiled.arguments.find("checkpointer", 0)
    if saver is None or not all(_is_saver(single) for _, single in alternatives(saver.value)):
        return
    # What holds for all runs may be set apart, and so may the thread that each goes on with.
    if any(name in ("with_config", "config", "checkpointer") for name, _ in compiled.uses):
        return
    for use in compiled.calls:
        lack = _lack(use) if use.method in RUNS and not _is_caught(use) else None
        # What a checkpointer of somebody's own needs is not known.
        if lack is None or (lack == "thread" and not isinstance(saver.value, Call)):
            continue
        raises = "ValueError" if lack == "names" else "KeyError"
        if isinstance(saver.value, Call) and saver.value.target.startswith("@"):
            raises = "an error"
        yield Violation(
            use.arguments.origin.span(),
            f"The flow is compiled with a checkpointer, but {use.method}() is given no "
            f"`{THREAD}`: the run raises {raises}",
            f'pass `{{"configurable": {{"{THREAD}": …}}}}` as the config',
            rule="unnamed-run",
            related=(("compiled with a checkpointer here", compiled.origin.span()),),
            # A run within that of another flow takes over its thread.
            severity=None if use.assumed is None else "warning",
        )


def _is_saver(value: Value) -> bool:
    """Whether something surely keeps runs."""
    if isinstance(value, Call):
        return value.target.startswith(SAVERS)
    return isinstance(value, Instance) and _is_derived(value.cls)


def _is_derived(made: Class) -> bool:
    return any(
        base.qualified.startswith(SAVERS) if isinstance(base, External)
        else isinstance(base, Class) and _is_derived(base)
        for base in made.bases
    )  # fmt: skip


def _is_caught(use: Use) -> bool:
    return use.caught or any(" is raised" in test for test, _ in use.presence)


def _lack(use: Use) -> Lack | None:
    """What the config of a run surely lacks, None where it has a thread or is not known."""
    if use.arguments.spread:
        return None
    config = use.arguments.get("config", 1)
    if config is None or (isinstance(config, Const) and config.value is None):
        return "names"
    stated = _entries(config)
    if stated is None or THREAD in stated or not stated.keys() <= {*OTHER_KEYS, "configurable"}:
        return None
    if "configurable" not in stated:
        return "names"
    names = _entries(stated["configurable"])
    if names is None or THREAD in names:
        return None
    return "thread" if names else "names"


def _entries(value: Value) -> dict[str, Value] | None:
    """What a mapping holds by its keys, None where not all of it is certain."""
    if isinstance(value, Call) and value.target.endswith(".RunnableConfig"):
        given = value.arguments
        is_known = not given.spread and all(item.name is not None for item in given.items)
        return {str(item.name): item.value for item in given.items} if is_known else None
    if not isinstance(value, Mapped) or value.rest is not None or value.disturbed:
        return None
    found: dict[str, Value] = {}
    for entry in value.entries:
        if entry.presence or not isinstance(entry.key, Const):
            return None
        found[str(entry.key.value)] = entry.value
    return found
