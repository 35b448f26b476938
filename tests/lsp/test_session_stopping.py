"""What nobody waits for any more stops, and costs nothing but what is not done yet."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path

import pytest
from lsp_flows import IMPORTING, NODES

from flowls.server import make_server
from flowls.session.session import Session, StoppedError, never

FLOWS = 6


def test_it_stops_before_the_next_file(tmp_path: Path) -> None:
    nodes = tmp_path / "nodes.py"
    nodes.write_text(NODES)
    for number in range(FLOWS):
        (tmp_path / f"flow_{number}.py").write_text(IMPORTING)
    session = Session([str(tmp_path)])
    for path in session.index():
        session.look_at(path)
    session.indexed()
    assert session.findings(str(nodes)).findings == ()
    session.open(str(nodes), NODES.replace('"publish"', '"nowhere"').encode())
    asked: list[int] = []

    def soon() -> bool:
        asked.append(1)
        return len(asked) > 2

    session.is_stopped = soon
    with pytest.raises(StoppedError):
        session.findings(str(nodes))
    # Two files were looked at, and the third one was not.
    assert len(asked) == 3
    assert len(session.known.outdated()) == FLOWS - 2
    session.is_stopped = never
    assert {one.code for one in session.findings(str(nodes)).findings} == {"FL105"}


async def test_work_that_never_began_makes_no_noise(recwarn: pytest.WarningsRecorder) -> None:
    async def work() -> None:
        raise AssertionError("it was cancelled before")

    made_server = make_server()
    made_server.spawn(work()).cancel()
    for _ in range(3):
        await asyncio.sleep(0)
    gc.collect()
    assert not [one for one in recwarn if "never awaited" in str(one.message)]
    made_server.shutdown()
