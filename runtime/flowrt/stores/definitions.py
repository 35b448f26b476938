"""Definitions kept under a name."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from flowrt.errors import FlowError
from flowrt.stores import files
from flowrt.stores.base import Json
from flowrt.stores.encoding import dump, line_bytes

if TYPE_CHECKING:
    from flowrt.definition.model import FlowDefinition
    from flowrt.flow import Flow

_NAME = re.compile(r"\w(?:[\w .-]{0,126}[\w-])?")
_ENDING = ".json"


Definition: TypeAlias = "Json | Flow | FlowDefinition"
"""A definition as data or as an object, or a flow whose functions have registered names."""

DEFAULT_DEFINITIONS = ".flowrt/definitions"
"""Where definitions are kept unless told otherwise, under the working folder."""


class DefinitionNotFoundError(FlowError, LookupError):
    """There is no definition of this name."""


class DefinitionStore(Protocol):
    """A place that keeps definitions."""

    def save(self, name: str, definition: Definition) -> None:
        """Keep a definition under a name, in place of what was there.

        Raises FlowValidationError with every finding when it is wrong.
        """

    def load(self, name: str) -> Json:
        """The definition of that name. Raises DefinitionNotFoundError."""

    def list(self) -> tuple[str, ...]:
        """All names, sorted."""

    def delete(self, name: str) -> bool:
        """Forget a definition; whether there was one."""


def open_definitions(spec: str | Path | None = None) -> DefinitionStore:
    """The store that `folder:PATH`, a path or the address of a Redis means.

    None is `.flowrt/definitions`. Raises FlowError when the word means no store.
    """
    text = DEFAULT_DEFINITIONS if spec is None else str(spec)
    if text.startswith(("redis://", "rediss://", "unix://")):
        from flowrt.stores.redis import RedisDefinitions

        return RedisDefinitions(text)
    path = text.removeprefix("folder:")
    if not path or "://" in path:
        raise FlowError(f"`{text}` keeps no definitions: write folder:PATH, a path or redis://…")
    return FolderDefinitions(path)


def checked_data(definition: Definition) -> dict[str, Any]:
    """A definition as data. Raises FlowValidationError with every finding when it is wrong.

    What its functions do cannot be told here, nor whether whoever loads it has them.
    """
    from flowrt.definition.building import check_definition
    from flowrt.definition.export import to_dict
    from flowrt.definition.model import FlowDefinition
    from flowrt.flow import Flow

    data = to_dict(definition) if isinstance(definition, Flow | FlowDefinition) else definition
    check_definition(data)
    return dict(data)


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

    def save(self, name: str, definition: Definition) -> None:
        """Keep a definition under a name, in place of what was there, in one step."""
        path = self._path(name)
        data = checked_data(definition)
        dump(data)
        text = json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)
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
