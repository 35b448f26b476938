"""What a language can tell of functions and classes, worked out only when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from flowlint.graph.guards import Formula
from flowlint.values.bodies import Body

if TYPE_CHECKING:
    from flowlint.values.model import Field, Function, Origin, Value


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a function wants: how many arguments by position it can take (None: any number), and
    the names of those it cannot do without, in order; `named` are those only taken by name."""

    positional: int | None
    required: tuple[str, ...]
    named: tuple[str, ...] = ()


class FunctionReader(Protocol):
    """What a language can tell of one function, worked out only when asked for."""

    def returns(self) -> Value | None:
        """The declared return type as a value, None when there is none.

        Unknown when the declaration does not resolve where the system would resolve it.
        """

    def guard(self) -> Formula | None:
        """The function as a condition on its first argument, None outside the fragment."""

    def text(self) -> str:
        """What the function returns, as it was written: for lambdas, their condition."""

    def names_used(self) -> frozenset[str]:
        """Every name and attribute that the function's own code mentions."""

    def mentions(self) -> Iterator[Value]:
        """What the names in the function's code stand for, as far as that is known already."""

    def changes(self) -> Iterator[Value]:
        """What the function's code may change of what is outside of it."""

    def positional_parameters(self) -> int:
        """How many parameters can be given by position, `*args` not counted."""

    def parameter(self, position: int) -> Value | None:
        """The declared type of a parameter, as `returns` gives that of the result.

        None also where a declaration surely does not resolve, so that there are none to read.
        """

    def for_types_only(self) -> tuple[str, Origin] | None:
        """A name in its declarations that is only there for type checkers, and where."""

    def arguments(self, receiver: Value | None) -> Wanted:
        """What the function wants to be called with, on an object where it is bound to one."""

    def may_return(self, qualified: frozenset[str]) -> bool:
        """Whether a returned value may be an instance of one of these types, or is unknown."""

    def body(
        self,
        receiver: Value | None,
        given: tuple[Value, ...] = (),
        named: Mapping[str, Value] | None = None,
    ) -> Body:
        """What its code may return and reads, on an object where it is bound to one.

        `given` and `named` are arguments that it already has.
        """

    def runs(self, receiver: Value | None, names: frozenset[str], word: str) -> Origin | None:
        """Where its code, or that of a function it calls, is seen to run one of these things.

        They are outside of the project, told by their qualified names. Modules without the `word`
        in them are not looked into.
        """

    def may_run(self, receiver: Value | None, names: frozenset[str], word: str) -> bool:
        """Whether its code, or that of a function it calls, may run one of these things.

        Calls of what is not known may, where their module has the `word` in it.
        """

    def may_raise(self) -> bool:
        """Whether the function may end the run that calls it, or that cannot be told."""


class ClassReader(Protocol):
    """What a language can tell of one class, worked out only when asked for."""

    def fields(self) -> tuple[Field, ...]:
        """The fields that the body of the class itself declares, types as texts resolved."""

    def hidden_fields(self) -> str | None:
        """Why the class itself may declare other fields than those, None when it does not."""

    def annotations(self) -> Mapping[str, Value]:
        """The declared types of its fields, those of ancestors in the project first."""

    def method(self, name: str) -> Function | None:
        """The method that instances have under a name, None when none can be seen."""

    def scope(self) -> object:
        """The language's own record of the names in the class; nothing for a dialect."""
