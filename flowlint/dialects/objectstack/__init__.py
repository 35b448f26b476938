"""ObjectStack: flows of the automation service, in TypeScript, JSON and YAML.

## What is read

* `defineFlow({…})` of `@objectstack/spec` and `@objectstack/spec/automation`.
* Objects that are declared as `Flow`: `const notify: Flow = {…}`, `{…} satisfies Flow`, functions
  that return one, lists of them.
* What a module exports by default that imports something of `@objectstack/spec`, or whose file is
  called as `order.flow.ts`, where it has lists of nodes and edges.
* JSON and YAML: files called as `order.flow.json`, and data of which the `type` is one of a flow's;
  one flow, a list of them, or the `flows` of a stack.
* `defineStack({ flows: […], objects: […] })`: flows that are written in it, and for all its flows
  what the objects say of the fields that they read and write.

## What is resolved

* The shape: fields and their types, names that are misspelt, fields that are gone.
* Nodes and edges in lists, spread, mapped, from helper functions and other modules.
* Labels of decisions and approvals as the engine compares them, default edges, edges of type
  `fault` and `back`, edges out of an `end`.
* Loop bodies, parallel branches, what is tried and what catches: as flows inside of their nodes.
* Conditions in [CEL](https://cel.dev), as texts, as objects and as P`…`: their syntax, and what
  they compare. Of flows that a record fires, where a stack shows its object: whether it has the
  fields that they look at, and may hold what they ask for.
* Configs of the kinds of nodes that ObjectStack brings along; triggers, filters, templates and
  approvals.

* Which release a project uses, from its `package.json`: what is refused from 17 on is a warning
  in a project that uses an older one.

## What is not resolved

* Kinds of nodes that plugins bring: their configs are not checked.
* Connectors that are called by their names, and functions and flows where no stack shows which
  there are: they are taken to be there.
* What a node writes to the variables of a run.
"""

from __future__ import annotations

from collections.abc import Iterable

from flowlint.dialects.objectstack.documents import flows_in
from flowlint.dialects.objectstack.model import DECLARED, DEFINED, EXPORTED, STACK, TYPES
from flowlint.dialects.objectstack.objects import Obj, object_of
from flowlint.dialects.objectstack.reading import flow_graph
from flowlint.dialects.objectstack.releases import for_release
from flowlint.dialects.objectstack.semantics import FLOW
from flowlint.dialects.objectstack.stacks import flows_of, remarks_of
from flowlint.dialects.surroundings import Surroundings
from flowlint.graph.model import ALWAYS, FlowGraph
from flowlint.values.model import Built, Call, Choice, Mapped, Sequence, Unknown, Value


class ObjectStack:
    """The dialect of ObjectStack."""

    name = "objectstack"
    semantics = (FLOW,)
    types = TYPES
    distributions = ("@objectstack/spec",)
    constants: dict[str, str] = {}  # noqa: RUF012

    def graphs(self, built: Built, around: Surroundings) -> Iterable[FlowGraph]:
        """The flows that a call makes, or that stand in a stack."""
        if built.model is STACK:
            return [for_release(graph, around) for graph in flows_of(built)]
        graph = self.graph(built, around)
        return () if graph is None else (for_release(graph, around),)

    def remarks(self, built: Built, _around: Surroundings) -> Iterable[FlowGraph]:
        """What is wrong with the flows of a stack beside its objects."""
        return remarks_of(built) if built.model is STACK else ()

    def documents(self, value: Value, around: Surroundings) -> Iterable[FlowGraph]:
        """The flows that a document of data holds."""
        return [for_release(graph, around) for graph in flows_in(value)]

    def graph(self, built: Built, _around: Surroundings) -> FlowGraph | None:
        """The flow that a call makes or a declaration says; None where it is not known at all."""
        if built.model is STACK:
            return None
        given = built.arguments.get("config", 0)
        if not isinstance(given, Mapped):
            return None
        obj = object_of(given, built.presence or ALWAYS)
        # A type alone does not say that what is not known is a flow, nor does an export.
        if built.model is DECLARED and not _is_authored(obj):
            return None
        if built.model is EXPORTED and not _looks_like_flow(obj):
            return None
        name = built.name or built.symbol or "flow"
        return flow_graph(obj, name, built, is_parsed=built.model is DEFINED)


def _is_authored(obj: Obj) -> bool:
    """Whether an object is a definition, and not a part that code takes for a flow."""
    is_named = not all(obj.lacks(name) for name in ("name", "label", "type"))
    return is_named and bool(obj.fields.keys() & {"nodes", "edges"})


def _looks_like_flow(obj: Obj) -> bool:
    """Whether an object has lists of nodes or edges; those of acpx, for one, have no such lists."""
    lists = [obj.get(name) for name in ("nodes", "edges")]
    return any(isinstance(one, Sequence | Call | Unknown | Choice) for one in lists) and not any(
        isinstance(one, Mapped) for one in lists
    )


DIALECT = ObjectStack()

__all__ = ["DIALECT", "STACK", "ObjectStack"]
