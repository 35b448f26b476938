"""What settings say of a system, as plain data: the names of the keys are those of the fields.

Each docstring of a field is its line in the documentation and in the schema of the settings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from flowlint.graph.model import Semantics

Field = tuple[str | int, ...]
"""Where a part stands: the name of an argument, a position counted from 0, or a list of both."""

Names = tuple[str, ...]

Take = Literal["list", "mapping", "each", "keywords", "call"]
Item = Literal["object", "tuple", "callable", "class", "name"]


@dataclass(frozen=True, slots=True)
class Nodes:
    """Where the nodes of a flow are stated."""

    argument: Field = ()
    """The argument of the flow that holds them."""
    method: str = ""
    """The method of the flow that adds them."""
    take: Take | None = None
    """How they are held: in a `list`, in a `mapping` of names, as `each` argument of the method, as
    `keywords` of it, or as the arguments of the `call` themselves."""
    item: Item | None = None
    """What stands for one: an `object` of a declared class, a `tuple`, a `callable` or a `class`,
    both called by their own names, or its mere `name`."""
    class_: Names = ()
    """The classes whose objects nodes are."""
    name: Field = ()
    """Where the name stands in an object, tuple or call."""
    run: Field = ()
    """Where the function stands that a node runs."""
    kind: Field = ()
    """Where its kind stands."""
    of_kind: str = ""
    """The kind that all of them have."""


@dataclass(frozen=True, slots=True)
class Edges:
    """Where the edges of a flow are stated."""

    argument: Field = ()
    """The argument of the flow that holds them."""
    method: str = ""
    """The method of the flow that adds them."""
    returns: str = ""
    """The method of the nodes' classes whose declared result tells what follows, `__call__` for
    nodes that are functions."""
    of_nodes: bool = False
    """Whether the nodes themselves say where they lead: `target` is then an argument of theirs."""
    take: Take | None = None
    """As for nodes; a `mapping` leads from its keys to its values."""
    item: Literal["object", "tuple"] | None = None
    """What stands for one: an `object` of a declared class, or a `tuple`."""
    class_: Names = ()
    """The classes whose objects edges are."""
    source: Field = ()
    """Where the node stands that it leaves; a list of them makes an edge of each."""
    target: Field = ()
    """Where the node stands that it leads to; a list of them makes an edge to each."""
    guard: Field = ()
    """Where its condition stands."""
    label: Field = ()
    """Where its text stands: such an edge is taken on that outcome only."""
    unconditional: Names = ()
    """Qualified names of conditions that always hold."""
    equality: Names = ()
    """Qualified names of what makes conditions: each keyword names a key of the state that has to
    have the value."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Where the entry of a flow is stated."""

    argument: Field = ()
    """The argument of the flow that names it."""
    method: str = ""
    """The method of the flow that names it."""
    name: Field = ()
    """Where it stands in the call of that method."""
    default: Literal["none", "first", "any"] = "none"
    """What is the entry where none is named: nothing, the `first` node, or `any` that whoever runs
    the flow chooses."""


@dataclass(frozen=True, slots=True)
class System:
    """A flow system that settings declare."""

    name: str
    """How the system is called in settings and output."""
    flow: Names
    """What builds a flow: classes or functions by their qualified names, or a class of the project
    by its bare name and the arguments and methods that this declaration mentions."""
    nodes: tuple[Nodes, ...]
    """Where its nodes are stated."""
    semantics: Semantics
    """What the system does with a flow."""
    edges: tuple[Edges, ...] = ()
    """Where its edges are stated."""
    entry: tuple[Entry, ...] = ()
    """Where its entry is stated."""
    finish: Names = ()
    """The methods that build, and so check, what was added up to then."""
    chained: Names = ()
    """Further methods that return the flow itself and add nothing to its graph."""
    hides: Names = ()
    """Further methods that return the flow itself and may add anything to it."""
    reads: Names = ()
    """Further methods that change nothing."""
    limit: Field = ()
    """The argument that holds the greatest number of steps."""
    stop: Field = ()
    """The argument that may stop a run from outside."""
    ends: Names = ()
    """What marks the end where a node is expected: qualified names, or texts as they are."""
    starts: Names = ()
    """What marks the start where edges leave: an edge from it names an entry."""


KEYS = {"class_": "class"}
"""The keys that are no names in Python."""


def key_of(field: str) -> str:
    """The key in settings of a field."""
    return KEYS.get(field, field.replace("_", "-"))
