"""What the tests of `flowrt` share."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from flowrt_program import Flowrt, run_flowrt, write_flow


@pytest.fixture
def flowrt(tmp_path: Path) -> Flowrt:
    """Run `flowrt` as a user does, in the test's own folder."""
    return partial(run_flowrt, cwd=tmp_path)


@pytest.fixture
def flow(tmp_path: Path) -> str:
    """A flow of two steps that completes."""
    return write_flow(
        tmp_path, "flow.py", nodes='Node("a", a), Node("b", b)', edges='Edge("a", "b")'
    )
