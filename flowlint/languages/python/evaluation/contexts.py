"""What `with` does before and after its body."""

from __future__ import annotations

from flowlint.languages.python.evaluation.definitions import class_member
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import Scope
from flowlint.values.conditions import alternatives
from flowlint.values.model import Argument, Arguments, Const, Instance, Sequence, Value


def enter_context(machine: Machine, value: Value, scope: Scope) -> Value:
    """What `with … as x` binds."""

    def enter(single: Value) -> Value:
        if isinstance(single, Sequence) and single.items:
            return single.items[0].value
        if isinstance(single, Instance):
            for name in ("__enter__", "__aenter__"):
                if class_member(machine, single.cls, name):
                    method = machine.attribute(single, name, single.origin)
                    return machine.call(method, Arguments((), single.origin), scope)
            return single
        return single

    found = alternatives(value, machine.known)
    return machine.for_each(value, enter, found[0][1].origin)


def leave_context(machine: Machine, value: Value, scope: Scope) -> None:
    """What happens at the end of a `with` that no exception ends."""
    for presence, single in alternatives(value, machine.known):
        if not isinstance(single, Instance):
            continue
        mark = machine.mark()
        machine.add(presence)
        for name in ("__exit__", "__aexit__"):
            if class_member(machine, single.cls, name):
                nothing = Argument(Const(None, single.origin))
                method = machine.attribute(single, name, single.origin)
                machine.call(method, Arguments((nothing,) * 3, single.origin), scope)
        machine.restore(mark)
