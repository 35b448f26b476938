"""Dialects of plugins whose flows are written in TypeScript."""

from __future__ import annotations

import json
from pathlib import Path

from plugin_help import install_dialect
from support import RunFlowlint

DIALECT = '''\
"""Mine: a system in TypeScript."""

from flowlint.dialects.hydraflow import SEMANTICS
from flowlint.graph.model import Entry, FlowGraph, Node
from flowlint.values.following import TypeModel
from flowlint.values.model import Const


class Mine:
    name = "mine"
    semantics = (SEMANTICS,)
    types = (TypeModel("mine.flow", frozenset({"@mine/flows.flow"})),)
    constants = {}
    script_needles = ((b"@mine/flows",),)

    def graph(self, built, around):
        name = built.arguments.get("name", 0)
        if not isinstance(name, Const):
            return None
        span = name.origin.span()
        node = Node(name.value, span, span)
        entries = (Entry(name.value, span),)
        return FlowGraph("it", "mine", span, SEMANTICS, nodes=(node, node), entries=entries)


DIALECT = Mine()
'''


def test_flows_in_typescript(plugged: RunFlowlint, site: Path, tmp_path: Path) -> None:
    install_dialect(site, DIALECT)
    (tmp_path / "a.ts").write_text('import { flow } from "@mine/flows";\n\nflow("draft");\n')
    (tmp_path / "a.py").write_text('from mine import flow  # "@mine/flows"\n\nflow("draft")\n')
    run = plugged("check", "--format", "json")
    assert run.err == ""
    found = json.loads(run.out)
    assert [(one["name"], one["path"]) for one in found] == [("duplicate-node", "a.ts")]
