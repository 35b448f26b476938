"""What a fix takes away: never most of a flow."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles


@pytest.mark.parametrize(("count", "is_fixed"), [(12, True), (52, True), (53, False), (300, False)])
def test_a_part_that_is_cut_off_is_only_removed_where_it_is_small(
    count: int, is_fixed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = [f"step_{number}" for number in range(count)]
    nodes = [f'        Node("{name}", run),' for name in names]
    edges = [f'        Edge("{one}", "{other}"),' for one, other in pairwise(names[2:])]
    text = [
        "from flows import Edge, Flow, Node",
        "",
        "flow = Flow(",
        f'    entry="{names[0]}",',
        *("    nodes=[", *nodes, "    ],"),
        *("    edges=[", f'        Edge("{names[0]}", "{names[1]}"),', *edges, "    ],"),
        ")",
    ]
    Path("flow.py").write_text("\n".join(text) + "\n")
    (found,) = analyse_file("flow.py", ProjectFiles(), ".").findings
    assert (found.name, found.node, found.fix is not None) == (
        "unreachable-node",
        "step_2",
        is_fixed,
    )
