"""Flows from definitions: every function that is named is looked up, then all is checked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

from pydantic import ValidationError

from flowlint.findings.model import Finding
from flowlint.graph import reference_faults as told
from flowlint.graph.reference import PERMISSION_MODES
from flowrt.authoring import (
    Edge,
    KillSwitch,
    Merge,
    Node,
    NodeHook,
    Outcome,
    Permissions,
    Region,
    Retry,
    Routing,
    Switch,
)
from flowrt.checking import find_faults, refuse_errors
from flowrt.construction import placed
from flowrt.definition.checking import find_in_source, findings_of, source_of
from flowrt.definition.faults import shape_faults
from flowrt.definition.lookup import HERE, Lookup
from flowrt.definition.marks import Source
from flowrt.definition.model import (
    CallDefinition,
    EdgeDefinition,
    FlowDefinition,
    NodeDefinition,
    RegionDefinition,
    SwitchDefinition,
)
from flowrt.errors import FlowValidationError
from flowrt.flow import Flow


def parse_definition(
    data: object, *, source: Source | None = None, lookup: Lookup | None = None
) -> FlowDefinition:
    """A definition from plain data, which `source` tells the places of.

    Raises FlowValidationError with everything that is wrong with its shape, each with its path,
    and with what is certain of its graph all the same.
    """
    if isinstance(data, FlowDefinition):
        return data
    try:
        return FlowDefinition.model_validate(data)
    except ValidationError as error:
        source = source or source_of(data)
        faults = shape_faults(error, source)
        if isinstance(source.data, dict):
            findings = find_in_source(source, lookup, faults)
        else:
            findings = findings_of("flow", faults)
        name = data.get("name") if isinstance(data, Mapping) else None
        refuse_errors(name if isinstance(name, str) else "flow", placed(findings))
        raise


def check_definition(data: object) -> FlowDefinition:
    """A definition that is right as far as can be told without its functions.

    Raises FlowValidationError with every finding; functions may be defined elsewhere.
    """
    definition = parse_definition(data)
    lookup = Lookup(())
    graph = _graph(definition, lookup)
    _permissions(definition, lookup)
    merge = {
        key: cast(Merge, policy if isinstance(policy, str) else _either)
        for key, policy in definition.merge.items()
    }
    findings = findings_of(definition.name, lookup.faults) + find_faults(
        name=definition.name,
        nodes=graph.nodes,
        edges=graph.edges,
        entry=definition.entry,
        routing=definition.routing,
        max_steps=definition.max_steps,
        merge=merge,
    )
    here = [finding for finding in findings if finding.name != "undefined-callable"]
    refuse_errors(definition.name, placed(here))
    return definition


def build_flow(
    definition: FlowDefinition | Mapping[str, Any],
    *,
    modules: Collection[str] = (),
    on_node: NodeHook | None = None,
    checkpoint: NodeHook | None = None,
    kill_switch: KillSwitch | None = None,
) -> Flow:
    """The flow that a definition describes.

    Functions are registered names; `module:function` is looked up in those of `modules`, which
    are imported for it. Raises FlowValidationError with every finding when something is wrong.
    """
    definition = parse_definition(definition, lookup=Lookup(modules))
    lookup = Lookup(modules)
    graph = _graph(definition, lookup)
    merge = {
        key: cast(Merge, policy if isinstance(policy, str) else lookup.function(policy.call, None))
        for key, policy in definition.merge.items()
    }
    permissions = _permissions(definition, lookup)
    findings: tuple[Finding, ...] = ()
    if lookup.faults:
        findings = findings_of(definition.name, lookup.faults) + find_faults(
            name=definition.name,
            nodes=graph.nodes,
            edges=graph.edges,
            entry=definition.entry,
            routing=definition.routing,
            max_steps=definition.max_steps,
            merge=merge,
            kill_switch=kill_switch,
            max_parallel=definition.max_parallel,
            hooks={"on_node": on_node, "checkpoint": checkpoint},
        )
        refuse_errors(definition.name, placed(findings))
    return Flow(
        nodes=graph.nodes,
        edges=graph.edges,
        # The checker tells a flow without entry as such.
        entry=cast(str, definition.entry),
        name=definition.name,
        title=definition.title,
        routing=cast(Routing, definition.routing),
        max_steps=definition.max_steps,
        max_parallel=definition.max_parallel,
        merge=merge,
        permissions=permissions,
        on_node=on_node,
        checkpoint=checkpoint,
        kill_switch=kill_switch,
    )


def build_written(source: Source, *, modules: Collection[str] = ()) -> Flow:
    """The flow that a definition in a text describes, as `build_flow` makes it.

    Findings have their places in the text, which are only looked for where there are some.
    """
    definition = parse_definition(source.data, source=source, lookup=Lookup(modules))
    try:
        flow = build_flow(definition, modules=modules)
    except FlowValidationError as error:
        refused = error
    else:
        if flow.findings:
            flow.findings = find_in_source(source, Lookup(modules))
        return flow
    refuse_errors(definition.name, find_in_source(source, Lookup(modules)))
    raise refused


def _permissions(definition: FlowDefinition, lookup: Lookup) -> Permissions | None:
    stated = definition.permissions
    if stated is None:
        return None
    if stated.mode not in PERMISSION_MODES:
        lookup.faults.append(
            told.bad_choice("The permission mode", stated.mode, PERMISSION_MODES, HERE)
        )
    return Permissions(cast(Any, stated.mode), stated.explicit, stated.reason)


def _either(one: Any, _other: Any) -> Any:
    return one


def _graph(definition: FlowDefinition | RegionDefinition, lookup: Lookup) -> Region:
    return Region(
        [_node(node, lookup) for node in definition.nodes],
        [_edge(edge, lookup) for edge in definition.edges],
        cast(str, definition.entry),
        cast(Routing, definition.routing),
    )


def _node(node: NodeDefinition, lookup: Lookup) -> Node:
    retry = node.retry
    return Node(
        node.name,
        lookup.function(node.run, node.name) if node.run is not None else None,
        node.kind,
        timeout=node.timeout,
        retry=None if retry is None else Retry(**retry.model_dump()),
        heartbeat=node.heartbeat,
        join=cast(Any, node.join),
        config=dict(node.config),
        before=tuple(action.model_dump() for action in node.before),
        after=tuple(action.model_dump() for action in node.after),
        detail=node.detail,
        regions={name: _graph(region, lookup) for name, region in node.held_regions().items()},
    )


def _edge(edge: EdgeDefinition | SwitchDefinition, lookup: Lookup) -> Edge | Switch:
    if isinstance(edge, SwitchDefinition):
        switch = edge.switch
        return Switch(
            edge.from_, switch.on, switch.cases, default=switch.default, priority=edge.priority
        )
    when: Any = edge.when
    if isinstance(when, CallDefinition):
        when = lookup.function(when.call, edge.from_, is_guard=True)
    return Edge(
        edge.from_,
        edge.to,
        when,
        outcome=cast(Outcome, edge.outcome),
        priority=edge.priority,
        prompt=edge.prompt,
    )
