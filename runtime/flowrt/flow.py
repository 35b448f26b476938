"""`Flow`: a checked graph that can be run, kept and gone on with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from time import time
from typing import TYPE_CHECKING, Any

from flowrt.authoring import (
    Edge,
    FlowResult,
    FlowState,
    KillSwitch,
    Merge,
    Node,
    NodeHook,
    Permissions,
    Region,
    Routing,
    Switch,
)
from flowrt.engine.plain import walk_plain
from flowrt.engine.plan import Plan, make_plan
from flowrt.errors import FlowError, FlowValidationError, NotResumableError
from flowrt.given import check_mappings, check_store
from flowrt.permissions import check_grant
from flowrt.readiness import Asked, check_ready, compile_guards, nodes_to_ask

if TYPE_CHECKING:
    from flowrt.engine.observer import Observer
    from flowrt.stores.base import Event, Manifest, RunLog, RunStore

NO_NAME = "flow"
"""What a flow is called that was given no name; one that is loaded from a file is called by its
variable or file instead."""


class Flow:
    """A graph of nodes, checked when it is made. Raises FlowValidationError with all findings.

    The hooks, the kill switch and `max_steps` bound and watch every run. `routing` says whether
    the first edge that applies is taken or all of them; `merge` names, by state key, how values
    are put together that several branches wrote.
    """

    def __init__(  # noqa: PLR0913 - each bounds or watches every run
        self,
        *,
        nodes: Iterable[Node],
        edges: Iterable[Edge | Switch],
        entry: str,
        on_node: NodeHook | None = None,
        checkpoint: NodeHook | None = None,
        kill_switch: KillSwitch | None = None,
        max_steps: int | None = None,
        name: str = NO_NAME,
        title: str | None = None,
        routing: Routing = "first",
        max_parallel: int | None = None,
        merge: Mapping[str, Merge] | None = None,
        permissions: Permissions | None = None,
    ) -> None:
        from flowrt.checking import check_flow

        self.name = name
        self.title = title
        self.nodes = tuple(nodes)
        self.edges = tuple(edges)
        self.entry = entry
        self.routing: Routing = routing
        self.on_node = on_node
        self.checkpoint = checkpoint
        self.kill_switch = kill_switch
        self.max_steps = max_steps
        self.max_parallel = max_parallel
        self.merge = dict(merge or {})
        self.permissions = permissions or Permissions()
        self.origin: Mapping[str, Any] | None = None
        """Where the flow was loaded from; kept with each run, so that it can be loaded again."""
        self.findings = check_flow(
            name=name,
            nodes=self.nodes,
            edges=self.edges,
            entry=entry,
            routing=routing,
            max_steps=max_steps,
            merge=self.merge,
            kill_switch=kill_switch,
            max_parallel=max_parallel,
            hooks={"on_node": on_node, "checkpoint": checkpoint},
        )
        self.plan = make_plan(self.nodes, self.edges, entry, routing)
        self._region_plans: dict[int, tuple[Region, Plan]] = {}
        self._asked: Asked | None = None

    def plan_of(self, region: Region) -> Plan:
        """The plan of a region of this flow, made once."""
        known = self._region_plans.get(id(region))
        if known is None:
            plan = make_plan(region.nodes, region.edges, region.entry, region.routing)
            known = self._region_plans[id(region)] = (region, plan)
        return known[1]

    @property
    def _nodes(self) -> dict[str, Node]:
        return self.plan.nodes

    @property
    def _edges(self) -> list[Edge | Switch]:
        return list(self.edges)

    @property
    def _outgoing(self) -> dict[str, list[Edge | Switch]]:
        hops = self.plan.hops
        return {name: [hop.edge for hop in found] for name, found in hops.items() if found}

    async def run(
        self,
        state: FlowState | None = None,
        *,
        store: RunStore | None = None,
        run_id: str | None = None,
        services: Mapping[str, Any] | None = None,
        flows: Mapping[str, Flow] | None = None,
        granted: str | None = None,
        explicit: bool = False,
        observer: Observer | None = None,
    ) -> FlowResult:
        """Run the flow from its entry.

        With `store` the run is written down and can be gone on with after any interruption.
        `granted` is the permission mode of this run, `explicit` whether it was given for it.
        `observer` is told of everything that happens, with or without a store.
        Raises what nodes, guards and hooks raise, FlowError for what the flow itself cannot do,
        PermissionRefusedError before the first node.
        """
        if store is not None:
            check_store(self.name, store)
        check_mappings(self.name, services=services, flows=flows)
        self._check_grant(granted, explicit=explicit, flows=flows)
        self._check_ready(services, flows)
        return await self._go(
            {} if state is None else self._begun(state),
            self.entry,
            store=store,
            run_id=run_id,
            services=_granting(services, granted),
            flows=flows,
            observer=observer,
        )

    async def resume(self, state: FlowState, from_node: str) -> FlowResult:
        """Run from a node on, with a state that the caller kept.

        Raises FlowValidationError when there is no such node.
        """
        if from_node not in self.plan.nodes:
            raise FlowValidationError(
                f"flow `{self.name}` cannot be resumed at `{from_node}`, which is no node of it"
            )
        if self.routing != "first":
            raise FlowValidationError(
                f"flow `{self.name}` takes all edges that apply and cannot be resumed at one node"
            )
        self._check_grant(None, explicit=False)
        return await self._go(self._begun(state), from_node)

    async def resume_run(  # noqa: PLR0913 - what a run is given, and what answers it
        self,
        run_id: str,
        store: RunStore,
        *,
        signals: Mapping[str, Any] | None = None,
        services: Mapping[str, Any] | None = None,
        flows: Mapping[str, Flow] | None = None,
        granted: str | None = None,
        explicit: bool = False,
        observer: Observer | None = None,
        secrets: Mapping[str, Any] | None = None,
    ) -> FlowResult:
        """Go on with a run that was interrupted, failed, was halted or waits.

        What completed is not run again; what was under way is, so nodes run at least once.
        `signals` answers what the run waits for. `secrets` are put back where they were hidden,
        by their names. Raises RunBusyError while somebody else has the run, NotResumableError
        when it has ended, SecretsMissingError when it needs secrets that were not given.
        """
        from flowrt.engine.journal import Journal
        from flowrt.engine.run import Run
        from flowrt.stores.codec import decode, encode
        from flowrt.stores.returning import put_back

        check_store(self.name, store)
        check_mappings(self.name, services=services, flows=flows, signals=signals, secrets=secrets)
        self._check_grant(granted, explicit=explicit, flows=flows)
        self._check_ready(services, flows)
        log = store.open(run_id)
        try:
            trace = log.trace()
            last = trace.events[-1] if trace.events else None
            if last is not None and last.type in ("run_completed", "run_cancelled"):
                _settle(log, store.manifest(run_id), last)
                raise NotResumableError(f"run `{run_id}` has ended: {last.type[4:]}")
            status = store.manifest(run_id).status
            if status in ("completed", "cancelled") and trace.lost:
                raise NotResumableError(
                    f"run `{run_id}` has ended: {status}, though of its trace {trace.lost[-1]}"
                )
            known = {**declared_secrets(services), **(secrets or {})}
            whole = put_back(run_id, store.run_input(run_id), trace, known)
            begun, trace = whole.run_input, whole.trace
            log.hide({**known, **whole.secrets}, whole.unknown)
            journal = Journal(log, trace, observer)
            journal.signal({name: encode(payload) for name, payload in (signals or {}).items()})
            after = last.type if last is not None else None
            journal.write("run_resumed", data={"after": after, "lost": list(trace.lost)})
            state = decode(begun["state"])
            given = _granting(services, granted)
            run = Run(self, log=log, journal=journal, run_input=state, services=given, flows=flows)
            before = store.manifest(run_id)
            log.set_status(replace(before, status="running", waiting_on=(), error=None))
            run.created_at = before.created_at
            return await run.to_end(state, begun.get("start"))
        finally:
            log.close()

    async def _go(
        self,
        state: FlowState,
        start: str,
        *,
        store: RunStore | None = None,
        run_id: str | None = None,
        services: Mapping[str, Any] | None = None,
        flows: Mapping[str, Flow] | None = None,
        observer: Observer | None = None,
    ) -> FlowResult:
        if store is None and observer is None and self.plan.table is not None:
            return await walk_plain(
                self.name,
                self.plan,
                state,
                start,
                on_node=self.on_node,
                checkpoint=self.checkpoint,
                kill_switch=self.kill_switch,
                max_steps=self.max_steps,
            )
        from flowrt.engine.journal import Journal
        from flowrt.engine.run import Run

        begin = start if self.routing == "first" else None
        hidden = declared_secrets(services)
        log = self._create(store, run_id, state, begin, hidden) if store is not None else None
        try:
            journal = Journal(log, observer=observer)
            run = Run(
                self, log=log, journal=journal, run_input=state, services=services, flows=flows
            )
            journal.write("run_started", data={"start": start})
            return await run.to_end(state, begin)
        finally:
            if log is not None:
                log.close()

    def _begun(self, state: object) -> FlowState:
        """The state that a run begins with. Raises FlowError for what is no dict."""
        if not isinstance(state, dict):
            raise FlowError(
                f"flow `{self.name}` is run with a state of type {type(state).__name__}: it has to "
                "be a dict"
            )
        return state

    def _create(
        self,
        store: RunStore,
        run_id: str | None,
        state: FlowState,
        start: str | None,
        secrets: Mapping[str, Any],
    ) -> RunLog:
        from flowrt.definition.snapshot import snapshot
        from flowrt.stores.base import Manifest
        from flowrt.stores.codec import encode
        from flowrt.stores.runs import new_run_id

        now = time()
        name = new_run_id(self.name) if run_id is None else run_id
        manifest = Manifest(name, self.name, "running", now, now, self.title)
        begun = {"state": encode(state), "start": start}
        return store.create(manifest, snapshot(self), begun, secrets)

    def _check_grant(
        self, granted: str | None, *, explicit: bool, flows: Mapping[str, Flow] | None = None
    ) -> None:
        """Raise PermissionRefusedError when the run is granted less than the flow needs, or one
        of the flows that it runs inside it."""
        for flow in (self, *inner_flows(self, flows or {})):
            check_grant(flow.name, flow.permissions, granted, explicit=explicit)

    def _check_ready(
        self, services: Mapping[str, Any] | None, flows: Mapping[str, Flow] | None
    ) -> None:
        """Raise FlowError when nodes, also of flows inside, lack what the run has to give them."""
        asked = {}
        for flow in (self, *inner_flows(self, flows or {})):
            if flow._asked is None:
                flow._asked = nodes_to_ask(flow.nodes)
                compile_guards(flow.nodes, flow.edges)
            if flow._asked:
                asked[flow.name] = flow._asked
        if asked:
            check_ready(asked, services or {})


def inner_flows(flow: Flow, flows: Mapping[str, Flow]) -> list[Flow]:
    """The flows that a flow may run inside it, and those these may run, each once."""
    found: dict[str, Flow] = {}
    waiting = list(flow.nodes) if flows else []
    while waiting:
        node = waiting.pop()
        waiting += [inner for region in node.regions.values() for inner in region.nodes]
        name = node.config.get("flow") if node.kind == "subflow" else None
        other = flows.get(name) if isinstance(name, str) and name not in found else None
        if other is not None:
            found[str(name)] = other
            waiting += other.nodes
    return list(found.values())


def declared_secrets(services: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The secrets that were declared with the service `secrets`, by name."""
    declared = (services or {}).get("secrets")
    return declared if isinstance(declared, Mapping) else {}


def _granting(services: Mapping[str, Any] | None, granted: str | None) -> dict[str, Any]:
    """The services of a run, with what it was granted for the nodes that ask."""
    given = dict(services or {})
    if granted is not None:
        given.setdefault("permission_mode", granted)
    return given


def _settle(log: RunLog, manifest: Manifest, last: Event) -> None:
    """Let the manifest say how the run ended, where it was killed before it could."""
    status = last.type.removeprefix("run_")
    if manifest.status != status:
        log.set_status(replace(manifest, status=status, updated_at=last.at))  # type: ignore[arg-type]
