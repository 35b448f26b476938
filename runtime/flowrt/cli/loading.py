"""Definitions named on the command line: files and the flow meant in them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from flowrt.authoring import Node
from flowrt.cli.failures import place_of, told_place
from flowrt.cli.streams import results_alone
from flowrt.cli.words import clean
from flowrt.errors import FlowError, FlowValidationError

if TYPE_CHECKING:
    from flowrt.flow import Flow


def loaded(file: str, modules: Sequence[str] = ()) -> Flow:
    """The flow that FILE[:NAME] means, with its origin noted.

    `modules` are imported first, and functions of the definition may come from them. What is
    printed meanwhile goes to stderr. Raises FlowError with the reason when there is no flow.
    """
    from flowrt.definition.load import load_file, split_target

    path, name = split_target(file)
    with results_alone():
        try:
            import_modules(modules, path.parent)
            flow = load_file(file, modules=modules)
        except SystemExit as error:
            raise FlowError(f"{path} ends the program when it is imported") from error
        except FlowValidationError as error:
            if str(error).startswith(f"{path}:"):
                raise
            raise FlowValidationError(f"{path}: {error}", error.findings) from error
        except FlowError as error:
            place = None if error.__cause__ is None else place_of(error.__cause__)
            if place is None:
                raise
            raise FlowError(f"{error} (at {told_place(place)})") from error
    whole = str(path.absolute()) + ("" if name is None else f":{name}")
    flow.origin = {"file": whole, **({"modules": list(modules)} if modules else {})}
    return flow


def import_modules(modules: Iterable[str], beside: str | Path) -> None:
    """Import modules, looked for in a folder first; what they print goes to stderr.

    Raises FlowError for one that cannot be imported.
    """
    for module in modules:
        place = str(Path(beside).absolute())
        if place not in sys.path:
            sys.path.insert(0, place)
        try:
            with results_alone():
                import_module(module)
        except Exception as error:
            raise FlowError(
                f"the module `{module}` cannot be imported: {type(error).__name__}: {error}"
            ) from error


def flows_beside(flow: Flow, file: str, modules: Sequence[str] = ()) -> dict[str, Flow]:
    """The flows that may run inside of this one, by their names: those of its file, and of the
    modules that were named."""
    from flowrt.definition.load import DATA_SUFFIXES, load_file, split_target
    from flowrt.definition.texts import parse_yaml

    if not _has_subflow(flow.nodes):
        return {}
    path, _ = split_target(file)
    named: dict[str, Flow] = {}
    for module in modules:
        named |= _flows_in(module, modules)
    if path.suffix not in DATA_SUFFIXES:
        return {**named, **_flows_in(f"flowrt_file_{path.stem}", modules), flow.name: flow}
    if path.suffix == ".json":
        return {**named, flow.name: flow}
    documents = parse_yaml(path.read_bytes(), str(path))
    names = [document.get("name") for document in documents if isinstance(document, dict)]
    others = [name for name in names if isinstance(name, str) and name != flow.name]
    found = {name: load_file(f"{path}:{name}", modules=modules) for name in others}
    return {**named, **found, flow.name: flow}


def _flows_in(module: str, modules: Sequence[str]) -> dict[str, Flow]:
    """The flows that stand in a module, by their names; those without one by their variables."""
    from flowrt.definition.building import build_flow
    from flowrt.definition.model import FlowDefinition
    from flowrt.flow import NO_NAME, Flow

    found = {}
    for variable, value in list(vars(sys.modules.get(module, sys)).items()):
        if isinstance(value, FlowDefinition):
            found[value.name] = build_flow(value, modules=modules)
        elif isinstance(value, Flow):
            found[variable if value.name == NO_NAME else value.name] = value
    return found


def _has_subflow(nodes: Iterable[Node]) -> bool:
    return any(
        node.kind == "subflow" or any(_has_subflow(part.nodes) for part in node.regions.values())
        for node in nodes
    )


def input_of(text: str | None, path: str | None) -> dict[str, Any]:
    """The state a run begins with. Raises click.UsageError when it is no JSON object."""
    if text is not None and path is not None:
        raise click.UsageError("give --input-json or --input-file, not both")
    if text is not None:
        return _object("--input-json", text)
    if path is None:
        return {}
    try:
        content = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise click.UsageError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{path} is not UTF-8 text") from error
    return _object(path, content)


def _object(where: str, text: str) -> dict[str, Any]:
    value = parsed(where, text)
    if not isinstance(value, dict):
        raise click.UsageError(
            f'{where} holds {_kind(value)}; a run begins with an object such as {{"key": 1}}'
        )
    return value


def parsed(where: str, text: str, cure: str = "") -> Any:
    """A value from JSON text. Raises click.UsageError with the place of the fault."""
    try:
        return json.loads(text, object_pairs_hook=unique)
    except KeyTwiceError:
        place, said = twice(text)
        raise click.UsageError(f"{where} is wrong ({place}: {said})") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise click.UsageError(f"{where} is not JSON ({place}: {error.msg}){cure}") from error
    except RecursionError:
        raise click.UsageError(f"{where} is nested too deeply") from None


class KeyTwiceError(ValueError):
    """A key is written twice."""


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON. Raises KeyTwiceError where one of two values would be lost."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise KeyTwiceError
    return made


def twice(text: str) -> tuple[str, str]:
    """Where a key is written that is there already, and that it is."""
    from flowrt.definition.json_places import key_written_twice, line_and_column

    key, offset = key_written_twice(text) or ("", 0)
    line, column = line_and_column(text, offset)
    return f"line {line}, column {column}", f"the key `{clean(key)}` is written twice"


def signals_of(given: tuple[str, ...], waits: Iterable[str] = ()) -> dict[str, Any]:
    """The answers of `--signal KEY=JSON`; a key alone answers with null.

    `waits` are names that are waited for: one may have a `=` itself.
    """
    signals: dict[str, Any] = {}
    by_length = sorted((name for name in waits if "=" in name), key=len, reverse=True)
    for text in given:
        whole = [name for name in by_length if text == name or text.startswith(f"{name}=")]
        if whole:
            key, rest = whole[0], text[len(whole[0]) :]
            has_value, value = rest[:1], rest[1:]
        else:
            key, has_value, value = text.partition("=")
        if not key:
            raise click.UsageError(f"--signal {text!r} has no key: write KEY=JSON")
        if key in signals:
            raise click.UsageError(f"--signal {key} is given twice")
        cure = f"; a text is written with quotes: --signal '{key}=\"{value}\"'"
        signals[key] = parsed(f"--signal {key}", value, cure) if has_value else None
    return signals


def _kind(value: object) -> str:
    if value is None:
        return "null"
    names: Mapping[type, str] = {list: "a list", str: "a text", bool: "a truth value"}
    return names.get(type(value), "a number")
