"""What a command of a shell action gives the function that parses it."""

from __future__ import annotations

from flowlint.dialects.acpx.callbacks import body_of, function_of
from flowlint.dialects.acpx.nodes import NodePart
from flowlint.values.bodies import Body, Plain, Table
from flowlint.values.model import Const, Entry, Mapped, Origin, Unknown, UnknownText, Value

_TEXTS = ("command", "cwd", "stdout", "stderr", "combinedOutput")
_OTHERS = ("args", "durationMs", "timedOut")
_WITH_RESULT = "parse of a result"
"""The key of a body among those of a node."""


def surely_ends_well(part: NodePart) -> bool:
    """Whether a command of a node that ends with another status than 0 fails the node."""
    body = body_of(part, "exec")
    if body is None or not body.returns:
        return False
    return all(isinstance(given, Table) and not _may_allow(given) for given in body.returns)


def _may_allow(table: Table) -> bool:
    """Whether a command may end with another status than 0 and count as done."""
    key = next((one for one in table.keys if one.name == "allowNonZeroExit"), None)
    if key is None:
        return table.more
    return any(not isinstance(given, Plain) or bool(given.value) for given in key.values)


def parsing_of(part: NodePart) -> Body | None:
    """The body of `parse` of a shell action, with what it is given of a command."""
    if _WITH_RESULT not in part.bodies:
        part.bodies[_WITH_RESULT] = _with_result(part)
    return part.bodies[_WITH_RESULT]


def _with_result(part: NodePart) -> Body | None:
    function = function_of(part, "parse")
    if function is None:
        return None
    body = function.reader.body(function.receiver, (_result(part, function.origin),))
    return None if body.unread is not None else body


def _result(part: NodePart, origin: Origin) -> Mapped:
    """What is known of the result of a command: its texts, and how it ended where that is sure."""
    reason = "what the command gives"
    held: dict[str, Value] = {name: UnknownText(reason, origin) for name in _TEXTS}
    held |= {name: Unknown(reason, origin) for name in _OTHERS}
    ends_well = surely_ends_well(part)
    held["exitCode"] = Const(0, origin) if ends_well else Unknown(reason, origin)
    held["signal"] = Const(None, origin) if ends_well else Unknown(reason, origin)
    return Mapped([Entry(Const(name, origin), value) for name, value in held.items()], origin)
