"""What can go wrong with a flow, before and while it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flowlint.findings.model import Finding


class FlowError(Exception):
    """A flow could not go on."""


class FlowValidationError(FlowError, ValueError):
    """A definition is wrong. `findings` holds everything that is, each with its code."""

    def __init__(self, message: str, findings: Sequence[Finding] = ()) -> None:
        super().__init__(message)
        self.findings = tuple(findings)


class UnroutableError(FlowError):
    """A node ended and no edge that leaves it applies."""


class StepLimitError(FlowError):
    """A run took more steps than it may. It ends the run `of` the flow whose limit it is."""

    def __init__(self, message: str, of: object = None) -> None:
        super().__init__(message)
        self.of = of


class NodeTimeoutError(FlowError, TimeoutError):
    """A node took longer than it may."""


class NodeCancelledError(FlowError):
    """What a node was waiting for was cancelled, but not the run."""


class NodeResultError(FlowError, TypeError):
    """A node returned something that the flow cannot go on with."""


class MergeConflictError(FlowError):
    """Branches that ran beside each other wrote the same key, and no merge is declared for it."""


class PermissionRefusedError(FlowError):
    """A flow asks for more than it was granted."""


class NotStorableError(FlowError, TypeError):
    """The state holds a value that cannot be written down and read back."""


class RunBusyError(FlowError):
    """Somebody else is running or resuming this run."""


class RunNotFoundError(FlowError, LookupError):
    """There is no such run."""


class NotResumableError(FlowError):
    """The run has ended, or waits for something that was not given."""


class SecretsMissingError(NotResumableError):
    """The run works with secrets that were hidden and have to be given again: `names`."""

    def __init__(self, message: str, names: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.names = tuple(names)


class RecordedFailureError(FlowError):
    """A failure that happened in an earlier part of the run, as it was written down."""


class RecordedTimeoutError(RecordedFailureError, TimeoutError):
    """A timeout that happened in an earlier part of the run."""
