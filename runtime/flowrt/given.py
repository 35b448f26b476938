"""Whether what a run is given from Python is of a kind that it can use."""

from __future__ import annotations

from collections.abc import Mapping

from flowrt.errors import FlowError

_STORE = 'a run store, such as `open_store("folder:runs")` gives'
_BY_NAME = "a mapping by their names, or left out"


def check_store(flow: str, store: object) -> None:
    """Raise FlowError for a store that is none."""
    if not _is_store(store):
        raise _refused(flow, "a store", store, f"it has to be {_STORE}")


def check_mappings(flow: str, **given: object) -> None:
    """Raise FlowError for what is no mapping and has to be."""
    for name, value in given.items():
        if value is not None and not isinstance(value, Mapping):
            raise _refused(flow, name, value, f"they have to be {_BY_NAME}")


def _is_store(value: object) -> bool:
    methods = (getattr(value, name, None) for name in ("create", "open", "trace"))
    return not isinstance(value, type) and all(callable(method) for method in methods)


def _refused(flow: str, what: str, value: object, wanted: str) -> FlowError:
    kind = f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__
    of = "that is" if isinstance(value, type) else "of type"
    return FlowError(f"flow `{flow}` is run with {what} {of} {kind}: {wanted}")
