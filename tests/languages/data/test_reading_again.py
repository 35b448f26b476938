"""What is read again after a change is what would be read anew."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import yaml
from data_help import shown_faults
from hypothesis import example, given, settings
from hypothesis import strategies as st

from flowlint.languages.again import read_again
from flowlint.languages.data import read_data
from flowlint.languages.places import Documents
from flowlint.values.model import Const, Mapped, Sequence, Value

FLOW = {
    "flow": "f",
    "nodes": [{"id": "a", "config": {"x": [1, "é😀"]}}, {"id": "b", "type": "agent"}, {"id": "c"}],
    "edges": [{"from": "a", "to": "b"}, {"from": "b", "to": "c", "condition": "on_error"}],
    "metadata": {"name": "n"},
}
TEXTS = {
    "x.json": json.dumps(FLOW, indent=1, ensure_ascii=False),
    "y.json": json.dumps(FLOW),
    "x.yaml": yaml.safe_dump(FLOW, sort_keys=False, allow_unicode=True),
    "y.yaml": f"{yaml.safe_dump(FLOW)}\n# the end\n",
    "indented.yaml": """\
flow: f
nodes:
  - id: a
    config: {x: [1, é😀]}
  - {id: b, type: agent}
  - id: c
edges:
  - {from: a, to: b}
  - from: b
    to: c
""",
}
TYPED = (
    "x",
    "\n",
    '"',
    "'",
    ",",
    ":",
    "{",
    "}",
    "[",
    "]",
    " ",
    "  ",
    "- ",
    "#",
    "a: b",
    "a: b\n",
    "- {id: q}\n",
    "\r\n",
    "&a ",
    "*a",
    "---\n",
    "//",
    "😀",
    '"k": 1,',
    "|\n",
)

changes = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 3), st.sampled_from(("", *TYPED))), max_size=6
)


@settings(max_examples=250, deadline=None)
@example("x.json", [(0.40625, 2, ""), (0.3203125, 3, "["), (0.4375, 3, ""), (0.4375, 0, "x")])
@given(st.sampled_from(list(TEXTS)), changes)
def test_reading_again_gives_what_reading_anew_does(
    path: str, made: list[tuple[float, int, str]]
) -> None:
    text = TEXTS[path]
    read_again(path, text.encode())
    for part, gone, new in made:
        at = int(part * len(text))
        text = text[:at] + new + text[at + gone :]
        assert _shown(read_again(path, text.encode())) == _shown(read_data(path, text.encode()))


@pytest.mark.parametrize("path", ["x.json", "x.yaml"])
def test_the_other_parts_keep_their_values(path: str) -> None:
    (before,) = read_again(path, TEXTS[path].encode()).values
    kept = _elements(before, "nodes") + _elements(before, "edges")
    (after,) = read_again(path, TEXTS[path].replace("agent", "agents").encode()).values
    found = _elements(after, "nodes") + _elements(after, "edges")
    assert [one is other for one, other in zip(kept, found, strict=True)] == [
        True, False, True, True, True,
    ]  # fmt: skip


def _elements(value: Value, name: str) -> list[Value]:
    assert isinstance(value, Mapped)
    (held,) = [e.value for e in value.entries if isinstance(e.key, Const) and e.key.value == name]
    assert isinstance(held, Sequence)
    return [item.value for item in held.items]


def _shown(documents: Documents) -> object:
    values = [line for value in documents.values for line in _written(value)]
    repeats = [(one.name, one.span, one.before) for one in documents.repeats]
    return values, shown_faults(documents), repeats, documents.says_flow


def _written(value: Value) -> Iterator[str]:
    """Every value with its place, and whether more may be there than was read."""
    rest = getattr(value, "rest", None) is not None
    constant = repr(value.value) if isinstance(value, Const) else type(value).__name__
    yield f"{value.origin.span()} to {value.origin.span().end_column} {constant} {rest}"
    if isinstance(value, Mapped):
        for entry in value.entries:
            yield from _written(entry.key)
            yield from _written(entry.value)
    elif isinstance(value, Sequence):
        for item in value.items:
            yield from _written(item.value)
