"""Files get other contents: wholly or not at all."""

from __future__ import annotations

import os
import stat


class ChangedError(OSError):
    """A file that is not what it was any more."""


def replace_file(path: str, data: bytes, before: bytes | None = None) -> None:
    """Write these bytes in place of what a file holds, which has to be `before` if that is given.

    Links stay, what they lead to is written; permissions are kept. Raises OSError.
    """
    import tempfile

    real = os.path.realpath(path)
    folder, name = os.path.split(real)
    mode = stat.S_IMODE(os.stat(real).st_mode)
    if not os.access(real, os.W_OK):
        raise PermissionError(13, os.strerror(13), path)
    descriptor, draft = tempfile.mkstemp(prefix=f".{name[:50]}.", dir=folder)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        os.chmod(draft, mode)
        if before is not None and _read(real) != before:
            raise ChangedError(None, "was changed while it was checked, so it is not written")
        os.replace(draft, real)
    except BaseException:
        os.unlink(draft)
        raise


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
