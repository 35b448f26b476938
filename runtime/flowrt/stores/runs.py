"""Which store a word means, and what a run is called."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex

from flowrt.errors import FlowError
from flowrt.stores.base import RunStore
from flowrt.stores.scrub import DEFAULT_SCRUBBER, Scrubber

DEFAULT_STORE = ".flowrt/runs"
"""Where runs are kept unless told otherwise, under the working folder."""


def open_store(
    spec: str | Path | None = None, *, scrubber: Scrubber = DEFAULT_SCRUBBER
) -> RunStore:
    """The store that `folder:PATH`, `sqlite:PATH`, `memory:` or a path means.

    A path that ends in .db, .sqlite or .sqlite3 is a database, any other a folder; None is
    `.flowrt/runs`. Raises FlowError when the word means no store.
    """
    text = DEFAULT_STORE if spec is None else str(spec)
    match = re.fullmatch(r"([A-Za-z][A-Za-z0-9+_-]+):(.*)", text, re.DOTALL)
    kind, path = (match[1].lower(), match[2]) if match else ("", text)
    if not kind:
        kind = "sqlite" if path.endswith((".db", ".sqlite", ".sqlite3")) else "folder"
    if kind == "memory":
        from flowrt.stores.memory import MemoryStore

        return MemoryStore(scrubber=scrubber)
    if kind not in ("folder", "sqlite"):
        raise FlowError(f"`{text}` is no store: write folder:PATH, sqlite:PATH or a path")
    if not path:
        raise FlowError(f"`{text}` is no store: the path is missing")
    if kind == "sqlite":
        from flowrt.stores.sqlite import SqliteStore

        return SqliteStore(path, scrubber=scrubber)
    from flowrt.stores.folder import FolderStore

    return FolderStore(path, scrubber=scrubber)


def new_run_id(flow: str, now: datetime | None = None) -> str:
    """A new id: the time, the flow and something random. Ids sort as their runs began."""
    moment = (now or datetime.now(UTC)).astimezone(UTC)
    return f"{moment:%Y%m%dT%H%M%S%fZ}-{slug(flow)}-{token_hex(4)}"


def slug(name: str) -> str:
    """A name as part of a file name: small letters, digits and single dashes."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or "flow"
