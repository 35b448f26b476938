"""What the built-in kinds of nodes and the built-in actions of flowrt ask for, as data.

flowrt checks the configs of its own kinds by it, and so does its dialect, which needs no pydantic.
That it is in step with flowrt's config models is tested in `tests/runtime/definition`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import Literal

from flowlint.graph.reference import MERGES

Kind = Literal["text", "integer", "number", "duration", "boolean", "list", "mapping", "callable"]
Meaning = Literal[
    "",
    "value",  # a path, or CEL
    "condition",
    "template",  # only known names are filled in
    "strict template",  # all names have to be known
    "callable",  # the name of a registered function
    "schema",
    "timer",
    "moment",
    "address",
]

PARSE_MODES = ("text", "strict", "fenced", "forgiving")
DECISIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"binary": ("YES", "NO"), "approval": ("APPROVE", "REJECT", "REVISE")}
)
"""The decisions that may come out, by the kind of result."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What may be written under a key. `types` empty: anything.

    `null`: null may. `choices` are the texts allowed. `least`, `most` and `above` bound numbers,
    `shortest` the length of a text. `items` is what a list or mapping holds, `fields` are the keys
    of a mapping. `means` tells what a text is, `sync` that a function is never awaited.
    """

    types: tuple[Kind, ...] = ()
    required: bool = False
    null: bool = False
    choices: tuple[str, ...] = ()
    least: float = -inf
    most: float = inf
    above: float | None = None
    shortest: int = 0
    items: Setting | None = None
    fields: Mapping[str, Setting] | None = None
    means: Meaning = ""
    sync: bool = False


Settings = Mapping[str, Setting]


def _choice(*choices: str, required: bool = False) -> Setting:
    return Setting(("text",), required, choices=choices)


_ANYTHING = Setting(null=True)
_TEXT = Setting(("text",))
_NAME = Setting(("text",), True, shortest=1)
_MAY_TEXT = Setting(("text",), null=True)
_STATE_KEY = Setting(("text",), shortest=1)
_MAY_NAME = Setting(("text",), null=True, shortest=1)
_FLAG = Setting(("boolean",))
_TEXTS = Setting(("list",), items=_TEXT)
_VARIABLES = Setting(("mapping",), items=_TEXT)
_VALUE = Setting(("text",), null=True, means="value")
_STRICT = Setting(("text",), means="strict template")
_STRICTS = Setting(("mapping",), items=_STRICT)
_MAY_TEMPLATE = Setting(("text", "callable"), null=True, means="template")
_QUESTION = Setting(("text", "callable"), True, means="template")
_CALLABLE = Setting(("text", "callable"), null=True, means="callable")
_PARSE = Setting(("text", "callable"), null=True, choices=PARSE_MODES, means="callable")
_SCHEMA = Setting(("mapping",), null=True, means="schema")
_VOTER = Setting(("text", "callable"))
_SECONDS = Setting(("duration",), least=0)
_COUNT = Setting(("integer",), least=1)

_COMMON: Settings = {"into": _MAY_NAME}
_ASKING: Settings = {
    "to": _TEXTS,
    "key": _MAY_NAME,
    "timeout": Setting(("duration",), null=True, above=0),
    "fallback": _ANYTHING,
    "attempts": _COUNT,
}
_SHARE = Setting(("number",), least=0, most=1)

CONFIGS: Mapping[str, Settings] = MappingProxyType(
    {
        **dict.fromkeys(("step", "gate", "loop", "start", "end"), _COMMON),
        "compute": {**_COMMON, "expression": _VALUE},
        "action": {
            **_COMMON,
            "action": _MAY_TEXT,
            "with": Setting(("mapping",)),
            "value_from": _VALUE,
        },
        "shell": {
            **_COMMON,
            "command": _MAY_TEXT,
            "args": _TEXTS,
            "cwd": _MAY_TEXT,
            "env": _VARIABLES,
            "inherit": Setting(("text", "list"), choices=("all", "minimal", "none"), items=_TEXT),
            "stdin": _MAY_TEXT,
            "shell": Setting(("boolean", "text")),
            "timeout": Setting(("duration",), null=True, least=0),
            "max_buffer_bytes": Setting(("integer",), least=0),
            "on_overflow": _choice("truncate", "fail"),
            "allow_nonzero_exit": _FLAG,
            "exec": _CALLABLE,
            "templates": _FLAG,
            "parse": _PARSE,
        },
        "checkpoint": {
            **_COMMON,
            "summary": Setting(("text",), null=True, means="template"),
            "key": _MAY_NAME,
        },
        "subflow": {
            **_COMMON,
            "flow": _NAME,
            "input": Setting(("mapping",), null=True, items=Setting(("text",), means="value")),
            "output": _VALUE,
        },
        "wait": {
            **_COMMON,
            "seconds": Setting(("number",), null=True, least=0),
            "duration": Setting(("text",), null=True, means="timer"),
            "until": Setting(("text", "number"), null=True, means="moment"),
            "signal": _MAY_NAME,
            "pause_above": _SECONDS,
            "on_timeout": _choice("continue", "fail"),
        },
        "ask": {
            **_COMMON,
            **_ASKING,
            "question": _QUESTION,
            "options": _TEXTS,
            "multiple": _FLAG,
            "answer": _SCHEMA,
        },
        "decision": {
            **_COMMON,
            "mode": _choice("coordinator", "ballot", "consensus", required=True),
            "question": _QUESTION,
            "result": _choice("binary", "approval", "choice", "custom"),
            "options": _TEXTS,
            "answer": _SCHEMA,
            "voters": Setting(("list",), items=_VOTER),
            "coordinator": Setting(("text", "callable"), null=True),
            "weights": Setting(
                ("text", "mapping"), choices=("equal", "seniority"), items=Setting(("number",))
            ),
            "rounds": Setting(("integer",), least=1, most=20),
            "minimum_votes": Setting(("integer",), null=True, least=1),
            "escalate": Setting(
                ("mapping",),
                null=True,
                fields={
                    **_ASKING,
                    "below": _SHARE,
                    "on_split": _FLAG,
                    "question": _MAY_TEMPLATE,
                },
            ),
        },
        "agent": {
            **_COMMON,
            "agent": Setting(("text", "list"), null=True, items=_TEXT),
            "prompt": Setting(
                ("text", "list", "callable"),
                null=True,
                items=Setting(("mapping",)),
                means="template",
            ),
            "cwd": _MAY_TEMPLATE,
            "env": _VARIABLES,
            "session": Setting(
                ("mapping",),
                fields={"handle": Setting(("text",), shortest=1), "isolated": _FLAG},
            ),
            "start_timeout": Setting(("duration",), null=True, least=0),
            "parse": _PARSE,
        },
        "repeat": {
            **_COMMON,
            "over": Setting(("text", "list", "callable"), null=True, means="value"),
            "while": Setting(("text", "callable"), null=True, means="condition"),
            "item": _STATE_KEY,
            "index": _STATE_KEY,
            "max_iterations": _COUNT,
            "on_limit": _choice("fail", "stop"),
            "collect": _VALUE,
        },
        "parallel": {
            **_COMMON,
            "limit": Setting(("integer",), null=True, least=1),
            "merge": Setting(
                ("mapping",),
                items=Setting(("text", "callable"), choices=MERGES, means="callable", sync=True),
            ),
            "on_failure": _choice("cancel", "wait"),
        },
        "attempt": {
            **_COMMON,
            "retry": Setting(
                ("mapping",),
                null=True,
                fields={
                    "attempts": Setting(("integer",), least=1, most=100),
                    "delay": _SECONDS,
                    "factor": Setting(("number",), least=1),
                    "max_delay": _SECONDS,
                    "jitter": _SHARE,
                },
            ),
            "error": _STATE_KEY,
        },
    }
)
"""What each kind of flowrt may be told, by its name."""

_ANY_ACTION: Settings = {"when": _choice("ok", "failed", "always")}

ACTIONS: Mapping[str, Settings] = MappingProxyType(
    {
        "log": {
            **_ANY_ACTION,
            "message": Setting(("text",), True, means="strict template"),
            "level": _choice("debug", "info", "warning", "error"),
        },
        "notify": {
            **_ANY_ACTION,
            "message": Setting(("text",), True, means="strict template"),
            "channel": _TEXT,
            "target": Setting(("text",), null=True, means="strict template"),
        },
        "webhook": {
            **_ANY_ACTION,
            "url": Setting(("text",), True, means="address"),
            "method": _choice("POST", "PUT"),
            "headers": _STRICTS,
            "body": Setting(("text", "mapping", "list"), null=True, means="strict template"),
            "timeout": Setting(("duration",), above=0, most=600),
        },
        "metric": {
            **_ANY_ACTION,
            "name": _NAME,
            "value": Setting(("number",)),
            "value_from": _VALUE,
            "tags": _STRICTS,
        },
        "set-context": {
            **_ANY_ACTION,
            "key": _NAME,
            "value": Setting(null=True, means="strict template"),
            "value_from": _VALUE,
        },
        "validate": {
            **_ANY_ACTION,
            "schema": Setting(("mapping", "boolean"), True, means="schema"),
            "value_from": _VALUE,
            "on_failure": _choice("raise", "skip", "fallback"),
            "fallback": _ANYTHING,
        },
        "transform": {**_ANY_ACTION, "expression": _VALUE, "function": _CALLABLE},
    }
)
"""What each action of flowrt may be told beside its `type`."""

CALLS_RUN = frozenset({"step", "gate", "loop", "compute", "action", "checkpoint"})
"""The kinds that call the function of their node."""
STATE_KINDS = frozenset({"step", "gate", "loop"})
"""Those of them that call it with the state; the others call it with the context."""
