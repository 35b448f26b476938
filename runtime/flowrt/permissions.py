"""Whether a run is granted what a flow needs."""

from __future__ import annotations

from flowrt.authoring import Permissions
from flowrt.errors import PermissionRefusedError

MODES = ("deny-all", "approve-reads", "approve-all")
"""From what allows least to what allows most."""


def check_grant(flow: str, needed: Permissions, granted: str | None, *, explicit: bool) -> None:
    """Raise PermissionRefusedError when a run is granted less than a flow needs.

    `explicit` says whether the grant was given for this run, not by a default.
    """
    if needed.mode == "deny-all" and not needed.explicit:
        return
    why = f": {needed.reason}" if needed.reason else ""
    if granted is None or MODES.index(granted) < MODES.index(needed.mode):
        raise PermissionRefusedError(
            f"flow `{flow}` needs the permission `{needed.mode}`{why}; "
            f"it was granted `{granted or 'nothing'}`"
        )
    if needed.explicit and not explicit:
        raise PermissionRefusedError(
            f"flow `{flow}` needs `{needed.mode}` to be granted for this very run{why}"
        )
