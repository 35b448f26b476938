"""What a shell action makes of the command that its `exec` returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flowlint.dialects.acpx.callbacks import body_of
from flowlint.dialects.acpx.limits import REFUSED_FROM
from flowlint.dialects.acpx.model import LONGEST, SHELL
from flowlint.dialects.acpx.nodes import NodePart
from flowlint.dialects.acpx.results import surely_ends_well
from flowlint.dialects.surroundings import Version
from flowlint.graph.model import Violation
from flowlint.source import Span
from flowlint.values.bodies import Givens, Opaque, Plain, Table

_EXIT = ("exitCode", "signal")
_LARGEST = 2**53 - 1


def command_faults(part: NodePart, release: Callable[[], Version | None]) -> Iterator[Violation]:
    """What is wrong with the commands that a node may run, and with how it reads their ends."""
    if part.facts is not SHELL:
        return
    body = body_of(part, "exec")
    for given in body.returns if body is not None else ():
        if isinstance(given, Table):
            yield from _limits(part.name, given, release)
    if surely_ends_well(part):
        yield from _vain_looks(part)


def _limits(name: str, table: Table, release: Callable[[], Version | None]) -> Iterator[Violation]:
    for key in table.keys:
        for given in key.values:
            if not isinstance(given, Plain):
                continue
            value = given.value
            if key.name == "maxBufferBytes" and not _is_count(value):
                said = (
                    f"`maxBufferBytes` of the command of node `{name}` has to be a whole number, "
                    "0 or more: the node fails"
                )
                yield Violation(given.span, said, "leave it out for no limit", name, "bad-limit")
            elif key.name == "timeoutMs" and isinstance(value, int | float) and value > LONGEST:
                said = (
                    f"`timeoutMs` of the command of node `{name}` is more than a timer can wait: "
                    "it counts as 1 ms, and the command is stopped at once"
                )
                yield Violation(given.span, said, "give at most 2147483647", name, "bad-limit")
            elif key.name == "stdin" and not isinstance(value, str) and value is not None:
                used = release()
                if used is not None and used >= REFUSED_FROM:
                    said = f"`stdin` of the command of node `{name}` is no text: the node fails"
                    yield Violation(given.span, said, "make it a text", name)


def _is_count(value: object) -> bool:
    if value is None:
        return True
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0 <= value <= _LARGEST and value == int(value)  # type: ignore[operator, call-overload]


def _vain_looks(part: NodePart) -> Iterator[Violation]:
    body = body_of(part, "parse")
    if body is None:
        return
    # Who only hands it on knows well what it is.
    handed_on = set(_handed_on(body.returns))
    for read in body.reads:
        if read.parameter == 0 and read.key in _EXIT and read.span not in handed_on:
            said = (
                f"`parse` of node `{part.name}` looks at `{read.key}`, but a command that ends "
                "with another status than 0 fails the node before"
            )
            cure = "return `allowNonZeroExit: true` from `exec`, or leave that to acpx"
            yield Violation(
                read.span, said, cure, part.name, "ineffective-field", severity="warning"
            )
            return


def _handed_on(givens: Givens) -> Iterator[Span]:
    """Where what is returned was read, as it is."""
    for given in givens:
        if isinstance(given, Opaque):
            yield given.span
        elif isinstance(given, Table):
            for key in given.keys:
                yield from _handed_on(key.values)
