"""Whatever a file of data holds, its check ends with findings that have places, never otherwise."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from flowlint.findings.model import Finding
from flowlint.pipeline import analyse_file

FLOWRT = {
    "flowrt": 1,
    "name": "f",
    "entry": "a",
    "nodes": [{"name": "a", "run": "m:a"}, {"name": "b", "kind": "loop", "body": {"entry": "c"}}],
    "edges": [{"from": "a", "to": "b", "when": "output.x == 1"}],
}
AGENTS = {
    "flow": "f",
    "nodes": [{"id": "a", "type": "agent", "agent_ref": "x"}, {"id": "b", "type": "end"}],
    "edges": [{"from": "a", "to": ["b"], "condition": "on_condition", "predicate": "result.x"}],
}
SVELTE = {
    "nodes": [{"id": "a", "type": "agent", "data": {"agent_ref": "x"}, "position": {"x": 1}}],
    "edges": [{"id": "e", "source": "a", "target": "b", "data": {"condition": "on_success"}}],
}
CREW = {"name": "c", "execution_mode": "flow", "agents": [{"agent_id": "a", "agent_class": "A"}]}
DOCUMENTS = [
    *(json.dumps(flow, indent=1).encode() for flow in (FLOWRT, AGENTS, SVELTE, CREW)),
    *(yaml.safe_dump(flow, sort_keys=False).encode() for flow in (FLOWRT, AGENTS, CREW)),
]
NAMES = ("x.json", "x.jsonc", "x.json5", "x.yaml")
PIECES = (
    b"",
    b"\0",
    b"\xff",
    b"\xed\xa0\x80",
    b'"',
    b"{",
    b"]",
    b"null",
    b"-1e999",
    b"[[[",
    b"&a ",
    b"*a",
    b"<<: *a\n",
    b"!!python/object:os.system x",
    b"\n",
    b"\t",
    b"\r",
    b": ",
    b"- ",
    b"? ",
    b"9" * 400,
    b'"\\ud800"',
    b"\xef\xbb\xbf",
    b"---\n",
    b"%YAML 9\n",
    b"'",
    b"/*",
    b"#",
    b"true",
    b"{}",
    b"[1]",
)

edits = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(PIECES)), min_size=1, max_size=5
)


class Memory:
    """One file in memory."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path, self.data = path, data

    def read(self, path: str) -> bytes:
        if path != self.path:
            raise FileNotFoundError(path)
        return self.data

    def is_file(self, path: str) -> bool:
        return path == self.path

    def is_dir(self, _path: str) -> bool:
        return False


def found_in(name: str, data: bytes) -> list[Finding]:
    """The findings of a file; none of them may be about flowlint itself."""
    path = str(Path("/flows") / name)
    result = analyse_file(path, Memory(path, data), "/flows")
    lines = data.count(b"\n") + data.count(b"\r") + 1
    for finding in result.findings:
        assert finding.code != "FL906", finding.message
        assert 1 <= finding.span.line <= finding.span.end_line <= lines
        assert finding.span.column >= 1
    return list(result.findings)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(NAMES), st.sampled_from(DOCUMENTS), edits)
def test_changed_documents(name: str, data: bytes, made: list[tuple[float, int, bytes]]) -> None:
    for part, gone, new in made:
        at = int(part * len(data))
        data = data[:at] + new + data[at + gone :]
        found_in(name, data)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(NAMES), st.binary(max_size=60))
def test_any_bytes(name: str, data: bytes) -> None:
    found_in(name, data)
    found_in(name, b'{"flowrt": 1, ' + data)


LAUGHS = b"".join(
    b"x%d: &x%d [%s]\n" % (n, n, b", ".join([b"*x%d" % (n - 1)] * 9)) for n in range(1, 30)
)
HOSTILE = {
    "deep.json": b'{"flowrt": 1, "nodes": ' + b"[" * 10_000 + b"]" * 10_000 + b"}",
    "unclosed.json": b'{"flowrt": 1, "nodes": ' + b'{"a":' * 10_000,
    "deep.yaml": b"flowrt: 1\nnodes: " + b"[" * 10_000 + b"]" * 10_000,
    "deep-block.yaml": b"flowrt: 1\n" + b"".join(b" " * n + b"a:\n" for n in range(1, 1_500)),
    "laughs.yaml": b"flowrt: 1\nx0: &x0 [1]\n" + LAUGHS,
    "itself.yaml": b"flowrt: 1\nnodes: &n\n  - *n\n",
    "object.yaml": b'flowrt: 1\nnodes: !!python/object/apply:os.system ["exit"]\n',
    "twice.json": b'{"flowrt": 1, ' + b", ".join([b'"a": 1'] * 50_000) + b"}",
    "number.json": b'{"flowrt": 1, "nodes": ' + b"9" * 10_000 + b"}",
    "infinite.json": b'{"flowrt": 1, "max_steps": 1e400}',
    "key.json": b'{"flowrt": 1, "' + b"k" * 1_000_000 + b'": 1}',
    "nul.json": b'{"flowrt": 1, "name": "\0"}',
    "nul.yaml": b"flowrt: 1\nname: \0\n",
    "surrogate.json": b'{"flowrt": 1, "name": "\\ud800", "nodes": 1}',
    "huge.json": b'{"flowrt": 1, "nodes": [' + b'{"name": "a", "run": "m:f"},\n' * 700_000 + b"]}",
    "huge.yaml": b"flowrt: 1\nnodes:\n" + b"- {name: a, run: m:f}\n" * 400_000,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_made_to_hurt_is_refused(name: str) -> None:
    began = process_time()
    found = found_in(name, HOSTILE[name])
    spent = process_time() - began
    assert any(finding.severity == "error" for finding in found)
    # Far more than it takes, and far less than what is unbounded takes.
    assert spent < 30
