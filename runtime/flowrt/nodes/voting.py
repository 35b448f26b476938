"""Votes: what a voter is shown, what it may say, and how votes are counted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from flowrt.engine.context import NodeContext
from flowrt.nodes.answers import Answers, InvalidAnswerError
from flowrt.parsing import ParseError, parse_json

Level = Literal["unanimous", "strong_majority", "majority", "deadlock", "divided"]

STRONG_MAJORITY = 0.8
MAJORITY = 0.6
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Vote:
    """What a voter decided, how sure it is (0 to 1) and why."""

    voter: str
    decision: Any
    confidence: float = 1.0
    reason: str = ""
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Ballot:
    """What a voter is shown. `others` are the votes of the round before, or all votes for a
    coordinator who has to bring them together."""

    question: str
    voter: str
    options: tuple[str, ...]
    schema: Mapping[str, Any] | None
    round: int = 1
    others: tuple[Vote, ...] = ()
    context: NodeContext | None = field(default=None, repr=False, compare=False)

    def prompt(self) -> str:
        """The ballot as a text for a model, which says how the answer has to look."""
        parts = [self.question]
        if self.others:
            said = "\n".join(
                f"- {vote.voter}: {_text(vote.decision)} (confidence {vote.confidence:g})"
                + (f", because {vote.reason}" if vote.reason else "")
                for vote in self.others
            )
            parts.append(f"The others decided:\n{said}")
        parts.append("Return exactly one JSON object with this shape:\n" + self._shape())
        return "\n\n".join(parts)

    def _shape(self) -> str:
        if self.options:
            decision = " | ".join(json.dumps(option) for option in self.options)
        elif self.schema is not None:
            decision = f"a value that meets this JSON Schema: {json.dumps(self.schema)}"
        else:
            decision = "the decision"
        return (
            f'{{\n  "decision": {decision},\n  "confidence": a number from 0 to 1,\n'
            '  "reason": "short justification"\n}'
        )


def vote_of(voter: str, said: Any, answers: Answers, weight: float = 1.0) -> Vote:
    """The vote in what a voter said: a Vote, a mapping with `decision`, a text with such a JSON
    object, or the decision alone. Raises InvalidAnswerError when it is none of those allowed."""
    if isinstance(said, Vote):
        said = {"decision": said.decision, "confidence": said.confidence, "reason": said.reason}
    if isinstance(said, str):
        said = _object_in(said)
    confidence, reason = 1.0, ""
    if isinstance(said, Mapping) and "decision" in said:
        confidence = _share(voter, said.get("confidence", 1.0))
        reason = str(said.get("reason") or "")
        said = said["decision"]
    try:
        decision = answers.checked(said)
    except InvalidAnswerError as error:
        raise InvalidAnswerError(f"the vote of `{voter}` does not count: {error}") from error
    return Vote(voter, decision, confidence, reason, weight)


def _object_in(text: str) -> Any:
    try:
        found = parse_json(text)
    except ParseError:
        return text
    return found if isinstance(found, dict) else text


def _share(voter: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidAnswerError(
            f"the vote of `{voter}` does not count: its confidence is {value!r}, not a number from "
            "0 to 1"
        )
    return float(value)


@dataclass(frozen=True, slots=True)
class Count:
    """What votes come to. Confidence is the share of all weight that stands behind the decision,
    each vote counted with its own confidence."""

    decision: Any
    confidence: float
    distribution: dict[str, float]
    level: Level


def count(votes: Sequence[Vote]) -> Count:
    """Count votes by weight; of several with the most, the one voted for first wins.

    There has to be at least one vote with a weight above 0.
    """
    distribution: dict[str, float] = {}
    decisions: dict[str, Any] = {}
    for vote in votes:
        name = _text(vote.decision)
        decisions.setdefault(name, vote.decision)
        distribution[name] = distribution.get(name, 0.0) + vote.weight
    total = sum(distribution.values())
    most = max(distribution.values())
    first = next(name for name, weight in distribution.items() if weight >= most - _ROUNDING)
    behind = sum(vote.weight * vote.confidence for vote in votes if _text(vote.decision) == first)
    tied = sum(weight >= most - _ROUNDING for weight in distribution.values()) > 1
    return Count(decisions[first], behind / total, distribution, _level(most / total, tied))


def _level(share: float, tied: bool) -> Level:
    if share >= 1 - _ROUNDING:
        return "unanimous"
    if share >= STRONG_MAJORITY - _ROUNDING:
        return "strong_majority"
    if share >= MAJORITY - _ROUNDING:
        return "majority"
    return "deadlock" if tied else "divided"


def shown(votes: Sequence[Vote]) -> list[dict[str, Any]]:
    """Votes as plain data."""
    return [asdict(vote) for vote in votes]


def _text(decision: Any) -> str:
    return decision if isinstance(decision, str) else json.dumps(decision, sort_keys=True)
