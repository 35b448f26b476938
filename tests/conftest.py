"""What all tests share."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from support import RunFlowlint, run_flowlint


@pytest.fixture
def flowlint(tmp_path: Path) -> RunFlowlint:
    """Run `flowlint` as a user does, in the test's own folder."""
    return partial(run_flowlint, cwd=tmp_path)
