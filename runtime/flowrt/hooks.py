"""Ready-made hooks."""

from __future__ import annotations

import json
import os
from pathlib import Path

from flowrt.authoring import FlowState, NodeHook


def jsonl_checkpoint(path: str | Path) -> NodeHook:
    """A hook that adds one line `{"node": …, "state": …}` to a file for each completed node.

    Each line is written at once and synced to the disk. Values that are not JSON are written as
    text, so use a run store where a run has to be gone on with.
    """
    target = Path(path)

    def keep(node: str, state: FlowState) -> None:
        line = json.dumps({"node": node, "state": state}, default=str) + "\n"
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(target, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, line.encode())
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    return keep
