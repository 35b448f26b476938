"""acpx flows: `defineFlow({ startAt, nodes, edges })` from `acpx/flows`, one token, one switch.

## What is read

* Calls of `defineFlow` that is imported from `acpx/flows`, in TypeScript and JavaScript, also where
  a function makes the flow or is handed `defineFlow`.
* Nodes made by `acp`, `compute`, `action`, `shell`, `checkpoint` and `decision`, and nodes written
  as objects with a `nodeType`.
* Edges written as objects with `from` and `to` or `switch`, and those that `decisionEdge` makes.

Look-alikes with other imports are left alone.

## What is resolved

* All that acpx itself checks when a flow is defined and when it is loaded: fields and their types,
  kinds of nodes, own properties, unknown names, several edges out of one node.
* What acpx accepts and what fails in the run all the same: paths that it cannot follow, switches
  without the case that is needed, checkpoints that end the run, times that no timer can wait.
* Nodes and edges from constants, spreads, loops, helper functions and other modules.
* What `decision` lets a model choose from, held against the cases of the switch behind it.
* Which release of acpx the project uses, where releases differ.

## What is not resolved

* Nodes and edges that are only known when the program runs: the flow is read as far as it goes,
  and `unresolved-flow` tells what is missing.
* What agents answer and what programs print.
* Which agent `profile` names, and what the command line allows.
"""

from __future__ import annotations

from flowlint.dialects.acpx.misplaced import bare_flow, misplaced_flow
from flowlint.dialects.acpx.model import BARE, FLOW, MISPLACED, SEMANTICS, TYPES
from flowlint.dialects.acpx.reading import read_flow
from flowlint.dialects.surroundings import Surroundings
from flowlint.graph.model import FlowGraph
from flowlint.values.model import Built


class Acpx:
    """The dialect of acpx."""

    name = "acpx"
    semantics = (SEMANTICS,)
    types = TYPES
    constants: dict[str, str] = {}  # noqa: RUF012
    distributions = ("acpx",)

    def graph(self, built: Built, around: Surroundings) -> FlowGraph | None:
        """The flow that a call of `defineFlow` makes; None where nothing of it is known."""
        if built.model is FLOW:
            return read_flow(built, around)
        if built.model is BARE:
            return bare_flow(built, around)
        return misplaced_flow(built, MISPLACED[built.model])


DIALECT = Acpx()
