# ruff: noqa: E501
"""Whatever the text of a module is: it is read, quickly, and never with a traceback."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typescript_help import IMPORT, evaluate, shown, steps

DEEP = 10_000

NESTED = {
    "brackets": "show(" + "(" * DEEP + "1" + ")" * DEEP + ")",
    "arrays": "show(" + "[" * DEEP + "]" * DEEP + ")",
    "objects": "show(" + "{a:" * DEEP + "1" + "}" * DEEP + ")",
    "blocks": "{" * DEEP + "show(1)" + "}" * DEEP,
    "tests": "if(x){" * DEEP + "show(1)" + "}" * DEEP,
    "arrows": "show(" + "()=>" * DEEP + "1)",
    "calls": "f(" * DEEP + "show(1)" + ")" * DEEP,
    "choices": "show(" + "a?1:" * DEEP + "2)",
    "signs": "show(" + "!" * DEEP + "a)",
    "waiting": "await " * DEEP + "show(1)",
    "types": "let x: " + "A<" * DEEP + "B" + ">" * DEEP + " = show(1)",
    "members of unions": "let x: " + "A|" * DEEP + "B = show(1)",
    "patterns": "const " + "[" * DEEP + "a" + "]" * DEEP + " = show(1)",
    "never closed": "(" * DEEP,
    "texts never closed": "`${" * DEEP,
}


@pytest.mark.parametrize("name", NESTED)
def test_deep_nesting_is_handled(name):
    evaluation = evaluate(
        f"{IMPORT}{NESTED[name]};\nexport const last = show('last');", "a.flow.ts"
    )
    if not name.endswith("never closed"):
        assert evaluation.built[-1].name == "last"


def test_long_chains_are_followed_to_their_end():
    assert (
        steps("const g = new Graph()" + ".addNode('a')" * 3_000, "a.flow.ts")
        == ["addNode('a')"] * 3_000
    )
    assert shown("show('a'" + "+'b'" * 3_000 + ")", "a.flow.ts") == [f"'a{'b' * 3_000}'"]


ENDLESS = {
    "a loop": "let i = 0; for (;;) { i++; if (f(i)) break }",
    "recursion": "const f = (n) => f(n + 1); f(1)",
    "two by two": "const f = (n) => n < 2 ? 1 : f(n - 1) + f(n - 2); f(40)",
    "a text that doubles": "let s = 'ab'; for (let i = 0; i < 100; i++) s += s",
    "an array that doubles": "let s = [1, 2]; for (let i = 0; i < 100; i++) s = [...s, ...s]",
    "objects in objects": "let s = { a: 1 }; for (let i = 0; i < 60; i++) s = { a: s, b: s };"
    " structuredClone(s)",
    "one in itself": "const a = []; a.push(a); for (const x of a) a.push(x); const o = { a }; o.o = o",
    "choices": "const t = [" + ",".join(f"x{n} ? 1 : 2" for n in range(60)) + "];"
    " t.reduce((s, v) => s + '-' + v, '')",
    "large numbers": "'a'.repeat(1e9); 'a'.padEnd(1e9); new Array(1e9); 9 ** 999; 1 << 1e30; ~1e400;"
    " [1].at(1e400); [1].slice(-1e400); [1].flat(Infinity); 'a'.slice(NaN)",
    "getters": "const o = { get o() { return this.o } }; o.o",
    "classes": "class A extends A {} new A(); class B { b = new B() } new B()",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_what_has_no_end_is_left_alone(name):
    evaluate(f"{IMPORT}const g = new Graph();\n{ENDLESS[name]};\ng.addNode('a');")


def test_what_is_too_much_leaves_what_is_built_open():
    said = steps(
        "const g = new Graph(); let s = [1, 2]; for (let i = 0; i < 99; i++) s = [...s, ...s]"
    )
    assert said == ["! the code is too large to follow"]


def test_bundles_are_passed_over():
    line = "var a=function(){return 1};" * 1_000
    assert evaluate(f"{IMPORT}show(1);{line}").built == ()
    assert evaluate(f"{IMPORT}show(1);\n" + "let a = 1;\n" * 100_000).built == ()
    assert len(evaluate(f"{IMPORT}show(1);{line}", "bundle.flow.ts").built) == 1


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"\xef\xbb\xbf", "'a'"),
        ("\ufeff".encode("utf-16-le"), None),
        (b"// \xff\n", "'a'"),
    ],
)
def test_marks_and_bytes_that_are_no_text(data, value):
    source = IMPORT + "show('a');"
    if value is None:
        evaluation = evaluate(data + source.encode("utf-16-le"))
    else:
        evaluation = evaluate(data + source.encode())
    (built,) = evaluation.built
    assert built.arguments.items[0].value.value == "a"
    faults = [(fault.span.line, fault.span.column, fault.message) for fault in evaluation.faults]
    assert faults == ([(1, 4, "this byte is no UTF-8")] if b"\xff\n" in data else [])


STRAY = {
    "show('a\0b');": None,
    "show(`a${1}\0`); /* \0 */ const x = /[\0]/; // \0": None,
    "const x = '\\\0';": None,
    "show(1)\0; show(2);": 8,
    "show(1); function f() { \0 }": 25,
    "const a = \0; show(2);": 11,
}


@pytest.mark.parametrize("line", STRAY)
def test_a_character_that_ends_no_text(line):
    source = f"export const first = show('first');\n{line}\nexport const last = show('last');\n"
    evaluation = evaluate(IMPORT + source)
    names = [built.name for built in evaluation.built]
    assert (names[0], names[-1]) == ("first", "last")
    faults = [(fault.span.line, fault.span.column, fault.message) for fault in evaluation.faults]
    column = STRAY[line]
    assert faults == ([] if column is None else [(3, column, "this character is no code")])


def test_columns_count_characters():
    source = 'import { show } from "probe";\r\nconst ä = "😀"; show("é", ä);\r\n'
    (built,) = evaluate(source).built
    first, second = (item.place.span() for item in built.arguments.items)
    assert (first.line, first.column, first.end_column) == (2, 21, 24)
    assert (second.column, second.end_column) == (26, 27)


PIECES = st.lists(
    st.sampled_from(
        [*"(){}[]<>`'\"/\\;:,.=+-*!?&|#@$ \n\r\x00", "const ", "class ", "=>", "${", "...", "show(",
         "new Graph()", ".addNode(", "await ", "async ", "function ", "import ", "export ", "a", "1",
         "class X extends Graph {", "super(", "this.", "?.", "function f() { n = 1 }", "typeof ",
         "type ", "enum ", "if (", "for (", "of ", "switch (", "case ", "try ", "é", "😀", "\u2028"]
    ),
    max_size=60,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200) | PIECES.map("".join).map(str.encode))
def test_any_bytes_are_read(data):
    for name in ("a.flow.ts", "b.flow.tsx", "c.flow.cjs"):
        evaluation = evaluate(IMPORT.encode() + data, name)
        for fault in evaluation.faults:
            assert fault.span.line >= 1


WHOLE = (
    IMPORT
    + """
enum Kind { A = "a", B = "b" }
const table = { x: { id: Kind.A }, ...(flag ? { y: 1 } : {}) } as const;
class Maker<T> extends Base { private n = 1; make({ id, ...rest }: Opts = {}) { return show({ id, rest }) } }
for (const [key, { id }] of Object.entries(table)) { if (id) new Maker().make({ id: `${key}-${id}` }); }
export default new Graph().addNode("a", async (s) => ({ ...s })).addEdge("a", END).compile();
"""
)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(WHOLE)), st.integers(0, 30))
def test_a_text_may_end_or_have_a_gap_anywhere(start, size):
    evaluate(WHOLE[:start])
    evaluate(WHOLE[:start] + WHOLE[start + size :])


BROKEN = {
    "a value that is missing": "const a = show({ x: });",
    "a bracket that is missing": "function f( {\n  return show({\n}",
    "an end that is missing": "const a = show({ x: [1, 2 ",
    "what fits nowhere": "const = = 3 }",
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_stands_outside_of_a_broken_statement_is_kept(name):
    for source in (
        f"{IMPORT}{BROKEN[name]}\nexport const ok = show('ok');\n",
        f"{IMPORT}export const ok = show('ok');\n{BROKEN[name]}\n",
    ):
        evaluation = evaluate(source)
        (kept,) = [built for built in evaluation.built if built.name == "ok"]
        assert kept.escapes == []
        assert evaluation.faults
        broken = [built for built in evaluation.built if built.name != "ok"]
        assert all(built.escapes for built in broken)


def test_a_fault_is_told_where_it_is():
    (fault,) = evaluate("const a = f({ x: });").faults
    assert (str(fault.span), fault.message) == ("/p/main.ts:1:17", "something is missing here")
    (fault,) = evaluate("const a = 1;\nconst = 3;\n", "main.js").faults
    assert (fault.span.line, fault.message) == (2, "this is no JavaScript")


MODERN = [
    "const between = ['a'].join('\x00'); show(between)",
    "export type * from './x'; export type * as y from './z';",
    "let x: import('./a').B[] = []; function f(a: typeof import('./b')): import('./c').D<string> {}",
    "interface A<in T, out U extends object = {}> { x: T }",
    "class A { accessor x = 1; static accessor y = 2; declare z: string; #p = 1; static { this.#q } }",
    "function f(using: string) { return using }",
    "{ using x = open(); await using y = other(); }",
    "function g() { using x: Foo = open(); for (using y of x) { go(y); } }",
    "const f = <const T,>(x: T) => x; const g = f satisfies Function;",
    "enum E { A = 1 << 0 } abstract class B { abstract x(): void; override y() {} }",
    "@dec({ a: 1 }) export class C { @inner() method(@param() a?: number) {} }",
    "type T = `a${string}` | keyof typeof x extends infer U extends string ? U : never;",
    "import data from './x.json' with { type: 'json' }; import defer * as y from './y';",
    "for await (const x of y) {} label: while (true) { break label }",
    "a?.b?.[c]?.(d); a ??= b; a ||= c; 1_000n; /a[/]b/dgimsuvy.test(x); new.target; import.meta.url",
    "declare module 'x' { export const y: number; } declare global { interface Window {} }",
    "let a = b! as const; let c = <T>(d); x = y as unknown as Z;",
    "function assert(x: unknown): asserts x is string {} function is(x): x is string {}",
]  # fmt: skip


@pytest.mark.parametrize("source", MODERN)
def test_syntax_of_today_is_no_fault(source):
    assert evaluate(source).faults == ()


def test_text_between_tags_is_no_code():
    source = "const a = <pre>\n<code>cd x && make</code>\n</pre>; const b = a > 1 && a < 2;"
    assert evaluate(source, "main.tsx").faults == ()
    assert evaluate(source + " const = 3;", "main.tsx").faults != ()
