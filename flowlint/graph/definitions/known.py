"""What is known of the things that a definition names."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from flowlint.graph.config_checks import IsRegistered, SpanOf
from flowlint.graph.config_rules import Place
from flowlint.graph.config_values import Data
from flowlint.graph.model import CallableFacts, Violation
from flowlint.graph.reference import KINDS, is_foreign
from flowlint.source import Span

Finder = Callable[[str, str | None, Span], CallableFacts | None]
"""What is known of a function that a node (or none) names at a place; None: nothing."""

T = TypeVar("T")


class Remember(Protocol):
    """Works something out of the part at a place, only once where that is possible.

    `key` is all that it rests on besides the part and its place.
    """

    def __call__(self, place: Place, key: Hashable, make: Callable[[], T], /) -> T:
        """What `make` gives."""


def always_anew(_place: Place, _key: Hashable, make: Callable[[], T], /) -> T:
    """Nothing is remembered."""
    return make()


Settled = Literal["config", "actions"]


@dataclass(frozen=True, slots=True)
class NodeSettings:
    """The config and the actions of a node, as far as they can be told."""

    name: str
    kind: str
    config: Data
    before: Data
    after: Data
    has_run: bool | None


def nothing_known(_name: str, _node: str | None, _span: Span) -> CallableFacts | None:
    """What is known of functions where none can be found."""
    return None


def may_be_kind(kind: str) -> bool:
    """Whether a kind is one of flowrt, or may be registered by others."""
    return kind in KINDS or is_foreign(kind)


def nothing_more(_node: NodeSettings, _what: Settled, _span_of: SpanOf) -> Iterator[Violation]:
    """What else is wrong with the settings of a node where only flowlint looks at them."""
    return iter(())


@dataclass(frozen=True, slots=True)
class Known:
    """What is known beside the definition itself.

    `function` finds functions by their names, `span_of` places in the definition; `more` tells
    what others find wrong with settings of a node in which nothing was found.
    """

    span_of: SpanOf
    function: Finder = nothing_known
    is_kind: Callable[[str], bool] = may_be_kind
    registered: IsRegistered | None = None
    more: Callable[[NodeSettings, Settled, SpanOf], Iterator[Violation]] = nothing_more
    remember: Remember = always_anew
