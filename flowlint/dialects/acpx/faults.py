"""How acpx's demands are told, with what it does where they are not met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flowlint.changes import Rename
from flowlint.dialects.acpx.objects import Property, shown
from flowlint.graph.model import Violation
from flowlint.graph.names import NearNames
from flowlint.source import Span
from flowlint.values.model import Value

INVALID = "invalid-definition"


@dataclass(frozen=True, slots=True)
class Owner:
    """What has a field: how it is spoken of, its place, and what checks it."""

    called: str
    span: Span
    checked_by: str
    node: str | None = None

    @property
    def throws(self) -> str:
        """What becomes of a fault."""
        return f"{self.checked_by} throws"


def wrong_value(
    owner: Owner,
    field: str,
    wanted: str,
    value: Value,
    *,
    rule: str = INVALID,
    cure: str | None = None,
    what: str | None = None,
) -> Violation:
    """A field whose value is not what it has to be."""
    return Violation(
        value.origin.span(),
        f"`{field}` of {owner.called} is {what or shown(value)}, and has to be {wanted}: "
        f"{owner.throws}",
        cure or f"make it {wanted}",
        owner.node,
        rule,
        shape=True,
    )


def missing_field(
    owner: Owner, field: str, wanted: str, near: Property | None = None, rule: str = INVALID
) -> Violation:
    """A field that has to be there; `near` is what was plainly meant to be it."""
    if near is not None:
        return Violation(
            near.key,
            f"`{near.name}` is no field of {owner.called}, which lacks `{field}`: {owner.throws}",
            f"did you mean `{field}`?",
            owner.node,
            "unknown-field",
            rename=Rename(near.key, near.name, field),
            shape=True,
        )
    return Violation(
        owner.span,
        f"{capital(owner.called)} has no `{field}`: {owner.throws}",
        f"give it {wanted}",
        owner.node,
        rule,
        shape=True,
    )


def misspelt(owner: Owner, field: Property, meant: str) -> Violation:
    """A field that acpx passes over, with one that has nearly the same name."""
    return Violation(
        field.key,
        f"`{field.name}` is no field of {owner.called}: acpx passes over it",
        f"did you mean `{meant}`?",
        owner.node,
        "unknown-field",
        severity="warning",
        rename=Rename(field.key, field.name, meant),
    )


def ignored(
    owner: Owner, field: Property, cure: str, why: str = "acpx does not know it"
) -> Violation:
    """A field that looks as if it counted."""
    return Violation(
        field.key,
        f"`{field.name}` of {owner.called} has no effect: {why}",
        cure,
        owner.node,
        "ineffective-field",
        severity="warning",
    )


def written_twice(owner: Owner, first: Property, second: Property) -> Violation:
    """A field that stands twice in one object."""
    return Violation(
        first.key,
        f"`{first.name}` of {owner.called} is written twice, and only the second one counts",
        "remove one of the two",
        owner.node,
        "ineffective-field",
        (("this one counts", second.key),),
        severity="warning",
    )


def near(name: str, names: Sequence[str]) -> str | None:
    """The name that was plainly meant, None where it is none of these or may be several."""
    return NearNames([*names]).only(name)


def capital(text: str) -> str:
    """A text as the beginning of a sentence."""
    return text if text.startswith("`") else f"{text[:1].upper()}{text[1:]}"


def one_of(names: Sequence[str]) -> str:
    """Names to choose from, in prose."""
    return f"{', '.join(f'`{name}`' for name in names[:-1])} or `{names[-1]}`"
