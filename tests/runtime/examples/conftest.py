"""What the tests of the examples share."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from flowrt_program import Flowrt, run_flowrt


@pytest.fixture
def flowrt(tmp_path: Path) -> Flowrt:
    """Run `flowrt` as a user does, in the test's own folder."""
    return partial(run_flowrt, cwd=tmp_path)
