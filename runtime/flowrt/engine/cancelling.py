"""Whether a run was asked to stop, also where a node went on as if it had not been.

A node that does not await notices no request, and one may swallow the CancelledError.
"""

from __future__ import annotations

from collections.abc import Callable


def requests() -> Callable[[], int]:
    """Tells, again and again, how often the task that this is called in was asked to stop."""
    from asyncio import current_task  # no part of what `--help` loads

    try:
        task = current_task()
    except RuntimeError:
        task = None
    return int if task is None else task.cancelling


class Cancellation:
    """Requests to stop a task: those of more than `before` are meant for the run."""

    __slots__ = ("before", "requests")

    def __init__(self, requests: Callable[[], int], before: int) -> None:
        self.requests = requests
        self.before = before

    @classmethod
    def from_now_on(cls) -> Cancellation:
        """Of the task in which a run begins."""
        asked = requests()
        return cls(asked, asked())

    def here(self) -> Cancellation:
        """Of the task that this is called in, which may be one that the run made."""
        asked = requests()
        return self if asked == self.requests else Cancellation(asked, 0)

    def was_asked(self) -> bool:
        """Whether there was a request."""
        return self.requests() > self.before

    def check(self) -> None:
        """Raise CancelledError when there was a request."""
        if self.was_asked():
            from asyncio import CancelledError

            raise CancelledError
