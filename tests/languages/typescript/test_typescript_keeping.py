"""What was read of bodies is kept between readings of a file, and forgotten when it changes."""

import re

import pytest
from typescript_help import IMPORT, evaluate

from flowlint.languages.typescript.bodies import keeping

MODULE = """
import { pick } from "./lib";
const NAMES = { a: "first", b: "second" };
const ODD = [];
function helper(x) { return NAMES.a }
const outer = () => helper(1);
NAMES.b = "changed";
const alias = NAMES;
alias.c = "by alias";
function fill() { NAMES.d = "by call" }
fill();
show((s) => { if (s.x) return outer(); return pick(s.y) });
show(() => [NAMES.b, NAMES.c, NAMES.d]);
"""

LIB = 'const own = "lib"; export function pick(y) { return own }'


def bodies(source: str, lib: str) -> list[str]:
    """What the functions that are shown return and read, without numbers of objects."""
    built = evaluate(IMPORT + source, lib__ts=lib).built
    functions = [one.arguments.items[0].value for one in built]
    return [re.sub(r"identity=\\d+", "", repr(one.reader.body(None))) for one in functions]


EDITS = {
    "nothing": ("", ""),
    "a constant": ('"first"', '"third"'),
    "a helper": ("return NAMES.a", "return NAMES.b"),
    "a helper of a helper": ("helper(1)", "'none'"),
    "a statement that changes a table": ('"changed"', '"again"'),
    "a statement that changes it by another name": ('"by alias"', '"by other"'),
    "a function that changes it": ('"by call"', '"by other"'),
    "a statement that is new": ("show(() =>", "NAMES.a = 'new';\nshow(() =>"),
    "a line above": ("const ODD", "\nconst ODD"),
    "a column": ("show((s)", "  show((s)"),
    "the function itself": ("s.x", "s.z"),
    "an import": ("{ pick }", "{ other as pick }"),
    "a name that hides another": ("const ODD = [];", "const ODD = [], { pick: outer2 } = ODD;"),
}


@pytest.mark.parametrize("name", EDITS)
@pytest.mark.parametrize("lib", [LIB, LIB.replace('"lib"', '"else"')], ids=["same", "edited"])
def test_what_is_kept_is_what_would_be_read(name, lib):
    bodies(MODULE, LIB)
    edited = MODULE.replace(*EDITS[name]) if EDITS[name][0] else MODULE
    kept = bodies(edited, lib)
    keeping._kept.clear()
    assert kept == bodies(edited, lib)


def test_bodies_are_not_read_again_while_something_else_is_written(monkeypatch):
    keeping._kept.clear()
    bodies(MODULE, LIB)
    read: list[object] = []
    whole = keeping.read_body

    def recorded(*given):
        read.append(given)
        return whole(*given)

    monkeypatch.setattr(keeping, "read_body", recorded)
    bodies(MODULE.replace("ODD = []", "ODD = [1]"), LIB)
    assert read == []
    bodies(MODULE.replace('"first"', '"other"'), LIB)
    assert len(read) == 2
    bodies(MODULE.replace('"first"', '"other"').replace("\n", "\n\n\n"), LIB)
    assert len(read) == 2


PROSE = """
import { pick } from "./lib";
function other() { return "one" }
// calls other
show((s) => `ask other: ${s.x} or other` + "other");
show((s) => `ask ${other()}`);
"""


def test_words_of_texts_and_comments_are_no_names(monkeypatch):
    keeping._kept.clear()
    bodies(PROSE, LIB)
    read: list[object] = []
    whole = keeping.read_body
    monkeypatch.setattr(keeping, "read_body", lambda *given: read.append(given) or whole(*given))
    found = bodies(PROSE.replace('"one"', '"two"'), LIB)
    assert len(read) == 1
    assert "ask two" in found[1]


CHANGES = {
    "a space in a text": ("`ask other", "`ask  other"),
    "spaces at the end of a line of a text": ("or other`", "or other  \n`"),
    "no spaces there": ("or other`", "or other\n`"),
    "a text": ('"other"', '"else"'),
    "a comment before it": ("show((s)", "show(/* a */ (s)"),
    "a longer comment": ("show((s)", "show(/* ab */ (s)"),
    "a comment in bytes of the same number": ("show((s)", "show(/* é */ (s)"),
    "a comment within a text": ("${s.x}", "${/* é */ s.x}"),
    "another one": ("${s.x}", "${/* ab */ s.x}"),
}


@pytest.mark.parametrize("former", CHANGES)
@pytest.mark.parametrize("change", CHANGES)
def test_what_is_kept_is_right_when_texts_and_comments_change(former, change):
    bodies(PROSE.replace(*CHANGES[former]), LIB)
    edited = PROSE.replace(*CHANGES[change])
    kept = bodies(edited, LIB)
    keeping._kept.clear()
    assert kept == bodies(edited, LIB)


def test_a_comment_is_written_without_anything_being_read_again(monkeypatch):
    keeping._kept.clear()
    bodies(MODULE, LIB)
    read: list[object] = []
    whole = keeping.read_body
    monkeypatch.setattr(keeping, "read_body", lambda *given: read.append(given) or whole(*given))
    bodies(MODULE.replace("helper(1);", "helper(1);  // or é").replace("y) });", "y) });  "), LIB)
    assert read == []
