# ruff: noqa: E501
"""What is built: builders with their operations, declared types, functions that nobody calls."""

import pytest
from typescript_help import IMPORT, PROBE, evaluate, shown, steps, text_of


def test_a_chain_is_recorded_in_order_with_places():
    source = 'const g = new Graph("x")\n  .addNode("a", f)\n  .addEdge("a", END);\nexport default g.compile();'
    evaluation = evaluate(IMPORT + source)
    (built,) = evaluation.built
    assert (built.name, built.symbol, built.assumed) == ("g", None, None)
    said = [
        (one.method, one.origin.span().line, one.origin.span().column) for one in built.operations
    ]
    assert said == [("addNode", 3, 4), ("addEdge", 4, 4), ("compile", 5, 16)]
    assert [str(item.value.origin.span()) for item in built.operations[0].arguments.items] == [
        "/p/main.ts:3:12", "/p/main.ts:3:17",
    ]  # fmt: skip


BUILDING = {
    "under a test": ("const g = new Graph(); if (flag) g.addNode('a'); g.compile()",
                     ["addNode('a') [flag]", "compile()"]),
    "in a loop": ("const g = new Graph(); for (const k of ['a', 'b']) g.addNode(k)",
                  ["addNode('a')", "addNode('b')"]),
    "an unknown loop": ("const g = new Graph(); for (const k of argv) g.addNode(k)",
                        ["addNode(?) [for k of argv]"]),
    "a helper": ("function fill(g) { return g.addNode('a') } fill(new Graph()).addEdge('a', 'b')",
                 ["addNode('a')", "addEdge('a', 'b')"]),
    "a property": ("class B { g = new Graph(); constructor() { this.g.addNode('a') } make() {"
                   " return this.g.compile() } } new B().make()", ["addNode('a')", "compile()"]),
    "handed to code out of sight": ("const g = new Graph(); other(g); g.compile()",
                                    ["compile()", "! passed to `other`"]),
    "handed to code that reads": ("const g = new Graph(); console.log(g); expect(g).toBe(1)", []),
    "a method that is not known": ("const g = new Graph(); g.odd()", ["! `odd` is called on it"]),
    "a reader": ("const g = new Graph(); g.toString()", []),
    "a callback": ("const g = new Graph(); ['a'].forEach((k) => { g.addNode(k) })", ["addNode('a')"]),
    "refusals that are caught": ("const g = new Graph(); try { g.addNode('a') } catch {}",
                                 ["addNode('a') [!(an error is thrown)]", "! what it refuses is caught"]),
    "chosen": ("const g = flag ? new Graph('x') : new Graph('y'); g.addNode('a')",
               ["addNode('a') [flag]", "addNode('a') [!(flag)]"]),
    "a subclass": ("class G extends Graph {} new G().addNode('a')", ["addNode('a')"]),
    "a constructor and a private method of a subclass": (
        "class G extends Graph { constructor(n) { super(); this.addNode(n); this.#wire() } #wire() {"
        " this.addEdge('a', END) } } new G('a').addNode('b').compile()",
        ["addNode('a')", "addEdge('a', '__end__')", "addNode('b')", "compile()"]),
    "a method that a subclass changes": (
        "class G extends Graph { addNode(n) { return super.addNode(`x_${n}`) } compile() {"
        " this.addEdge('x_a', END); return super.compile() } } new G().addNode('a').compile()",
        ["addNode('x_a')", "addEdge('x_a', '__end__')", "compile()"]),
    "a hook of a class between": (
        "class B extends Graph { constructor() { super(); this.more() } more() {} }"
        " class G extends B { names = ['a', 'b']; more() { this.addNode('m') } get last() {"
        " return this.names.at(-1) } } const g = new G(); g.addNode(g.last)",
        ["addNode('m')", "addNode('b')"]),
    "a static method that makes one": (
        "class G extends Graph { static make() { return new this().addNode('a') } } G.make().compile()",
        ["addNode('a')", "compile()"]),
    "a mixin": (
        "const M = (B) => class extends B { go() { return this.addNode('m') } };"
        " class G extends M(Graph) {} new G().go()", ["addNode('m')"]),
    "a method that a subclass is to bring": (
        "export abstract class G extends Graph { constructor() { super(); this.wire() }"
        " abstract wire(): void }", ["! `wire` is called on it"]),
    "a subclass that nobody makes": (
        "export class G extends Graph { constructor() { super(); this.addNode('a') } wire() {"
        " this.addEdge('a', END) } }", ["addNode('a')", "addEdge('a', '__end__')"]),
    "a method that nobody calls": (
        "class G extends Graph { constructor() { super(); this.addNode('a') } wire() {"
        " this.addEdge('a', END) } } export const g = new G()",
        ["addNode('a')", "! `wire` may change it"]),
    "a subclass that hands itself on": (
        "class G extends Graph { constructor() { super(); fill(this) } } new G().compile()",
        ["compile()", "! passed to `fill`"]),
    "a subclass that may be set up in two ways": (
        "class G extends Graph { constructor() { if (flag) super(1); else super(2) } } new G()",
        ["! `super` is called under a condition"] * 2),
    "in an async function that is called": (
        "async function go() { const g = new Graph(); g.addNode('a'); return g } (await go()).compile()",
        ["addNode('a')", "compile()"]),
}  # fmt: skip


@pytest.mark.parametrize("name", BUILDING)
def test_what_is_done_to_a_builder_is_recorded(name):
    source, expected = BUILDING[name]
    assert steps(source) == expected


FUNCTIONS = {
    "a function": "export function make(name) { return show({ name }) }",
    "an arrow": "export const make = (name) => show({ name });",
    "a method": "class A { make(name) { return show({ name }) } }",
    "a method of an object": "export const o = { make(name) { return show({ name }) } };",
    "a callback": "app.get('/', async function make(name) { show({ name }) })",
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_that_nobody_calls_are_followed_with_unknown_arguments(name):
    (built,) = evaluate(IMPORT + FUNCTIONS[name]).built
    assert built.assumed == "make"


def test_a_builder_that_is_declared_as_an_argument_is_followed():
    source = (
        "import { show, type Graph as G } from 'probe';"
        " export function wire(g: G<string>, k: string) { g.addNode('a'); show(1) }"
    )
    (built, _) = evaluate(source).built
    assert (built.parameter, built.name, built.assumed) == (True, "g", "wire")
    assert [one.method for one in built.operations] == ["addNode"]


def test_functions_that_are_called_are_not_followed_again():
    assert shown("function make(name) { return show({ name }) } make('a'); make('b')") == [
        "{name: 'a'}",
        "{name: 'b'}",
    ]


CLASSES = {
    "a field": ("class A { g = new Graph().addNode('a'); }", ["addNode('a')"]),
    "a constructor": ("class A { constructor(n) { this.g = new Graph(); this.g.addNode(n) } }",
                      ["addNode(?)"]),
    "a field that a method fills": (
        "export class A { g = new Graph(); build() { this.g.addNode('a'); return this.g.compile() } }", ["addNode('a')", "compile()"]),
    "a method out of sight": (
        "export abstract class A { build() { const g = new Graph(); this.nodes(g); return g.compile() }"
        " abstract nodes(g) }", ["compile()", "! passed to code that cannot be seen"]),
    "a static method": ("class A { static make() { return new Graph().addNode('a') } }",
                        ["addNode('a')"]),
    "a class that is made": ("class A { g = new Graph(); m() { this.g.addNode('a') } } new A().m()",
                             ["addNode('a')"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CLASSES)
def test_classes_that_build_are_followed(name):
    source, expected = CLASSES[name]
    assert steps(source) == expected


OUTSIDE = {
    "an uncalled function adds to what is finished": (
        "const g = new Graph(); export function more() { g.addNode('b') } g.addNode('a').compile()",
        ["addNode('a')", "compile()"]),
    "an uncalled function adds to what is not": (
        "const g = new Graph(); export function more() { g.addNode('b') } g.addNode('a')",
        ["addNode('a')", "! `more` may change it"]),
    "a function that only fills it": (
        "const g = new Graph(); export function fill() { g.addNode('b'); new Graph() }",
        ["addNode('b')"]),
    "two functions that fill it": (
        "const g = new Graph(); export function one() { g.addNode('a'); new Graph() }"
        " export function two() { g.addNode('b'); new Graph() }",
        ["addNode('a')", "! `two` may change it, and nothing is seen to call that"]),
    "a callback of code that only reads": (
        "const g = new Graph(); process.argv.forEach((k) => { g.addNode(k) })",
        ["! passed to `process.argv.forEach`", "! `function` may change it"]),
    "a callback that only looks": (
        "const g = new Graph(); run(() => { const g = []; g.push(1) })", []),
}  # fmt: skip


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_may_be_done_elsewhere_leaves_a_builder_open(name):
    source, expected = OUTSIDE[name]
    assert steps(source) == expected


def test_containers_that_others_may_fill_stay_open():
    filled = "const nodes = { a: 1 }; show({ nodes }); "
    assert shown(filled + "export function register(k) { nodes[k] = 2 }") == ["{nodes: {a: 1, …}}"]
    assert shown(
        filled + "export const names = () => Object.keys(nodes).map((k) => nodes[k].id)"
    ) == ["{nodes: {a: 1}}"]
    assert shown(filled + "function unused(nodes) { nodes.b = 2 }") == ["{nodes: {a: 1}}"]
    assert shown("const xs = []; process.argv.forEach((k) => xs.push(k)); show(xs)") == ["[…]"]
    helper = "const xs = []; function add(x) { xs.push(x) } add('a'); add('b'); show(xs); "
    assert shown(helper) == ["['a', 'b']"]
    assert shown(
        "const xs = []; export function add(x) { xs.push(x) }"
        " export function make() { add('a'); return show(xs) }"
    ) == ["['a']"]
    for fill in ("all[k] = 1", "all.push(k)", "all.k = 1"):
        (built,) = evaluate(
            IMPORT + "const all = { a: 1 }; export function add(k) { " + fill + " }"
            " export function make() { return show(Object.keys(all)) }"
        ).built
        assert text_of(built.arguments.items[0].value) == "['a', …]"


def test_defaults_are_taken_where_nobody_calls():
    source = "export function make({ id = 'a', more } = {}) { return show({ id, more }) }"
    (built,) = evaluate(IMPORT + source).built
    assert text_of(built.arguments.items[0].value) == "{id: 'a', more: undefined}"
    assert [how for how, _ in built.escapes] == ["`make` is taken with its default arguments"]


def test_a_caller_tells_more_than_assumptions_do():
    evaluation = evaluate(
        IMPORT + "export function make(name) { return show({ name }) }"
        " export function main() { return make('known') }"
    )
    names = [built.arguments.items[0].value.entries[0].value for built in evaluation.built]
    assert any(getattr(name, "value", None) == "known" for name in names)


DECLARED = [
    "import type { Plan } from 'probe'; export const p: Plan = { n: 1 };",
    "import { type Plan } from 'probe'; export const p = { n: 1 } satisfies Plan;",
    "import { Plan } from 'probe'; export const p = { n: 1 } as Plan;",
    "import { Plan } from 'probe'; export const p = <Plan>{ n: 1 };",
    "import { Ns } from 'probe'; export const p: Ns.Plan = { n: 1 };",
    "import * as t from 'probe'; export const p: t.Plan = { n: 1 };",
    "import { Plan } from 'probe'; type P = Partial<Plan>; export const p: P = { n: 1 };",
    "import { Plan } from 'probe'; export const ps: Plan[] = [{ n: 1 }];",
    "import { Plan } from 'probe'; export const ps: Record<string, Plan> = { a: { n: 1 } };",
    "import { Plan } from 'probe'; function f(): Plan { return { n: 1 } } f();",
]


@pytest.mark.parametrize("source", DECLARED)
def test_a_value_that_is_declared_to_be_of_a_type_is_followed(source):
    (built,) = evaluate(source).built
    assert built.model is PROBE
    (argument,) = built.arguments.items
    assert [entry.key.value for entry in argument.value.entries] == ["n"]
    assert built.origin.span() == argument.value.origin.span()


def test_what_is_declared_and_then_built_is_one():
    assert shown(
        "import { Plan } from 'probe'; const p: Plan = { n: 1 }; export default show(p);"
    ) == ["{n: 1}"]
    assert (
        shown("import { Plan } from 'probe'; const p: Plan = { n: 1 }; show({ ...p, m: p.n });")[-1]
        == "{n: 1, m: 1}"
    )


def test_other_things_of_the_same_name_are_not_followed():
    source = (
        "import { show } from 'other'; class Graph { addNode() {} } const p: Plan = { n: 1 };"
        " type Plan = { n: number }; show(1); new Graph().addNode();"
    )
    assert evaluate(source).built == ()


def test_the_default_export_is_named_so():
    (built,) = evaluate(IMPORT + "export default show({});").built
    assert built.name == "default"
    (named,) = evaluate(IMPORT + "const flow = show({}); export default flow;").built
    assert named.name == "flow"
