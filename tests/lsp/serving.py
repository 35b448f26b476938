"""A server process to talk to over the wire."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from wire import Wire


@contextmanager
def serving(*command: str) -> Iterator[tuple[subprocess.Popen[bytes], Wire]]:
    """A process that serves for as long as the block is."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
    assert process.stdin is not None and process.stdout is not None
    # Who waits for an answer that never comes is told by the end of the stream.
    watch = threading.Timer(60, process.kill)
    watch.start()
    try:
        yield process, Wire(process.stdin, process.stdout)
    finally:
        watch.cancel()
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()
