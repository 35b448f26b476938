"""The models and validators of AI-Parrot itself, without the package around them.

They are loaded from a checkout of phenobarbital/ai-parrot in FLOWLINT_CHECKOUTS.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

FLOWS = "packages/ai-parrot/src/parrot/bots/flows"
DECISIONS = frozenset(
    {"DecisionMode", "DecisionType", "VoteWeight", "EscalationPolicy", "DecisionNodeConfig"}
)


def flows_folder() -> Path:
    """The folder of the real flows; the test is skipped where there is none."""
    checkouts = os.environ.get("FLOWLINT_CHECKOUTS")
    path = Path(checkouts or "") / "phenobarbital+ai-parrot" / FLOWS
    if not checkouts or not path.is_dir():
        pytest.skip("FLOWLINT_CHECKOUTS names no folder with phenobarbital+ai-parrot")
    return path


@contextmanager
def real_flows() -> Iterator[dict[str, ModuleType]]:
    """The modules by their names below `flows`. Packages are shells, so that little is run."""
    folder = flows_folder()
    before = set(sys.modules)
    try:
        for name, path in (
            ("parrot", folder),
            ("parrot.bots", folder),
            ("parrot.bots.flows", folder),
            ("parrot.bots.flows.flow", folder / "flow"),
            ("parrot.bots.flows.plan", folder / "plan"),
            ("parrot.bots.flows.authoring", folder / "authoring"),
        ):
            shell = ModuleType(name)
            shell.__path__ = [str(path)]
            sys.modules[name] = shell
        _stand_in("flow.cel_evaluator", CELPredicateEvaluator=_Evaluator)
        sys.modules["parrot.bots.flows.flow.nodes"] = _decisions(folder / "flow" / "nodes.py")
        configs = importlib.import_module("parrot.bots.flows.flow.node_configs")
        models = {
            "decision": configs.DecisionConfigDef,
            "interactive_decision": configs.InteractiveDecisionConfigDef,
            "synthesis": configs.SynthesisConfigDef,
        }
        _stand_in("flow.flow", NODE_CONFIG_MODELS=models)
        yield {
            name: importlib.import_module(f"parrot.bots.flows.{name}")
            for name in (
                *("flow.definition", "flow.node_configs", "plan.models", "plan.validator"),
                *("authoring.blueprint", "authoring.catalog", "authoring.validator"),
            )
        }
    finally:
        for name in set(sys.modules) - before:
            if name == "parrot" or name.startswith("parrot."):
                del sys.modules[name]


class _Evaluator:
    """Stands in for the evaluator of texts in CEL, of which only the check of syntax is used."""

    def __init__(self, expression: str) -> None:
        import cel

        try:
            cel.compile(expression)
        except Exception as error:
            raise ValueError(str(error)) from error


def _stand_in(name: str, **members: object) -> None:
    module = ModuleType(f"parrot.bots.flows.{name}")
    vars(module).update(members)
    sys.modules[module.__name__] = module


def _decisions(path: Path) -> ModuleType:
    """The module of nodes with nothing in it but what configs of decisions are made of."""
    tree = ast.parse(path.read_text())
    tree.body = [
        one for one in tree.body if isinstance(one, ast.ClassDef) and one.name in DECISIONS
    ]
    module = ModuleType("parrot.bots.flows.flow.nodes")
    sys.modules[module.__name__] = module
    head = (
        "from __future__ import annotations\nfrom enum import Enum\nfrom typing import *\n"
        "from pydantic import BaseModel, ConfigDict, Field\n"
    )
    exec(compile(ast.parse(head), str(path), "exec"), vars(module))
    exec(compile(tree, str(path), "exec", dont_inherit=True), vars(module))
    return module
