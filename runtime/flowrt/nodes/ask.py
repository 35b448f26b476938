"""A typed question to a human."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from time import time
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from flowrt.durations import Duration
from flowrt.engine.context import Kind, NodeContext, Output, Pause
from flowrt.errors import NodeTimeoutError
from flowrt.nodes.answers import Answers, InvalidAnswerError
from flowrt.nodes.configs import NodeConfig, TextRef, TypeRef, config_of
from flowrt.nodes.values import call, fill, is_past, pause_data, scope_of, where
from flowrt.registry import register_kind

ASK = "ask"
"""The service that asks: a function of a Question, sync or async, which returns the answer."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a human is asked. `problem` says what was wrong with the answer before."""

    text: str
    options: tuple[str, ...] = ()
    multiple: bool = False
    schema: Mapping[str, Any] | None = None
    key: str = ""
    to: tuple[str, ...] = ()
    problem: str | None = None
    asked: int = 1


class AskSettings(BaseModel):
    """How a human is asked."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)

    to: tuple[str, ...] = Field(default=(), description="Who is asked, for the service to know.")
    key: str | None = Field(
        default=None,
        min_length=1,
        description="What a signal with the answer names; the node's name if absent.",
    )
    timeout: Duration | None = Field(
        default=None, gt=0, description="How long to wait for an answer."
    )
    fallback: Any = Field(
        default=None,
        description="The answer taken when none comes in time. Without one (null counts as one "
        "only if the answers allow it) the node fails as timed out.",
    )
    attempts: int = Field(
        default=3, ge=1, description="How often is asked before invalid answers fail the node."
    )


class AskConfig(NodeConfig, AskSettings):
    """A question and the answers it may have."""

    question: TextRef = Field(
        description="The question, in which `{state.x}` and the like are filled in; in Python also "
        "a function of the context.",
        json_schema_extra={"pattern": r"\S"},
    )
    options: tuple[str, ...] = Field(
        default=(),
        description="The answers to choose from.",
        json_schema_extra={"minItems": 1},
    )
    multiple: bool = Field(default=False, description="Whether several options can be chosen.")
    answer: TypeRef = Field(
        default=None, description="What the answer has to be: a JSON Schema; in Python any type."
    )

    @model_validator(mode="after")
    def _fits_together(self) -> AskConfig:
        if self.options and self.answer is not None:
            raise ValueError("give one of `options` and `answer`")
        if self.multiple and not self.options:
            raise ValueError("`multiple` is for `options`")
        if len(set(self.options)) != len(self.options):
            raise ValueError("an option is there twice")
        return self


async def run_ask(context: NodeContext) -> Output:
    """Ask, and give the answer as output, checked and as plain data.

    With the service `ask` it is called; without one the run pauses, and the signal's payload is
    the answer. Invalid answers are asked for again, with the problem. Raises NodeTimeoutError
    when no answer comes in time and there is no fallback, InvalidAnswerError when all were wrong.
    """
    config = config_of(context, AskConfig)
    if callable(config.question):
        text = str(await call(config.question, context))
    else:
        text = fill(config.question, scope_of(context), strict=False)
    answers = Answers(config.options, config.multiple, config.answer)
    answer, _ = await ask_human(context, text, answers, config)
    return Output(answer)


async def ask_human(
    context: NodeContext,
    text: str,
    answers: Answers,
    settings: AskSettings,
    remember: Mapping[str, Any] | None = None,
) -> tuple[Any, bool]:
    """The answer of a human, and whether one was given (False: it is the fallback).

    `remember` goes with a pause. Raises as `run_ask` says.
    """
    question = Question(
        text,
        answers.options,
        answers.multiple,
        answers.schema(),
        settings.key or context.node.name,
        settings.to,
    )
    service = context.services.get(ASK)
    try:
        if service is not None:
            async with asyncio.timeout(settings.timeout):
                return await _asked(context, service, question, answers, settings.attempts), True
        return _answered(context, question, answers, settings, remember or {}), True
    except NoAnswerError as late:
        error: TimeoutError = late
    except TimeoutError as late:
        error = late
    if "fallback" not in settings.model_fields_set:
        raise NodeTimeoutError(f"{where(context)} got no answer in time") from error
    if settings.fallback is None:
        return None, False
    return answers.checked(settings.fallback), False


class NoAnswerError(TimeoutError):
    """A pause for an answer ended without one."""


async def _asked(
    context: NodeContext, service: Any, question: Question, answers: Answers, attempts: int
) -> Any:
    """The answer of the service, asked again while it is wrong."""
    for number in range(1, attempts + 1):
        context.heartbeat(f"asks: {question.text[:80]}")
        answer = await call(service, question)
        try:
            return answers.checked(answer)
        except InvalidAnswerError as error:
            if number == attempts:
                raise InvalidAnswerError(
                    f"{where(context)} got no valid answer in {attempts} attempts: {error}"
                ) from error
            question = Question(**{**_fields(question), "problem": str(error), "asked": number + 1})
    raise AssertionError


def _answered(
    context: NodeContext,
    question: Question,
    answers: Answers,
    settings: AskSettings,
    remember: Mapping[str, Any],
) -> Any:
    """The answer that a signal brought. Raises Pause to wait for it."""
    before = pause_data(context)
    asked = int(before.get("asked", 0))
    problem = None
    if context.signal is not None:
        try:
            return answers.checked(context.signal.payload)
        except InvalidAnswerError as error:
            if asked >= settings.attempts:
                raise InvalidAnswerError(
                    f"{where(context)} got no valid answer in {asked} attempts: {error}"
                ) from error
            problem = str(error)
    elif context.paused_before and settings.timeout is not None and is_past(before):
        raise NoAnswerError
    elif context.paused_before:
        asked, problem = max(0, asked - 1), before.get("problem")
    until = before.get("until")
    if until is None and settings.timeout is not None:
        until = time() + settings.timeout
    data = {**_fields(question), "problem": problem, "asked": asked + 1, "until": until}
    raise Pause(question.text, key=settings.key, data={**data, **remember}, until=until)


def _fields(question: Question) -> dict[str, Any]:
    fields = asdict(question)
    return {**fields, "options": list(question.options), "to": list(question.to)}


register_kind(Kind("ask", run_ask, "Asks a human.", AskConfig))
