"""Flows from definitions: every function that is named is looked up, then all is checked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any, cast

from pydantic import ValidationError

from flowlint.findings.model import Finding
from flowlint.graph import reference_faults as told
from flowlint.graph.model import Violation
from flowlint.graph.reference import PERMISSION_MODES
from flowlint.source import Span
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
from flowrt.definition.faults import findings_of, shape_faults
from flowrt.definition.model import (
    CallDefinition,
    EdgeDefinition,
    FlowDefinition,
    NodeDefinition,
    RegionDefinition,
    SwitchDefinition,
)
from flowrt.flow import Flow
from flowrt.registry import callable_names, find_callable

_HERE = Span("<definition>", 1, 1, 1, 1)


def parse_definition(data: object) -> FlowDefinition:
    """A definition from plain data.

    Raises FlowValidationError with everything that is wrong with its shape, each with its path.
    """
    if isinstance(data, FlowDefinition):
        return data
    name = data.get("name") if isinstance(data, Mapping) else None
    try:
        return FlowDefinition.model_validate(data)
    except ValidationError as error:
        shown = name if isinstance(name, str) else "flow"
        findings = findings_of(shown, shape_faults(error, data))
        refuse_errors(shown, findings)
        raise


def check_definition(data: object) -> FlowDefinition:
    """A definition that is right as far as can be told without its functions.

    Raises FlowValidationError with every finding; functions may be defined elsewhere.
    """
    definition = parse_definition(data)
    lookup = _Lookup(())
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
    refuse_errors(definition.name, here)
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
    definition = parse_definition(definition)
    lookup = _Lookup(modules)
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
        refuse_errors(definition.name, findings)
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


def _permissions(definition: FlowDefinition, lookup: _Lookup) -> Permissions | None:
    stated = definition.permissions
    if stated is None:
        return None
    if stated.mode not in PERMISSION_MODES:
        lookup.faults.append(
            told.bad_choice("The permission mode", stated.mode, PERMISSION_MODES, _HERE)
        )
    return Permissions(cast(Any, stated.mode), stated.explicit, stated.reason)


class _Lookup:
    """Finds functions by their names, and keeps count of what is not there."""

    def __init__(self, modules: Collection[str]) -> None:
        self.modules = modules
        self.faults: list[Violation] = []
        self._guards: dict[str, Callable[..., Any]] = {}

    def _stand_in(self, name: str, is_guard: bool) -> Callable[..., Any]:
        """What stands for a function that is not there while all else is checked."""
        if is_guard:
            return self._guards.setdefault(name, _guard_that_is_not_there())
        return _step_that_is_not_there

    def function(
        self, name: str, node: str | None, *, is_guard: bool = False
    ) -> Callable[..., Any]:
        """The function of a name; a stand-in where there is none, which is noted."""
        module, colon, attribute = name.partition(":")
        found = self._imported(module, attribute) if colon else find_callable(name)
        if callable(found):
            return cast(Callable[..., Any], found)
        if isinstance(found, str):
            reason, cure = found, "correct the name, or name the module with `--module`"
        elif found is None:
            reason = "which is registered nowhere"
            cure = told.near(name, callable_names(), told.REGISTER)
        else:
            self.faults.append(told.not_callable(f"`{name}`", found, _HERE, node))
            return self._stand_in(name, is_guard)
        fault = told.undefined_callable(name, reason, cure, node, _HERE)
        self.faults.append(fault)
        return self._stand_in(name, is_guard)

    def _imported(self, module: str, attribute: str) -> object:
        """What a module has under a name; a text says why it cannot be had."""
        if module not in self.modules:
            return f"but the module `{module}` is not allowed"
        try:
            value: object = import_module(module)
        except Exception as error:
            return f"but `{module}` cannot be imported ({type(error).__name__}: {error})"
        for part in attribute.split("."):
            if not hasattr(value, part):
                return f"but `{module}` has no `{attribute}`"
            value = getattr(value, part)
        return value


def _guard_that_is_not_there() -> Callable[..., Any]:
    return lambda _state: False


def _either(one: Any, _other: Any) -> Any:
    return one


async def _step_that_is_not_there(state: Any) -> Any:
    return state


def _graph(definition: FlowDefinition | RegionDefinition, lookup: _Lookup) -> Region:
    return Region(
        [_node(node, lookup) for node in definition.nodes],
        [_edge(edge, lookup) for edge in definition.edges],
        cast(str, definition.entry),
        cast(Routing, definition.routing),
    )


def _node(node: NodeDefinition, lookup: _Lookup) -> Node:
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


def _edge(edge: EdgeDefinition | SwitchDefinition, lookup: _Lookup) -> Edge | Switch:
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
