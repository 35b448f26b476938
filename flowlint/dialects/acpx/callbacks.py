"""What the functions of a node read and give, as far as their code is seen."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.acpx.model import ACP, own_name
from flowlint.dialects.acpx.nodes import NodePart
from flowlint.dialects.acpx.objects import is_undefined
from flowlint.graph.code import OutputRead
from flowlint.graph.node_outputs import Output
from flowlint.values.bodies import Body, Table
from flowlint.values.model import External, Function, UnknownText

_ASKING_FOR_CONTEXT = ("run", "exec", "prompt", "cwd", "question", "parse")
"""Functions that are given the context of the run: first, but for `parse`."""
_READ = {"outputs": False, "results": True}
_OF_ALL_OBJECTS = frozenset(
    {
        "constructor",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "toLocaleString",
        "toString",
        "valueOf",
    }
)
"""What every object has by itself."""
_OF_COMMANDS = (
    *("command", "args", "cwd", "stdout", "stderr", "combinedOutput", "exitCode", "signal"),
    *("durationMs", "timedOut"),
)
"""What a command that is run gives."""
_WHOLE = 2
"""The keys that lead to the output of a node."""


def function_of(part: NodePart, name: str) -> Function | None:
    """The function that a field of a node holds, None where it is out of sight."""
    found = part.shape.find(name) if part.shape is not None else None
    if found is None or not isinstance(found.value, Function) or found.value.decorators:
        return None
    return found.value


def body_of(part: NodePart, name: str) -> Body | None:
    """What is known of the code of a function, None where nothing is."""
    if name not in part.bodies:
        part.bodies[name] = _read_body(part, name)
    return part.bodies[name]


def _read_body(part: NodePart, name: str) -> Body | None:
    function = function_of(part, name)
    if function is None:
        return None
    given: tuple[UnknownText, ...] = ()
    if name == "parse" and part.facts is ACP:
        # What an agent says may be any text, also an empty one.
        given = (UnknownText("what the agent says", function.origin),)
    body = function.reader.body(function.receiver, given)
    return None if body.unread is not None else body


def outputs_read(part: NodePart) -> tuple[OutputRead, ...]:
    """What the functions of a node read of what nodes gave."""
    return tuple(_reads(part))


def _reads(part: NodePart) -> Iterator[OutputRead]:
    for name in _ASKING_FOR_CONTEXT:
        body = body_of(part, name)
        number = 1 if name == "parse" and part.facts is not ACP else 0
        found = part.shape.find(name) if part.shape is not None else None
        whole = found.place if found is not None else None
        for read in body.inner if body is not None else ():
            is_result = _READ.get(read.path[0])
            if read.parameter != number or is_result is None:
                continue
            giver, fields = read.path[1:_WHOLE], read.path[_WHOLE:]
            if not giver or len(fields) > (not is_result):
                continue
            if not _OF_ALL_OBJECTS.isdisjoint((*giver, *fields)):
                continue
            is_own = whole is not None and whole.contains(read.span)
            yield OutputRead(
                giver[0],
                read.span,
                is_result,
                read.hard,
                read.guarded,
                read.certain,
                not is_own,
                fields[0] if fields else None,
            )


def declared_output(part: NodePart) -> Output | None:
    """What a node gives, where that is an object of which all fields are seen."""
    shape = part.shape
    if shape is None:
        return None
    body = body_of(part, "parse")
    if body is None and shape.own("parse") is False and shape.own("exec") is True:
        return Output(fields=tuple((name, None) for name in _OF_COMMANDS))
    if body is None and shape.own("parse") is False and shape.own("prompt") is False:
        body = body_of(part, "run")
    names: dict[str, None] = {}
    for given in body.returns if body is not None else ():
        if not isinstance(given, Table) or given.more or given.whole is not None:
            return None
        names.update({key.name: None for key in given.keys})
    return Output(fields=tuple(names.items())) if names else None


def gives_plain_text(part: NodePart) -> bool:
    """Whether a node surely gives what the agent said, as it is."""
    shape = part.shape
    if part.facts is not ACP or shape is None:
        return False
    parse = shape.find("parse")
    return shape.own("parse") is False or (parse is not None and is_undefined(parse.value))


def only_asks(part: NodePart) -> bool:
    """Whether a node gives what an agent answers, and its code has no part in it."""
    if part.decision is not None or gives_plain_text(part):
        return True
    found = part.shape.find("parse") if part.facts is ACP and part.shape is not None else None
    if found is None:
        return False
    if isinstance(found.value, External):
        return own_name(found.value.qualified) is not None
    # What is given the context as well may count the rounds.
    function = function_of(part, "parse")
    return function is not None and function.reader.positional_parameters() <= 1
