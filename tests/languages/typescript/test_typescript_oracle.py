"""What we say programs give is what Node gives when it runs them."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from test_typescript_values import CONSTANTS, METHODS, PROGRAMS
from typescript_help import IMPORT, PROBE, evaluate

from flowlint.values import model

NODE = shutil.which("node")

UNSURE = "not known"

RUNNER = """
const vm = require("vm");
const plain = (v) => v === undefined ? null : typeof v === "function" ? "a function"
  : v === Infinity ? "Infinity" : Array.isArray(v) || v instanceof Set ? [...v].map(plain)
  : v && typeof v === "object" ? Object.entries(v).map(([k, x]) => [k, plain(x)]) : v;
console.log = () => {};
const programs = JSON.parse(require("fs").readFileSync(0, "utf8"));
(async () => {
  const told = [];
  for (const program of programs) {
    const out = [];
    globalThis.show = (...given) => { out.push(given.map(plain)); return given[0]; };
    globalThis.END = "__end__";
    try {
      await vm.runInThisContext(`(async () => {${program}\\n})()`, { timeout: 1000 });
      told.push(out);
    } catch (error) { told.push(null); }
  }
  process.stdout.write(JSON.stringify(told));
})();
"""


def plain(value: model.Value) -> object:
    """A value as the runner tells it; `UNSURE` where we do not say."""
    match value:
        case model.Const(value=constant):
            return "Infinity" if constant == float("inf") else constant
        case model.External(qualified="undefined"):
            return None
        case model.Function() | model.Class():
            return "a function"
        case model.Sequence() if value.rest is None:
            if not any(item.presence for item in value.items):
                return [plain(item.value) for item in value.items]
        case model.Mapped() if value.rest is None:
            if not any(entry.presence for entry in value.entries):
                held = {str(plain(entry.key)): plain(entry.value) for entry in value.entries}
                return sorted([key, one] for key, one in held.items())
        case model.Instance():
            return sorted([name, plain(one)] for name, one in value.attributes.items())
    return UNSURE


def agrees(ours: object, theirs: object) -> bool:
    if ours == UNSURE:
        return True
    if isinstance(ours, list) and isinstance(theirs, list):
        if theirs and all(isinstance(one, list) and len(one) == 2 for one in theirs):
            theirs = sorted(theirs, key=str) if ours == sorted(ours, key=str) else theirs
        pairs = zip(ours, theirs, strict=False)
        return len(ours) == len(theirs) and all(agrees(one, other) for one, other in pairs)
    return isinstance(ours, bool) == isinstance(theirs, bool) and ours == theirs


CONSTRUCTS = (Path(__file__).parent / "constructs.js").read_text().splitlines()[1:]


def is_known(ours: object) -> bool:
    return all(map(is_known, ours)) if isinstance(ours, list) else ours != UNSURE


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
def test_programs_give_what_node_gives():
    named = {name: source for name, (source, _) in PROGRAMS.items()}
    named |= {expression: f"show({expression});" for expression, _ in (*CONSTANTS, *METHODS)}
    named |= {program: program for program in CONSTRUCTS}
    known = 0
    ran = subprocess.run(
        [str(NODE), "-e", RUNNER],
        input=json.dumps([*named.values()]),
        capture_output=True,
        text=True,
        check=True,
    )
    compared = 0
    for (name, source), theirs in zip(named.items(), json.loads(ran.stdout), strict=True):
        if theirs is None:
            continue
        built = [one for one in evaluate(IMPORT + source).built if one.model is PROBE]
        ours = [[plain(item.value) for item in one.arguments.items] for one in built]
        assert len(ours) == len(theirs), name
        for one, other in zip(ours, theirs, strict=True):
            assert all(agrees(a, b) for a, b in zip(one, other, strict=True)), (name, one, other)
        compared += 1
        known += name in CONSTRUCTS and is_known(ours)
    assert compared > 330
    assert known > 130
