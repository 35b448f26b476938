"""Flowlint with plugins, as users have it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from plugin_help import install_example
from support import Run, RunFlowlint, run_flowlint

Plugged = Callable[..., Run]


@pytest.fixture(scope="session")
def example_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the example is installed."""
    folder = tmp_path_factory.mktemp("site")
    install_example(folder)
    return folder


@pytest.fixture
def relay(tmp_path: Path, example_site: Path) -> RunFlowlint:
    """Run `flowlint` where the example is installed, in the test's own folder."""
    return partial(run_flowlint, cwd=tmp_path, env={"PYTHONPATH": str(example_site)})


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for packages, empty so far."""
    return tmp_path_factory.mktemp("packages")


@pytest.fixture
def plugged(tmp_path: Path, site: Path) -> RunFlowlint:
    """Run `flowlint` where what is in `site` is installed, in the test's own folder."""
    return partial(run_flowlint, cwd=tmp_path, env={"PYTHONPATH": str(site)})
