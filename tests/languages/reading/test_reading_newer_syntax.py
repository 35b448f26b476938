"""Python that is newer than the running one is no error and keeps its places."""

import ast
import subprocess
import sys

import pytest
from reading_help import assert_within, calls, faults, read, slices

TRIPLE = '"' * 3


@pytest.mark.parametrize(
    ("source", "places"),
    [
        # PEP 695 and 696
        ("type X = f(int)\ng(1)\n", {"f(int)": (1, 10), "g(1)": (2, 1)}),
        ("é = 1; type X[T: f(a)] = g(T); h(2)\n", {"g(T)": (1, 26), "h(2)": (1, 32)}),
        ("type type = f(1)\n", {"f(1)": (1, 13)}),
        ("def f[T](x: T = g(1)) -> T: return h(x)\n", {"g(1)": (1, 17), "h(x)": (1, 36)}),
        ("async def f[**P, *Ts](): await g(1)\n", {"g(1)": (1, 32)}),
        ("def f[T: (A, B) = A](): return g(1)\n", {"g(1)": (1, 32)}),
        ("class A[T](b(T)):\n    x = f(1)\n", {"b(T)": (1, 12), "f(1)": (2, 9)}),
        (
            "class A[\n    T,  # é\n    U,\n](b(1)):\n    x = f(1)\n",
            {"b(1)": (4, 3), "f(1)": (5, 9)},
        ),
        (
            "@d(1)\ndef f[T](\n    x=g(2),\n):\n    h(3)\n",
            {"d(1)": (1, 2), "g(2)": (3, 7), "h(3)": (5, 5)},
        ),
        # PEP 701
        ('x = f"{f(a["k"])}", g(1)\n', {'f(a["k"])': (1, 8), "g(1)": (1, 21)}),
        ("é = f'ü{f(a['é'])}ö', g(1)\n", {"f(a['é'])": (1, 9), "g(1)": (1, 23)}),
        ('f"{f"{f"{f(1)}"}"}"\n', {"f(1)": (1, 10)}),
        ("f'{\"\\n\".join(f(a))}'\n", {'"\\n".join(f(a))': (1, 4), "f(a)": (1, 14)}),
        ('x = f"{\n  f(a)\n}"; g(1)\n', {"f(a)": (2, 3), "g(1)": (3, 5)}),
        (f"x = f{TRIPLE}a\n{{\n f(é)  # why\n}}{TRIPLE}; g(1)\n", {"f(é)": (3, 2), "g(1)": (4, 7)}),
        ('f"{x:{y:{f(z)}}}"\n', {"f(z)": (1, 10)}),
        ('f"{f(x["a"]) = !r:>{g(1)}}"\n', {'f(x["a"])': (1, 4), "g(1)": (1, 21)}),
        ("p('é' f'{x['a']}' 'b', q(1))\n", {"q(1)": (1, 24)}),
        ("f'{(lambda x: f(x['a']))(1)}'\n", {"f(x['a'])": (1, 15)}),
        (
            f"f{TRIPLE}\n\"{{' '.join([f'{{q}}\\n{{f(q)}}' for q in r])}}\" '\n{TRIPLE}; g(1)\n",
            {"f(q)": (2, 21), "g(1)": (3, 6)},
        ),
        ("f'{f(a['b']), 1}'\n", {"f(a['b'])": (1, 4)}),
        ("f'a\\\nb{f(x['c'])}'\n", {"f(x['c'])": (2, 3)}),
        # PEP 758
        (
            "try:\n    f(1)\nexcept A, b(1):\n    g(2)\n",
            {"f(1)": (2, 5), "b(1)": (3, 11), "g(2)": (4, 5)},
        ),
        ("try: pass\nexcept* A, B: f(1)\n", {"f(1)": (2, 15)}),
    ],
)
def test_newer_syntax_keeps_its_places(source: str, places: dict[str, tuple[int, int]]) -> None:
    module = read(source)
    assert not module.faults
    assert not module.lost
    found = calls(module)
    assert {text: found.get(text) for text in places} == places
    assert_within(module)


@pytest.mark.parametrize(
    ("source", "places"),
    [
        ("x = t'{f(1)}', g(2)\n", {"f(1)": (1, 8), "g(2)": (1, 16)}),
        ('x = t"{f(a["k"])}"; g(2)\n', {'f(a["k"])': (1, 8), "g(2)": (1, 21)}),
        ("x = tr'\\d{f(1)}' Rt'b'; g(2)\n", {"f(1)": (1, 11), "g(2)": (1, 25)}),
        ("t'a'; g(2)\n", {"g(2)": (1, 7)}),
    ],
)
def test_template_strings_are_values_that_nobody_knows(
    source: str, places: dict[str, tuple[int, int]]
) -> None:
    module = read(source)
    assert not module.faults
    found = calls(module)
    assert {text: found.get(text) for text in places} == places
    assert not any(isinstance(node, ast.JoinedStr) for node in ast.walk(module.tree))


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the parser does it itself")
def test_what_is_composed_reads_like_what_is_parsed() -> None:
    newer = "x = f'é{a!r:>{w}} {b = } {{}}' '\\N{DASH}' f\"{c[\"k\"]}\"\n".replace(
        "DASH", "EN DASH"
    )
    older = newer.replace('c["k"]', "c['k']")
    assert ast.dump(read(newer).tree) == ast.dump(read(older).tree)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the parser does it itself")
def test_an_alias_is_an_assignment() -> None:
    module = read("class A:\n    type Käse[T] = list[T]\n")
    assignment = next(node for node in ast.walk(module.tree) if isinstance(node, ast.Assign))
    assert slices(module, [assignment, *assignment.targets, assignment.value]) == [
        "type Käse[T] = list[T]",
        "Käse",
        "list[T]",
    ]


@pytest.mark.parametrize(
    "source",
    ["def f[1](x): g(1)\n", "x = f'{a['b'}'\n", "x = t'{'\n", "type = = 1\n", "except A, B: x\n"],
)
def test_what_is_no_python_at_all_is_a_fault(source: str) -> None:
    module = read(f"f(0)\n{source}h(2)\n")
    assert [line for line, _ in faults(module)] == [2]
    assert {"f(0)", "h(2)"} <= set(calls(module))


def test_a_slip_among_newer_syntax_is_one_fault() -> None:
    source = "class A[T]:\n    def f[U](self):\n        x = (\n        return g(f'{a['b']}')\n"
    module = read(source)
    assert [line for line, _ in faults(module)] == [3]
    assert calls(module) == {"g(f'{a['b']}')": (4, 16)}


def test_sound_code_of_a_future_python_is_lost_silently() -> None:
    module = read("f(1)\nx = [*y for y in z]\ng(2)\n")
    if sys.version_info < (3, 15):
        assert [span.line for span in module.lost] == [2]
    assert not module.faults
    assert {"f(1)", "g(2)"} <= set(calls(module))


def test_deep_nesting_next_to_newer_syntax_is_survived() -> None:
    for deep in ("-" * 20_000 + "1", "f(" * 190 + ")" * 190, "a+" * 9_000 + "a", "[" * 5_000):
        module = read(f"g(1)\nx = f'{{a['k']}}', {deep}\nh(2)\n")
        assert {"g(1)", "h(2)"} <= set(calls(module))


@pytest.mark.parametrize(
    ("source", "needed"),
    [
        ("x = f'{y}'\n", False),
        ("x = (\ng(1)\n", False),
        ("def f[T](): ...\n", sys.version_info < (3, 12)),
    ],
)
def test_the_slow_parser_is_only_imported_when_it_is_needed(source: str, needed: bool) -> None:
    script = (
        "import sys\nfrom flowlint.languages.python.reading import parse_module\n"
        f"parse_module('x.py', {source.encode()!r})\nprint('libcst' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == str(needed)
