"""Which classes can be stored, how they are named, and how they are found again."""

from __future__ import annotations

import sys
from dataclasses import is_dataclass
from typing import Any

from flowrt.errors import FlowError


def model_class() -> type | None:
    """Pydantic's base class, None where nobody has loaded pydantic."""
    pydantic = sys.modules.get("pydantic")
    found = getattr(pydantic, "BaseModel", None)
    return found if isinstance(found, type) else None


def is_record(kind: type) -> bool:
    """Whether a class is a named tuple's."""
    return issubclass(kind, tuple) and isinstance(kind.__dict__.get("_fields"), tuple)


def is_stored_class(kind: type) -> bool:
    """Whether the values of a class are its fields: a dataclass, a model, a named tuple."""
    if is_record(kind):
        return True
    model = model_class()
    if not is_dataclass(kind) and (model is None or not issubclass(kind, model)):
        return False
    try:
        object.__new__(kind)
    except TypeError:
        # It is also a list, a number or an error, which its fields do not tell.
        return False
    return True


def values_of(value: Any, names: list[str]) -> dict[str, Any]:
    """The named attributes of an object. Raises AttributeError when one was never set."""
    return {name: getattr(value, name) for name in names}


def class_path(kind: type) -> str | None:
    """`module:qualname` of a class; None when that would not lead back to it."""
    path = f"{kind.__module__}:{kind.__qualname__}"
    return path if _look_up(kind.__module__, kind.__qualname__) is kind else None


def find_class(path: str) -> type:
    """The class a stored value names.

    Nothing is imported, and no descriptor or module hook runs: a file from elsewhere cannot
    make the program load code. Raises FlowError when the class is not there.
    """
    module, _, name = path.partition(":")
    found = _look_up(module, name)
    if isinstance(found, type):
        return found
    if module not in sys.modules:
        why = f"the module `{module}` is not loaded; import it before the run is gone on with"
    else:
        why = f"the module `{module}` has no class `{name}` (any more)"
    raise FlowError(f"a stored value of the class `{path}` cannot be restored: {why}")


def _look_up(module: str, name: str) -> object:
    holder: object = sys.modules.get(module)
    # The name of a generic model, such as `Page[demo.Item]`, is one name, dots and all.
    steps = [name] if "[" in name else name.split(".")
    for step in steps:
        inside = getattr(holder, "__dict__", None)
        if inside is None:
            return None
        holder = inside.get(step)
    return holder
