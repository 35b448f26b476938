"""LangGraph, for Python and JavaScript: `StateGraph` built step by step, checked when compiled.

## What is read

Builders of the types `StateGraph` and, of earlier releases, `MessageGraph` and `Graph`, in Python
files and notebooks, wherever they travel: into functions, attributes, containers, closures and
subclasses, and through `compile()` to where the graph is run. Only what comes from
`langgraph.graph` counts; a graph of another library with an `add_node()` is none.

LangGraph.js is read alike, from TypeScript and JavaScript: builders of `@langchain/langgraph` and
`@langchain/langgraph/web`, by the same rules, as far as it does the same.

The release that the project uses is taken from its lock file or requirements, or from the setting
`versions`; rules go by what that release does. Where nothing tells it, the newest one is assumed
and nothing is held against code that may be written for another.

## What is resolved

* All methods that add something: `add_node`, `add_edge` (also from a list: a join),
  `add_conditional_edges`, `add_sequence`, entry and finish points, `compile`.
* Names of nodes as texts, constants, members of enumerations, f-strings, or taken from a
  function, method, partial, `ToolNode` or compiled graph.
* Where routers lead: path maps, `Literal` return types, `tools_condition`, and what the code of a
  router returns, as text, `Send` or `Command`.
* Where nodes hand over by themselves: `Command(goto=…)` in their code, `Command[Literal[…]]`,
  `destinations=`.
* The state: `TypedDict`, dataclasses and pydantic models with their ancestors, which keys have a
  reducer, and the keys that nodes write.
* Supersteps: what runs side by side, what joins wait for, `defer=True`, `recursion_limit`.
* Where a compiled graph is run by itself: pauses that nothing keeps, hand-overs to a parent.
* Of LangGraph.js: nodes one by one, as an array or as an object, `ends`, `defer`, `input`;
  conditional edges with their targets as an object or array, or all as one object; the state as
  `Annotation.Root({…})`, `MessagesAnnotation`, schemas of zod, `StateSchema` or `{ channels }`.

## Where LangGraph.js differs

* A node that no edge leads to is refused by `compile()`. Where only code hands over to it, the
  node whose code does so has to name it in the `ends` that `addNode()` is given.
* A node may not be called like a key of the state, in any release.
* All routers of one node take the same name, so that a second one is refused.
* A router's value without a case makes the run fail; without cases one that is no node's name ends
  it silently. Truth values and numbers find their cases by how they are printed.
* A message to a node that does not exist makes the run fail.
* A flow without an edge from START is not refused: it just does nothing.
* A hand-over to a parent that is not there is lost.
* What code reads of the state is never held against it: a key that is missing is `undefined`.
* Declared types are gone when the program runs. Nothing is refused for them.

## What is not resolved

* The inside of a compiled graph that is a node of another one: both are checked, each by itself.
* `create_react_agent` and other ready-made graphs, and the functional API (`@entrypoint`,
  `@task`): they have no graph in the source.
* A builder that is handed to code out of sight, and names from settings files, the environment or
  calls out of sight: the graph is read as far as it goes, and `unresolved-flow` tells the rest.
* Decorators out of sight: what the function declares and does is then not known.
* Code that runs from text (`exec`), and what is written to the builder's own tables past its
  methods.
* Of LangGraph.js: schemas that are put together out of sight, and what `Send` takes along.
"""

from __future__ import annotations

from dataclasses import replace

from flowlint.dialects.langgraph.javascript import model as javascript
from flowlint.dialects.langgraph.javascript.options import misspelt_options
from flowlint.dialects.langgraph.javascript.terms import in_python_terms
from flowlint.dialects.langgraph.model import CONSTANTS, GRAPHS, SEMANTICS
from flowlint.dialects.langgraph.reading import read_graph
from flowlint.dialects.langgraph.releases import javascript_release_of, release_of
from flowlint.dialects.surroundings import Surroundings
from flowlint.graph.model import FlowGraph
from flowlint.values.model import Built

DISTRIBUTION = "langgraph"
OF_BOTH = {**CONSTANTS, **javascript.CONSTANTS}


class LangGraph:
    """The dialect of LangGraph's graph API."""

    name = "langgraph"
    semantics = (SEMANTICS, javascript.SEMANTICS)
    types = (*GRAPHS, *javascript.GRAPHS)
    constants = OF_BOTH

    def graph(self, built: Built, around: Surroundings) -> FlowGraph | None:
        """The flow that a builder holds when all was done to it.

        None for a builder that comes in as an argument of a function nobody was seen to call:
        what it holds already is out of sight.
        """
        if built.model not in self.types or built.parameter:
            return None
        if built.model in javascript.GRAPHS:
            release = javascript_release_of(around.version_of(javascript.PACKAGE))
            graph = read_graph(in_python_terms(built), release)
            misspelt = tuple(misspelt_options(built))
            return replace(graph, violations=(*graph.violations, *misspelt))
        return read_graph(built, release_of(around.version_of(DISTRIBUTION)))


DIALECT = LangGraph()

__all__ = ["DIALECT"]
