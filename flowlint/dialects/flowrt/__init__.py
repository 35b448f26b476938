"""flowrt, the reference runtime: flows in Python, and as data in JSON and YAML.

## What is read

* `Flow(…)` with `Node`, `Edge`, `Switch`, `Region` and `Retry`, imported from `flowrt`, in Python
  files and notebooks.
* `FlowDefinition(…)`, `from_dict({…})`, `FlowDefinition.model_validate({…})` and the like:
  definitions that are written as data within code.
* JSON and YAML files whose documents say that they are a flow by the key `flowrt`, such as
  `flowrt: 1`, or name flowrt's schema under `$schema`: `urn:flowrt:definition:1`, or any address
  that ends in `flowrt.schema.json`. A YAML file may hold several.

## What is resolved

* All that flowrt itself checks when a flow is made, by the same code: fields and their types,
  node kinds and their configs, regions, switches, outcomes, priorities, permissions, limits.
* Nodes and edges in lists, comprehensions and helper functions, under tests, and from other
  modules.
* Guards in Python as formulas, where they compare with constants; conditions in
  [CEL](https://cel.dev): their syntax, the variables that they name, and what they compare.
* Data whose shape is wrong, with a misspelt field, say: all of it that is certain all the same.
* Functions that data names as `module:function`, where the project has them: whether they are
  async and how many arguments they take.
* Regions: the flows inside of `repeat`, `parallel` and `attempt` are checked with the one around
  them.

## What is not resolved

* Functions that are registered under a name (`register_callable`): they are taken to be there.
* Node kinds and actions with a dot in their names, which others register: their configs are not
  checked by `flowlint check`. `flowrt check --module NAME` knows them.
* Data that is only partly known in code: it is read as far as it goes, and `unresolved-flow`
  tells the rest.
"""

from __future__ import annotations

from flowlint.dialects.flowrt.data import data_of, drawn, first_unknown
from flowlint.dialects.flowrt.model import FLOW, TYPES
from flowlint.dialects.flowrt.parts import Part, part_of_built, part_of_mapping
from flowlint.dialects.flowrt.reading import Reader
from flowlint.dialects.flowrt.shape import says_flow
from flowlint.dialects.reading import CallableFinder
from flowlint.dialects.surroundings import Surroundings
from flowlint.graph.model import FlowGraph
from flowlint.graph.reference import ROUTINGS, semantics_of
from flowlint.values.model import Built, Mapped, Value


class Flowrt:
    """The dialect of flowrt."""

    name = "flowrt"
    semantics = tuple(semantics_of(routing) for routing in ROUTINGS)
    types = TYPES
    constants: dict[str, str] = {}  # noqa: RUF012
    refuses_repeats = True

    def graph(self, built: Built, around: Surroundings) -> FlowGraph | None:
        """The flow that a call makes; None for calls without any of a flow's fields."""
        data = data_of(built)
        if data is not None:
            return self._of_data(data, built, around.find)
        if built.model is not FLOW:
            return None
        part = part_of_built(built)
        if not part.fields.keys() & {"nodes", "edges", "entry"} and not part.spread:
            return None
        return Reader(part, built).graph()

    def document(self, value: Value, around: Surroundings) -> FlowGraph | None:
        """The flow that a file of data is; None for data that does not say it is one."""
        if not isinstance(value, Mapped) or not says_flow(value):
            return None
        return drawn(value, around.find)

    def _of_data(self, data: Mapped, built: Built, find: CallableFinder) -> FlowGraph:
        """The flow that is written as data in code, where all of the data is known."""
        if first_unknown(data) is None:
            return drawn(data, find, built)
        known = part_of_mapping("flow", data).fields
        named = {name: known[name] for name in ("name",) if name in known}
        return Reader(Part(data.origin.span(), "The flow", named, spread=True), built).graph()


DIALECT = Flowrt()
