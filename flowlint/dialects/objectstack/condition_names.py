"""What conditions look at, held against the object of the record that fires the flow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from flowlint.dialects.objectstack.data_schema import IMPLICIT, ObjectFacts, names_of
from flowlint.dialects.objectstack.notes import FAILS, Notes, Severity
from flowlint.dialects.objectstack.objects import Expression, Obj, expression_of, object_of
from flowlint.dialects.objectstack.parts import NodePart, Scope
from flowlint.graph.cel import cel_formula
from flowlint.graph.cel_names import parsed
from flowlint.graph.cel_syntax import CelError, Other, Select, Tree, mentions, parts_of
from flowlint.graph.cel_values import Values, meant_choice, never_met
from flowlint.graph.names import NearNames
from flowlint.graph.reference_faults import near
from flowlint.values.model import Const, Mapped

_RECORDS = ("record", "previous")
_NAMING = ("Variable", "itemObject")
"""How the keys of a config end under which the name of a variable stands."""


@dataclass(frozen=True, slots=True)
class _Condition:
    written: Expression
    what: str
    node: str


def condition_faults(scopes: Sequence[Scope], record: ObjectFacts, notes: Notes) -> None:
    """Note what conditions look at that a record does not have, or that it never is."""
    variables = frozenset(_variables(scopes))
    if not variables.isdisjoint(_RECORDS):
        return
    for scope in scopes:
        for condition in _conditions(scope):
            source = condition.written.source
            if condition.written.dialect != "cel" or not source:
                continue
            tree = parsed(source)
            if isinstance(tree, CelError):
                continue
            if not _names(condition, tree, record, variables, notes):
                _values(condition, source, record, variables, notes)


def _conditions(scope: Scope) -> Iterator[_Condition]:
    for node in scope.nodes:
        if node.presence:
            continue
        gate = node.config.get("condition") if node.kind == "start" else None
        if gate is not None:
            yield _Condition(expression_of(gate), f"the condition of node `{node.id}`", node.id)
        for part in node.config.items("conditions") if node.kind == "decision" else ():
            held = object_of(part) if isinstance(part, Mapped) else None
            written = held.get("expression") if held is not None else None
            if held is not None and written is not None:
                what = f"condition `{held.text('label')}` of decision `{node.id}`"
                yield _Condition(expression_of(written), what, node.id)
    for edge in scope.edges:
        if edge.condition is not None and not edge.presence and not edge.is_fault:
            yield _Condition(edge.condition, f"the condition of {edge.shown}", edge.source)


def _names(
    condition: _Condition,
    tree: Tree,
    record: ObjectFacts,
    variables: frozenset[str],
    notes: Notes,
) -> bool:
    """Note a name that is not there; whether there is one."""
    known = list(names_of(record))
    asked = {path for path in _asked(tree) if path}
    for path in mentions(tree):
        if not isinstance(path, tuple):
            continue
        head, *fields = path
        if head in _RECORDS and fields and fields[0] not in known:
            shown = f"{head}.{fields[0]}"
            effect = "so it is never there" if path in asked else FAILS
            said = f"looks at `{shown}`, but `{record.name}` has no field `{fields[0]}`: {effect}"
            cure = near(fields[0], known, f"name a field of `{record.name}`")
            _note(condition, said, cure, "error", "unknown-variable", notes)
            return True
        if head in variables or head in known or head in _RECORDS:
            continue
        meant = NearNames(list(record.fields or ())).only(head)
        if meant is not None:
            said = (
                f"looks at `{head}`, which is neither a field of `{record.name}` nor a variable "
                f"that this flow sets: {FAILS}, unless who starts it gives one"
            )
            cure = f"did you mean `{meant}`?"
            _note(condition, said, cure, "warning", "unknown-variable", notes)
            return True
    return False


def _note(
    condition: _Condition, said: str, cure: str, severity: Severity, rule: str, notes: Notes
) -> None:
    said = f"{condition.what} {said}"
    said = said[0].upper() + said[1:]
    span = condition.written.span
    notes.add(span, said, cure, rule=rule, node=condition.node, severity=severity)


def _asked(tree: Tree) -> Iterator[tuple[str, ...]]:
    """The paths of which `has(…)` asks whether they are there."""
    pending = [tree]
    while pending:
        part = pending.pop()
        if isinstance(part, Other) and part.calls == "has" and part.form == "macro":
            yield from (path for path in mentions(part) if isinstance(path, tuple))
        elif not isinstance(part, Select):
            pending += parts_of(part)


def _values(
    condition: _Condition,
    source: str,
    record: ObjectFacts,
    variables: frozenset[str],
    notes: Notes,
) -> None:
    known: dict[str, Values] = {}
    for name, facts in (record.fields or {}).items():
        if facts.holds is None or name in IMPLICIT:
            continue
        known.update({f"{head}.{name}": facts.holds for head in _RECORDS})
        if name not in variables:
            known[name] = facts.holds
    formula = cel_formula(source, bare=True)
    never = never_met(formula, known)
    if never is None:
        return
    name, words = never
    said = f"is never true: `{name}` of `{record.name}` is {words}"
    cure = meant_choice(formula, name, known[name]) or "compare it with what it may be"
    _note(condition, said, cure, "warning", "guard-never-true", notes)


def _variables(scopes: Sequence[Scope]) -> Iterator[str]:
    """The names that the flow itself gives to variables, as far as they are known."""
    for part in scopes[0].flow.items("variables"):
        if isinstance(part, Mapped):
            yield object_of(part).text("name") or ""
    for node in (node for scope in scopes for node in scope.nodes):
        yield node.id
        yield from _named_by(node)


def _named_by(node: NodePart) -> Iterator[str]:
    config: Obj = node.config
    fields: Mapping[str, object] = config.fields
    for name in fields:
        if name.endswith(_NAMING):
            yield config.text(name) or ""
    if node.kind == "assignment":
        yield from fields
    for listed in ("assignments", "fields"):
        for part in config.items(listed):
            held = object_of(part) if isinstance(part, Mapped) else None
            for key in ("variable", "name", "key") if held is not None else ():
                yield (held.text(key) if held is not None else None) or ""
        value = config.get(listed)
        if isinstance(value, Mapped):
            keys = (entry.key for entry in value.entries)
            yield from (str(key.value) for key in keys if isinstance(key, Const))
