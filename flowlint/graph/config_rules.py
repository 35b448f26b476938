"""What the settings of one node or action have to be together: said of it by its own rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from flowlint.graph.cel_names import holes
from flowlint.graph.config_values import Code, Data, Hidden, is_whole
from flowlint.graph.reference_faults import near, one_of
from flowlint.graph.reference_settings import DECISIONS

Place = tuple[str | int, ...]
Given = dict[str, Data]

_ROOTS = ("state", "outputs", "results", "input")
_TIMERS = ("seconds", "duration", "until")
_SHELL_TEXTS = ("command", "args", "cwd", "env", "stdin")


@dataclass(frozen=True, slots=True)
class Said:
    """What a rule says: at which setting, what is wrong and what to do, and about which settings.

    It only counts where the values of these are known. With `vain` nothing is refused: something
    is written that does nothing.
    """

    about: tuple[str, ...]
    place: Place
    text: str
    cure: str
    vain: bool = False


def is_set(given: Given, name: str) -> bool:
    """Whether a setting has a value other than null."""
    return given.get(name) is not None


def _vain(name: str, why: str, *about: str) -> Said:
    return Said((name, *about), (name,), f"`{name}` does nothing: {why}", "remove it", True)


def _one_of(given: Given, *names: str) -> Iterator[Said]:
    if sum(is_set(given, name) for name in names) != 1:
        said = f"give one of {' and '.join(f'`{name}`' for name in names)}"
        yield Said(names, (), said, "give one")


def _action(given: Given) -> Iterator[Said]:
    if is_set(given, "action"):
        return
    if given.get("with") or is_set(given, "value_from"):
        about = ("action", "with", "value_from")
        yield Said(about, (), "`with` and `value_from` are for an `action`", "name the `action`")


def _wait(given: Given) -> Iterator[Said]:
    timers = [name for name in _TIMERS if is_set(given, name)]
    has_signal = is_set(given, "signal")
    if len(timers) > 1:
        said = "give one of seconds, duration and until"
        yield Said(_TIMERS, (timers[1],), said, "remove the others")
    if not timers and not has_signal:
        said = "give seconds, duration, until or signal"
        yield Said((*_TIMERS, "signal"), (), said, "say how long, or what is waited for")
    if "on_timeout" in given and not (has_signal and timers):
        why = "no time runs out for a signal" if has_signal else "no signal is waited for"
        yield _vain("on_timeout", why, *_TIMERS, "signal")
    if "pause_above" in given and has_signal:
        yield _vain("pause_above", "a wait for a signal always pauses", "signal")


def is_blank(value: Data) -> bool:
    """Whether a text holds nothing that can be read."""
    return isinstance(value, str) and not value.strip()


def _question(given: Given, place: Place = ()) -> Iterator[Said]:
    if is_blank(given.get("question")):
        here = (*place, "question")
        yield Said(("question",), here, f"`{'.'.join(map(str, here))}` is empty", "ask something")


def _options(given: Given) -> Iterator[Said]:
    options = [option for option in given.get("options") or () if isinstance(option, str)]
    if given.get("options") == []:
        cure = "name the answers to choose from, or remove it"
        yield Said(("options",), ("options",), "`options` is empty", cure)
    for number, option in enumerate(given.get("options") or ()):
        if is_blank(option):
            cure = "write what can be answered"
            yield Said(("options",), ("options", number), "an option is empty", cure)
    if len(set(options)) != len(options):
        said = "an option is there twice"
        yield Said(("options",), ("options",), said, "write each once")


def _ask(given: Given) -> Iterator[Said]:
    yield from _question(given)
    yield from _options(given)
    if given.get("options") and is_set(given, "answer"):
        said = "give one of `options` and `answer`"
        yield Said(("options", "answer"), ("answer",), said, "remove one of them")
    if given.get("multiple") is True and not given.get("options"):
        said = "`multiple` is for `options`"
        yield Said(("options", "multiple"), ("multiple",), said, "name the options, or remove it")
    yield from _fallback(given, given.get("options") or (), given.get("multiple") is True, ())


def _fallback(
    given: Given, options: tuple[str, ...] | list[Data], multiple: bool, place: Place
) -> Iterator[Said]:
    """What is wrong with the answer that is taken when none comes in time."""
    if "fallback" not in given:
        return
    here = (*place, "fallback")
    about = ("options", "multiple", "result", "fallback", "escalate")
    if not is_set(given, "timeout"):
        said = "`fallback` does nothing: no `timeout` says when"
        yield Said((), here, said, "give a timeout", True)
    value = given["fallback"]
    known = [option for option in options if isinstance(option, str)]
    if value is None or not known or len(known) < len(options):
        return
    values = value if multiple and isinstance(value, list) else [value]
    for single in values:
        if not isinstance(single, Hidden | Code) and not _is_option(single, known):
            cure = near(str(single), known, one_of(known) if known[1:] else f"use `{known[0]}`")
            yield Said(about, here, f"`fallback` is `{single}`, which is no answer", cure)


def _is_option(said: Data, options: list[str]) -> bool:
    """Whether an answer counts as one of some options, as it does when somebody gives it."""
    if isinstance(said, bool):
        said = "yes" if said else "no"
    if not isinstance(said, str | int | float):
        return False
    text = str(said).strip()
    alike = [option for option in options if option.lower() == text.lower()]
    return text in options or len(alike) == 1


def _decision(given: Given) -> Iterator[Said]:
    yield from _question(given)
    mode, result = given.get("mode"), given.get("result", "binary")
    voters = given.get("voters") or []
    if mode == "coordinator":
        if not is_set(given, "coordinator") or voters:
            said = "mode coordinator needs a `coordinator` and no `voters`"
            yield Said(("mode", "coordinator", "voters"), (), said, "name who decides")
        for name in ("weights", "rounds", "minimum_votes"):
            if is_set(given, name) and not voters:
                yield _vain(name, "one decides alone", "mode", "voters")
    elif not voters:
        yield Said(("mode", "voters"), (), f"mode {mode} needs `voters`", "name who votes")
    if mode == "ballot" and is_set(given, "coordinator"):
        about = ("mode", "coordinator")
        yield Said(about, ("coordinator",), "a ballot has no `coordinator`", "remove it")
    if mode == "ballot" and "rounds" in given:
        yield _vain("rounds", "a ballot has one", "mode")
    if (result == "choice") != bool(given.get("options")):
        said = "`options` and result choice belong together"
        yield Said(("result", "options"), (), said, "give both or neither")
    if (result == "custom") != is_set(given, "answer"):
        said = "`answer` and result custom belong together"
        yield Said(("result", "answer"), (), said, "give both or neither")
    yield from _options(given)
    yield from _voters(given, voters)
    rule = given.get("escalate")
    if isinstance(rule, dict):
        yield from _question(rule, ("escalate",))
    if isinstance(rule, dict) and is_whole(rule):
        decisions = DECISIONS.get(str(result), given.get("options") or ())
        yield from _fallback(rule, list(decisions), False, ("escalate",))
        if not rule.get("below") and rule.get("on_split", False) is False:
            why = "neither `below` nor `on_split` says when"
            yield _vain("escalate", why)


def _voters(given: Given, voters: list[Data]) -> Iterator[Said]:
    if any(isinstance(voter, Hidden) for voter in voters):
        return
    names = [voter for voter in voters if isinstance(voter, str)]
    if len(set(names)) != len(names):
        yield Said(("voters",), ("voters",), "a voter is there twice", "name each once")
    least = given.get("minimum_votes")
    if isinstance(least, int) and least > max(1, len(voters)):
        said = "`minimum_votes` is more than there are voters"
        about = ("minimum_votes", "voters")
        yield Said(about, ("minimum_votes",), said, f"give {max(1, len(voters))} or less")
    weights = given.get("weights")
    if not isinstance(weights, dict) or not is_whole(weights) or len(names) < len(voters):
        return
    if set(weights) != set(names):
        said = "`weights` has to give a weight for each voter and nobody else"
        yield Said(("weights", "voters"), ("weights",), said, "name each voter once")
    elif min(weights.values(), default=0) < 0 or sum(weights.values()) <= 0:
        said = "weights cannot be negative, and one has to be above 0"
        yield Said(("weights", "voters"), ("weights",), said, "give a weight above 0")


def _shell(given: Given) -> Iterator[Said]:
    """A command line that holds values of the run, and templates that nobody fills in."""
    if given.get("templates") is not True:
        for place, text in _texts(given):
            hole = next((hole for hole in holes(text) if hole[0] in _ROOTS and hole[1:]), None)
            if hole is not None:
                said = f"`{{{'.'.join(hole)}}}` is passed on as it is"
                cure = "set `templates: true` to have it filled in"
                yield Said(("templates",), place, said, cure, True)
                return
    elif given.get("shell") not in (None, False):
        command = given.get("command")
        for hole in holes(command) if isinstance(command, str) else ():
            if hole[0] in _ROOTS:
                yield Said(
                    ("shell", "templates", "command"),
                    ("command",),
                    f"the shell would run what `{{{'.'.join(hole)}}}` holds",
                    'pass it in `args`, and write "$1" in the command',
                )
                return


def _texts(given: Given) -> Iterator[tuple[Place, str]]:
    """The texts of a command that templates can stand in."""
    for name in _SHELL_TEXTS:
        value = given.get(name)
        if isinstance(value, str):
            yield (name,), value
        elif isinstance(value, list):
            yield from (((name, at), one) for at, one in enumerate(value) if isinstance(one, str))
        elif isinstance(value, dict):
            yield from (((name, key), one) for key, one in value.items() if isinstance(one, str))


def _agent(given: Given) -> Iterator[Said]:
    session = given.get("session")
    if isinstance(session, dict) and session.get("isolated") is True and "handle" in session:
        said = "an isolated session has no handle"
        yield Said(("session",), ("session",), said, "remove one of them")
    if given.get("agent") == [] or is_blank(given.get("agent")):
        yield Said(("agent",), ("agent",), "the command of the agent is empty", "name a program")
    prompt = given.get("prompt")
    if prompt == [] or is_blank(prompt):
        yield Said(("prompt",), ("prompt",), "the prompt is empty", "write what it is to do")
    if not isinstance(prompt, list):
        return
    for number, block in enumerate(prompt):
        if isinstance(block, dict) and is_whole(block) and "type" not in block:
            said = "a content block has no `type`"
            yield Said(("prompt",), ("prompt", number), said, "add `type: text`")


def _repeat(given: Given) -> Iterator[Said]:
    yield from _one_of(given, "over", "while")
    if given.get("item", "item") == given.get("index", "index"):
        said = "`item` and `index` need different names"
        yield Said(("item", "index"), (), said, "rename one of them")
    if "item" in given and is_set(given, "while"):
        yield _vain("item", "a condition goes through no items", "while")


def _set_context(given: Given) -> Iterator[Said]:
    if ("value" in given) == is_set(given, "value_from"):
        said = "give one of `value` and `value_from`"
        yield Said(("value_from",), (), said, "give one")


def _metric(given: Given) -> Iterator[Said]:
    if "value" in given and is_set(given, "value_from"):
        yield _vain("value", "`value_from` gives how much", "value_from")


def _validate(given: Given) -> Iterator[Said]:
    if (given.get("on_failure", "raise") == "fallback") != ("fallback" in given):
        said = "`fallback` and on_failure fallback belong together"
        yield Said(("on_failure",), (), said, "give both or neither")


def _transform(given: Given) -> Iterator[Said]:
    yield from _one_of(given, "expression", "function")


Rule = Callable[[Given], Iterator[Said]]

NODE_RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "action": _action,
        "wait": _wait,
        "ask": _ask,
        "decision": _decision,
        "shell": _shell,
        "agent": _agent,
        "repeat": _repeat,
    }
)
ACTION_RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "set-context": _set_context,
        "metric": _metric,
        "validate": _validate,
        "transform": _transform,
    }
)
