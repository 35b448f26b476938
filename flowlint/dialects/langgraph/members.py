"""Members of enumerations among names: what each equals, and what it is printed as."""

from __future__ import annotations

from dataclasses import dataclass

from flowlint.values.bodies import MEMBERS_ONLY, Plain
from flowlint.values.model import Const

PLAIN = "Enum"
PRINTED_OTHERWISE = "str"


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it was written: the text that it holds and, of a member, its enumeration.

    `kind` is that of the enumeration, empty for a text; `member` is how the member is written.
    """

    text: str
    kind: str = ""
    member: str = ""

    @property
    def printed(self) -> str:
        """What it is printed as, from Python 3.11 on."""
        return self.member if self.kind == PRINTED_OTHERWISE else self.text

    @property
    def is_text(self) -> bool:
        """Whether it is equal to the text that it holds."""
        return self.kind not in MEMBERS_ONLY

    @property
    def enum(self) -> str:
        """The name of the enumeration."""
        return self.member.partition(".")[0]


def name_of(value: Const | Plain) -> Name | None:
    """A constant as a name, None where it holds no text."""
    if not isinstance(value.value, str):
        return None
    if isinstance(value, Plain):
        return Name(value.value, value.enum, value.member or "")
    kind, _, qualified = (value.enum or "").partition(":")
    member = f"{qualified.rsplit('.', 1)[-1]}.{value.member}" if kind else ""
    return Name(value.value, kind, member)


def case_key(value: Const | Plain, as_printed: bool = False) -> str:
    """A value as the key that it finds in a path map; only texts are texts.

    `as_printed`: any value is looked up as the text that JavaScript prints for it.
    """
    if as_printed:
        return printed(value.value)
    name = name_of(value)
    if name is None:
        return f"{value.value!r} ({type(value.value).__name__})"
    return name.text if name.is_text else f"{name.member} ({name.kind})"


def printed(value: object) -> str:
    """What JavaScript prints for a constant."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return f"{value:g}" if isinstance(value, float) else str(value)


def cure_of(name: Name) -> str:
    """What to do where a member should have been the text that it holds."""
    return f"write `{name.member}.value`, or derive `{name.enum}` from StrEnum"
