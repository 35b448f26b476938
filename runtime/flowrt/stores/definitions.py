"""Definitions kept under a name."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, Protocol

from flowrt.errors import FlowError
from flowrt.stores import files
from flowrt.stores.base import Json
from flowrt.stores.encoding import dump, line_bytes

_NAME = re.compile(r"\w(?:[\w .-]{0,126}[\w-])?")
_ENDING = ".json"


class DefinitionNotFoundError(FlowError, LookupError):
    """There is no definition of this name."""


class DefinitionStore(Protocol):
    """A place that keeps definitions."""

    def save(self, name: str, definition: Json) -> None:
        """Keep a definition under a name, in place of what was there."""

    def load(self, name: str) -> Json:
        """The definition of that name. Raises DefinitionNotFoundError."""

    def list(self) -> tuple[str, ...]:
        """All names, sorted."""

    def delete(self, name: str) -> bool:
        """Forget a definition; whether there was one."""


def check_name(name: str) -> str:
    """A name that can be a definition's: letters, digits, `_`, `-`, and inside spaces and dots.

    Raises FlowError for any other, so that no name leads out of the place.
    """
    if not isinstance(name, str) or _NAME.fullmatch(name) is None:
        raise FlowError(
            f"{name!r} cannot be the name of a definition: use letters, digits, `_`, `-`, "
            "and dots or spaces inside, 128 at most"
        )
    return name


def read_definition(name: str, text: str | bytes) -> Json:
    """A definition from its JSON text. Raises FlowError when it is damaged."""
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise FlowError(f"the definition `{name}` is damaged: it is not a JSON object")
    return found


class FolderDefinitions:
    """Keeps each definition as `<name>.json` in a folder, which is made when the first is saved.

    Methods raise FlowError when the disk refuses.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = os.fspath(path)

    def save(self, name: str, definition: Json) -> None:
        """Keep a definition under a name, in place of what was there, in one step."""
        path = self._path(name)
        dump(dict(definition))
        text = json.dumps(dict(definition), ensure_ascii=False, indent=2, allow_nan=False)
        try:
            files.private_folder(self.path)
            files.write_whole(path, line_bytes(text + "\n"), sync=True)
        except OSError as error:
            raise FlowError(f"the definition `{name}` cannot be saved: {error}") from error

    def load(self, name: str) -> Json:
        """The definition of that name. Raises DefinitionNotFoundError."""
        try:
            content = files.read_file(self._path(name))
        except OSError as error:
            raise FlowError(f"the definition `{name}` cannot be read: {error}") from error
        if content is None:
            raise DefinitionNotFoundError(f"there is no definition `{name}` in {self.path}")
        return read_definition(name, content)

    def list(self) -> tuple[str, ...]:
        """All names, sorted."""
        try:
            found = os.listdir(self.path)
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise FlowError(f"{self.path} cannot be listed: {error}") from error
        names = [name.removesuffix(_ENDING) for name in found if name.endswith(_ENDING)]
        return tuple(sorted(name for name in names if _NAME.fullmatch(name)))

    def delete(self, name: str) -> bool:
        """Forget a definition; whether there was one."""
        try:
            os.unlink(self._path(name))
        except FileNotFoundError:
            return False
        except OSError as error:
            raise FlowError(f"the definition `{name}` cannot be deleted: {error}") from error
        return True

    def _path(self, name: str) -> str:
        return os.path.join(self.path, check_name(name) + _ENDING)
