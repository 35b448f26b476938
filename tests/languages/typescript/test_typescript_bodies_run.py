# ruff: noqa: E501
"""What is read of bodies made at random holds when Node runs them."""

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from test_typescript_bodies import body_of
from test_typescript_oracle import RUNNER as SHOWING
from test_typescript_oracle import UNSURE, agrees, plain
from typescript_help import IMPORT, PROBE, evaluate

from flowlint.values.bodies import Given, Givens, Opaque, Parameter, Plain, Row, Table, Whole

NODE = shutil.which("node")
BODIES = 500
CALLS_COMPARED = 400

VALUES = [
    "'a'", "'b'", "null", "undefined", "to", "1", "0", "true", "to || 'c'", "to ?? 'd'", "s.p && to",
    "s.p ? 'a' : to", "WAYS[s.q]", "out.a", "typeof to", "typeof s.p", "!to", "to === 'a'", "n > 1",
    "n !== 2", "[to, 'x'][0]", "out", "['a', to]", "pick(to)", "choose()", "`t${to}`", "{ ...out, d: 1 }",
    "(to = 'e')", "s.q && (to = 'f')", "s.q ? (to = 'g') : (n = 2)", "(n = 1, 'h')",
    "LIST.includes(to)", "Array.isArray(out.b)", "to?.length", "LIST.find((x) => x === to)",
]  # fmt: skip
TESTS = [
    "s.p", "s.q === 1", "to", "!to", "to === null", "to == null", "to === 'a'", "'b' !== to",
    "s.p && to", "to || s.q", "!(to === 'b' || s.r)", "typeof to === 'string'",
    "'undefined' !== typeof to", "typeof out === 'object'", "LIST.includes(to)", "Array.isArray(to)",
    "n === 0", "n > 1", "n <= 1", "out.a === 1", "(to = s.p ? 'a' : 'b') === 'a'", "out.b", "true",
    "s.q && (n = 3)", "out.a !== undefined", "n++ === 0", "typeof (s.p ? 'a' : 1) === 'number'",
]  # fmt: skip
CHANGES = [
    "out.a = 1", "out.a = to", "out['b'] = 2", "out[s.p ? 'a' : 'b'] = 5", "delete out.a",
    "Object.assign(out, { c: to })", "out = { ...out, c: 3 }", "n = n + 1", "n += 1", "n++", "n = 2",
    "[1, 2].forEach((x) => { n = x; })", "({ a: to } = { a: 'z' })",
    "[to, n] = ['y', 3]", "s.p && (out.a = 7)", "s.q || out.b", "to ??= 'v'", "to ||= 'w'", "to &&= 'x'",
    "out.b ??= 4", "const same = out; same.c = 6", "out = s.p ? out : { a: 0 }",
]  # fmt: skip
CALLS = ["up()", "more()", "set('u')", "to = own(to)"]
"""Calls of functions that write names around them, where the body has those."""

AROUND = """
const WAYS = ["a", "b", "c"];
const LIST = ["a", "c"];
function pick(x) { if (x === "a") return "b"; return x ? "c" : "d"; }
"""
BODY = """(s) => {
  let to; let n = 0; let out = {};
  const choose = () => (s.r ? "chosen" : "left");
%s
}"""
WRITING = """
  const up = () => { n = n + 1; };
  const own = (x) => { if (typeof x === "string") { out.o = 1; return "own"; } return "other"; };
%s
  function more() { n = 5; out.a = "more"; }
  function set(x) { to = x; }
"""

RUNNER = """
const { around, bodies } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const told = bodies.map((body) => {
  const found = [];
  for (let k = 0; k < 27; k++) {
    const s = { p: k % 3, q: Math.floor(k / 3) % 3, r: Math.floor(k / 9) };
    try { found.push(JSON.stringify(new Function(`${around}\\nreturn ${body}`)()(s)) ?? "undefined"); }
    catch {}
  }
  return [...new Set(found)];
});
process.stdout.write(JSON.stringify(told));
"""


def lines(choose: random.Random, depth: int, *, writing: bool) -> list[str]:
    parts = [one(choose, depth, writing=writing) for _ in range(choose.randint(1, 3))]
    return [line for part in parts for line in part]


def one(choose: random.Random, depth: int, *, writing: bool) -> list[str]:
    kind = choose.randint(0, 14 if depth else 5)
    if choose.random() < 0.2 and writing:
        return [f"{choose.choice(CALLS)};"]
    value, test = choose.choice(VALUES), choose.choice(TESTS)
    if kind < 2:
        return [f"to = {value};"]
    if kind < 4:
        return [f"{{ {choose.choice(CHANGES)}; }}"]
    if kind == 4:
        return [f"if ({test}) return {value};"]
    if kind == 5:
        return [f"const k{choose.randint(0, 10**9)} = {value};"]
    first, second = (lines(choose, depth - 1, writing=writing) for _ in range(2))
    match kind:
        case 6 | 7:
            return [f"if ({test}) {{", *first, "} else {", *second, "}"]
        case 8:
            return [f"if ({test}) {{", *first, "}"]
        case 9:
            return ["for (let i = 0; i < s.r; i++) {", *first, "}"]
        case 10:
            return [f"for (const x of LIST) {{ if ({test}) continue;", *first, "}"]
        case 11:
            return ["{ let c = 0; while (c < s.q) { c = c + 1;", *first, "} }"]
        case 12:
            return [
                "try {",
                *first,
                "if (s.p === 2) throw new Error('no');",
                "} catch {",
                *second,
                "}",
            ]
        case 13:
            return [
                "switch (to) { case 'a':",
                *first,
                "case 'b': {",
                *second,
                "break; } default:",
                "}",
            ]
        case _:
            return [
                "switch (typeof to) { case 'string': {",
                *first,
                "break; } default: {",
                *second,
                "} }",
            ]


def body(choose: random.Random) -> str:
    is_writing = choose.random() < 0.3
    found = lines(choose, 2, writing=is_writing)
    end = f"return {choose.choice(['to', 'n', 'out', '{ to, n }'])};"
    text = "\n".join([*found, end])
    return BODY % (WRITING % text if is_writing else text)


def may_be(givens: Givens, value: object) -> bool:
    return any(_may_be(given, value) for given in givens)


def _may_be(given: Given, value: object) -> bool:
    match given:
        case Plain():
            return type(given.value) is type(value) and given.value == value
        case Table() if isinstance(value, dict):
            keys = {key.name: key for key in given.keys}
            others = given.more or isinstance(given.whole, Whole)
            return all(
                may_be(keys[name].values, held) if name in keys else others
                for name, held in value.items()
            ) and all(
                name in value or not key.certain or may_be(key.values, None)
                for name, key in keys.items()
            )
        case Row() if isinstance(value, list):
            items = tuple(one for item in given.items for one in item)
            return given.more or all(may_be(items, held) for held in value)
    return isinstance(given, Opaque | Parameter) or not isinstance(given, Plain | Table | Row)


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
def test_what_bodies_give_was_foreseen(tmp_path: Path) -> None:
    choose = random.Random(7)
    bodies = [body(choose) for _ in range(BODIES)]
    ran = subprocess.run(
        [str(NODE), "-e", RUNNER],
        input=json.dumps({"around": AROUND, "bodies": bodies}),
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(ran.stdout)
    assert sum(map(bool, told)) > BODIES * 0.9
    for text, results in zip(bodies, told, strict=True):
        returns = body_of(tmp_path, text, AROUND).returns
        for result in results:
            value = None if result == "undefined" else json.loads(result)
            assert may_be(returns, value), f"{text}\ngives {result}"


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
def test_calls_of_bodies_give_what_node_gives() -> None:
    choose = random.Random(8)
    programs: list[str] = []
    for _ in range(CALLS_COMPARED):
        state = {name: choose.randint(0, 2) for name in "pqr"}
        programs.append(f"{AROUND}\nconst f = {body(choose)};\nshow(f({json.dumps(state)}));")
    ran = subprocess.run(
        [str(NODE), "-e", SHOWING],
        input=json.dumps(programs),
        capture_output=True,
        text=True,
        check=True,
    )
    known = 0
    for program, theirs in zip(programs, json.loads(ran.stdout), strict=True):
        if theirs is None:
            continue
        built = [one for one in evaluate(IMPORT + program).built if one.model is PROBE]
        ours = [[plain(item.value) for item in one.arguments.items] for one in built]
        assert agrees(ours, theirs), f"{program}\ngives {theirs}, not {ours}"
        known += ours != [[UNSURE]]
    assert known > CALLS_COMPARED * 0.7
