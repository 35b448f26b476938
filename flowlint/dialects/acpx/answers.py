"""What a node may give a switch to look at, as far as its code is seen."""

from __future__ import annotations

from dataclasses import dataclass

from flowlint.dialects.acpx.callbacks import body_of, function_of
from flowlint.dialects.acpx.model import ACP, SHELL
from flowlint.dialects.acpx.nodes import NodePart
from flowlint.dialects.acpx.results import parsing_of
from flowlint.source import Span
from flowlint.values.bodies import Givens, Opaque, Plain, Table
from flowlint.values.model import Function


@dataclass(frozen=True, slots=True)
class Answer:
    """A value that a switch may look at, with its place; None: there is none that it can take."""

    value: str | None
    span: Span
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Answers:
    """What a switch may find at a path. `more`: it may find something else, and why."""

    found: tuple[Answer, ...]
    more: str | None
    function: Function


def answers_of(part: NodePart, path: tuple[str, ...]) -> Answers | None:
    """What a node may give at a path of its output, None where nothing is known."""
    name = "parse" if part.facts in (ACP, SHELL) else "run"
    function = function_of(part, name)
    body = parsing_of(part) if part.facts is SHELL else body_of(part, name)
    if function is None or body is None:
        return None
    answers: list[Answer] = []
    reasons: list[str] = []
    _look(body.returns, path, answers, reasons)
    return Answers(tuple(answers), reasons[0] if reasons else None, function)


def _look(givens: Givens, path: tuple[str, ...], answers: list[Answer], reasons: list[str]) -> None:
    """Collect what stands at a path of each value."""
    for given in givens:
        if isinstance(given, Plain) and (path or given.value is None):
            answers.append(Answer(None, given.span, given.sure))
        elif isinstance(given, Plain):
            answers.append(Answer(_label(given.value), given.span, given.sure))
        elif not isinstance(given, Table):
            reasons.append(given.reason if isinstance(given, Opaque) else "it is not known")
        elif not path:
            answers.append(Answer(None, given.span))
        else:
            _look_into(given, path, answers, reasons)


def _look_into(
    table: Table, path: tuple[str, ...], answers: list[Answer], reasons: list[str]
) -> None:
    key = next((one for one in table.keys if one.name == path[0]), None)
    if key is None:
        if table.more:
            reasons.append("it may have other fields")
        else:
            answers.append(Answer(None, table.span))
        return
    if not key.certain:
        reasons.append("the field may be left out")
    _look(key.values, path[1:], answers, reasons)


def _label(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
