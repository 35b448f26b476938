# ruff: noqa: E501
"""What functions in TypeScript give and read, told in words that are easy to compare."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from flowlint.languages.typescript.frontend import evaluate_file
from flowlint.project.files import ProjectFiles
from flowlint.values.bodies import (
    Body,
    Given,
    Givens,
    Made,
    Opaque,
    Parameter,
    Plain,
    Row,
    Table,
    Thing,
)
from flowlint.values.following import TypeModel, join_models
from flowlint.values.model import Function

pytest.importorskip("tree_sitter")

MODELS = join_models((TypeModel("step", frozenset({"steps.step"})),), {"steps.END": "__end__"})

HEAD = """
import { step, Go, END } from "steps";
import { pick } from "./helper";
"""

HELPER = """
export function pick(s) { return s.big > 3 ? "big" : "small"; }
"""


def body_of(folder: Path, function: str, around: str = "") -> Body:
    """The body of a function that a module hands to a system."""
    (folder / "helper.ts").write_text(HELPER)
    path = folder / "flow.ts"
    path.write_text(f"{HEAD}{dedent(around)}\nstep({dedent(function)});\n")
    evaluation = evaluate_file(str(path), ProjectFiles(), str(folder), MODELS)
    assert not evaluation.faults
    (built,) = evaluation.built
    value = built.arguments.items[0].value
    assert isinstance(value, Function)
    body = value.reader.body(None)
    assert body.unread is None
    return body


def told(givens: Givens) -> str:
    """Values in words; `?` after a key that is not certain, `…` where there may be more."""
    return " | ".join(dict.fromkeys(one(given) for given in givens))


def one(given: Given) -> str:
    match given:
        case Plain(member="null"):
            return "null"
        case Plain(value=None):
            return "undefined"
        case Plain():
            return repr(given.value)
        case Table():
            keys = [f"{k.name}{'' if k.certain else '?'}: {told(k.values)}" for k in given.keys]
            whole = [f"all of {given.whole.parameter}"] if given.whole else []
            return "{" + ", ".join([*keys, *whole, *(["…"] if given.more else [])]) + "}"
        case Row():
            items = [told(item) for item in given.items]
            ends = ["…"] if given.more else []
            return "[" + ", ".join([*items, *ends]) + "]" + ("*" if given.repeated else "")
        case Made():
            return f"{given.qualified}({', '.join(told(v) for v in given.arguments.values())})"
        case Parameter():
            return f"argument {given.number}"
        case Thing(value=Function() as function):
            return f"function {function.name}"
        case Opaque(read=read):
            return f"?{read or ''}"
    return "thing"


RETURNS = [
    ("(s) => 'a'", "'a'"),
    ("s => s.ready ? 'go' : END", "'go' | '__end__'"),
    ("function (s) { if (s.a) return 'x'; }", "'x' | undefined"),
    ("function (s) { if (s.a) return; return null; }", "undefined | null"),
    ("async (s) => { return await Promise.resolve('later'); }", "'later'"),
    ("(s) => pick(s)", "'big' | 'small'"),
    ("(s) => s.next", "?next"),
    ("({ next }) => next", "?next"),
    ("({ next = 'one' }) => next", "?next | 'one'"),
    ("(s) => s.next ?? 'other'", "?next | 'other'"),
    ("(s) => s.next || 'other'", "?next | 'other'"),
    ("(s) => s", "argument 0"),
    ("(s) => ({ ...s, a: 1 })", "{a: 1, all of 0}"),
    ("(s) => new Go({ goto: ['a', END], update: { x: s.x } })",
     "steps.Go({goto: ['a', '__end__'], update: {x: ?x}})"),
    ("(s) => s.items.map((i) => new Go('work', { i }))", "[steps.Go('work', {i: ?})]*"),
    ("(s) => ['a', 'b'].map((i) => new Go(i))", "[steps.Go('a' | 'b')]*"),
    ("(s) => `to_${s.a ? 'x' : 'y'}`", "'to_x' | 'to_y'"),
    ("(s) => `to_${s.a}`", "?"),
    ("(s) => 'to_' + 'x'", "'to_x'"),
    ("(s) => { let r = 'a'; if (s.b) r = 'b'; return r; }", "'b' | 'a'"),
    ("(s) => { const o = {}; o.a = 1; if (s.b) o.b = 2; return o; }",
     "{a: 1, b: 2} | {a: 1}"),
    ("(s) => { const o = { a: 1 }; delete o.a; return o; }", "{a?: 1}"),
    ("(s) => { const o = { a: 1 }; send(o); return o; }", "{a: 1, …}"),
    ("(s) => { const r = []; for (const i of s.xs) r.push('x'); return r; }", "[] | ['x']*"),
    ("(s) => { const r = []; s.xs.forEach((i) => { r.push('x'); }); return r; }", "[] | ['x']*"),
    ("(s) => { const f = (x) => x ? 'yes' : 'no'; return f(true); }", "'yes'"),
    ("(s) => { return f(s); function f(x) { return 'late'; } }", "'late'"),
    ("(s) => { try { go(); return 'ok' } catch (e) { return 'bad' } }", "'ok' | 'bad'"),
    ("(s) => { try { return { k: 'ok' } } catch (e) { return 'bad' } }", "{k: 'ok'}"),
    ("(s) => { try { return window } catch (e) { return 'bad' } }", "thing | 'bad'"),
    ("(s) => { try { return { a: 1 } } finally { go() } }", "{a?: 1, …}"),
    ("(s) => { throw new Error('no'); }", ""),
    ("(s) => { while (true) { if (s.a) break; return 'in'; } return 'out'; }", "'in' | 'out'"),
    ("(s) => { do { if (s.a) return 'in'; } while (s.b); return 'out'; }", "'in' | 'out'"),
    ("(s) => { for (let i = 0; i < 3; i++) { if (s.x) return 'in'; } return 'out'; }",
     "'in' | 'out'"),
    ("(s) => { for (;;) { if (s.a) return 'in'; } }", "'in'"),
    ("(s) => { switch (s.a) { case 1: return 'one'; case 2: return 'two'; } }",
     "'one' | 'two' | undefined"),
    ("(s) => { switch (s.a) { case 1: return 'one'; default: return 'other'; } }",
     "'one' | 'other'"),
    ("(s) => { let r; switch (s.a) { case 1: r = 'one'; case 2: r = r ?? 'two'; break;"
     " default: r = 'other'; } return r; }", "'other' | 'one' | 'two'"),
    ("(s) => { const k = s.b ? 'a' : 'b'; if (k === 'a') return 'A'; return k; }", "'A' | 'b'"),
    ("(s) => { const k = s.b ? 'a' : 'b'; switch (k) { case 'a': return 1; case 'b': return 2; } }",
     "1 | 2"),
    ("(s) => { const f = (o) => o.at === 'x' ? 'first' : 'last'; return f({ at: 'x' }); }",
     "'first'"),
    ("(s) => { const f = (o) => 'x' !== o.at ? 'first' : 'last'; return f({ at: 'x' }); }",
     "'last'"),
    ("(s) => { const f = (o) => o.at === 'x' ? 'first' : 'last'; return f({ at: s.at }); }",
     "'first' | 'last'"),
    ("(s) => TABLE[s.kind]", "'alpha' | 'beta'"),
    ("(s) => TABLE.a", "'alpha'"),
    ("(s) => KINDS.length", "2"),
    ("(s) => { const { a, ...rest } = TABLE; return a; }", "'alpha'"),
    ("(s) => { const [, second] = KINDS; return second; }", "'y'"),
    ("(s) => !s.a", "True | False"),
    ("(s) => s.a === 1", "True | False"),
    ("(s) => { let x = 'a'; { let x = 'b'; } return x; }", "'a'"),
    ("(s) => (s.a as string) satisfies string", "?a"),
    ("(s) => ({ ...(s.a ? { x: 1, y: 1 } : { x: 2 }) })", "{y?: 1, x: 1 | 2}"),
    ("(s) => Object.assign({}, { a: 1 }, { b: 2 })", "{a: 1, b: 2}"),
    ("(s) => { label: for (const a of s.x) { for (const b of a) { break label; } } return 'end'; }",
     "'end'"),
    ("function* (s) { yield 'a'; }", "?"),
    ("(s) => { const k = s.b ? 'a' : 1; return typeof k === 'string' ? k : 'n'; }", "'a' | 'n'"),
    ("(s) => { const k = s.b ? 'a' : 1; switch (typeof k) { case 'string': return k; default: return k; } }",
     "'a' | 1"),
    ("(s) => (typeof [] === 'object' ? 1 : 2)", "1"),
    ("(s) => (typeof s.a === 'string' ? 1 : 2)", "1 | 2"),
    ("(s) => { const f = (t) => typeof t; return f(s.b ? null : undefined); }", "'object' | 'undefined'"),
    ("(s) => { const k = s.b ? ['a'] : 'b'; return Array.isArray(k) ? k : 'c'; }", "['a'] | 'c'"),
    ("(s) => { const k = s.b ? 'x' : 'z'; return KINDS.includes(k) ? k : 'else'; }", "'x' | 'else'"),
    ("(s) => { const k = s.b; return KINDS.includes(k) ? 'in' : 'out'; }", "'in' | 'out'"),
    ("(s) => { const o = { n: 0 }; if (s.x) o.n = 1; else o.n = 2; return o; }", "{n: 1 | 2}"),
    ("(s) => { const o = { n: 0 }; const up = () => { o.n = 1; }; up(); return o; }", "{n: 0 | 1}"),
    ("(s) => { let n = 0; function up() { n = 3; } up(); return n === 0 ? 'none' : 'some'; }",
     "'none' | 'some'"),
    ("(s) => { const o = { n: 0 }; function up() { o.n += 1; } up(); return o.n ? 'some' : 'none'; }",
     "'some' | 'none'"),
    ("(s) => { let n = 0; const x = s.a && (n = 1); return n; }", "1 | 0"),
    ("(s) => { let n = 0; const x = s.a ? (n = 1) : (n = 2); return n; }", "1 | 2"),
    ("(s) => { let n = 0; let t = s.a; t ??= (n = 1); return n; }", "1 | 0"),
    ("(s) => { const xs = []; s.a && xs.push(1); return xs; }", "[1] | []"),
    ("(s) => { let k = 'a'; while (k !== 'aaaaaa') { k = k + 'a'; } return 'out'; }", "'out'"),
    ("(s) => { let k = ''; for (const x of s.xs) k = k + 'b'; return k === 'bbbb' ? 1 : 2; }",
     "1 | 2"),
    ("(s) => { const n = 3; return n > 2 ? 'more' : 'less'; }", "'more'"),
    ("(s) => { const same = 'a' === 'b'; return same ? 1 : 2; }", "2"),
    ("(s) => recur(s)", "'stop' | ?"),
    ("() => { if (process.env.HOME) { return 'a'; } return 'b'; }", "'a' | 'b'"),
    ("() => { if (process.env.A) return 'a'; else if (process.env.B) { return 'b'; } return 'c'; }",
     "'a' | 'b' | 'c'"),
    ("(s) => (tries > 3 ? 'a' : 'b')", "'a' | 'b'"),
    ("() => (late ? 'a' : 'b')", "'a' | 'b'"),
    ("() => (memo.inner.done ? 'a' : 'b')", "'a' | 'b'"),
    ("() => (seen.length > 3 ? 'a' : 'b')", "'a' | 'b'"),
    ("() => (fixed.big ? 'a' : 'b')", "'a'"),
    ("(s) => { let tries = 1; tries += 1; return tries === 0 ? 'a' : 'b'; }", "'a' | 'b'"),
    ("(s) => { let k = 'a'; for (const x of s.xs) k = next(k); return k; }",
     "'a' | 'b' | 'c' | ?"),
    ("(s) => { const xs = []; for (const x of s.xs) { const o = made('a'); o.x = 1; xs.push(o); } return xs; }",
     "[] | [{k: 'a', x: 1}]* | [{k: 'a', x: 1}, {k: 'a', x: 1}]* | ?"),
    ("(s) => { let k = 'a'; for (const x of s.xs) { if (next('b') === 'c') k = next('a'); } return k; }",
     "'a' | 'b'"),
]  # fmt: skip

AROUND = """
const TABLE = { a: "alpha", b: "beta" } as const;
const KINDS = ["x", "y"];
let tries = 0;
let late;
const memo = { inner: { done: false } };
const seen = [];
const fixed = { big: true };
function again(s) { tries += 1; [late] = [s]; memo.inner.done = true; seen.push(s); }
function next(k) { return k === "a" ? "b" : "c"; }
function made(k) { return { k }; }
function recur(s) { return s.n > 3 ? "stop" : recur(s); }
"""


CERTAIN = [
    ("(s) => s.a.b.c", True),
    ("(s) => { if (s.x) go(); return s.a.b.c; }", True),
    ("(s) => { const b = s.a.b; return b.c; }", True),
    ("(s) => s.x ? s.a.b.c : 1", False),
    ("(s) => s.x && s.a.b.c", False),
    ("(s) => s.x ?? s.a.b.c", False),
    ("(s) => { if (s.x) return 1; return s.a.b.c; }", False),
    ("(s) => { if (s.x) return s.a.b.c; return 1; }", False),
    ("(s) => { for (const x of s.xs) { s.a.b.c; } }", False),
    ("(s) => { switch (s.x) { case 1: return s.a.b.c; } }", False),
    ("(s) => { switch (s.x) { case 1: return 1; } return s.a.b.c; }", False),
    ("(s) => { const f = (t) => { if (t.x) return 1; return 2; }; f(s); return s.a.b.c; }", True),
]


@pytest.mark.parametrize(("function", "certain"), CERTAIN)
def test_what_every_run_of_a_function_reads(tmp_path: Path, function: str, certain: bool) -> None:
    (read,) = [one for one in body_of(tmp_path, function).inner if one.path == ("a", "b")]
    assert (read.hard, read.certain) == (True, certain)


@pytest.mark.parametrize(("function", "expected"), RETURNS)
def test_what_functions_return(tmp_path: Path, function: str, expected: str) -> None:
    assert told(body_of(tmp_path, function, AROUND).returns) == expected


READS = [
    ("(s) => s.a", "a", ""),
    ("(s) => s.a.b", "a!", "a.b"),
    ("(s) => s.a?.b", "a", "a.b"),
    ("(s) => s.a?.b?.c", "a", "a.b~ a.b.c"),
    ("(s) => { if (s.a) return s.a.b; }", "a a", "a.b"),
    ("(s) => s.a && s.a.b.c", "a a", "a.b! a.b.c"),
    ("(s) => { const a = s.a; if (a !== undefined) return a.b; }", "a", "a.b"),
    ("(s) => s['a']", "a", ""),
    ("({ a, b: { c } }) => 1", "a b!", "b.c"),
    ("({ a = {} }) => a.x", "a", "a.x"),
    ("(s) => { const { a } = s; return a.b.c; }", "a!", "a.b! a.b.c"),
    ("(s) => 'a' in s", "a", ""),
    ("(s) => 'b' in s.a ? s.a.b.c : 1", "a a", "a.b~ a.b~ a.b.c"),
    ("(s) => s.a.map((x) => s.b)", "a! b", ""),
    ("(s) => { try { return s.a.b; } catch { return 1; } }", "a", "a.b"),
    ("(s) => s.a.b ?? 1", "a!", "a.b~"),
    ("(s) => pick(s)", "big", ""),
    ("({ outputs }) => outputs.first.x", "outputs!", "outputs.first! outputs.first.x"),
]


@pytest.mark.parametrize(("function", "reads", "inner"), READS)
def test_what_functions_read(tmp_path: Path, function: str, reads: str, inner: str) -> None:
    """`!`: it raises where the key is missing, `~`: allowed to be missing."""
    body = body_of(tmp_path, function)
    assert " ".join(f"{r.key}{'!' if r.hard else ''}" for r in body.reads) == reads
    marks = [(".".join(r.path), "!" * r.hard + "~" * r.guarded) for r in body.inner]
    assert " ".join(path + mark for path, mark in marks) == inner
    assert not body.leaks


@pytest.mark.parametrize(
    "function",
    [
        "(s) => send(s)",
        "(s) => { const { a, ...rest } = s; }",
        "(s) => go({ s })",
        "(s) => s[key()]",
    ],
)
def test_a_state_that_goes_out_of_sight_leaks(tmp_path: Path, function: str) -> None:
    assert body_of(tmp_path, function).leaks == {0}


def test_keys_that_are_set_on_what_is_given(tmp_path: Path) -> None:
    body = body_of(tmp_path, "(s) => { s.a = 1; s['b'] = 2; return s; }")
    assert [put.key for put in body.puts] == ["a", "b"]
    assert body_of(tmp_path, "(s) => { s[name()] = 1; }").grown == {0}
    assert body_of(tmp_path, "(s) => { delete s.a; }").changed == {0}


def test_what_a_body_calls_may_be_too_long(tmp_path: Path) -> None:
    steps = " ".join(f"note(s.a{n});" for n in range(3000))
    around = f"function note(a) {{}}\nfunction all(s) {{ {steps} return 1; }}"
    body = body_of(tmp_path, "(s) => { const n = all(s); return { text: 'x', n }; }", around)
    assert told(body.returns) == "{text: 'x', n: ?}"
    assert 0 in body.leaks


def test_deep_and_long_bodies_are_not_read_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "flow.ts"
    deep = "(" * 3000 + "1" + ")" * 3000
    long = " ".join(f"if (s.a{n}) return 'x{n}';" for n in range(4000))
    path.write_text(f"{HEAD}\nstep((s) => {deep});\nstep((s) => {{ {long} }});\n")
    evaluation = evaluate_file(str(path), ProjectFiles(), str(tmp_path), MODELS)
    for built in evaluation.built:
        value = built.arguments.items[0].value
        if isinstance(value, Function):
            body = value.reader.body(None)
            assert body.unread is not None or any(isinstance(r, Opaque) for r in body.returns)
