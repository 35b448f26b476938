"""The helpers `decision` and `decisionEdge`: the choices that a model is given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from flowlint.dialects.acpx import faults
from flowlint.dialects.acpx.faults import Owner
from flowlint.dialects.acpx.objects import Property, Shape, is_undefined, shown, type_of
from flowlint.dialects.reading import listed, text_of
from flowlint.graph.model import Violation
from flowlint.source import Span
from flowlint.values.model import Const, Mapped, Value

DEFAULT_FIELD = "route"

_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a model chooses from. `choices` and `field` are None where they are not known."""

    choices: tuple[tuple[str, Span], ...] | None
    field: str | None


def decision_of(shape: Shape) -> Decision:
    """The choices of a decision or of its edge."""
    found = shape.find("choices")
    return Decision(_texts(found.value) if found is not None else None, field_of(shape))


def field_of(shape: Shape) -> str | None:
    """The field that the choice stands in, None where it is not known."""
    if shape.own("field") is False:
        return DEFAULT_FIELD
    found = shape.find("field")
    if found is None:
        return None
    is_left_out = is_undefined(found.value) or type_of(found.value) == "null"
    return DEFAULT_FIELD if is_left_out else text_of(found.value)


def decision_faults(shape: Shape, owner: Owner) -> Iterator[Violation]:
    """What is wrong with a decision itself."""
    yield from choice_faults(shape, owner)
    if shape.own("question") is False:
        said = f"{faults.capital(owner.called)} has no `question`: the model is asked nothing"
        yield Violation(
            owner.span, said, "give it a text, or a function", owner.node, severity="warning"
        )


def choice_faults(shape: Shape, owner: Owner) -> Iterator[Violation]:
    """What is wrong with the choices and the field of a decision or its edge."""
    field = shape.given("field")
    if field is not None and type_of(field.value) not in ("unknown", "null"):
        text = text_of(field.value)
        if text is None or not _FIELD.match(text):
            wanted = "a plain name of letters, digits and `_`"
            yield faults.wrong_value(owner, "field", wanted, field.value)
    found = shape.find("choices")
    if found is None:
        if shape.own("choices") is False:
            yield faults.missing_field(owner, "choices", "the texts to choose from")
        return
    yield from _list_faults(found, owner)


def _list_faults(found: Property, owner: Owner) -> Iterator[Violation]:
    elements = listed(found.value)
    if elements is None:
        kind = type_of(found.value)
        text = text_of(found.value)
        if text:
            yield from _letter_faults(text, found, owner)
        elif kind not in ("unknown", "object") or isinstance(found.value, Mapped):
            yield faults.wrong_value(owner, "choices", "an array of texts", found.value)
        return
    items, rest = elements
    if not items and rest is None:
        said = f"{faults.capital(owner.called)} has no choices: {owner.throws}"
        yield Violation(found.span, said, "name what can be chosen", owner.node, shape=True)
    seen: dict[str, Span] = {}
    for item in items:
        if item.presence:
            continue
        span = (item.place or item.value.origin).span()
        text = text_of(item.value)
        if type_of(item.value) != "unknown" and not text:
            what = "empty" if text == "" else shown(item.value)
            said = f"A choice of {owner.called} is {what}, and has to be a text: {owner.throws}"
            yield Violation(span, said, "name the choice", owner.node, shape=True)
        elif text is not None and text in seen:
            said = f"{faults.capital(owner.called)} has the choice `{text}` twice: {owner.throws}"
            related = (("it is named here first", seen[text]),)
            yield Violation(
                span, said, "remove one of the two", owner.node, related=related, shape=True
            )
        elif text is not None:
            seen[text] = span


def _letter_faults(text: str, found: Property, owner: Owner) -> Iterator[Violation]:
    """Choices that are one text: acpx takes each letter for a choice."""
    fault = faults.wrong_value(owner, "choices", "an array of texts", found.value)
    if len(set(text)) < len(text):
        yield fault
        return
    called = faults.capital(owner.called)
    said = f"{called} has a text for choices: each of its letters counts as one"
    yield replace(fault, message=said, severity="warning", shape=False)


def missing_case(choice: str, span: Span, owner: Owner, source: str | None) -> Violation:
    """A choice that the edge of a decision does not provide for."""
    from_node = f" from `{source}`" if source is not None else ""
    said = f"The decision edge{from_node} has no case for the choice `{choice}`: {owner.throws}"
    return Violation(
        span, said, f"add a case for `{choice}`", source, "unhandled-route", shape=True
    )


def _texts(value: Value) -> tuple[tuple[str, Span], ...] | None:
    letters = text_of(value)
    if letters is not None:
        return tuple((letter, value.origin.span()) for letter in letters)
    elements = listed(value)
    if elements is None or elements[1] is not None:
        return None
    found: list[tuple[str, Span]] = []
    for item in elements[0]:
        if item.presence or not isinstance(item.value, Const):
            return None
        text = text_of(item.value)
        if text is not None:
            found.append((text, (item.place or item.value.origin).span()))
    return tuple(found)
