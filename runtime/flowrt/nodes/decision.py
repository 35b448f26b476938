"""Decisions: by a coordinator, by ballot, or by consensus; with a human behind them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, model_validator

from flowlint.graph.reference_settings import DECISIONS
from flowrt.authoring import Node
from flowrt.engine.context import Kind, NodeContext, Output
from flowrt.errors import FlowError
from flowrt.nodes.agent_commands import AGENTS, missing_agent
from flowrt.nodes.answers import Answers
from flowrt.nodes.ask import AskSettings, ask_human
from flowrt.nodes.configs import NodeConfig, TextRef, TypeRef, checked, config_of
from flowrt.nodes.values import call, fill, pause_data, scope_of, where
from flowrt.nodes.voting import Ballot, Count, Vote, count, shown, vote_of
from flowrt.registry import find_callable, register_kind

VOTERS = "voters"
"""The service with voters by name: functions of a Ballot, sync or async."""

RESULTS = DECISIONS
"""Kinds of results with fixed answers."""

VoterRef = Annotated[
    Callable[..., Any] | str,
    WithJsonSchema(
        {
            "type": "string",
            "description": "A voter of the service `voters`, an agent of the service `agents`, or "
            "a registered callable.",
        }
    ),
]


class Escalation(AskSettings):
    """When a human decides instead, and how they are asked."""

    below: float = Field(
        default=0.0, ge=0, le=1, description="A human decides when the confidence is lower."
    )
    on_split: bool = Field(
        default=False, description="A human decides when voters are divided or in deadlock."
    )
    question: TextRef | None = Field(
        default=None,
        description="What the human is asked; `{state.x}` and the like are filled in. The node's "
        "question unless given.",
    )


class DecisionConfig(NodeConfig):
    """Who decides what, and how."""

    mode: Literal["coordinator", "ballot", "consensus"] = Field(
        description="coordinator: one decides; ballot: all vote once; consensus: all vote in "
        "rounds, each seeing the votes of the round before."
    )
    question: TextRef = Field(
        description="What is to be decided; `{state.x}` and the like are filled in.",
        json_schema_extra={"pattern": r"\S"},
    )
    result: Literal["binary", "approval", "choice", "custom"] = Field(
        default="binary",
        description="binary: YES or NO; approval: APPROVE, REJECT or REVISE; choice: one of "
        "`options`; custom: what meets `answer`.",
    )
    options: tuple[str, ...] = Field(
        default=(), description="The options of a choice.", json_schema_extra={"minItems": 1}
    )
    answer: TypeRef = Field(default=None, description="The type of a custom result.")
    voters: tuple[VoterRef, ...] = Field(default=(), description="Who votes, most senior first.")
    coordinator: VoterRef | None = Field(
        default=None,
        description="Who decides alone, or brings a consensus together after the last round.",
    )
    weights: Literal["equal", "seniority"] | dict[str, float] = Field(
        default="equal",
        description="What votes weigh: the same, 1, 1/2, 1/3 … in the order of voters, or a weight "
        "for each voter's name.",
    )
    rounds: int = Field(default=2, ge=1, le=20, description="Rounds of a consensus, at most.")
    minimum_votes: int | None = Field(
        default=None, ge=1, description="Valid votes that are needed; all unless given."
    )
    escalate: Escalation | None = Field(default=None, description="When a human decides instead.")

    @model_validator(mode="after")
    def _fits_together(self) -> DecisionConfig:
        if self.mode == "coordinator":
            if self.coordinator is None or self.voters:
                raise ValueError("mode coordinator needs a `coordinator` and no `voters`")
        elif not self.voters:
            raise ValueError(f"mode {self.mode} needs `voters`")
        if self.mode == "ballot" and self.coordinator is not None:
            raise ValueError("a ballot has no `coordinator`")
        if (self.result == "choice") != bool(self.options):
            raise ValueError("`options` and result choice belong together")
        if (self.result == "custom") != (self.answer is not None):
            raise ValueError("`answer` and result custom belong together")
        if len(set(self.options)) != len(self.options):
            raise ValueError("an option is there twice")
        names = self.names()
        if len(set(names)) != len(names):
            raise ValueError("a voter is there twice")
        if isinstance(self.weights, dict):
            if set(self.weights) != set(names):
                raise ValueError("`weights` has to give a weight for each voter and nobody else")
            if min(self.weights.values()) < 0 or sum(self.weights.values()) <= 0:
                raise ValueError("weights cannot be negative, and one has to be above 0")
        if self.minimum_votes is not None and self.minimum_votes > max(1, len(names)):
            raise ValueError("`minimum_votes` is more than there are voters")
        return self

    def names(self) -> list[str]:
        """What the voters are called: functions by their name, or by number where it is no one's
        alone."""
        names = [_name(voter) for voter in self.voters]
        return [
            f"voter {number}" if callable(voter) and names.count(name) > 1 else name
            for number, (voter, name) in enumerate(zip(self.voters, names, strict=True), 1)
        ]

    def answers(self) -> Answers:
        """The decisions allowed."""
        return Answers(RESULTS.get(self.result, self.options), False, self.answer)

    def weight(self, number: int) -> float:
        """What the vote of a voter weighs."""
        if isinstance(self.weights, dict):
            return self.weights[self.names()[number]]
        return 1 / (number + 1) if self.weights == "seniority" else 1.0


class DecisionResult(BaseModel):
    """How a decision came about; as plain data it is the node's output."""

    model_config = ConfigDict(extra="forbid")

    mode: str
    decision: Any
    confidence: float
    votes: list[dict[str, Any]]
    distribution: dict[str, float]
    consensus: str
    escalated: bool = False
    reason: str | None = None
    rounds: int = 1
    missing: dict[str, str] = Field(default_factory=dict)


async def run_decision(context: NodeContext) -> Output:
    """Decide; the output is the whole result, with `decision` as plain data.

    A human is asked when the confidence is too low or voters are split, if `escalate` says so.
    While that pauses the run the votes are kept. Raises FlowError for unknown voters and when too
    few valid votes were cast; otherwise as `ask` does.
    """
    config = config_of(context, DecisionConfig)
    question = await _text(config.question, context)
    earlier = pause_data(context).get("result") if context.paused_before else None
    if isinstance(earlier, Mapping):
        result = DecisionResult(**earlier)
    else:
        result = await _decided(config, context, question)
        result.reason = _why_escalate(config, result)
    if result.reason is not None and config.escalate is not None:
        own = config.escalate.question
        answer, given = await ask_human(
            context,
            question if own is None else await _text(own, context),
            config.answers(),
            config.escalate,
            {"result": result.model_dump(mode="json")},
        )
        result.decision = answer
        result.escalated = True
        if not given:
            result.reason += "; no human answered in time, the fallback was taken"
    return Output(result.model_dump(mode="json"))


async def _text(given: Callable[..., Any] | str, context: NodeContext) -> str:
    if callable(given):
        return str(await call(given, context))
    return fill(given, scope_of(context), strict=False)


def _why_escalate(config: DecisionConfig, result: DecisionResult) -> str | None:
    rule = config.escalate
    if rule is None:
        return None
    if result.confidence < rule.below:
        return f"confidence {result.confidence:.2f} is below {rule.below:g}"
    if rule.on_split and result.consensus in ("deadlock", "divided"):
        return f"the voters are {'in deadlock' if result.consensus == 'deadlock' else 'divided'}"
    return None


async def _decided(config: DecisionConfig, context: NodeContext, question: str) -> DecisionResult:
    missing: dict[str, str] = {}
    if config.mode == "coordinator":
        vote = await _coordinated(config, context, question, ())
        return _result(config, count([vote]), [vote], missing)
    votes: list[Vote] = []
    number = 0
    for number in range(1, (config.rounds if config.mode == "consensus" else 1) + 1):
        missing.clear()
        votes = await _round(config, context, question, number, tuple(votes), missing)
        if count(votes).level == "unanimous":
            break
    counted = count(votes)
    if config.coordinator is not None and counted.level != "unanimous":
        final = await _coordinated(config, context, question, tuple(votes))
        counted = Count(final.decision, final.confidence, counted.distribution, counted.level)
        votes.append(final)
    return _result(config, counted, votes, missing, number)


def _result(
    config: DecisionConfig,
    counted: Count,
    votes: list[Vote],
    missing: dict[str, str],
    rounds: int = 1,
) -> DecisionResult:
    return DecisionResult(
        mode=config.mode,
        decision=counted.decision,
        confidence=counted.confidence,
        votes=shown(votes),
        distribution=counted.distribution,
        consensus=counted.level,
        rounds=rounds,
        missing=dict(missing),
    )


async def _coordinated(
    config: DecisionConfig, context: NodeContext, question: str, votes: tuple[Vote, ...]
) -> Vote:
    coordinator = config.coordinator
    assert coordinator is not None
    ballot = _ballot(config, context, question, _name(coordinator), 1, votes)
    return await _vote(ballot, coordinator, config.answers(), 0.0 if votes else 1.0)


async def _round(
    config: DecisionConfig,
    context: NodeContext,
    question: str,
    number: int,
    others: tuple[Vote, ...],
    missing: dict[str, str],
) -> list[Vote]:
    """The valid votes of all voters, asked at the same time. Fills in who gave none, and why."""
    context.heartbeat(f"round {number}")
    names, answers = config.names(), config.answers()
    ballots = [_ballot(config, context, question, name, number, others) for name in names]
    cast = await asyncio.gather(
        *(
            _vote(ballot, voter, answers, config.weight(place))
            for place, (ballot, voter) in enumerate(zip(ballots, config.voters, strict=True))
        ),
        return_exceptions=True,
    )
    votes: list[Vote] = []
    for name, vote in zip(names, cast, strict=True):
        if isinstance(vote, Vote):
            votes.append(vote)
        elif isinstance(vote, Exception):
            missing[name] = f"{type(vote).__name__}: {vote}"
        else:
            raise vote
    needed = len(config.voters) if config.minimum_votes is None else config.minimum_votes
    if len(votes) < needed or not any(vote.weight > 0 for vote in votes):
        reasons = "; ".join(f"{name}: {reason}" for name, reason in missing.items())
        raise FlowError(
            f"{where(context)} got {len(votes)} valid votes and needs {needed} ({reasons})"
        )
    return votes


def _ballot(
    config: DecisionConfig,
    context: NodeContext,
    question: str,
    voter: str,
    number: int,
    others: tuple[Vote, ...],
) -> Ballot:
    answers = config.answers()
    return Ballot(question, voter, answers.options, answers.schema(), number, others, context)


async def _vote(
    ballot: Ballot, voter: Callable[..., Any] | str, answers: Answers, weight: float
) -> Vote:
    assert ballot.context is not None
    said = await call(_function(voter, ballot.context), ballot)
    return vote_of(ballot.voter, said, answers, weight)


def _function(voter: Callable[..., Any] | str, context: NodeContext) -> Callable[..., Any]:
    found = _known_voter(voter, context.services)
    if found is not None:
        return found
    if voter in (context.services.get(AGENTS) or {}):
        return _agent(str(voter), context)
    raise FlowError(_no_voter(voter, where(context)))


def _known_voter(
    voter: Callable[..., Any] | str, services: Mapping[str, Any]
) -> Callable[..., Any] | None:
    """The function that a voter is, None where it is an agent, or nobody."""
    if callable(voter):
        return voter
    voters = services.get(VOTERS) or {}
    found: Callable[..., Any] | None = voters.get(voter) or find_callable(voter)
    return found


def _no_voter(voter: Callable[..., Any] | str, who: str) -> str:
    return (
        f"{who} has no voter `{voter}`: give it as an agent with `--agent {voter}=COMMAND`, in "
        "Python with the services `voters` or `agents`, or register a callable of that name"
    )


def _missing(node: Node, services: Mapping[str, Any], who: str) -> str | None:
    """Why there can be no decision: too many voters are nobody, or agents without a program."""
    config = checked(DecisionConfig, node.config, f"the config of {who}")
    if config.mode == "coordinator":
        assert config.coordinator is not None
        return _lacking(config.coordinator, services, who)
    needed = len(config.voters) if config.minimum_votes is None else config.minimum_votes
    lacks = [_lacking(voter, services, who) for voter in config.voters]
    if lacks.count(None) >= needed:
        return None
    return next(lack for lack in lacks if lack is not None)


def _lacking(voter: Callable[..., Any] | str, services: Mapping[str, Any], who: str) -> str | None:
    if callable(voter) or _known_voter(voter, services) is not None:
        return None
    if voter not in (services.get(AGENTS) or {}):
        return _no_voter(voter, who)
    return missing_agent(voter, {}, services, who)


def _agent(name: str, context: NodeContext) -> Callable[..., Any]:
    """A voter that asks an agent, in a session of its own for each visit of the node, wherever
    that stands."""
    scope = getattr(context, "key", ("",))[0].lstrip("/")
    place = f"{scope}/{context.node.name}" if scope else context.node.name

    async def ask_agent(ballot: Ballot) -> str:
        from flowrt.nodes.agent import prompt_agent

        handle = f"{place}/{name}/{context.visit}"
        return await prompt_agent(context, ballot.prompt(), agent=name, handle=handle)

    return ask_agent


def _name(voter: Callable[..., Any] | str) -> str:
    return voter if isinstance(voter, str) else getattr(voter, "__name__", repr(voter))


register_kind(
    Kind("decision", run_decision, "Decides, alone or by votes.", DecisionConfig, missing=_missing)
)
