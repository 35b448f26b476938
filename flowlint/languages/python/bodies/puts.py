"""What a body changes of what it was given."""

from __future__ import annotations

import ast

from flowlint.languages.bodies.names import Names
from flowlint.languages.python.bodies.frame import Frame
from flowlint.values.bodies import Givens, Parameter, Plain, Put, Table

TAKING = frozenset({"clear", "pop", "popitem", "__delitem__"})
"""Methods that take keys out of a mapping, which is not followed."""
SETTING = frozenset({"setdefault", "__setitem__"})


def grow(frame: Frame, owner: Parameter) -> None:
    """Note that keys which are not known may be set."""
    frame.work.changed.add(owner.number)
    frame.work.grown.add(owner.number)


def put(frame: Frame, owner: Parameter, key: Givens, node: ast.AST) -> None:
    """Note that a key or attribute of a parameter is set; `key` is what it may be."""
    names = [given.value for given in key if isinstance(given, Plain)]
    texts = [name for name in names if isinstance(name, str)]
    if not texts or len(texts) != len(key):
        grow(frame, owner)
        return
    for text in texts:
        frame.work.puts.append(Put(owner.number, text, frame.span(node)))


def merge(frame: Frame, owner: Parameter, value: Givens) -> None:
    """What is set by all that a mapping holds."""
    for given in value:
        if not isinstance(given, Table) or given.more or given.whole is not None:
            grow(frame, owner)
        else:
            frame.work.puts += [Put(owner.number, key.name, key.span) for key in given.keys]


def update(frame: Frame, owner: Parameter, node: ast.Call, names: Names) -> None:
    """What `state.update(…)` sets."""
    for argument in node.args:
        merge(frame, owner, frame.evaluate(argument, names))
    for keyword in node.keywords:
        frame.evaluate(keyword.value, names)
        if keyword.arg is None:
            grow(frame, owner)
        else:
            frame.work.puts.append(Put(owner.number, keyword.arg, frame.span(keyword)))
