"""`FlowDefinition`: a flow as plain data, in which functions are named and not held."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from flowlint.graph.reference import (
    JOINS,
    KINDS,
    MERGES,
    OUTCOMES,
    PERMISSION_MODES,
    ROUTINGS,
    case_label,
)
from flowlint.graph.reference_fields import REGION_FIELDS
from flowrt.durations import Duration


def _choice(names: tuple[str, ...], description: str) -> Any:
    """A text that is one of a few. Others are left to the checker, which names the nearest."""
    return WithJsonSchema({"enum": list(names), "description": description})


RoutingName = Annotated[
    str, _choice(ROUTINGS, "Whether the first edge that applies is taken after a node, or all.")
]
JoinName = Annotated[
    str,
    _choice(
        JOINS,
        "Where all edges are taken: whether one edge that leads here has to be taken, or each.",
    ),
]
OutcomeName = Annotated[str, _choice(OUTCOMES, "After which end of the node the edge counts.")]
MergeName = Annotated[str, _choice(MERGES, "How values of one key are put together.")]


class Part(BaseModel):
    """What all parts share: unknown keys are errors, and null is the same as nothing."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        known = {field.alias or name for name, field in cls.model_fields.items()}
        return {key: value for key, value in data.items() if value is not None or key not in known}


class CallDefinition(Part):
    """A function by its name."""

    call: str = Field(description="A registered name, or `module:function`.")


class RetryDefinition(Part):
    """How often and after which pause a failed node is tried again."""

    attempts: int = Field(default=3, description="All tries, the first included.")
    delay: Duration = Field(default=1.0, description="The pause before the second try.")
    factor: float = Field(default=2.0, description="How much longer each pause is.")
    max_delay: Duration = Field(default=60.0, description="The longest pause.")
    jitter: float = Field(default=0.0, description="By which share (0 to 1) pauses vary.")


class ActionDefinition(BaseModel):
    """An action of the action registry, with its settings beside its type."""

    model_config = ConfigDict(extra="allow", strict=True)

    type: str = Field(description="The name of a registered action.")


class NodeBase(Part):
    """What every node may have.

    What its kind asks for stands under `config`, never beside these keys, so that a slip in one of
    them is told from a setting. Regions have keys of their own: `body` (repeat), `branches`
    (parallel), `try` and `catch` (attempt), `regions` (kinds that others register).
    """

    name: str = Field(description="The name that edges use.", examples=["classify"])
    run: str | None = Field(
        default=None, description="The function: a registered name, or `module:function`."
    )
    timeout: Duration | None = Field(default=None, description="How long a try may take.")
    heartbeat: Duration | None = Field(
        default=None, description="How often it is shown that the node is under way."
    )
    retry: RetryDefinition | None = None
    join: JoinName = "any"
    detail: str | None = Field(default=None, description="What live views show of the node.")
    config: dict[str, Any] = Field(
        default_factory=dict, description="What the node's kind asks for."
    )
    before: list[ActionDefinition] = Field(
        default_factory=list, description="Actions before the node runs."
    )
    after: list[ActionDefinition] = Field(
        default_factory=list, description="Actions after the node completed."
    )

    def held_regions(self) -> dict[str, RegionDefinition]:
        """The regions of the node by their names."""
        return {}


PlainKind = Literal[
    "step",
    "gate",
    "loop",
    "compute",
    "start",
    "end",
    "action",
    "shell",
    "checkpoint",
    "subflow",
    "wait",
    "ask",
    "decision",
    "agent",
]


class PlainNode(NodeBase):
    """A node of a built-in kind without regions."""

    kind: PlainKind = Field(default="step", description="What the node is.")


class RepeatNode(NodeBase):
    """A node that repeats a region, bounded."""

    kind: Literal["repeat"]
    body: RegionDefinition | None = Field(default=None, description="What is repeated.")

    def held_regions(self) -> dict[str, RegionDefinition]:
        """The body."""
        return _given({"body": self.body})


class ParallelNode(NodeBase):
    """A node that runs regions beside each other."""

    kind: Literal["parallel"]
    branches: dict[str, RegionDefinition] = Field(
        default_factory=dict, description="The branches by their names."
    )

    def held_regions(self) -> dict[str, RegionDefinition]:
        """The branches."""
        return self.branches


class AttemptNode(NodeBase):
    """A node that tries a region, and runs another one when it fails."""

    kind: Literal["attempt"]
    try_: RegionDefinition | None = Field(default=None, alias="try", description="What is tried.")
    catch: RegionDefinition | None = Field(
        default=None, description="What runs when it failed for good."
    )

    def held_regions(self) -> dict[str, RegionDefinition]:
        """What is tried, and what catches."""
        return _given({"try": self.try_, "catch": self.catch})


class OtherNode(NodeBase):
    """A node of a kind that somebody else registered."""

    kind: str = Field(description="A registered kind; its name has a dot.")
    regions: dict[str, RegionDefinition] = Field(
        default_factory=dict, description="The regions of the kind by their names."
    )

    def held_regions(self) -> dict[str, RegionDefinition]:
        """The regions of the kind."""
        return self.regions


def _given(regions: Mapping[str, RegionDefinition | None]) -> dict[str, RegionDefinition]:
    return {name: region for name, region in regions.items() if region is not None}


def _kind_of(value: Any) -> str:
    """Which of the node models a node belongs to."""
    kind = value.get("kind") if isinstance(value, Mapping) else getattr(value, "kind", "step")
    if kind is None:
        return "<plain>"
    if not isinstance(kind, str) or kind not in KINDS:
        return "<other>"
    return f"<{kind}>" if kind in REGION_FIELDS else "<plain>"


NodeDefinition = Annotated[
    Annotated[PlainNode, Tag("<plain>")]
    | Annotated[RepeatNode, Tag("<repeat>")]
    | Annotated[ParallelNode, Tag("<parallel>")]
    | Annotated[AttemptNode, Tag("<attempt>")]
    | Annotated[OtherNode, Tag("<other>")],
    Discriminator(_kind_of),
]


def _text_or_call(value: Any) -> str:
    return "<text>" if isinstance(value, str) else "<call>"


Condition = Annotated[
    Annotated[str, Tag("<text>")] | Annotated[CallDefinition, Tag("<call>")],
    Discriminator(_text_or_call),
]
MergePolicy = Annotated[
    Annotated[MergeName, Tag("<text>")] | Annotated[CallDefinition, Tag("<call>")],
    Discriminator(_text_or_call),
]


class EdgeDefinition(Part):
    """A hand-over from one node to another."""

    from_: str = Field(alias="from", description="The node that is left.")
    to: str = Field(description="The node that follows.")
    when: Condition | None = Field(
        default=None,
        description="The condition in CEL, or a function by its name. Without: always.",
        examples=["state.route == 'retry'", {"call": "is_urgent"}],
    )
    outcome: OutcomeName = "ok"
    priority: int = Field(default=0, description="Edges of higher priority are tried first.")
    prompt: Any = Field(default=None, description="What the node that follows is given to do.")


class SwitchCases(Part):
    """What a switch looks at, and where each value leads."""

    on: str = Field(
        description="`$.field` or `$output.field` of the node's output, or `$result.outcome`.",
        examples=["$.route", "$result.outcome"],
    )
    cases: dict[str, str] = Field(description="The node that follows, by the value as text.")
    default: str | None = Field(default=None, description="The node for any other value.")

    @field_validator("cases", mode="before")
    @classmethod
    def _named_by_text(cls, cases: Any) -> Any:
        """In YAML a case may be named `true` or `1`, which are no texts there."""
        if not isinstance(cases, Mapping):
            return cases
        return {case_label(key): target for key, target in cases.items()}


class SwitchDefinition(Part):
    """A hand-over by value."""

    from_: str = Field(alias="from", description="The node that is left.")
    switch: SwitchCases
    priority: int = Field(default=0, description="Edges of higher priority are tried first.")


def _edge_of(value: Any) -> str:
    is_switch = isinstance(value, SwitchDefinition) or (
        isinstance(value, Mapping) and "switch" in value
    )
    return "<switch>" if is_switch else "<edge>"


EdgeOrSwitch = Annotated[
    Annotated[EdgeDefinition, Tag("<edge>")] | Annotated[SwitchDefinition, Tag("<switch>")],
    Discriminator(_edge_of),
]


class RegionDefinition(Part):
    """A graph of its own inside a node."""

    nodes: list[NodeDefinition] = Field(description="The nodes of the region.")
    edges: list[EdgeOrSwitch] = Field(default_factory=list, description="Its edges.")
    entry: str | None = Field(default=None, description="The node at which it begins.")
    routing: RoutingName = "first"


class PermissionsDefinition(Part):
    """What the flow needs to be allowed."""

    mode: Annotated[str, _choice(PERMISSION_MODES, "The least that has to be granted.")] = (
        "deny-all"
    )
    explicit: bool = Field(default=False, description="Whether it has to be granted for this run.")
    reason: str | None = Field(default=None, description="Why it is needed, for who grants it.")


class FlowDefinition(Part):
    """A flow as data. Functions are named, so that it can be kept, sent and generated."""

    flowrt: Literal[1] = Field(description="The version of this format.")
    schema_: str | None = Field(
        default=None, alias="$schema", description="The address of this schema, for editors."
    )
    flowlint: dict[str, Any] | None = Field(
        default=None,
        description="What flowlint is not to report of this flow.",
        examples=[{"ignore": ["dead-end"], "reason": "the caller goes on"}],
    )
    name: str = Field(description="The name of the flow.", examples=["triage"])
    title: str | None = Field(default=None, description="What people call it.")
    description: str | None = Field(default=None, description="What it is for.")
    entry: str | None = Field(default=None, description="The node at which a run begins.")
    routing: RoutingName = "first"
    nodes: list[NodeDefinition] = Field(description="The nodes of the flow.")
    edges: list[EdgeOrSwitch] = Field(
        default_factory=list, description="What follows what, in the order of trying."
    )
    # Their bounds are left to the checker, which tells them with all else.
    max_steps: int | None = Field(
        default=None,
        description="How many nodes a run may run; more is an error.",
        json_schema_extra={"minimum": 1},
    )
    max_parallel: int | None = Field(
        default=None,
        description="How many nodes may run at a time, where all edges are taken.",
        json_schema_extra={"minimum": 1},
    )
    merge: dict[str, MergePolicy] = Field(
        default_factory=dict,
        description="How values are put together that several branches wrote, by state key.",
    )
    permissions: PermissionsDefinition | None = None
