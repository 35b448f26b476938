"""What answers are allowed, and turning what somebody said into one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from flowrt.errors import FlowError
from flowrt.extras import CURE
from flowrt.nodes.values import plain
from flowrt.parsing import ParseError, parse_json


class InvalidAnswerError(FlowError, ValueError):
    """An answer is not one of those asked for; the message can be shown to who gave it."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers allowed: some options, or a type (a pydantic model, another type or a schema).

    With neither, anything is allowed but nothing at all.
    """

    options: tuple[str, ...] = ()
    multiple: bool = False
    type: Any = None

    def schema(self) -> dict[str, Any] | None:
        """The answers allowed as a JSON Schema, None when anything is."""
        if self.options:
            one: dict[str, Any] = {"enum": list(self.options)}
            return {"type": "array", "items": one, "uniqueItems": True} if self.multiple else one
        if self.type is None:
            return None
        if isinstance(self.type, Mapping):
            return dict(self.type)
        return TypeAdapter(self.type).json_schema()

    def checked(self, answer: Any) -> Any:
        """The answer as plain data. Raises InvalidAnswerError saying what would be right."""
        if answer is None:
            raise InvalidAnswerError("there was no answer")
        if self.options:
            return self._chosen(answer)
        if self.type is None:
            return plain(answer)
        if isinstance(self.type, Mapping):
            return _by_schema(self.type, answer)
        return _by_type(self.type, answer)

    def _chosen(self, answer: Any) -> Any:
        if not self.multiple:
            return self._option(answer)
        given = [answer] if isinstance(answer, str) else answer
        if not isinstance(given, Sequence):
            raise InvalidAnswerError(f"expected some of {self._listed()}, not {answer!r}")
        chosen = [self._option(one) for one in given]
        return [option for option in self.options if option in chosen]

    def _option(self, answer: Any) -> str:
        if isinstance(answer, bool):
            answer = "yes" if answer else "no"
        said = str(answer).strip() if isinstance(answer, str | int | float) else None
        if said in self.options:
            return said
        alike = [option for option in self.options if said and option.lower() == said.lower()]
        if len(alike) == 1:
            return alike[0]
        raise InvalidAnswerError(f"expected {self._listed()}, not {answer!r}")

    def _listed(self) -> str:
        return ", ".join(f"`{option}`" for option in self.options)


def _by_type(kind: Any, answer: Any) -> Any:
    adapter = TypeAdapter(kind)
    try:
        value = adapter.validate_python(answer)
    except ValidationError as error:
        if not isinstance(answer, str):
            raise InvalidAnswerError(_problems(error)) from error
        try:
            value = adapter.validate_python(parse_json(answer))
        except (ValidationError, ParseError) as again:
            problem = again if isinstance(again, ValidationError) else error
            raise InvalidAnswerError(_problems(problem)) from again
    return adapter.dump_python(value, mode="json")


def _problems(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(str(part) for part in item['loc']) or 'the answer'}: {item['msg']}"
        for item in error.errors(include_url=False)
    )


def _by_schema(schema: Mapping[str, Any], answer: Any) -> Any:
    value = plain(answer)
    problems = schema_problems(schema, value)
    if problems and isinstance(answer, str):
        try:
            value = parse_json(answer)
        except ParseError:
            raise InvalidAnswerError("; ".join(problems)) from None
        problems = schema_problems(schema, value)
    if problems:
        raise InvalidAnswerError("; ".join(problems))
    return value


def schema_problems(schema: Mapping[str, Any] | bool, value: Any) -> list[str]:
    """What is wrong with a value by a JSON Schema. Raises FlowError for a wrong schema."""
    try:
        from jsonschema_rs import ValidationError as SchemaError
        from jsonschema_rs import validator_for
    except ImportError as error:
        raise FlowError(f"JSON Schemas need the package `jsonschema-rs`: {CURE}") from error
    try:
        validator = validator_for(schema if isinstance(schema, bool) else dict(schema))
    except (SchemaError, ValueError) as error:
        raise FlowError(f"this is no valid JSON Schema: {error}") from error
    return [
        f"{'.'.join(str(part) for part in problem.instance_path) or 'the value'}: {problem.message}"
        for problem in validator.iter_errors(value)
    ]
