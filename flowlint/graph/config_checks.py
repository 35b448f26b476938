"""What flowrt refuses in the configs of nodes and in actions, and what does nothing there.

flowrt says it of the values themselves, its dialect of what source says of them: see
`config_values` for the form in which both hand them over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from math import inf
from typing import Any

from flowlint.graph import reference_faults as faults
from flowlint.graph.cel_names import Scope, template_fault, value_fault
from flowlint.graph.config_rules import (
    ACTION_RULES,
    NODE_RULES,
    Place,
    Rule,
    Said,
    is_blank,
)
from flowlint.graph.config_scopes import action_scope, config_scope
from flowlint.graph.config_values import A_TYPE, Code, Data, Hidden, OpenDict
from flowlint.graph.json_schema import MOST, TYPES, schema_faults
from flowlint.graph.model import Violation
from flowlint.graph.reference import case_label, is_foreign
from flowlint.graph.reference_fields import (
    IN_WORDS,
    duration,
    missing_field,
    unknown_field,
)
from flowlint.graph.reference_settings import ACTIONS, CALLS_RUN, CONFIGS, Setting, Settings
from flowlint.graph.timers import HOW_LONG, WHEN, moment, timer
from flowlint.source import Span

SpanOf = Callable[[Place, bool], Span]
"""Where something stands in a config; with True, where its key does."""
IsRegistered = Callable[[str], bool]

_VALUE_CURE = "write a path such as `state.items`, or CEL"


class ConfigChecker:
    """Checks the config and the actions of one node.

    `nodes` are those whose outputs it may name, `inner` those in its regions; None: not all are
    known. `registered` tells whether a function has a name; None: that is not known.
    """

    def __init__(
        self,
        node: str,
        kind: str,
        span_of: SpanOf,
        nodes: frozenset[str] | None,
        inner: frozenset[str] | None,
        registered: IsRegistered | None = None,
    ) -> None:
        self.node = node
        self.kind = kind
        self.span_of = span_of
        self.nodes = nodes
        self.inner = inner
        self.registered = registered

    # -- configs ---------------------------------------------------------------------------

    def config(self, config: Data, has_run: bool | None) -> Iterator[Violation]:
        """What is wrong with the config of a kind that flowrt brings along.

        `has_run` tells whether the node has a function, None when that is not known.
        """
        place: Place = ("config",)
        if isinstance(config, Hidden):
            return
        if not isinstance(config, dict):
            said = f"The config of node `{self.node}` is no mapping"
            cure = "give what the kind asks for by name"
            yield Violation(self.span_of(place, False), said, cure, self.node)
            return
        known = CONFIGS.get(self.kind)
        if known is None:
            return
        given = {case_label(key): value for key, value in config.items()}
        owner = f"The config of node `{self.node}`"

        def scope_of(field: str) -> Scope:
            return config_scope(self.kind, field, given, self.nodes, self.inner)

        found = [*self._settings(owner, place, config, known, scope_of)]
        yield from found
        if any(fault.severity is None for fault in found) or isinstance(config, OpenDict):
            return
        yield from self._ruled(owner, place, given, NODE_RULES.get(self.kind))
        yield from self._what_runs(given, has_run)
        if self.kind == "action":
            yield from self._action_node(given)

    def _what_runs(self, given: dict[str, Data], has_run: bool | None) -> Iterator[Violation]:
        """A node that has nothing to run, or more than it can."""
        here = self.span_of((), False)
        own = {"compute": "expression", "action": "action"}.get(self.kind)
        if has_run and self.kind not in CALLS_RUN:
            said = f"`run` of node `{self.node}` does nothing: a `{self.kind}` never calls it"
            yield self._in_vain(("run",), said, "remove it, or use another kind")
        if has_run and own is not None and given.get(own) is not None:
            if own == "action" and not isinstance(given[own], Hidden):
                said = f"Node `{self.node}` has both `run` and an `action`, and can only do one"
                yield Violation(here, said, "remove one of them", self.node)
            elif own == "expression":
                said = f"`expression` of node `{self.node}` does nothing: `run` gives the output"
                yield self._in_vain(("config", own), said, "remove one of them")
        if self.kind == "shell":
            command = given.get("command")
            if (not command or is_blank(command)) and given.get("exec") is None:
                yield self._nothing("give it a `command`, or `exec`")
        elif own is not None and has_run is False and given.get(own) is None:
            yield self._nothing(f"give it `run`, or `{own}` in its config")

    def _nothing(self, cure: str) -> Violation:
        said = f"Node `{self.node}`, of kind `{self.kind}`, has nothing to run: Flow(…) raises"
        return Violation(self.span_of((), False), said, cure, self.node, "wrong-callable")

    def _in_vain(self, place: Place, said: str, cure: str) -> Violation:
        span = self.span_of(place, True)
        return Violation(span, said, cure, self.node, "ineffective-field", severity="warning")

    def _action_node(self, given: dict[str, Data]) -> Iterator[Violation]:
        name, settings = given.get("action"), given.get("with", {})
        if isinstance(name, str) and isinstance(settings, dict):
            owner = f"`with` of node `{self.node}`"
            yield from self._action(name, owner, ("config", "with"), ("config", "action"), settings)

    # -- actions ---------------------------------------------------------------------------

    def actions(self, before: Data, after: Data) -> Iterator[Violation]:
        """What is wrong with the actions before and after the node."""
        if not all(isinstance(given, list | Hidden) for given in (before, after)):
            said = f"The actions of node `{self.node}` are no list"
            cure = "give a list of mappings with a `type`"
            yield Violation(self.span_of((), False), said, cure, self.node)
            return
        for slot, actions in (("before", before), ("after", after)):
            for number, given in enumerate(actions if isinstance(actions, list) else ()):
                if not isinstance(given, Hidden):
                    yield from self._listed_action(given, (slot, number))

    def _listed_action(self, given: Data, place: Place) -> Iterator[Violation]:
        owner = f"An action of node `{self.node}`"
        name = given.get("type") if isinstance(given, dict) else None
        if isinstance(name, Hidden) or (name is None and isinstance(given, OpenDict)):
            return
        if not isinstance(name, str):
            yield self._of(missing_field(owner, "type", self.span_of(place, False)))
            return
        settings = {key: value for key, value in given.items() if key != "type"}
        if isinstance(given, OpenDict):
            settings = OpenDict(settings)
        owner = f"The `{name}` of node `{self.node}`"
        yield from self._action(name, owner, place, (*place, "type"), settings)

    def _action(
        self, name: str, owner: str, place: Place, named_at: Place, settings: dict[str, Data]
    ) -> Iterator[Violation]:
        known = ACTIONS.get(name) or ACTIONS.get(name.replace("_", "-"))
        if known is None:
            if is_foreign(name):
                return
            said = f"An action of node `{self.node}` is a `{name}`, which nobody registered"
            cure = faults.near(name, ACTIONS, faults.one_of([*ACTIONS]))
            yield Violation(self.span_of(named_at, False), said, cure, self.node)
            return
        scope = action_scope(self.nodes)
        found = [*self._settings(owner, place, settings, known, lambda _: scope)]
        yield from found
        if not any(fault.severity is None for fault in found):
            rule = ACTION_RULES.get(name.replace("_", "-"))
            given = {case_label(key): value for key, value in settings.items()}
            if not isinstance(settings, OpenDict):
                yield from self._ruled(owner, place, given, rule)

    # -- settings --------------------------------------------------------------------------

    def _ruled(
        self, owner: str, place: Place, given: dict[str, Data], rule: Rule | None
    ) -> Iterator[Violation]:
        for said in rule(given) if rule is not None else ():
            if not any(isinstance(given.get(name), Hidden) for name in said.about):
                yield self._said(owner, place, said)

    def _said(self, owner: str, place: Place, said: Said) -> Violation:
        span = self.span_of((*place, *said.place), said.vain)
        where = f", at `{_path(said.place)}`" if len(said.place) > 1 else ""
        if said.vain:
            text = f"In {owner[:1].lower()}{owner[1:]}{where}, {said.text}"
            return Violation(
                span, text, said.cure, self.node, "ineffective-field", severity="warning"
            )
        return Violation(span, f"{owner} is wrong{where}: {said.text}", said.cure, self.node)

    def _settings(
        self,
        owner: str,
        place: Place,
        given: Mapping[Any, Data],
        known: Settings,
        scope_of: Callable[[str], Scope],
    ) -> Iterator[Violation]:
        for key, value in given.items():
            name = case_label(key)
            here = (*place, name)
            if name not in known:
                yield self._of(unknown_field(owner, name, known, self.span_of(here, True)))
            else:
                yield from self._setting(owner, (name,), here, value, known[name], scope_of(name))
        if isinstance(given, OpenDict):
            return
        names = {case_label(key) for key in given}
        for name, about in known.items():
            if about.required and name not in names:
                yield self._of(missing_field(owner, name, self.span_of(place, False)))

    def _of(self, fault: Violation) -> Violation:
        return replace(fault, node=self.node)

    def _setting(
        self, owner: str, inside: Place, here: Place, value: Data, about: Setting, scope: Scope
    ) -> Iterator[Violation]:
        """What is wrong with one value. `inside` is its path within what `owner` is."""
        if isinstance(value, Hidden) or (value is None and (about.null or not about.types)):
            return
        span = self.span_of(here, False)
        field = f"Field `{_path(inside)}` of {owner[:1].lower()}{owner[1:]}"
        if not _fits(value, about):
            words = " or ".join(IN_WORDS[kind] for kind in about.types if kind != "callable")
            yield Violation(span, f"{field} is to be {words}", None, self.node)
            return
        if isinstance(value, Code) and about.sync and value.is_async:
            yield faults.async_merge(field, value.name, span, self.node)
        if isinstance(value, str):
            yield from self._text(field, value, about, scope, span)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield from self._number(field, value, about, span)
        if about.means == "schema":
            yield from self._schema(field, here, value)
        elif about.means == "strict template" and isinstance(value, dict | list):
            yield from self._held_templates(field, here, value, scope)
        if about.fields is not None and isinstance(value, dict):
            inner = f"`{_path(inside)}` in {owner[:1].lower()}{owner[1:]}"
            yield from self._settings(inner, here, value, about.fields, lambda _: scope)
        elif about.items is not None and isinstance(value, dict | list):
            for key, item in value.items() if isinstance(value, dict) else enumerate(value):
                name = key if isinstance(value, list) else case_label(key)
                yield from self._setting(
                    owner, (*inside, name), (*here, name), item, about.items, scope
                )

    def _number(self, field: str, value: float, about: Setting, span: Span) -> Iterator[Violation]:
        is_above = about.above is None or value > about.above
        if about.least <= value <= about.most and is_above and abs(value) <= MOST:
            return
        least = f"more than {about.above:g}" if about.above is not None else f"{about.least:g}"
        if about.most != inf:
            cure = f"give {least} to {about.most:g}"
        elif about.above is not None:
            cure = f"give {least}"
        else:
            cure = f"give {least} or more" if about.least != -inf else "give another number"
        shown = f"{value:g}" if abs(value) <= MOST else "endless" if value > 0 else "no number"
        said = f"{field} is {shown}, which is out of its range"
        yield Violation(span, said, cure, self.node, "bad-limit")

    def _text(
        self, field: str, text: str, about: Setting, scope: Scope, span: Span
    ) -> Iterator[Violation]:
        if "duration" in about.types and "text" not in about.types:
            seconds = duration(text)
            yield from self._number(field, inf if seconds is None else seconds, about, span)
            return
        if len(text) < about.shortest:
            yield Violation(span, f"{field} is empty", "write what it is to be", self.node)
        fault: Violation | None = None
        what = f"`{text}`, {field[:1].lower()}{field[1:]},"
        match about.means:
            case "value":
                fault = value_fault(what, text, scope, _VALUE_CURE, span, self.node)
            case "condition":
                cure = "write a condition such as `state.tries < 3`"
                fault = value_fault(what, text, scope, cure, span, self.node)
            case "template" | "strict template" | "address":
                is_strict = about.means != "template"
                fault = template_fault(field, text, scope, strict=is_strict, span=span,
                                       node=self.node)  # fmt: skip
            case "timer" if timer(text) is None:
                said = f"{field} is wrong: `{text}` is no duration"
                fault = Violation(span, said, HOW_LONG, self.node)
            case "moment" if moment(text) is None:
                said = f"{field} is wrong: `{text}` is no point in time"
                fault = Violation(span, said, WHEN, self.node)
        if about.means == "address" and not text.startswith(("http://", "https://", "{")):
            said = f"{field} is wrong: `{text}` is no address"
            yield Violation(span, said, "begin it with http:// or https://", self.node)
        if fault is not None:
            yield fault
        if about.means == "callable":
            yield from self._function(text, about, span)
        elif about.choices and text not in about.choices:
            yield faults.bad_choice(field, text, about.choices, span, self.node)

    def _function(self, name: str, about: Setting, span: Span) -> Iterator[Violation]:
        """A function that nobody registered under its name."""
        if name in about.choices or self.registered is None or self.registered(name):
            return
        cure = faults.REGISTER
        if about.choices:
            cure = faults.near(name, about.choices, f"{faults.one_of(about.choices)}, or {cure}")
        reason = "which is registered nowhere"
        yield faults.undefined_callable(name, reason, cure, self.node, span)

    def _schema(self, field: str, here: Place, value: Data) -> Iterator[Violation]:
        for place, said, word in schema_faults(value):
            where = f"`{_path(place)}` in {field[:1].lower()}{field[1:]}" if place else field
            cure = faults.near(word, TYPES, faults.one_of(TYPES)) if word is not None else None
            span = self.span_of((*here, *place), False)
            yield Violation(span, f"{where} {said}", cure, self.node)

    def _held_templates(
        self, field: str, here: Place, value: Data, scope: Scope
    ) -> Iterator[Violation]:
        """The templates inside of a value."""
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in parts:
            place = (*here, key if isinstance(value, list) else case_label(key))
            if isinstance(part, str):
                span = self.span_of(place, False)
                fault = template_fault(field, part, scope, strict=True, span=span, node=self.node)
                if fault is not None:
                    yield fault
            elif isinstance(part, dict | list):
                yield from self._held_templates(field, place, part, scope)


def _fits(value: Data, about: Setting) -> bool:
    """Whether a value is of one of the types that are asked for."""
    if not about.types:
        return True
    if value == A_TYPE:
        return about.means == "schema" or "callable" in about.types
    return any(_is_of(value, kind) for kind in about.types)


def _is_of(value: Data, kind: str) -> bool:
    match kind:
        case "text":
            return isinstance(value, str)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "duration":
            return duration(value) is not None
        case "boolean":
            return isinstance(value, bool)
        case "list":
            return isinstance(value, list)
        case "mapping":
            return isinstance(value, dict)
    return isinstance(value, Code)


def _path(place: Place) -> str:
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    return text.removeprefix(".")
