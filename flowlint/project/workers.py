"""Work spread over forked processes.

Fork and pipes rather than `multiprocessing`: importing that costs as much as scanning a
thousand files.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator

_WORD = 4
_QUEUE_LIMIT = 15_000
"""Task numbers that surely fit into the buffer of a pipe."""

_CHUNK = 1 << 20


def available_jobs() -> int:
    """How many processes this machine lets us run side by side."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(tasks: int, work: Callable[[int], bytes], jobs: int) -> Iterator[tuple[int, bytes]]:
    """Do `work(0)` to `work(tasks - 1)`, yielding (task, result) as each is done.

    A task that kills its process is tried once more on its own and then gives no result: the
    caller must count. `work` must not raise. Falls back to this one process where there is
    nothing to spread or no fork.
    """
    jobs = min(jobs, tasks)
    if jobs < 2 or tasks > _QUEUE_LIMIT or not hasattr(os, "fork"):
        for task in range(tasks):
            yield task, work(task)
        return
    left = set(range(tasks))
    for task, result in _forked(range(tasks), work, jobs):
        left.discard(task)
        yield task, result
    for task in sorted(left):
        yield from _forked([task], work, 1)


def _forked(
    tasks: Iterable[int], work: Callable[[int], bytes], jobs: int
) -> Iterator[tuple[int, bytes]]:
    import select

    # The queue is filled before anybody reads, so that each read takes one whole number.
    queue, fill = os.pipe()
    os.write(fill, b"".join(task.to_bytes(_WORD, "big") for task in tasks))
    os.close(fill)
    children: dict[int, int] = {}
    try:
        for _ in range(jobs):
            receive, send = os.pipe()
            child = os.fork()
            if not child:
                os.close(receive)
                _serve(queue, send, work)
            os.close(send)
            children[receive] = child
        poll = select.poll()
        for receive in children:
            poll.register(receive, select.POLLIN)
        pending = {receive: bytearray() for receive in children}
        while pending:
            for receive, _ in poll.poll():
                data = os.read(receive, _CHUNK)
                if not data:
                    poll.unregister(receive)
                    del pending[receive]
                    continue
                pending[receive] += data
                yield from _messages(pending[receive])
    except BaseException:
        for child in children.values():
            os.kill(child, signal.SIGKILL)
        raise
    finally:
        os.close(queue)
        for receive, child in children.items():
            os.close(receive)
            os.waitpid(child, 0)


def _messages(data: bytearray) -> Iterator[tuple[int, bytes]]:
    """Cut whole messages (task, length, result) off the front of `data`."""
    while len(data) >= 2 * _WORD:
        end = 2 * _WORD + int.from_bytes(data[_WORD : 2 * _WORD], "big")
        if len(data) < end:
            return
        task = int.from_bytes(data[:_WORD], "big")
        result = bytes(data[2 * _WORD : end])
        del data[:end]
        yield task, result


def _serve(queue: int, send: int, work: Callable[[int], bytes]) -> None:
    """Work as a child until the queue is empty, then leave without any clean-up."""
    status = 1
    try:
        while number := os.read(queue, _WORD):
            result = work(int.from_bytes(number, "big"))
            _write(send, number + len(result).to_bytes(_WORD, "big") + result)
        status = 0
    finally:
        os._exit(status)


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
