"""What the code of nodes and routers is seen to do, told in terms of the flow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from flowlint.graph.presence import ALWAYS, Presence
from flowlint.source import Span


@dataclass(frozen=True, slots=True)
class Write:
    """A state key that a node hands back. `certain`: on every way through it that returns.

    `replaces` tells that the value is marked to replace what is there, past any reducer.
    """

    key: str
    span: Span
    certain: bool = True
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """A state key that code reads, and how. `hard`: it raises where the key is missing.

    `get` takes something else where it is missing, `asked` only asks whether it is there, and
    what is read with a `dot` may be something else than a key.
    """

    key: str
    span: Span
    hard: bool = True
    how: Literal["item", "get", "asked", "dot"] = "item"


@dataclass(frozen=True, slots=True)
class Handover:
    """A node that code hands over to by itself, by its name or a system's end marker.

    `certain`: on every way through it that returns. `to_parent`: it is a node of the flow around.
    `many`: it may be sent to several times at once.
    """

    target: str
    span: Span
    kind: Literal["goto", "send"] = "goto"
    certain: bool = True
    to_parent: bool = False
    many: bool = False


@dataclass(frozen=True, slots=True)
class OddReturn:
    """A value returned that the system cannot take as an update, in words, such as `a str`."""

    what: str
    span: Span
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Code:
    """What is seen of a node's code. What may be beyond it is told by the `more_` fields.

    `returns_state` is where it returns the very state it was given, all of whose keys it so
    writes; `returns_state_always`: on every way through it that returns. `hands_over_always` is
    false where some way through it returns without a hand-over.
    """

    writes: tuple[Write, ...] = ()
    more_writes: bool = False
    reads: tuple[Read, ...] = ()
    more_reads: bool = False
    handovers: tuple[Handover, ...] = ()
    more_handovers: bool = False
    hands_over_always: bool = False
    odd: tuple[OddReturn, ...] = ()
    returns_state: Span | None = None
    returns_state_always: bool = False


@dataclass(frozen=True, slots=True)
class OutputRead:
    """What another node gave, as code reads it by that node's name.

    `result` tells that it is how the node ended that is read, which is there also where it failed.
    `hard`: where it is not there the code raises. `guarded`: the code allows for that. `certain`:
    every run of the code gets to it. `by_helper`: a function reads it that others may call as well.
    `field` is what is read of it, None where that is told of it as a whole.
    """

    node: str
    span: Span
    result: bool = False
    hard: bool = False
    guarded: bool = False
    certain: bool = True
    by_helper: bool = False
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Route:
    """A value that a router may return, as the system looks it up.

    `value` is the text, None where the router returns nothing; `shown` is how it was written.
    `sends` tells that it is the target of a message sent past any case. `sure` is false where no
    run may ever return it: a truth value of a comparison, or where the code just ends. Routes of
    one `row` are returned together, in a list.
    """

    value: str | None
    shown: str
    span: Span
    sends: bool = False
    many: bool = False
    sure: bool = True
    row: int | None = None
    is_name: bool = True
    """Whether it is of a kind that can be a case at all: no mapping, no command."""
    cure: str | None = None
    """What to do where it turns out to lead nowhere, if its dialect knows."""
    is_empty: bool = False
    """Whether the system takes it for no target at all where it is none of the cases."""


@dataclass(frozen=True, slots=True)
class Router:
    """What chooses where a node leads to. `source` may be a start marker.

    `routes` are the values seen, `more` tells that there may be others, and why. `cases` maps
    the values that are provided for to targets; None: a value is the target itself. `declared`
    are the targets that the router's annotation names, None when it names none. `several` tells
    that it may return several targets at once. `choice` is what its edges have in common.
    `open_cases` tells that values may be provided for that are not known.
    """

    source: str
    name: str
    span: Span
    choice: str
    routes: tuple[Route, ...] = ()
    more: str | None = None
    cases: Mapping[str, str] | None = None
    case_spans: Mapping[str, Span] | None = None
    declared: tuple[str, ...] | None = None
    several: bool = False
    presence: Presence = ALWAYS
    definition: Span | None = None
    open_cases: bool = False
    reads: tuple[Read, ...] = ()
    more_reads: bool = False
    may_take: frozenset[str] | None = None
    """The keys of the state that it may be given, as a mapping; None: any."""
    passed_on: bool = False
    """Whether it is given all that its source hands back, be it a key of the state or not."""
    may_stop: bool = False
    """Whether it may return a list with no target in it, so that nothing follows."""
    subject: str | None = None
    """How it is spoken of where it is no function of its own, at the begin of a sentence."""


@dataclass(frozen=True, slots=True)
class Channel:
    """A key of the state.

    `kind`: `last` holds one value, which only one node may write in a step; `reducer` puts
    values together; `managed` is given by the system itself, and what is written to it is lost;
    `other` is anything else, of which nothing is assumed. `adds` tells that the reducer puts what
    it is given after what is there, also where it is there already.
    """

    key: str
    span: Span
    kind: Literal["last", "reducer", "managed", "other"] = "last"
    adds: bool = False


@dataclass(frozen=True, slots=True)
class StateSchema:
    """The state of a flow. `more`: why there may be keys beyond these; None: there are none.

    `whole` tells that the state is a single value, which each update replaces. `inputs` are keys
    that a run takes in, `outputs` keys that it gives back; None: all of them.
    """

    channels: Mapping[str, Channel]
    span: Span
    name: str = ""
    more: str | None = None
    whole: bool = False
    inputs: frozenset[str] | None = None
    outputs: frozenset[str] | None = None
    may_input: frozenset[str] | None = None
    """The keys that a run may take in; None: any."""
