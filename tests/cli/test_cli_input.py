"""Whatever lies on the disk gives findings or one-line errors, never a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flow_sources import DANGLING, GOOD, LANGGRAPH
from support import Run, RunFlowlint


def names(run: Run) -> list[str]:
    """The rules that a JSON run reports; fails on anything but findings."""
    assert run.err == ""
    return [finding["name"] for finding in json.loads(run.out)]


def check(flowlint: RunFlowlint, *paths: str) -> list[str]:
    return names(flowlint("check", *paths, "--output-format", "json"))


def test_a_syntax_error_is_reported_where_it_is(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(f"{DANGLING}\n\ndef broken(:\n    pass\n")
    (tmp_path / "good.py").write_text(GOOD)
    run = flowlint("check", ".", "--output-format", "json")
    assert run.code == 1
    assert "syntax-error" in names(run)
    (error,) = [found for found in json.loads(run.out) if found["name"] == "syntax-error"]
    assert error["range"]["start"]["line"] == 20


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(DANGLING.encode("utf-8-sig"), id="byte order mark"),
        pytest.param(DANGLING.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(DANGLING.replace("\n", "\r").encode(), id="CR"),
        pytest.param(
            f"# -*- coding: latin-1 -*-\n# caf\xe9\n{DANGLING}".encode("latin-1"), id="latin-1"
        ),
        pytest.param(DANGLING.rstrip().encode(), id="no newline at the end"),
        pytest.param(f"\f\n{DANGLING}".encode(), id="form feed"),
    ],
)
def test_encodings_and_line_ends(flowlint: RunFlowlint, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "flow.py").write_bytes(data)
    assert check(flowlint, "flow.py") == ["dangling-edge"]
    assert flowlint("check", "flow.py").code == 1


def test_columns_count_characters(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(DANGLING.replace("collect", "größe"), "utf-8")
    run = flowlint("check", "flow.py", "--output-format", "json")
    (finding,) = json.loads(run.out)
    assert finding["range"]["start"] == {"line": 15, "column": 30}


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\n\n", id="blank"),
        pytest.param(b"\0\0 StateGraph \0", id="NUL bytes"),
        pytest.param(b"\xff\xfe\x80 StateGraph", id="not text"),
        pytest.param(b"# coding: no-such-codec\nStateGraph\n", id="unknown codec"),
        pytest.param("StateGraph".encode("utf-16"), id="UTF-16"),
        pytest.param(b"StateGraph = " + b"(" * 3000, id="deep nesting, open"),
        pytest.param(b"StateGraph = " + b"(" * 3000 + b")" * 3000, id="deep nesting"),
        pytest.param(b"StateGraph = " + b"-" * 30_000 + b"1", id="deep unary"),
        pytest.param(b"StateGraph = " + b"1 + " * 30_000 + b"1", id="long sum"),
        pytest.param(b"StateGraph" + b".x" * 20_000, id="long chain"),
        pytest.param(b"StateGraph = 1\n" + b"if x:\n" + b" pass\nelif x:\n" * 3000, id="elifs"),
        pytest.param(b"StateGraph = '" + b"x" * 1_000_000, id="open string"),
    ],
)
@pytest.mark.parametrize("name", ["odd.py", "odd.ipynb"])
def test_odd_bytes_never_break_it(
    flowlint: RunFlowlint, tmp_path: Path, data: bytes, name: str
) -> None:
    (tmp_path / name).write_bytes(data)
    run = flowlint("check", name, "--output-format", "json")
    assert run.code in (0, 1)
    assert "internal-error" not in names(run)
    assert "Traceback" not in flowlint("check", name).err


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_what_python_cannot_read_is_told(
    flowlint: RunFlowlint, tmp_path: Path, encoding: str
) -> None:
    (tmp_path / "flow.py").write_bytes(DANGLING.encode(encoding))
    (tmp_path / "notes.txt").write_bytes(DANGLING.encode(encoding))
    run = flowlint("check", ".", "--output-format", "json")
    assert names(run) == ["syntax-error", "dangling-edge"]
    (fault, _) = json.loads(run.out)
    assert "Python refuses" in fault["message"]
    assert "1 | from flows import Edge, Flow, Node" in flowlint("check", "flow.py").out


HELPERS = """
def even(n):
    return odd(n)


def odd(n):
    return even(n)


def endless():
    while True:
        yield even(1)


import itertools

for number in itertools.count():
    builder.add_node(f"extra{number}", draft)
for name in endless():
    builder.add_node(name, draft)
"""


def test_recursion_and_endless_loops_end(flowlint: RunFlowlint, tmp_path: Path) -> None:
    source = LANGGRAPH.replace("graph = builder", f"{HELPERS}\nname = odd(3)\ngraph = builder")
    (tmp_path / "flow.py").write_text(source)
    assert "internal-error" not in check(flowlint, "flow.py")


def test_modules_that_import_each_other(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(f"from two import *\n{GOOD}")
    (tmp_path / "two.py").write_text(f"from one import *\nfrom two import build\n{DANGLING}")
    assert check(flowlint, ".") == ["dangling-edge"]


def test_a_module_is_never_executed(flowlint: RunFlowlint, tmp_path: Path) -> None:
    trap = f"from pathlib import Path\nPath({str(tmp_path / 'sprung')!r}).write_text('x')\n"
    (tmp_path / "trap.py").write_text(trap + DANGLING)
    (tmp_path / "user.py").write_text(f"from trap import build, collect\n{LANGGRAPH}")
    (tmp_path / "sitecustomize.py").write_text(trap)
    flowlint("check", ".")
    flowlint("graph", ".")
    assert not (tmp_path / "sprung").exists()


def test_a_huge_generated_file(flowlint: RunFlowlint, tmp_path: Path) -> None:
    filler = "".join(
        f"VALUE_{number} = {{'a': [1, 2, 3], 'b': 'x'}}\n" for number in range(130_000)
    )
    assert len(filler) > 5_000_000
    (tmp_path / "huge.py").write_text(f"{DANGLING}\n\n{filler}")
    assert check(flowlint, "huge.py") == ["dangling-edge"]


def test_notebooks(flowlint: RunFlowlint, tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# A flow"]},
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": "%matplotlib inline\n1"},
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": [DANGLING]},
    ]
    (tmp_path / "book.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4}))
    run = flowlint("check", "book.ipynb", "--output-format", "json")
    (finding,) = json.loads(run.out)
    assert finding["range"]["cell"] == 2
    assert finding["range"]["start"]["line"] == 15
    assert "book.ipynb:cell 2:15:32" in flowlint("check", "book.ipynb").out
