"""What is read of generated bodies holds when they are run."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from body_help import code_of, router_of
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

NAMES = ("a", "b", "c")
FLAGS = ("p", "q", "r")
STATES = [dict(zip(FLAGS, values, strict=True)) for values in product((0, 1, 2), repeat=3)]
UNSEEN = "…"

values = st.sampled_from(
    ['"a"', '"b"', "None", "to", "to or 'c'", '("a" if state["p"] else to)', "pick(state)",
     "{0: 'a', 1: 'b', 2: 'c'}[state['q']]", "{1: 'a'}.get(state['r'], 'b')",
     "WAYS[state['p']]", "choose(to, state['q'])", "(to and 'b')", "state.get('missing', 'c')"]
)  # fmt: skip
tests = st.sampled_from(
    ['state["p"]', 'state["q"] == 1', "to", "not to", "to is None", 'to == "a"', 'to in ("a", "b")',
     'state["p"] and to', 'to is not None and state["q"]', 'not (to == "b" or state["r"])',
     "(found := to)", "True", "isinstance(to, str)", 'to != "c"']
)  # fmt: skip
changes = st.sampled_from(
    ['out["a"] = 1', 'out.update({"b": 2})', 'out.update(c=to)', 'out.pop("a", None)',
     'out.setdefault("b", 1)', 'out = {**out, "c": 3}', 'out |= {"a": 4}', "out = dict(out)",
     'if "a" in out: del out["a"]', 'out[to or "a"] = 5', 'out = {"b": 1} if state["p"] else out',
     "more = out", 'more["c"] = 6', "fill(out)", 'more = out if state["p"] else {"d": 1}',
     '(out if state["q"] else more).update(d=7)', '(out if state["r"] else more)["e"] = 8',
     '(out if state["p"] else more).setdefault("f", 9)', 'more |= {"a": 10}',
     '(out if state["q"] else more).pop("a", None)']
)  # fmt: skip


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def flat(parts: list[list[str]]) -> list[str]:
    return [line for part in parts for line in part]


def blocks(simple: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    def nested(inner: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
        body = st.lists(inner, min_size=1, max_size=3).map(flat)
        return st.one_of(
            st.tuples(tests, body, body).map(
                lambda t: [f"if {t[0]}:", *indented(t[1]), "else:", *indented(t[2])]
            ),
            st.tuples(tests, body).map(lambda t: [f"if {t[0]}:", *indented(t[1])]),
            body.map(lambda b: ["for i in range(state['r']):", *indented(b)]),
            st.tuples(body, st.sampled_from(["break", "continue"])).map(
                lambda t: ["for i in (1, 2):", *indented(t[0]), f"    if i > 1: {t[1]}"]
            ),
            st.tuples(body, body).map(
                lambda t: [
                    "try:",
                    *indented(t[0]),
                    "    risky(state)",
                    "except ValueError:",
                    *indented(t[1]),
                ]
            ),
            st.tuples(body, body).map(
                lambda t: ["try:", *indented(t[0]), "finally:", *indented(t[1])]
            ),
            st.tuples(body, body).map(
                lambda t: [
                    "match to:",
                    '    case "a":',
                    *indented(indented(t[0])),
                    "    case _:",
                    *indented(indented(t[1])),
                ]
            ),
            st.tuples(body, body).map(
                lambda t: [
                    "match state['p']:",
                    "    case 1:",
                    *indented(indented(t[0])),
                    "    case 2:",
                    *indented(indented(t[1])),
                ]
            ),
            body.map(
                lambda b: ["count = 0", "while count < state['q']:", "    count += 1", *indented(b)]
            ),
        )

    parts = st.recursive(simple, nested, max_leaves=6)
    return st.lists(parts, min_size=1, max_size=4).map(flat)


assigned = values.map(lambda value: [f"to = {value}"])
returned = values.map(lambda value: [f"return {value}"])
routers = blocks(st.one_of(assigned, assigned, returned))
nodes = blocks(
    st.one_of(assigned, changes.map(lambda text: [text]), st.just(["return out"]),
              st.just(['return {"a": 1, **out}']))
)  # fmt: skip

SOURCE = """
WAYS = ["a", "b", "c"]

def pick(state):
    if state["q"]:
        return "b"
    return "c"

def choose(to, flag=0, other="b"):
    return to if flag else other

def fill(out):
    out["filled"] = 1

def risky(state):
    if state["p"] == 2:
        raise ValueError("no")

def run(state):
    to = None
    out = {{}}
    more = {{}}
{body}
"""


def results(source: str) -> list[Any]:
    """What the function returns for every state; what it raises is left out."""
    space: dict[str, Any] = {}
    exec(compile(source, "body.py", "exec"), space)
    found = []
    for state in STATES:
        try:
            found.append(space["run"](dict(state)))
        except (KeyError, ValueError, TypeError):
            continue
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bodies")


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(body=routers)
@example(
    body=[
        'to = "a"',
        "try:",
        "    for i in range(state['r']):",
        '        return "a"',
        "    to = None",
        "finally:",
        "    if not to:",
        '        to = "a"',
        "    else:",
        '        return "b"',
    ]
)
@example(
    body=[
        'to = "a"',
        "try:",
        "    if state['q']:",
        '        to = "b"',
        "        risky(state)",
        '        return "c"',
        "except ValueError:",
        "    return to",
        'return "a"',
    ]
)
def test_every_value_returned_was_foreseen(body: list[str], folder: Path) -> None:
    source = SOURCE.format(body="\n".join(indented(body)))
    router = router_of(folder, source, "run")
    foreseen = {route.value for route in router.routes}
    for value in results(source):
        assert router.more or value in foreseen, (value, foreseen)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(body=nodes)
@example(body=["try:", "    return out", "finally:", '    out["a"] = 1'])
@example(body=["try:", "    return out", "finally:", '    out |= {"a": 4}'])
@example(body=['more = out if state["p"] else {"d": 1}', "more.update(a=1)", "return out"])
@example(body=['more = out if state["p"] else {"d": 1}', 'more |= {"a": 1}', "return out"])
@example(body=['(out if state["q"] else more)["e"] = 8', "return out"])
@example(body=['(out if state["q"] else more).setdefault("f", 9)', "return out"])
@example(body=['(out if state["q"] else more).update(d=7)', "return out"])
def test_every_key_written_was_foreseen(body: list[str], folder: Path) -> None:
    source = SOURCE.format(body="\n".join(indented(body)))
    code = code_of(folder, source, "run")
    assert code is not None
    keys = {write.key for write in code.writes}
    certain = {write.key for write in code.writes if write.certain}
    for update in results(source):
        written = set(update or ())
        assert code.more_writes or written <= keys, (written, keys)
        assert certain <= written, (certain, written)
