"""Values of a state as JSON, and back exactly."""

from __future__ import annotations

import datetime as dt
import json
import math
import sys
from collections import OrderedDict, defaultdict
from contextlib import suppress
from decimal import Decimal
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from flowrt.errors import FlowError, NotStorableError
from flowrt.stores.codec import decode, encode
from flowrt.stores.encoding import dump, line_bytes
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr
from stored_things import (
    Bag,
    Colour,
    Frozen,
    Item,
    Level,
    Names,
    Odd,
    Open,
    Outer,
    Page,
    Plain,
    Point,
    Rights,
    Strict,
    TroubleError,
    Word,
)


def back(value: Any) -> Any:
    return decode(json.loads(line_bytes(dump(encode(value)))))


def same(left: Any, right: Any) -> bool:
    """Equal, and of the same types all the way down."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        pairs = zip(left.items(), right.items(), strict=True)
        return len(left) == len(right) and all(
            same(a, c) and same(b, d) for (a, b), (c, d) in pairs
        )
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, float):
        return repr(left) == repr(right)
    if isinstance(left, Decimal):
        return str(left) == str(right)
    if isinstance(left, dt.datetime | dt.time):
        zones = (getattr(left.tzinfo, "key", None), getattr(right.tzinfo, "key", None))
        return left == right and left.fold == right.fold and zones[0] == zones[1]
    return bool(left == right)


AMSTERDAM = ZoneInfo("Europe/Amsterdam") if sys.platform != "win32" else dt.UTC

VALUES: list[Any] = [
    {"a": [1, 2.5, None, True, "x"]},
    {"$flowrt": "tuple", "v": []},
    {"$flowrt": {"$flowrt": 1}, "b": ({"$flowrt": "set"},)},
    {1: "a", "1": "b", None: 2, (1, 2): [3], "k": {4.5: 6}},
    {True: 1, 2: {"deep": {Colour.RED: 1}}},
    (),
    ((1,), [(2, [3])]),
    {"s": {1, "a", (2, 3)}, "f": frozenset({frozenset({1}), 2})},
    [b"", bytes(range(256)), bytearray(b"ab")],
    [math.inf, -math.inf, math.nan, -0.0, 1e308, 5e-324],
    [10**5000, -(10**5000), 2**63],
    dt.datetime(2024, 5, 6, 7, 8, 9, 10),
    dt.datetime(2024, 5, 6, tzinfo=dt.UTC),
    dt.datetime(2024, 10, 27, 2, 30, tzinfo=AMSTERDAM, fold=1),
    dt.datetime(2024, 5, 6, tzinfo=dt.timezone(dt.timedelta(hours=-3, seconds=7))),
    [dt.date(1, 1, 1), dt.time(23, 59, 59, 999999), dt.time(1, tzinfo=dt.UTC, fold=1)],
    [dt.timedelta(days=-3, microseconds=5), dt.timedelta.max],
    [Decimal("1.10"), Decimal("NaN"), Decimal("-Infinity"), Decimal("1E+3")],
    UUID("12345678123456781234567812345678"),
    [Path("/tmp/ü"), PurePosixPath("a/b"), PureWindowsPath("c:\\d")],
    [Colour.RED, Colour.GREEN, Colour.ALSO_RED, Level.LOW, Word.YES],
    [Rights.READ | Rights.WRITE, Rights(0)],
    [Point(1, (2,)), Point({3})],
    [Plain({1}), Frozen(Plain(b"x")), Outer.Inner(1)],
    [Item(name="a", cost=2), Item(name="b", more={1: (2,)}), Strict(a=1)],
    [Open(a=1, extra={"x": (1,)}), Names(["a"]), Page[Item](items=[Item(name="i")])],
    "\ud800 lone",
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_values_come_back_as_they_were(value: Any) -> None:
    assert same(back(value), value)
    assert same(back({"in": [value]}), {"in": [value]})


def test_plain_json_is_not_copied() -> None:
    state = {"a": [1, {"b": None}], "c": "x"}
    assert encode(state) is state
    assert decode(state) is state


def test_equal_sets_are_written_alike() -> None:
    assert dump(encode({"b", "a", "c"})) == dump(encode({"c", "b", "a"}))


def test_a_dataclass_is_restored_without_running_it() -> None:
    plain = Plain(1)
    plain.made = "changed"
    plain.b.append((1,))
    restored = back(plain)
    assert restored == plain
    assert restored.made == "changed"


def test_a_model_is_restored_with_what_was_set() -> None:
    opened = Open(more=1)
    opened._hidden.append(5)
    restored = back(opened)
    assert restored._hidden == [5]
    assert restored.model_extra == {"more": 1}
    assert restored.model_fields_set == {"more"}
    item = back(Item(name="a"))
    assert item.model_fields_set == {"name"}
    assert item.model_dump_json() == Item(name="a").model_dump_json()
    changed = Item.model_construct(name=("not", "a", "str"))
    assert back(changed).name == ("not", "a", "str")


def test_fields_that_are_new_get_their_default() -> None:
    stored = encode(Plain(1))
    del stored["v"]["b"]
    assert decode(stored).b == []
    stored = encode(Item(name="a"))
    del stored["v"]["fields"]["price"]
    assert decode(stored).price == 1.5


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"client": object()}, r"state\['client'\]"),
        ({"a": [1, {"b": (2, print)}]}, r"state\['a'\]\[1\]\['b'\]\[1\]"),
        ({"p": Plain(a=Frozen(open))}, r"state\['p'\]\.a\.a"),
        ({"m": Item(name="x", more=SecretStr("s"))}, r"state\['m'\]\.more"),
        ({(1, object): 2}, r"state\.keys\(\)"),
        ({"x": 1j}, r"state\['x'\]"),
        ({"x": [OrderedDict()]}, r"state\['x'\]\[0\]"),
        ({"x": defaultdict(list)}, r"state\['x'\]"),
        ({"x": Odd()}, r"state\['x'\]"),
        ({"x": Bag()}, r"state\['x'\]"),
        ({"x": TroubleError(1)}, r"state\['x'\]"),
        ({"x": ValueError()}, r"state\['x'\]"),
        ({"x": dt.datetime(2024, 1, 1, tzinfo=type("Z", (dt.tzinfo,), {})())}, r"state\['x'\]"),
        ({"x": type("S", (str,), {})("s")}, r"state\['x'\]"),
        ({"x": {object()}}, r"state\['x'\]"),
        ({"x": Plain}, r"state\['x'\]"),
        (print, "state cannot"),
    ],
)
def test_what_cannot_be_stored_is_named_with_its_place(value: Any, place: str) -> None:
    with pytest.raises(NotStorableError, match=place):
        encode(value)


def test_the_whole_can_be_called_something_else() -> None:
    with pytest.raises(NotStorableError, match=r"^output\[0\] cannot be stored"):
        encode([object()], "output")


def test_what_contains_itself_is_refused() -> None:
    endless: list[Any] = [()]
    endless.append(endless)
    with pytest.raises(NotStorableError, match="contains itself"):
        encode(endless)
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(NotStorableError, match="deep"):
        encode({"a": deep})
    fine: Any = "x"
    for _ in range(150):
        fine = [fine]
    assert back(fine) == fine
    assert back((fine,)) == (fine,)


def test_a_class_that_could_not_be_found_again_is_refused() -> None:
    from dataclasses import dataclass

    @dataclass
    class Local:
        a: int

    with pytest.raises(NotStorableError, match="at the top of a module"):
        encode({"x": Local(1)})


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        ({"$flowrt": "dataclass", "type": "antigravity:X", "v": {}}, "import it before"),
        ({"$flowrt": "dataclass", "type": "os.path:join", "v": {}}, "has no class"),
        ({"$flowrt": "dataclass", "type": "subprocess:Popen", "v": {}}, "is no dataclass"),
        ({"$flowrt": "enum", "type": "subprocess:Popen", "v": "x"}, "is no enum"),
        ({"$flowrt": "model", "type": "stored_things:Plain", "v": {"fields": {}}}, "is no model"),
        ({"$flowrt": "record", "type": "builtins:tuple", "v": []}, "is no record"),
        ({"$flowrt": "dataclass", "type": "stored_things:Bag", "v": {"a": 1}}, "is no dataclass"),
        ({"$flowrt": "dataclass", "type": "stored_things:Plain", "v": {}}, "lacks the field `a`"),
        ({"$flowrt": "dataclass", "type": "stored_things:Frozen", "v": {"a": 1, "__class__": 2}},
         "unknown field `__class__`"),
        ({"$flowrt": "model", "type": "stored_things:Item", "v": {"fields": {}}}, "lacks the"),
        ({"$flowrt": "enum", "type": "stored_things:Colour", "v": "BLUE"}, "no longer there"),
        ({"$flowrt": "enum", "type": "stored_things:Colour", "v": "__class__"}, "no longer there"),
        ({"$flowrt": "record", "type": "stored_things:Point", "v": [1]}, "other fields"),
        ({"$flowrt": "strange"}, "unknown kind"),
        ({"$flowrt": ["x"]}, "damaged"),
        ({"$flowrt": "bytes", "v": "%%%"}, "damaged"),
        ({"$flowrt": "bytes"}, "damaged"),
        ({"$flowrt": "datetime", "v": "soon"}, "damaged"),
        ({"$flowrt": "dict", "v": [[1]]}, "damaged"),
        ({"$flowrt": "path", "kind": "os", "v": 1}, "damaged"),
    ],
)  # fmt: skip
def test_damaged_or_hostile_values_are_refused(stored: Any, said: str) -> None:
    with pytest.raises(FlowError, match=said):
        decode({"a": [stored]})
    assert "antigravity" not in sys.modules


def test_a_module_hook_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    import stored_things

    asked: list[str] = []
    monkeypatch.setattr(stored_things, "__getattr__", asked.append, raising=False)
    with pytest.raises(FlowError, match="no class `Lazy`"):
        decode({"$flowrt": "dataclass", "type": "stored_things:Lazy", "v": {}})
    assert asked == []


text = st.text(st.characters(codec=None, exclude_categories=()))
keys = st.one_of(text, st.integers(), st.booleans(), st.none(), st.just("$flowrt"), st.binary())
zones = st.sampled_from([None, dt.UTC, dt.timezone(dt.timedelta(seconds=-61)), AMSTERDAM])
atoms = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), text, st.binary(), st.dates(),
    st.datetimes(timezones=zones), st.times(), st.timedeltas(), st.uuids(),
    st.decimals(allow_nan=False), st.sampled_from([Colour.RED, Level.LOW, Word.YES]),
)  # fmt: skip
hashable = st.recursive(
    st.one_of(st.integers(), text, st.binary(), st.none(), st.uuids()),
    lambda inner: st.frozensets(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple),
    max_leaves=6,
)  # fmt: skip
values = st.recursive(
    atoms | hashable | st.sets(hashable, max_size=3),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(keys, inner, max_size=4),
        st.builds(Frozen, inner),
        st.builds(Point, inner, inner),
        st.builds(Item, name=st.text(), more=inner),
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(values)
def test_any_value_comes_back(value: Any) -> None:
    assert same_or_nan(back(value), value)


def same_or_nan(left: Any, right: Any) -> bool:
    """`same`, also within fields, where NaN is not equal to itself."""
    if type(left) is not type(right):
        return False
    if isinstance(left, Frozen):
        return same_or_nan(left.a, right.a)
    if isinstance(left, Item):
        fields_set = left.model_fields_set == right.model_fields_set
        return fields_set and same_or_nan(left.more, right.more) and left.name == right.name
    if isinstance(left, dict):
        return same(list(left), list(right)) and same_or_nan([*left.values()], [*right.values()])
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(same_or_nan, left, right))
    return same(left, right)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["$flowrt", "v", "type", "kind", "zone"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(json_values)
def test_reading_any_json_gives_a_value_or_says_why_not(value: Any) -> None:
    with suppress(FlowError):
        decode(value)
