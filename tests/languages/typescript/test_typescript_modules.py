# ruff: noqa: E501
"""Names from other modules: imports, re-exports, CommonJS, aliases of settings, JSON."""

from typescript_help import evaluate, shown, steps

IMPORTS = 'import { show } from "probe";\n'


def test_what_a_module_exports_is_followed():
    assert shown(
        'import dflt, { a, b as c, f, K } from "./lib"; import * as all from "./lib.js";'
        " show(dflt, a, c, f(2), all.a, new K().n)",
        lib__ts="export const a = 1, b = [2]; export default { d: 4 };"
        " export function f(x) { return x + N } const N = 10; export class K { n = 7 }",
    ) == ["{d: 4}, 1, [2], 12, 1, 7"]


def test_names_that_are_passed_on_are_followed():
    assert shown(
        'import { a, renamed, ns, dflt } from "./index"; show(a, renamed, ns.b, dflt)',
        index__ts='export * from "./one"; export { b as renamed } from "./one.js";'
        ' export * as ns from "./one"; export { default as dflt } from "./one";',
        one__ts="const a = 1; const b = 2; export { a, b }; export default 3;",
    ) == ["1, 2, 2, 3"]


def test_a_folder_stands_for_its_index():
    assert shown('import { a } from "./lib"; show(a)', lib_index__ts="export const a = 1") == ["1"]


def test_modules_may_need_each_other():
    assert shown(
        'import { a } from "./one"; export const z = 5; show(a)',
        one__ts='import { z } from "./main"; import { b } from "./two"; export const a = b + z;',
        two__ts='import { a } from "./one"; export const b = 1; export const c = a;',
    ) == ["6"]


def test_what_fills_an_exported_container_counts():
    assert shown(
        'import { nodes, table } from "./lib"; show(nodes, table)',
        lib__ts="export const nodes = []; for (const k of ['a', 'b']) nodes.push(k);"
        " export const table = {}; table.x = 1; const other = unknown();",
    ) == ["['a', 'b'], {x: 1}"]


def test_what_fills_a_container_by_way_of_others_counts():
    assert shown(
        'import { nodes } from "./lib"; show(nodes)',
        lib__ts="export const nodes = {}; const alias = nodes; alias.x = 1;"
        " function fill() { nodes.y = 2 } const other = 3; fill();",
    ) == ["{x: 1, y: 2}"]


def test_modules_that_are_imported_for_what_they_do_are_run():
    assert shown(
        'import "./a"; import { nodes } from "./registry"; show(nodes)',
        registry__ts="export const nodes = {}; export const register = (k) => { nodes[k] = 1 };",
        a__ts='import { register } from "./registry"; register("a");',
    ) == ["{a: 1}"]


def test_commonjs_is_followed():
    assert shown(
        'const { a } = require("./lib"); const lib = require("./lib"); const one = require("./one");'
        " show(a, lib.b, one)",
        name="main.cjs",
        lib__cjs="exports.a = 1; module.exports.b = 2;",
        one__js="module.exports = { k: 3 };",
    ) == ["1, 2, {k: 3}"]


def test_an_import_by_assignment_is_followed():
    assert shown(
        'import lib = require("./lib"); show(lib.a)', lib__ts="const a = 1; export = { a };"
    ) == ["1"]


def test_a_dynamic_import_is_followed():
    assert shown('const { a } = await import("./lib"); show(a)', lib__ts="export const a = 1") == [
        "1"
    ]


def test_json_is_data():
    assert shown('import data from "./d.json"; show(data.x)', d__json='{"x": [1]}') == ["[1]"]


def test_aliases_of_settings_are_followed():
    settings = """{
      // where things are
      "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"], "#k": ["src/k.ts"], } },
    }"""
    assert shown(
        'import { a } from "@/lib"; import { k } from "#k"; import { b } from "src/lib";'
        " show(a, k, b)",
        tsconfig__json=settings,
        src_lib__ts="export const a = 1, b = 2",
        src_k__ts="export const k = 3",
    ) == ["1, 3, 2"]


def test_names_from_packages_are_told_by_their_specifiers():
    assert shown(
        'import z, { object as o } from "zod/v4"; import * as t from "@scope/pkg";'
        " show(z, o, t, t.inner.x)"
    ) == ["zod/v4.default, zod/v4.object, @scope/pkg, @scope/pkg.inner.x"]


def test_a_builder_may_go_by_any_name():
    source = (
        'import * as p from "probe"; import { show as s } from "probe"; import { again } from "./b";'
        ' const q = require("probe"); p.show(1); s(2); again(3); q.show(4)'
    )
    evaluation = evaluate(source, b__ts='export { show as again } from "probe";')
    assert [built.arguments.items[0].value.value for built in evaluation.built] == [1, 2, 3, 4]


def test_a_module_that_is_missing_is_not_known():
    assert shown('import { a } from "./gone"; show(a)') == ["?"]


def test_a_factory_of_another_module_builds_with_what_it_is_given():
    assert shown(
        'import { make } from "./factory"; export default make({ show, name: "x" })',
        factory__ts="export function make({ show, name }) {"
        " return show({ name, nodes: ['a', 'b'].map((id) => `${name}_${id}`) }) }",
    ) == ["{name: 'x', nodes: ['x_a', 'x_b']}"]


def test_a_helper_of_another_module_fills_a_builder():
    assert steps(
        'import { wire } from "./wire"; const g = new Graph(); wire(g, "a"); g.compile()',
        wire__ts="export const wire = (graph, name) => { graph.addNode(name).addEdge(name, 'z') };",
    ) == ["addNode('a')", "addEdge('a', 'z')", "compile()"]


def test_imports_that_nobody_asks_for_are_not_read():
    class Recorded(dict):
        pass

    from typescript_help import MODELS, Texts

    from flowlint.languages.typescript.frontend import evaluate_file

    read: list[str] = []

    class Watched(Texts):
        def read(self, path):
            read.append(path)
            return super().read(path)

    files = Watched({"main.ts": IMPORTS + 'import { x } from "./lib"; show(1)', "lib.ts": "x"})
    evaluate_file("/p/main.ts", files, "/p", MODELS)
    assert "/p/lib.ts" not in read
