"""What flowlint knows of configs and actions is what flowrt's models of them are."""

from __future__ import annotations

from math import inf
from typing import Any, get_args, get_origin

import pytest
from flowrt.actions import find_action
from flowrt.actions.registry import BUILT_IN
from flowrt.cel import evaluate
from flowrt.config_faults import as_data
from flowrt.errors import FlowError
from flowrt.registry import BUILT_IN_KINDS, find_kind
from generated_settings import register, settings_of
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from flowlint.graph.cel_functions import FUNCTIONS
from flowlint.graph.cel_names import VISIT_FIELDS
from flowlint.graph.config_checks import ConfigChecker
from flowlint.graph.json_schema import schema_faults
from flowlint.graph.reference_settings import ACTIONS, CONFIGS, Settings
from flowlint.source import Span

HERE = Span("x", 1, 1, 1, 1)
REGISTERED = "tests.registered"


@pytest.fixture(scope="module", autouse=True)
def registered() -> None:
    register()


def model_of_kind(kind: str) -> type[BaseModel]:
    found = find_kind(kind)
    assert found is not None
    assert found.config is not None
    return found.config


def model_of_action(name: str) -> type[BaseModel]:
    found = find_action(name)
    assert found is not None
    return found.config


MODELS = [
    *(pytest.param(CONFIGS[kind], model_of_kind(kind), id=kind) for kind in BUILT_IN_KINDS),
    *(pytest.param(ACTIONS[name], model_of_action(name), id=name) for name in BUILT_IN),
]


BOUNDS = ("ge", "le", "gt", "min_length")


def test_they_are_all_there() -> None:
    assert set(CONFIGS) == set(BUILT_IN_KINDS)
    assert set(ACTIONS) == set(BUILT_IN)


def _literals(annotation: Any) -> set[str]:
    """The texts that an annotation allows by name."""
    if get_origin(annotation) is not None and "Literal" in str(get_origin(annotation)):
        return set(get_args(annotation))
    return {text for part in get_args(annotation) for text in _literals(part)}


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = [model for part in get_args(annotation) if (model := _inner_model(part))]
    return found[0] if found else None


def _bounds(field: FieldInfo) -> tuple[float, float, float | None, int]:
    """What a model allows of a number (least, most, above), and of the length of a text."""
    found = {name: getattr(m, name) for m in field.metadata for name in BOUNDS if hasattr(m, name)}
    above = found.get("gt")
    return found.get("ge", -inf), found.get("le", inf), above, found.get("min_length", 0)


def _compare(known: Settings, model: type[BaseModel]) -> None:
    fields = {field.alias or name: field for name, field in model.model_fields.items()}
    assert known.keys() == fields.keys()
    for name, about in known.items():
        field = fields[name]
        assert about.required == field.is_required(), name
        literals = _literals(field.annotation)
        assert not literals or set(about.choices) == literals, name
        assert _bounds(field) == (about.least, about.most, about.above, about.shortest), name
        inner = _inner_model(field.annotation)
        assert (inner is not None) == (about.fields is not None), name
        if inner is not None and about.fields is not None:
            _compare(about.fields, inner)


@pytest.mark.parametrize(("known", "model"), MODELS)
def test_fields_are_those_of_the_models(known: Settings, model: type[BaseModel]) -> None:
    _compare(known, model)


def errors_of(checker: ConfigChecker, what: str, name: str, given: Any) -> list[str]:
    data = as_data(given)
    if what == "kind":
        found = checker.config(data, has_run=True)
    else:
        found = checker.actions([{"type": name, **data}], [])
    return [fault.message for fault in found if fault.severity is None]


@pytest.mark.parametrize(
    ("what", "name"),
    [*(("kind", kind) for kind in BUILT_IN_KINDS), *(("action", name) for name in BUILT_IN)],
)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_what_a_model_refuses_is_refused_before(what: str, name: str, data: st.DataObject) -> None:
    """Else building a flow would tell more than flowlint can."""
    known = CONFIGS[name] if what == "kind" else ACTIONS[name]
    model = model_of_kind(name) if what == "kind" else model_of_action(name)
    made = data.draw(settings_of(known))
    checker = ConfigChecker("n", name, lambda *_: HERE, None, None, lambda text: text == REGISTERED)
    errors = errors_of(checker, what, name, made)
    try:
        model.model_validate(made)
    except ValidationError as error:
        assert errors, error


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_schema_that_is_refused_is_refused_by_the_library_too(data: st.DataObject) -> None:
    from jsonschema_rs import validator_for

    keywords = (
        *("type", "items", "properties", "required", "enum", "allOf", "not", "minimum", "title"),
        *("minLength", "multipleOf", "uniqueItems", "additionalProperties", "$defs", "if"),
    )
    values = (
        *("string", "strin", ["string", "null"], [], ["a", "a"], {}, {"a": {"type": "array"}}),
        *({"type": "x"}, {"a": 3}, 3, -1, 0, 1.5, True, None, [{}], [3], ["a", 1]),
    )
    schema = data.draw(
        st.dictionaries(st.sampled_from(keywords), st.sampled_from(values), max_size=3)
    )
    try:
        validator_for(schema)
    except Exception:
        assert [*schema_faults(schema)], schema
    else:
        assert not [*schema_faults(schema)], schema


CALLS = (
    *("size(state.l)", "state.t.contains('a')", "state.t.startsWith('a')"),
    *("state.t.endsWith('a')", "state.t.matches('a')", "has(state.t)", "type(state.n)"),
    *("dyn(state.n)", "string(state.n)", "bytes(state.t)", "double(state.n)", "int(state.n)"),
    *("uint(state.n)", "duration('1s')", "timestamp('2026-01-01T00:00:00Z')"),
    *("state.l.all(x, x > 0)", "state.l.exists(x, x > 0)", "state.l.exists_one(x, x > 0)"),
    *("state.l.existsOne(x, x > 0)", "state.l.map(x, x)", "state.l.filter(x, x > 0)"),
    *(
        f"timestamp('2026-01-01T00:00:00Z').get{part}()"
        for part in (
            *("FullYear", "Month", "Date", "DayOfYear", "DayOfMonth", "DayOfWeek", "Hours"),
            *("Minutes", "Seconds", "Milliseconds"),
        )
    ),
)


def test_the_functions_of_cel_are_those_that_there_are() -> None:
    state = {"l": [1, 2], "t": "abc", "n": 1}
    for text in CALLS:
        evaluate(text, {"state": state})
    called = {name for name in FUNCTIONS if any(f"{name}(" in text for text in CALLS)}
    assert called == set(FUNCTIONS)
    for text in ("now()", "max(1, 2)", "lower('A')", "bool('true')"):
        with pytest.raises(FlowError):
            evaluate(text, {"state": state})


def test_what_results_have_is_what_a_visit_has() -> None:
    import dataclasses

    from flowrt.authoring import NodeResult

    assert {field.name for field in dataclasses.fields(NodeResult)} == set(VISIT_FIELDS)
