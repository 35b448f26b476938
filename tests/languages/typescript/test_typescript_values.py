# ruff: noqa: E501
"""The values of expressions, as dialects are given them."""

import pytest
from typescript_help import shown

CONSTANTS = [
    ("1e3", "1000"),
    ("15 * 60_000", "900000"),
    ("-1", "-1"),
    ("0x1F", "31"),
    ("1.5", "1.5"),
    ("7 % 4", "3"),
    ("7 / 2", "3.5"),
    ("2 ** 10", "1024"),
    ("1 / 0", "inf"),
    ("'a\\n\\u0041\\x42\\u{43}'", "'a\\nABC'"),
    ("'a' + 1 + null", "'a1null'"),
    ("`${1 + 1}-${'x'}-${true}`", "'2-x-true'"),
    ("`a${process.env.X}`", "?"),
    ("null", "null"),
    ("undefined", "undefined"),
    ("void 0", "undefined"),
    ("!0", "true"),
    ("typeof 'x'", "'string'"),
    ("1 < 2 && 'yes'", "'yes'"),
    ("0 || 'no'", "'no'"),
    ("null ?? 'given'", "'given'"),
    ("'' ?? 'given'", "''"),
    ("1 === 1 ? 'a' : 'b'", "'a'"),
    ("'1' == 1", "true"),
    ("'1' === 1", "false"),
    ("null == undefined", "true"),
    ("null === undefined", "false"),
    ("(1, 2)", "2"),
    ("[1, ...[2, 3], ...'ab']", "[1, 2, 3, 'a', 'b']"),
    ("[1, , 2]", "[1, ?, 2]"),
    ("({ a: 1, 'b': 2, 3: 4, ['c' + 1]: 5 })", "{a: 1, b: 2, 3: 4, c1: 5}"),
    ("({ a: 1, a: 2 })", "{a: 1, a: 2}"),
    ("({ a: 1, a: 2 }).a", "2"),
    ("({ ...{ a: 1 }, b: 2 })", "{a: 1, b: 2}"),
    ("({ ...process.env })", "{…}"),
    ("({ get x() { return 4 } }).x", "4"),
    ("({ run() {}, async go() {}, f: () => 1, g: async function () {} })",
     "{run: method run, go: async method go, f: lambda f, g: async function g}"),
    ("({ a: { b: [10, 20] } }).a.b[1]", "20"),
    ("({ a: 1 })['a']", "1"),
    ("({ a: 1 }).b", "undefined"),
    ("({ a: 1 })?.b?.c", "undefined"),
    ("[1, 2].length", "2"),
    ("'abc'.length", "3"),
    ("/x/", "?"),
    ("(x => x)(3)", "3"),
    ("(({ a, b = 2 }, ...c) => [a, b, c])({ a: 1 }, 3, 4)", "[1, 2, [3, 4]]"),
    ("(function () { return 5 })()", "5"),
    ("(1 as any)", "1"),
    ("([1, 2] as const)", "[1, 2]"),
    ("({ a: 1 } satisfies object)", "{a: 1}"),
    ("({ a: 1 })!.a", "1"),
    ("(<number>1)", "1"),
    ("await 1", "1"),
    ("Object.freeze({ a: 1 })", "{a: 1}"),
    ("process.env.X", "process.env.X"),
    ("END", "'__end__'"),
    ("new Error('x')", "Error('x')"),
    ("globalThis", "globalThis"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "value"), CONSTANTS, ids=[c[0] for c in CONSTANTS])
def test_an_expression_has_its_value(expression, value):
    assert shown(f"show({expression});") == [value]


METHODS = [
    ("['a', 'b'].map((x, i) => x + i)", "['a0', 'b1']"),
    ("[1, 2, 3].filter((x) => x > 1)", "[2, 3]"),
    ("[0, 1].filter(Boolean)", "[1]"),
    ("[1, 2].flatMap((x) => [x, x * 10])", "[1, 10, 2, 20]"),
    ("[[1], [2, [3]]].flat()", "[1, 2, [3]]"),
    ("[1].concat([2], 3)", "[1, 2, 3]"),
    ("[1, 2, 3].slice(1)", "[2, 3]"),
    ("[1, 2, 3].at(-1)", "3"),
    ("[3, 1, 2].toSorted()", "[1, 2, 3]"),
    ("[1, 2].toReversed()", "[2, 1]"),
    ("['a', 'b'].join(' && ')", "'a && b'"),
    ("['a', 'b'].includes('b')", "true"),
    ("['a', 'b'].indexOf('b')", "1"),
    ("['a', 'b'].find((x) => x === 'b')", "'b'"),
    ("['a', 'b'].findIndex((x) => x === 'b')", "1"),
    ("Number.parseInt('12px', 10) + parseInt('3')", "15"),
    ("[1, 2].some((x) => x > 1)", "true"),
    ("[1, 2].every((x) => x > 1)", "false"),
    ("[1, 2, 3].reduce((sum, x) => sum + x, 0)", "6"),
    ("['a', 'b'].reduce((o, k) => ({ ...o, [k]: 1 }), {})", "{a: 1, b: 1}"),
    ("[...['a'].entries()]", "[[0, 'a']]"),
    ("Object.keys({ a: 1, b: 2 })", "['a', 'b']"),
    ("Object.values({ a: 1, b: 2 })", "[1, 2]"),
    ("Object.entries({ a: 1 })", "[['a', 1]]"),
    ("Object.fromEntries([['a', 1]])", "{a: 1}"),
    ("Object.fromEntries(Object.entries({ a: 1 }).map(([k, v]) => [k + k, v + 1]))", "{aa: 2}"),
    ("Object.assign({ a: 1 }, { b: 2 })", "{a: 1, b: 2}"),
    ("Array.from({ length: 3 }, (_, i) => `s${i}`)", "['s0', 's1', 's2']"),
    ("Array.from(new Set([1, 1, 2]))", "[1, 2]"),
    ("new Map([['a', 1]]).get('a')", "1"),
    ("[...new Map([['a', 1]])]", "[['a', 1]]"),
    ("Array.of(1, 2)", "[1, 2]"),
    ("Array.isArray([])", "true"),
    ("structuredClone({ a: [1] })", "{a: [1]}"),
    ("'a-b'.split('-')", "['a', 'b']"),
    ("' Ab '.trim().toUpperCase()", "'AB'"),
    ("'ab'.replace('a', 'c')", "'cb'"),
    ("'abc'.slice(1, -1)", "'b'"),
    ("'7'.padStart(3, '0')", "'007'"),
    ("'abc'.startsWith('ab')", "true"),
    ("'ab'.repeat(2)", "'abab'"),
    ("String(3)", "'3'"),
    ("Number('4')", "4"),
    ("Math.max(1, 2)", "2"),
    ("(5).toString()", "'5'"),
    ("((a, b) => a + b).bind(null, 1)(2)", "3"),
    ("((a, b) => a + b).apply(null, [1, 2])", "3"),
    ("await Promise.all([1, 2])", "[1, 2]"),
    ("zod.object({ a: zod.string() })", "zod.object({a: zod.string()})"),
    ("zod.string().optional()", "zod.string().optional(zod.string())"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "value"), METHODS, ids=[m[0] for m in METHODS])
def test_what_javascript_brings_is_followed(expression, value):
    assert shown(f"show({expression});") == [value]


PROGRAMS = {
    "destructuring": ("const { a, b: { c = 3 }, ...rest } = { a: 1, b: {}, d: 4 }; show(a, c, rest)",
                      "1, 3, {d: 4}"),
    "array pattern": ("const [a, , b = 2, ...c] = [1, 0, undefined, 4]; show(a, b, c)", "1, 2, [4]"),
    "swap": ("let a = 1, b = 2; [a, b] = [b, a]; show(a, b)", "2, 1"),
    "computed pattern": ("const k = 'x'; const { [k]: v } = { x: 9 }; show(v)", "9"),
    "push loop": ("const xs = []; for (const k of ['a', 'b']) xs.push(k + '!'); show(xs)",
                  "['a!', 'b!']"),
    "counting loop": ("const xs = []; for (let i = 0; i < 3; i++) { xs.push(i) } show(xs)",
                      "[0, 1, 2]"),
    "while": ("let i = 0; while (i < 2) { i += 1 } show(i)", "2"),
    "do": ("let i = 5; do { i++ } while (i < 3); show(i)", "6"),
    "for in": ("const xs = []; for (const k in { a: 1, b: 2 }) xs.push(k); show(xs)", "['a', 'b']"),
    "break and continue": (
        "const xs = []; for (const x of [1, 2, 3, 4]) { if (x === 2) continue; if (x === 4) break;"
        " xs.push(x) } show(xs)", "[1, 3]"),
    "forEach": ("const o = {}; ['a', 'b'].forEach((k, i) => { o[k] = i }); show(o)", "{a: 0, b: 1}"),
    "property assignment": ("const o = { a: 1 }; o.b = 2; o['c'] = 3; show(o)", "{a: 1, b: 2, c: 3}"),
    "delete": ("const o = { a: 1, b: 2 }; delete o.a; show(o)", "{b: 2}"),
    "index assignment": ("const xs = [1, 2]; xs[0] = 9; xs[2] = 3; show(xs)", "[9, 2, 3]"),
    "splice": ("const xs = [1, 2, 3]; xs.splice(1, 1, 'n'); show(xs)", "[1, 'n', 3]"),
    "hoisting": ("show(later(2)); function later(x) { return x * K } const K = 5;", "10"),
    "closure": ("const make = (p) => (n) => p + n; show(make('a')('b'))", "'ab'"),
    "default arguments": ("function f(a, b = a + 1) { return b } show(f(1), f(1, 5))", "2, 5"),
    "options argument": ("const f = ({ x = 1, y } = {}) => [x, y]; show(f(), f({ y: 2 }))",
                         "[1, undefined], [1, 2]"),
    "early return": ("function f(x) { if (x) return 'a'; return 'b' } show(f(1), f(0))", "'a', 'b'"),
    "recursion": ("const f = (n) => n <= 1 ? 1 : n * f(n - 1); show(f(5))", "120"),
    "async helper": ("async function f() { return 3 } show(await f())", "3"),
    "switch": ("const f = (x) => { switch (x) { case 1: return 'one'; case 2: case 3: return 'few';"
               " default: return 'many' } }; show(f(1), f(2), f(9))", "'one', 'few', 'many'"),
    "enum": ("enum E { A, B = 'b', C = 4, D } show(E.A, E.B, E.D, Object.keys(E))",
             "0, 'b', 5, ['0', '4', '5', 'A', 'B', 'C', 'D']"),
    "a number of an enum": ("enum E { A, B = 5 } show(E[5], E[E.A])", "'B', 'A'"),
    "table": ("const T = { impl: 'codex' } as const; show(T.impl, T['impl'])", "'codex', 'codex'"),
    "namespace": ("namespace N { export const a = 1 } show(N.a)", "1"),
    "a namespace in two parts": (
        "namespace N { export const a = 1 } namespace N { export const b = a + 1 } show(N.a, N.b)",
        "1, 2"),
    "an index before the first": (
        "const xs = [...process.argv]; show(xs[-1], [...process.argv, 1][xs.length - 1])", "?, ?"),
    "a namespace in another": ("namespace A.B { export const c = 3 } show(A.B.c)", "3"),
    "a function with a namespace": (
        "function f() { return f.n } namespace f { export const n = 4 } show(f())", "4"),
    "a function that names itself": (
        "const f = function g(n) { return n ? g(n - 1) + 'x' : '' }; show(f(3))", "'xxx'"),
    "augmented": ("let s = 'a'; s += 'b'; let n; n ??= 4; show(s, n)", "'ab', 4"),
    "spread call": ("const f = (a, b) => [b, a]; show(f(...[1, 2]))", "[2, 1]"),
    "spread of a call": ("const es = (ids) => ids.map((x) => ({ x })); show([...es(['a']), 1])",
                         "[{x: 'a'}, 1]"),
    "method this": ("const o = { k: 2, get(n) { return this.k + n } }; show(o.get(1))", "3"),
    "class": ("class A { x = 1; static s = 's'; constructor(y) { this.y = y } sum() { return this.x"
              " + this.y } } const a = new A(2); show(a, a.sum(), A.s)", "A{x: 1, y: 2}, 3, 's'"),
    "inheritance": ("class A { constructor(n) { this.n = n } who() { return 'A' + this.n } } class B"
                    " extends A { constructor() { super(7) } who() { return super.who() + 'B' } }"
                    " show(new B().who())", "'A7B'"),
    "constructor properties": ("class A { constructor(private readonly n: string, public m = 2) {} }"
                               " const a = new A('x'); show(a.n, a.m)", "'x', 2"),
    "getter and static method": ("class A { get g() { return 4 } static make() { return new A() } }"
                                 " show(A.make().g)", "4"),
    "arrow keeps this": ("class A { n = 1; f() { return [1].map((x) => x + this.n) } }"
                         " show(new A().f())", "[2]"),
    "tagged template": ("show(zod.P`a ${1} b`)", "zod.P('a 1 b', ['a ', 1, ' b'])"),
    "tag of the project": ("const tag = (text) => text + '!'; show(tag`x`)", "'x!'"),
    "set": ("const s = new Set(['a']); s.add('b'); s.add('a'); show([...s], s.size, s.has('b'))",
            "['a', 'b'], 2, true"),
    "map loop": ("const out = []; for (const [k, v] of new Map([['a', 1]])) out.push(k + v);"
                 " show(out)", "['a1']"),
    "try": ("let x = 1; try { x = 2 } finally { x += 1 } show(x)", "3"),
    "labels": ("const xs = []; outer: for (const a of [1, 2, 3]) { for (const b of [1, 2]) {"
               " if (b === 2) continue outer; if (a === 3) break outer; xs.push(a * 10 + b) } }"
               " show(xs)", "[11, 21]"),
    "a block with a label": ("let x = 1; done: { if (x) break done; x = 2 } show(x)", "1"),
    "a callback for elements that are not known": (
        "const xs = []; [1, ...process.argv].forEach((k) => { xs.push(k) }); show(xs)",
        "[1, ? [for each of what is not known], …]"),
    "unknown loop": ("const xs = ['a']; for (const k of process.argv) xs.push(k); show(xs)",
                     "['a', ? [for k of process.argv], …]"),
    "unknown map": ("show(process.argv.map((x) => x))", "process.argv.map(lambda function)"),
    "filled by a callback of code out of sight": ("const xs = [1]; foo(xs); show(xs)",
                                                  "[1 [it is left as it was], …]"),
    "given to code that only reads": ("const xs = [1]; console.log(xs); show(xs)", "[1]"),
    "generator": ("function* g(n) { yield n; yield* ['b', 'c']; if (n) yield 'd' }"
                  " show([...g('a')])", "['a', 'b', 'c', 'd']"),
    "closures in a loop": ("const fs = []; for (let i = 0; i < 2; i++) fs.push(() => i);"
                           " show(fs.map((f) => f()))", "[0, 1]"),
    "class in its own body": ("class A { static N = 1; static M = A.N + 1; f() { return A.M } }"
                              " show(new A().f())", "2"),
    "map and set": ("const m = new Map([['a', 1], ['b', 2]]); m.delete('a'); const s = new Set([1, 2]);"
                    " s.delete(1); show([...m], [...s], m.size ? 'some' : 'none')",
                    "[['b', 2]], [2], 'some' [m.size] | 'none' [!(m.size)]"),
    "a method that is not followed": ("const xs = [1]; xs.copyWithin(0, 1); show(xs)",
                                      "[1 [it is left as it was], …]"),
    "nothing has no properties": ("let x; show(x.y ? 1 : 2)", "1 [x.y] | 2 [!(x.y)]"),
    "copy by text": ("const o = { a: [1] }; const p = JSON.parse(JSON.stringify(o)); p.a.push(2);"
                     " show(o, p)", "{a: [1]}, {a: [1, 2]}"),
    "var": ("{ var v = 1 } show(v)", "1"),
    "block scope": ("let v = 1; { let v = 2 } show(v)", "1"),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_followed(name):
    source, value = PROGRAMS[name]
    assert shown(source)[0] == value


def test_what_is_built_of_an_object_has_its_properties():
    said = shown("const a = show({ nodes: [1] }); show({ ...a, n: a.nodes, m: a.odd });")
    assert said == ["{nodes: [1]}", "{nodes: [1], n: [1], m: ?}"]


CONDITIONS = {
    "if": ("const o = {}; if (process.env.X) o.a = 1; show(o)", "{a: 1 [process.env.X]}"),
    "else": ("let x; if (flag) x = 1; else x = 2; show(x)", "2 [!(flag)] | 1 [flag]"),
    "ternary": ("show(flag ? 'a' : 'b')", "'a' [flag] | 'b' [!(flag)]"),
    "and": ("show([...(flag ? ['x'] : [])])", "['x' [flag]]"),
    "or": ("show(process.env.X || 'codex')", "process.env.X [process.env.X] | "
           "'codex' [!(process.env.X)]"),
    "nullish": ("show(process.env.X ?? 'codex')", "process.env.X [process.env.X is given] | "
                "'codex' [!(process.env.X is given)]"),
    "spread under a condition": ("show({ a: 1, ...(flag && { b: 2 }) })", "{a: 1, b: 2 [flag]}"),
    "same test twice": ("const f = () => { if (flag) return 'a'; return 'b' };"
                        " show(flag ? f() : 'c')", "'a' [flag] | 'c' [!(flag)]"),
    "early return of an unknown test": ("const f = (x) => { if (flag) return 1; return 2 };"
                                        " show(f())", "1 [flag] | 2 [!(flag)]"),
    "negation": ("show(!flag ? 1 : 2)", "1 [!(flag)] | 2 [flag]"),
    "unequal": ("show(mode !== 'a' ? 1 : 2)", "1 [!(mode === 'a')] | 2 [mode === 'a']"),
    "switch": ("let x = 0; switch (mode) { case 'a': x = 1; break; case 'b': x = 2 } show(x)",
               "2 [!(mode === 'a') & mode === 'b'] | 1 [mode === 'a'] | "
               "0 [!(mode === 'a') & !(mode === 'b')]"),
    "try": ("let x; try { x = risky() } catch { x = 'no' } show(x)",
            "'no' [an error is thrown] | risky() [!(an error is thrown)]"),
    "filter": ("show(['a', 'b'].filter((x) => x !== mode))",
               "['a' [!(the callback leaves it out)], 'b' [!(the callback leaves it out (2))]]"),
}  # fmt: skip


@pytest.mark.parametrize("name", CONDITIONS)
def test_what_depends_on_an_unknown_test_has_a_condition(name):
    source, value = CONDITIONS[name]
    assert shown(f"declare const flag: boolean, mode: string;\n{source}") == [value]
