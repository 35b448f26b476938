"""What the bodies of nodes mean to LangGraph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from flowlint.dialects.langgraph import members
from flowlint.dialects.langgraph.callables import function_of
from flowlint.dialects.langgraph.editions import Edition
from flowlint.dialects.langgraph.javascript.made import as_in_python, is_nothing
from flowlint.dialects.langgraph.members import Name
from flowlint.dialects.langgraph.model import COMMAND, OVERWRITE, SEND
from flowlint.graph.code import Code, Handover, OddReturn, Read, Write
from flowlint.source import Span
from flowlint.values.bodies import (
    Body,
    Given,
    Givens,
    Made,
    Opaque,
    Parameter,
    Plain,
    Row,
    Table,
    Thing,
)
from flowlint.values.model import External, Function, Partial, Value


def body_of(action: Value) -> tuple[Function, Body] | None:
    """The body that a node or router runs, with its function; None where it is out of sight."""
    given: tuple[Value, ...] = ()
    named: dict[str, Value] = {}
    while isinstance(action, Partial):
        given = (*action.arguments, *given)
        named = {**action.keywords, **named}
        action = action.target
    called = function_of(action)
    if called is None or called[0].decorators:
        return None
    function, receiver = called
    body = function.reader.body(receiver, given, named)
    return None if body.unread is not None else (function, body)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name that code hands over to by itself, and how: `alone` tells of a `goto` without a list.

    `sure`: it is the only value that may stand there.
    """

    name: Name
    span: Span
    how: Literal["route", "goto", "send"]
    alone: bool = False
    sure: bool = True


def mentions(
    given: Given, how: Literal["route", "goto", "send"], *, alone: bool = False, sure: bool = True
) -> Iterator[Mention]:
    """A constant as a name that code hands over to."""
    name = members.name_of(given) if isinstance(given, Plain) else None
    if name is not None:
        yield Mention(name, given.span, how, alone, sure)


@dataclass(frozen=True, slots=True)
class NodeCode:
    """What a node's code is seen to do, with the names that it hands over to as written."""

    code: Code
    names: tuple[Mention, ...]


def code_of(action: Value, edition: Edition) -> NodeCode | None:
    """What a node's code is seen to do, None where it is out of sight."""
    found = body_of(action)
    if found is None:
        return None
    _, body = found
    outcomes = [_outcome(given, edition) for given in body.returns]
    state = next((o.state for o in outcomes if o.state is not None), None)
    put = [Write(put.key, put.span, certain=False) for put in body.puts if put.parameter == 0]
    code = Code(
        writes=(*_writes(outcomes), *(put if state is not None else ())),
        more_writes=any(outcome.more_writes for outcome in outcomes)
        or (state is not None and 0 in body.changed),
        reads=reads_of(body),
        more_reads=0 in body.leaks or state is not None,
        handovers=tuple(_handovers(outcomes)),
        more_handovers=any(outcome.more_handovers for outcome in outcomes),
        hands_over_always=bool(outcomes) and all(o.handovers for o in outcomes),
        odd=tuple(
            OddReturn(odd[0], odd[1], all(o.odd is not None for o in outcomes))
            for odd in dict.fromkeys(o.odd for o in outcomes if o.odd is not None)
        ),
        returns_state=state,
        returns_state_always=bool(outcomes) and all(o.state is not None for o in outcomes),
    )
    return NodeCode(code, tuple(dict.fromkeys(name for o in outcomes for name in o.names)))


def reads_of(body: Body) -> tuple[Read, ...]:
    """What is read of the state, but for what the code may have put there itself."""
    own = {put.key for put in body.puts if put.parameter == 0}
    if 0 in body.grown:
        return ()
    return tuple(
        Read(read.key, read.span, read.hard and 0 not in body.leaks, read.how)
        for read in body.reads
        if read.parameter == 0 and read.key not in own
    )


@dataclass(slots=True)
class _Outcome:
    """What one value that a node returns does."""

    writes: list[Write] = field(default_factory=list)
    more_writes: bool = False
    handovers: list[Handover] = field(default_factory=list)
    more_handovers: bool = False
    odd: tuple[str, Span] | None = None
    state: Span | None = None
    names: list[Mention] = field(default_factory=list)


def _outcome(given: Given, edition: Edition) -> _Outcome:
    outcome = _Outcome()
    if isinstance(given, Row):
        _of_row(given, outcome, edition)
    elif is_nothing(given):
        pass
    elif isinstance(given, Plain):
        if given.value or not edition.writes_falsehoods:
            outcome.odd = (_named(type(given.value).__name__, edition), given.span)
    elif isinstance(given, Made) and given.qualified in SEND:
        _send(given, outcome, many=False)
    elif isinstance(given, Made) and given.qualified in COMMAND:
        _command(given, outcome)
    else:
        _update((given,), outcome)
        outcome.more_handovers = not isinstance(given, Table | Parameter)
    return outcome


def _named(kind: str, edition: Edition) -> str:
    named = f"an {kind}" if kind == "int" else f"a {kind}"
    return edition.values.get(named, named)


def _of_row(row: Row, outcome: _Outcome, edition: Edition) -> None:
    """A list is taken when a `Command` is in it."""
    elements = [given for item in row.items for given in item]
    commands = [g for g in elements if isinstance(g, Made) and g.qualified in COMMAND]
    if not commands:
        if row.more or any(isinstance(given, Opaque) for given in elements):
            outcome.more_writes = outcome.more_handovers = True
        else:
            outcome.odd = (_named(row.kind, edition), row.span)
        for given in elements:
            # It is refused, but it says where the run was to go on.
            if isinstance(given, Made) and given.qualified in SEND:
                _send(given, outcome, many=row.repeated)
        return
    for given in elements:
        if given in commands and isinstance(given, Made):
            _command(given, outcome)
        else:
            _update((given,), outcome)
    outcome.more_writes |= row.more
    outcome.more_handovers |= row.more


def _command(command: Made, outcome: _Outcome) -> None:
    command = as_in_python(command)
    outcome.more_writes |= command.more
    outcome.more_handovers |= command.more
    update = command.arguments.get("update")
    to_parent = _to_parent(command.arguments.get("graph"))
    if update is not None and to_parent is not True:
        _update(update, outcome)
    goto = command.arguments.get("goto")
    if goto is None:
        return
    if to_parent is None:
        outcome.more_handovers = True
        return
    for given in goto:
        _goto(given, outcome, to_parent, sure=len(goto) == 1, alone=True)


def _to_parent(graph: Givens | None) -> bool | None:
    """Whether a `Command` is for the graph around; None where that cannot be told."""
    if graph is None:
        return False
    if len(graph) != 1:
        return None
    given = graph[0]
    if isinstance(given, Plain):
        return False if given.value is None else given.value == "__parent__" or None
    if isinstance(given, Thing) and isinstance(given.value, External):
        return given.value.qualified.endswith("Command.PARENT") or None
    return None


def _goto(
    given: Given, outcome: _Outcome, to_parent: bool, *, sure: bool, alone: bool = False
) -> None:
    if isinstance(given, Plain) and isinstance(given.value, str):
        outcome.names += () if to_parent else mentions(given, "goto", alone=alone, sure=sure)
        handover = Handover(given.value, given.span, "goto", sure, to_parent)
        outcome.handovers.append(handover)
    elif isinstance(given, Made) and given.qualified in SEND:
        _send(given, outcome, many=False, to_parent=to_parent)
    elif isinstance(given, Row):
        for item in given.items:
            for inner in item:
                if isinstance(inner, Made) and inner.qualified in SEND:
                    _send(inner, outcome, many=given.repeated, to_parent=to_parent)
                else:
                    is_one = sure and len(item) == 1 and not given.repeated
                    _goto(inner, outcome, to_parent, sure=is_one)
        outcome.more_handovers |= given.more
    elif not is_nothing(given):
        outcome.more_handovers = True


def _send(made: Made, outcome: _Outcome, *, many: bool, to_parent: bool = False) -> None:
    for given in made.arguments.get("node") or made.arguments.get("0") or ():
        if isinstance(given, Plain) and isinstance(given.value, str):
            outcome.names += () if to_parent else mentions(given, "send")
            handover = Handover(given.value, given.span, "send", not many, to_parent, many)
            outcome.handovers.append(handover)
        else:
            outcome.more_handovers = True


def _update(givens: Givens, outcome: _Outcome) -> None:
    for given in givens:
        if isinstance(given, Table):
            for key in given.keys:
                certain = key.certain and len(givens) == 1
                outcome.writes.append(Write(key.name, key.span, certain, _replaces(key.values)))
            outcome.more_writes |= given.more
            if given.whole is not None:
                outcome.state = given.whole.span if given.whole.parameter == 0 else None
                outcome.more_writes |= given.whole.parameter != 0
        elif isinstance(given, Parameter) and given.number == 0:
            outcome.state = given.span
        elif not is_nothing(given):
            outcome.more_writes = True


def _replaces(values: Givens) -> bool:
    return bool(values) and all(isinstance(v, Made) and v.qualified in OVERWRITE for v in values)


def _writes(outcomes: list[_Outcome]) -> Iterator[Write]:
    """The keys that are written on some way, each place once."""
    everywhere = [{w.key for w in o.writes if w.certain} for o in outcomes]
    certain = set.intersection(*everywhere) if everywhere else set()
    for write in dict.fromkeys(write for outcome in outcomes for write in outcome.writes):
        yield Write(write.key, write.span, write.key in certain, write.replaces)


def _handovers(outcomes: list[_Outcome]) -> Iterator[Handover]:
    everywhere = [{(h.target, h.kind) for h in o.handovers if h.certain} for o in outcomes]
    certain = set.intersection(*everywhere) if everywhere else set()
    for found in dict.fromkeys(handover for o in outcomes for handover in o.handovers):
        is_certain = (found.target, found.kind) in certain
        yield Handover(
            found.target, found.span, found.kind, is_certain, found.to_parent, found.many
        )
