"""AgentsFlow of AI-Parrot: flows of agents, built in Python or defined as data.

## What is read

* `AgentsFlow(…)` with `add_node` and `add_edge`, imported from `parrot.bots.flows`, in Python files
  and notebooks.
* `FlowDefinition(…)` with `NodeDefinition` and `EdgeDefinition`, `FlowLoader.from_dict({…})` and
  `FlowDefinition.model_validate({…})`.
* JSON and YAML files that hold such a definition: a mapping with `flow`, `nodes` and `edges`, of
  whose nodes at least one is of a type that AgentsFlow itself knows.
* SvelteFlow documents of its editor: nodes with `data`, edges with `source`, `target` and a
  condition.
* `ExecutionPlan(…)` with `PlanNode`, and `WorkflowBlueprint(…)` with `BlueprintNode` and
  `BlueprintTransition`, also as JSON and YAML, and what their validators ask of them.
* `AgentCrew(agents=[…])` with `task_flow(…)` and `add_tool_node(…)`, and `CrewDefinition(…)`, also
  as JSON and YAML.

## What is resolved

* Nodes and edges in lists, loops and helper functions, under tests, and from other modules; edges
  to several targets; the conditions of edges.
* Builders that take over the nodes which `from_definition` made of a definition, one by one.
* Predicates: functions in Python as formulas, where they compare with constants; texts in
  [CEL](https://cel.dev): their syntax, the names that they look at, and what the type of the node
  before the edge gives.
* All that `FlowDefinition` checks when it is made: fields and their types, conditions, actions,
  references and cycles; the configs of nodes that decide.
* How the flow is run. Built by `add_edge`, a node runs once one of the ways to it came and the
  others cannot come any more. Made by `from_definition`, a node waits for every node that has an
  edge to it: where such a flow is seen to be run, nodes that so never run are errors.
* `FlowLoader.to_agents_flow` keeps of edges only where they lead: where a definition is seen to go
  through it, the conditions that are lost are told.

## What is not resolved

* Nodes that come from a registry, a factory or a call out of sight: the flow is read as far as it
  goes, and `unresolved-flow` tells what is missing.
* Node types that other packages register: they are taken to be there, and their configs are not
  checked.
* What agents do and answer.
* Flows of earlier releases, built by `add_agent` and `task_flow`: `removed-api` tells what stands
  in the place of these methods.
* Crews in Python that only work one after another or side by side: they have no flow.
* Tools and agents that plans and blueprints name: they are those of a registry that is there
  only when a plan is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from flowlint.dialects.agentsflow.authored_model import (
    AUTHORED_TYPES,
    BLUEPRINT,
    BLUEPRINT_FROM_DATA,
    PLAN,
    PLAN_FROM_DATA,
)
from flowlint.dialects.agentsflow.blueprints import BlueprintReader
from flowlint.dialects.agentsflow.crew_definition import CrewDefinitionReader
from flowlint.dialects.agentsflow.crew_model import (
    CREW,
    CREW_DEFINITION,
    CREW_FROM_DATA,
    CREW_TYPES,
)
from flowlint.dialects.agentsflow.crews import CrewReader
from flowlint.dialects.agentsflow.definition import DefinitionReader, Run
from flowlint.dialects.agentsflow.explicit import BuilderReader
from flowlint.dialects.agentsflow.legacy import gone_flow
from flowlint.dialects.agentsflow.loaded import actions_lost, losses_of
from flowlint.dialects.agentsflow.model import (
    BUILDER_METHODS,
    DEFINITION,
    FLOW,
    FROM_DATA,
    FROM_EDITOR,
    GONE,
    LEGACY,
    LEGACY_METHODS,
    LOADED,
    RUN,
    RUN_DEFINITION,
    TO_EDITOR,
    TYPES,
)
from flowlint.dialects.agentsflow.plans import PlanReader
from flowlint.dialects.agentsflow.recognition import (
    says_blueprint,
    says_crew,
    says_definition,
    says_plan,
    says_svelteflow,
)
from flowlint.dialects.agentsflow.records import Record, record_of
from flowlint.dialects.agentsflow.semantics import BLUEPRINT as BLUEPRINT_SEMANTICS
from flowlint.dialects.agentsflow.semantics import BLUEPRINT_CREW, EXPLICIT
from flowlint.dialects.agentsflow.semantics import CREW as CREW_SEMANTICS
from flowlint.dialects.agentsflow.semantics import CREW_DEFINITION as CREW_DATA_SEMANTICS
from flowlint.dialects.agentsflow.semantics import DEFINITION as DEFINITION_SEMANTICS
from flowlint.dialects.agentsflow.semantics import PLAN as PLAN_SEMANTICS
from flowlint.dialects.agentsflow.svelteflow import definition_of, editor_faults, lost_fields
from flowlint.dialects.surroundings import Surroundings
from flowlint.graph.model import FlowGraph
from flowlint.values.following import TypeModel
from flowlint.values.model import Built, Mapped, Value


class AgentsFlow:
    """The dialect of AI-Parrot's `parrot.bots.flows`."""

    name = "agentsflow"
    semantics = (
        *(EXPLICIT, DEFINITION_SEMANTICS, CREW_SEMANTICS, CREW_DATA_SEMANTICS),
        *(PLAN_SEMANTICS, BLUEPRINT_SEMANTICS, BLUEPRINT_CREW),
    )
    types = (*TYPES, *CREW_TYPES, *AUTHORED_TYPES)
    constants: dict[str, str] = {}  # noqa: RUF012

    def graph(self, built: Built, _: Surroundings) -> FlowGraph | None:
        """The flow that a call makes; None for calls that make none of their own."""
        if built.model is FLOW:
            if any(one.method in BUILDER_METHODS | LEGACY_METHODS for one in built.operations):
                return BuilderReader(built).graph()
            return None
        if built.model is CREW:
            return CrewReader(built).graph()
        if built.model is CREW_DEFINITION:
            return _of_crew(built, built)
        if built.model is CREW_FROM_DATA:
            data = built.arguments.get("obj", 0)
            return _of_crew(data, built) if isinstance(data, Mapped) else None
        if built.model in (PLAN, PLAN_FROM_DATA):
            return _authored(built, PLAN_FROM_DATA, PlanReader)
        if built.model in (BLUEPRINT, BLUEPRINT_FROM_DATA):
            return _authored(built, BLUEPRINT_FROM_DATA, BlueprintReader)
        if built.model is LEGACY or built.model in GONE:
            return gone_flow(built)
        if built.model is DEFINITION:
            return _of_value(built, built, "no")
        if built.model is FROM_DATA:
            given = built.arguments.get("data", 0)
            return _of_value(given, built, "no") if isinstance(given, Mapped) else None
        if built.model is FROM_EDITOR:
            given = built.arguments.get("sf_data", 0)
            return _of_editor(given, built) if isinstance(given, Mapped) else None
        if built.model is RUN_DEFINITION:
            return _run(built)
        return None

    def remarks(self, built: Built, _: Surroundings) -> Iterable[FlowGraph]:
        """What is lost of a definition of which a call makes a flow."""
        if built.model is LOADED:
            return losses_of(built)
        if built.model is TO_EDITOR:
            return _lost_to_editor(built)
        return actions_lost(built) if built.model is RUN_DEFINITION and _is_run(built) else ()

    def document(self, value: Value, _: Surroundings) -> FlowGraph | None:
        """The flow that a file of data is; None for data that is none of AgentsFlow's."""
        if not isinstance(value, Mapped):
            return None
        if says_crew(value):
            return _of_crew(value, None)
        for says, reader in ((says_plan, PlanReader), (says_blueprint, BlueprintReader)):
            record = record_of(value) if says(value) else None
            if record is not None:
                return reader(record, None).graph()
        if says_svelteflow(value):
            return _of_editor(value, None)
        if not says_definition(value):
            return None
        return _of_value(value, None, "maybe")


def _of_value(value: Value | None, built: Built | None, run: Run) -> FlowGraph | None:
    record = record_of(value) if value is not None else None
    return None if record is None else DefinitionReader(record, built, run).graph()


def _of_editor(document: Mapped, built: Built | None) -> FlowGraph | None:
    """The flow that a document of the editor is."""
    graph = _of_value(definition_of(document), built, "no" if built is not None else "maybe")
    if graph is None:
        return None
    return replace(graph, violations=(*graph.violations, *editor_faults(document)))


def _lost_to_editor(built: Built) -> Iterator[FlowGraph]:
    faults = tuple(lost_fields(built))
    if faults:
        span = built.origin.span()
        name = built.name or "flow"
        yield FlowGraph(name, "agentsflow", span, EXPLICIT, violations=faults, malformed=True)


def _of_crew(value: Value, built: Built | None) -> FlowGraph | None:
    record = record_of(value)
    return None if record is None else CrewDefinitionReader(record, built).graph()


def _authored(
    built: Built,
    from_data: TypeModel,
    reader: Callable[[Record, Built], PlanReader | BlueprintReader],
) -> FlowGraph | None:
    """The flow that is made of a plan or a blueprint."""
    value = built.arguments.get("obj", 0) if built.model is from_data else built
    record = record_of(value) if isinstance(value, Built | Mapped) else None
    return None if record is None else reader(record, built).graph()


def _run(built: Built) -> FlowGraph | None:
    """The flow that `from_definition` makes, where it is seen to be run as it is."""
    definition = built.arguments.get("definition", 0)
    if not _is_run(built) or not isinstance(definition, Built):
        return None
    if definition.model is not DEFINITION:
        return None
    return _of_value(definition, definition, "seen")


def _is_run(built: Built) -> bool:
    methods = {operation.method for operation in built.operations}
    return RUN in methods and not methods & BUILDER_METHODS


DIALECT = AgentsFlow()
