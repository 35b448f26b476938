"""The paths by which switches look at what a node gave: `$.x`, `$output.x` and `$result.x`."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.acpx import faults
from flowlint.dialects.acpx.model import OUTCOMES, RESULT_FIELDS
from flowlint.graph.model import Violation
from flowlint.source import Span

RESULT = "$result."
OUTCOME = "$result.outcome"
_OUTPUT = ("$output.", "$.")
_NOT_SCALAR = "the run fails with `Flow switch value must be scalar` when it gets there"
_WAYS = "write `$.field`, `$output.field` or `$result.outcome`"


def is_of_result(on: str | None) -> bool:
    """Whether a switch looks at how a node ended, so that it also counts for a failure."""
    return on is not None and on.startswith(RESULT)


def output_path(on: str) -> tuple[str, ...] | None:
    """The names by which a path goes into the output of a node, None for another path."""
    for beginning in _OUTPUT:
        if on.startswith(beginning):
            names = tuple(on.removeprefix(beginning).split("."))
            return names if all(names) else None
    return None


def path_fault(on: str, source: str, span: Span) -> Violation | None:
    """What is wrong with a path, None when nothing is."""
    rest = next((on[len(way) :] for way in (RESULT, *_OUTPUT) if on.startswith(way)), None)
    where = f"The switch of `{source}` looks at `{on}`"
    if rest is None:
        said = (
            f"{where}, which is no path of acpx: "
            f"the run fails with `Unsupported JSON path` when it gets there"
        )
        name = on.removeprefix("$")
        plain = name.replace("_", "").isalnum() and not name.startswith(("output", "result"))
        cure = f"write `$.{name}`" if plain else _WAYS
        return _fault(said, cure, source, span)
    names = rest.split(".")
    if "" in names:
        said = f"{where}, where a name is missing: {_NOT_SCALAR}"
        return _fault(said, _WAYS, source, span)
    odd = next((name for name in names if "[" in name or "*" in name), None)
    if odd is not None:
        said = f"{where}, and acpx takes `{odd}` for the name of a field: {_NOT_SCALAR}"
        cure = f"write the number of an element as a name: `{_plain(on)}`"
        return _fault(said, cure if "[" in odd else _WAYS, source, span)
    if on.startswith(RESULT) and names[0] not in RESULT_FIELDS:
        said = f"{where}, and a result has no `{names[0]}`: {_NOT_SCALAR}"
        meant = faults.near(names[0], RESULT_FIELDS)
        cure = f"did you mean `{meant}`?" if meant else f"it has {faults.one_of(RESULT_FIELDS)}"
        return Violation(span, said, cure, source, "unknown-variable")
    return None


def _fault(said: str, cure: str, source: str, span: Span) -> Violation:
    return Violation(span, said, cure, source, "invalid-expression")


def _plain(on: str) -> str:
    """A path with brackets as acpx would understand it."""
    for mark in ("['", '["', "']", '"]', "[", "]"):
        on = on.replace(mark, "." if mark.startswith("[") else "")
    return on


def outcome_faults(source: str, cases: dict[str, Span], span: Span) -> Iterator[Violation]:
    """Outcomes that the cases of a switch leave out, and cases that are no outcome."""
    for case, place in cases.items():
        if case not in OUTCOMES:
            meant = faults.near(case, OUTCOMES)
            cure = f"did you mean `{meant}`?" if meant else f"use {faults.one_of(OUTCOMES[:3])}"
            said = (
                f"No node ends with the outcome `{case}`, so this case of `{source}` is never taken"
            )
            yield Violation(place, said, cure, source, "unused-case", severity="warning")
        elif case == "cancelled":
            said = (
                f"This case of `{source}` is never taken: "
                "a run that is cancelled ends before it looks at its edges"
            )
            yield Violation(place, said, "remove it", source, "unused-case", severity="warning")
    if not cases:
        return
    if "ok" not in cases:
        said = (
            f"The switch of `{source}` has no case for `ok`: where the node ends well, the run "
            "fails with `No flow switch case`"
        )
        yield Violation(span, said, "add a case for `ok`", source, "unhandled-route")
    lacking = [outcome for outcome in ("failed", "timed_out") if outcome not in cases]
    if lacking:
        named = " and ".join(f"`{outcome}`" for outcome in lacking)
        said = (
            f"The switch of `{source}` has no case for {named}: the run then fails with "
            "`No flow switch case`, and not with what went wrong"
        )
        cure = f"add {'cases' if lacking[1:] else 'a case'} for {named}"
        yield Violation(span, said, cure, source, "unhandled-route", severity="warning")
