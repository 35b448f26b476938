"""Plugins to try: the example, installed as users do, and small ones written on the spot."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "plugin"

GOOD_DIALECT = '''\
"""Mine: a system."""

from flowlint.dialects.hydraflow import SEMANTICS
from flowlint.values.following import TypeModel


class Mine:
    name = "mine"
    semantics = (SEMANTICS,)
    types = (TypeModel("mine.Flow", frozenset({"mine.Flow"})),)
    constants = {}
    needles = ((b"mine",),)

    def graph(self, built, around):
        return None


DIALECT = Mine()
'''

GOOD_FLOW = """\
from flows import Edge, Flow, Node


async def collect(state):
    return {**state, "collected": True}


async def publish(state):
    return state


flow = Flow(
    nodes=[Node("collect", collect), Node("publish", publish)],
    edges=[Edge("collect", "publish")],
    entry="collect",
)
"""
BAD_FLOW = GOOD_FLOW.replace('Edge("collect", "publish")', 'Edge("collect", "publihs")')
"""One error: an edge to a name that is no node."""

RULE = '''\
"""A node is there.

## What it does

Reports every node.
"""

from flowlint.rules.options import RuleOption, count, flag, patterns
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report

RULE = RuleInfo(
    name="{name}",
    code="{code}",
    category="{category}",
    severity="{severity}",
    since="1",
    options=({options}),
)


def check(graph, context):
    for name, node in context.nodes.items():
        yield Report(RULE, graph).finding(node.name_span, f"Here is `{{name}}`.", node=name)
'''


def rule(
    name: str = "here",
    code: str = "TST001",
    category: str = "tests",
    severity: str = "warning",
    options: str = "",
) -> str:
    """A rule that reports every node. `options` are expressions, each with a comma."""
    return RULE.format(name=name, code=code, category=category, severity=severity, options=options)


def install_example(folder: Path) -> None:
    """Install the example as its README says, into a folder of its own."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-build-isolation", "--no-deps", "--no-index", "--target", str(folder)]
    subprocess.run([*command, *offline, str(EXAMPLE)], check=True, timeout=300)


def install(folder: Path, entry_points: str, *, version: str = "1.0", **modules: str) -> None:
    """Put a distribution called `Some-Plugin` into a folder, as an installer leaves it."""
    metadata = folder / f"some_plugin-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: Some-Plugin\nVersion: {version}\n\nVersion: of nothing\n"
    )
    (metadata / "entry_points.txt").write_text(entry_points)
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)


def install_rule(folder: Path, text: str) -> None:
    """Put a plugin with one module of rules into a folder."""
    install(folder, "[flowlint.rules]\nmine = some_rule\n", some_rule=text)


def install_dialect(folder: Path, text: str, name: str = "mine") -> None:
    """Put a plugin with one dialect into a folder."""
    install(folder, f"[flowlint.dialects]\n{name} = some_dialect\n", some_dialect=text)
