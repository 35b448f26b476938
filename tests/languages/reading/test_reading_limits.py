"""Monstrous sources neither crash the process nor take for ever, and quiet ones print nothing."""

import ast
import subprocess
import sys
import time
import warnings

import pytest
from reading_help import calls, faults, read

MONSTERS = {
    "parentheses": "'x = ' + '(' * N + ')' * N",
    "lists": "'[' * N + ']' * N",
    "open": "'f(' * N",
    "minus": "'x = ' + '-' * N + '1'",
    "not": "'x = ' + 'not ' * N + '1'",
    "sum": "'x = ' + '+'.join(['a'] * N)",
    "power": "'x = ' + '**'.join(['a'] * N)",
    "lambda": "'x = ' + 'lambda: ' * N + '1'",
    "ternary": "'x = ' + '1 if 1 else ' * N + '1'",
    "attributes": "'x = a' + '.b' * N",
    "calls": "'x = a' + '()' * N",
    "elif": r"'if a:\n pass\n' + 'elif a:\n pass\n' * N",
    "ifs": r"''.join(' ' * i + 'if a:\n' for i in range(2000)) + ' ' * 2000 + 'pass'",
    "strings": "'f\"{' * N",
    "newer": "'x = f\"{a[\"k\"]}\" + ' + '-' * N + '1'",
    "digits": "'x = ' + '9' * N",
    "print": "'print ' * N",
    "match": r"'match x:\n case ' + '(' * N + '1' + ')' * N + ': pass'",
}


@pytest.mark.parametrize("name", MONSTERS)
def test_a_monster_costs_only_itself(name: str) -> None:
    script = (
        "from flowlint.languages.python.reading import parse_module\n"
        "for N in (300, 5_000, 100_000):\n"
        f"    source = 'f(1)\\n' + {MONSTERS[name]} + '\\ng(2)\\n'\n"
        "    body = parse_module('x.py', source.encode()).tree.body\n"
        "    assert body[0].lineno == 1, N\n"
        "    assert any(getattr(s, 'lineno', 0) == source.count('\\n') for s in body), N\n"
        "print('survived')"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
    assert run.stdout == "survived\n", run.stderr[-2000:]


def test_what_is_nested_too_deeply_is_a_fault() -> None:
    module = read("f(1)\nx = " + "-" * 10_000 + "1\ng(2)\n")
    assert faults(module) == [(2, "nested too deeply to be read")]
    assert set(calls(module)) == {"f(1)", "g(2)"}


def test_too_many_digits_are_a_fault() -> None:
    module = read("f(1)\nx = " + "9" * 10_000 + "\ng(2)\n")
    assert faults(module) == [(2, "integer literal with too many digits")]


@pytest.mark.parametrize("filters", ["error", "always"])
def test_warnings_of_the_parser_are_nobody_s_business(filters: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter(filters)  # type: ignore[arg-type]
        module = read("x = '\\d'\ny = 1 is 1\nassert (x, 'y')\nz = (\nf('\\d')\n")
        read(b"# coding: unicode_escape\nx = '\\d'\n")
    assert not caught
    assert [line for line, _ in faults(module)] == [4]


def test_a_large_broken_file_is_read_in_bounded_time() -> None:
    unit = "def f(x):\n    if x:\n        return g(x, [1, 2])\n    return h(x\n\n"
    source = (unit * 10_000).encode()
    start = time.process_time()
    ast.parse(b"x = (1, 2)\n" * 50_000)
    usual = time.process_time() - start
    start = time.process_time()
    module = read(source)
    assert time.process_time() - start < 40 * usual + 5
    assert len(module.faults) == 100
    assert module.lost
