"""Flows from files and texts: definitions in JSON and YAML, and flows made in Python modules."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from flowrt.definition.building import build_flow, build_written, parse_definition
from flowrt.definition.export import to_definition
from flowrt.definition.marks import Source
from flowrt.definition.model import FlowDefinition
from flowrt.definition.texts import read_json, read_yaml
from flowrt.errors import FlowError, FlowValidationError
from flowrt.flow import NO_NAME, Flow

DATA_SUFFIXES = (".json", ".yaml", ".yml")
_MAX_NAMED = 8

__all__ = [
    "build_flow",
    "from_dict",
    "from_json",
    "from_yaml",
    "load_definition",
    "load_file",
    "parse_definition",
    "split_target",
]


def from_dict(data: Mapping[str, Any], *, modules: Collection[str] = ()) -> Flow:
    """The flow that plain data describes; `modules` are those that functions may come from.

    Raises FlowValidationError with every finding.
    """
    return build_flow(data, modules=modules)


def from_json(text: str | bytes, *, modules: Collection[str] = ()) -> Flow:
    """The flow that a text in JSON describes. Raises FlowValidationError with every finding."""
    source = read_json(text)
    return build_written(source, modules=modules)


def from_yaml(text: str | bytes, *, modules: Collection[str] = ()) -> Flow:
    """The flow that a text in YAML describes. Raises FlowValidationError with every finding."""
    documents = read_yaml(text)
    if len(documents) != 1:
        raise FlowError(f"a definition is one document, and this text has {len(documents)}")
    (source,) = documents
    return build_written(source, modules=modules)


def load_file(target: str, *, modules: Collection[str] = ()) -> Flow:
    """The flow in a file: `path`, or `path:NAME` where the file holds several.

    From a Python module, which is run for it, only what was made as a flow is taken: an instance
    of `Flow` or `FlowDefinition`. Raises FlowError saying why there is none, and
    FlowValidationError for a flow that is wrong.
    """
    path, name = split_target(target)
    if not path.is_file():
        reason = "is a folder" if path.is_dir() else "is not there"
        raise FlowError(f"`{path}` {reason}: name a file with a flow")
    if path.suffix not in DATA_SUFFIXES:
        return _built(_from_module(path, name), modules)
    source = _read(path, name)
    try:
        return build_written(source, modules=modules)
    except FlowValidationError as error:
        raise FlowValidationError(f"{path}: {error}", error.findings) from error.__cause__


def load_definition(target: str) -> FlowDefinition:
    """The definition of the flow in a file, as `load_file` finds it.

    Raises FlowError as that does, and for a flow made in Python that cannot be written as data.
    """
    path, name = split_target(target)
    if path.suffix in DATA_SUFFIXES:
        source = _read(path, name)
        return parse_definition(source.data, source=source)
    found = _from_module(path, name)
    return found if isinstance(found, FlowDefinition) else to_definition(found)


def _read(path: Path, name: str | None) -> Source:
    """The definition that is meant in a file of data, which can name functions beside it."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise FlowError(f"`{path}` cannot be read: {error.strerror or error}") from error
    _let_import_from(path.parent)
    where = str(path)
    documents = [read_json(text, where)] if path.suffix == ".json" else read_yaml(text, where)
    return _chosen(documents, name, where)


def split_target(target: str) -> tuple[Path, str | None]:
    """A path and a name; a file whose own name has a colon wins."""
    path, colon, name = target.rpartition(":")
    if not colon or Path(target).exists() or "/" in name or "\\" in name:
        return Path(target), None
    return Path(path), name


def _chosen(documents: list[Source], name: str | None, where: str) -> Source:
    """The definition that is meant among the documents of a file."""
    named = [document for document in documents if isinstance(document.data, dict)]
    flows = [document for document in named if "flowrt" in document.data]
    if name is not None:
        flows = [document for document in flows if document.data.get("name") == name]
        if len(flows) != 1:
            there = ", ".join(f"`{document.data.get('name')}`" for document in named) or "nothing"
            raise FlowError(f"`{where}` has no flow `{name}`: there is {there}")
    if len(flows) > 1:
        there = ", ".join(f"`{document.data.get('name')}`" for document in flows)
        raise FlowError(f"`{where}` has several flows: name one of them, {there}")
    if not flows:
        raise FlowError(f"`{where}` is no flow definition: it does not say `flowrt: 1` at its top")
    return flows[0]


def _built(found: Flow | FlowDefinition, modules: Collection[str]) -> Flow:
    return found if isinstance(found, Flow) else build_flow(found, modules=modules)


def _from_module(path: Path, name: str | None) -> Flow | FlowDefinition:
    module = _imported(path)
    if name is not None:
        return _named(module, path, name)
    flows = _flows_of(module)
    for key, value in flows.items():
        _name_by_place(value, key, path)
    distinct = {id(value): key for key, value in reversed(flows.items())}
    if len(distinct) == 1:
        return flows[next(iter(distinct.values()))]
    if flows:
        names = ", ".join(f"`{path}:{key}`" for key in list(flows)[:_MAX_NAMED])
        raise FlowError(f"`{path}` has several flows: name one of them, {names}")
    raise FlowError(f"`{path}` has no flow: {_what_is_there(module)}")


def _flows_of(module: ModuleType) -> dict[str, Flow | FlowDefinition]:
    return {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, Flow | FlowDefinition) and not key.startswith("_")
    }


def _named(module: ModuleType, path: Path, name: str) -> Flow | FlowDefinition:
    if not hasattr(module, name):
        flows = [f"`{path}:{key}`" for key in _flows_of(module)]
        there = f"name one of {', '.join(flows[:_MAX_NAMED])}" if flows else _what_is_there(module)
        raise FlowError(f"`{path}` has no `{name}`: {there}")
    value = getattr(module, name)
    if isinstance(value, Flow | FlowDefinition):
        _name_by_place(value, name, path)
        return value
    raise FlowError(f"{_refused(name, value)}: only what was made as a flow is run")


def _name_by_place(found: Flow | FlowDefinition, variable: str, path: Path) -> None:
    """Call a flow that was given no name as its variable is called, or as its file."""
    if isinstance(found, Flow) and found.name == NO_NAME:
        found.name = variable if variable != NO_NAME else path.stem


def _what_is_there(module: ModuleType) -> str:
    own = {
        key: value
        for key, value in vars(module).items()
        if not key.startswith("_")
        and (
            getattr(value, "__module__", None) == module.__name__
            or (isinstance(value, dict) and "nodes" in value)
        )
    }
    parts = [_refused(key, value) for key, value in list(own.items())[:_MAX_NAMED]]
    return "; ".join(parts) if parts else "it defines nothing that could be one"


def _refused(name: str, value: object) -> str:
    """Why a value is no flow, with what to do."""
    if isinstance(value, type):
        return f"`{name}` is a class; make an instance of `Flow`"
    if isinstance(value, dict):
        return f"`{name}` is a dict; make it a flow with `from_dict({name})`"
    if callable(value):
        return f"`{name}` is a function; call it and keep the flow it returns in a variable"
    return f"`{name}` is of type {type(value).__name__}"


def _imported(path: Path) -> ModuleType:
    """Run a file as a module; it can import its neighbours. Raises FlowError when it cannot."""
    if path.suffix != ".py":
        raise FlowError(f"`{path}` is neither Python, JSON nor YAML")
    _let_import_from(path.parent)
    spec = spec_from_file_location(f"flowrt_file_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise FlowError(f"`{path}` cannot be imported")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except FlowError:
        sys.modules.pop(spec.name, None)
        raise
    except Exception as error:
        sys.modules.pop(spec.name, None)
        raise FlowError(f"`{path}` cannot be imported: {type(error).__name__}: {error}") from error
    return module


def _let_import_from(folder: Path) -> None:
    """Let what lies beside a file be imported, also later, when nodes run."""
    place = str(folder.resolve())
    if place not in sys.path:
        sys.path.insert(0, place)
