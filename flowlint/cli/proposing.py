"""Declarations for classes of a project that look as if they build flows.

What is proposed is tried: only a declaration by which flows are read is worth showing.
"""

from __future__ import annotations

import ast
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from flowlint.cli.looks import (
    EDGES,
    ENTRY,
    FINISH,
    GUARD,
    KIND,
    LIMIT,
    NAME,
    NODES,
    READS,
    RUN,
    SOURCE,
    TARGET,
    adds_edge,
    adds_node,
    names_entry,
)
from flowlint.project.files import read_bytes

_HINT = re.compile(rb"^\s*class \w+", re.MULTILINE)
_WORDS = re.compile(rb"edge|transition|route|link|connect", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A declaration as TOML, for a class in a file."""

    name: str
    path: str
    cls: str
    text: str


@dataclass(frozen=True, slots=True)
class _Looked:
    """A class as far as it can be seen: what its constructor takes, and its methods."""

    node: ast.ClassDef
    parameters: Mapping[str, ast.expr | None]
    methods: Mapping[str, list[str]]


def proposals(paths: Iterable[str]) -> Iterator[Proposal]:
    """A proposal for each class that builds flows by its look, one for each name of a class."""
    taken: set[str] = set()
    for path in sorted(paths):
        if not path.endswith(".py"):
            continue
        for looked, classes in _classes(path):
            text = _by_arguments(looked, classes) or _by_methods(looked)
            name = _word(looked.node.name)
            if text is not None and name not in taken:
                taken.add(name)
                yield Proposal(name, path, looked.node.name, _head(name, looked) + text)


def _classes(path: str) -> Iterator[tuple[_Looked, Mapping[str, _Looked]]]:
    try:
        data = read_bytes(path)
        if not (_HINT.search(data) and _WORDS.search(data)):
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(data)
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        # What cannot be read is told by `check`.
        return
    found = [_looked(one) for one in tree.body if isinstance(one, ast.ClassDef)]
    by_name = {one.node.name: one for one in found}
    yield from ((one, by_name) for one in found)


def _looked(node: ast.ClassDef) -> _Looked:
    parameters: dict[str, ast.expr | None] = {}
    methods: dict[str, list[str]] = {}
    for one in node.body:
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = [*one.args.posonlyargs, *one.args.args, *one.args.kwonlyargs][1:]
            methods[one.name] = [argument.arg for argument in arguments]
            if one.name == "__init__":
                parameters = {argument.arg: argument.annotation for argument in arguments}
    if "__init__" not in methods:
        parameters = {
            one.target.id: one.annotation
            for one in node.body
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        }
    return _Looked(node, parameters, methods)


def _head(name: str, looked: _Looked) -> str:
    return f'[[systems]]\nname = "{name}"\nflow = "{looked.node.name}"\n'


def _by_arguments(looked: _Looked, classes: Mapping[str, _Looked]) -> str | None:
    """Of a class whose constructor takes nodes and edges."""
    names = list(looked.parameters)
    nodes, edges = _first(names, NODES), _first(names, EDGES)
    if nodes is None or edges is None:
        return None
    lines = [f"nodes = {{ {_at('argument', nodes, names)}, {_nodes(looked, nodes, classes)} }}"]
    rest = _edges(looked, edges, classes)
    lines.append(f"edges = {{ {_at('argument', edges, names)}{rest} }}")
    entry = _first(names, ENTRY)
    if entry is not None:
        lines.append(f"entry = {{ {_at('argument', entry, names)} }}")
    limit = _first(names, LIMIT)
    if limit is not None:
        lines.insert(0, f'limit = "{limit}"')
    reads = _quoted(one for one in looked.methods if one in READS)
    if reads:
        lines.insert(0, f"reads = [{reads}]")
    return "\n".join(lines) + "\n"


def _nodes(looked: _Looked, argument: str, classes: Mapping[str, _Looked]) -> str:
    told = _told(looked.parameters[argument])
    if told & {"dict", "Dict", "Mapping"}:
        return 'take = "mapping"'
    for cls in [*(classes[one] for one in sorted(told) if one in classes), *classes.values()]:
        name = _first(cls.parameters, NAME)
        if name is None or cls is looked or _first(cls.parameters, SOURCE):
            continue
        fields = [_at("name", name, cls.parameters)]
        for key, words in (("run", RUN), ("kind", KIND)):
            found = _first(cls.parameters, words)
            if found is not None:
                fields.append(_at(key, found, cls.parameters))
        return f'class = "{cls.node.name}", {", ".join(fields)}'
    return 'item = "name"' if "str" in told else 'item = "callable"'


def _edges(looked: _Looked, argument: str, classes: Mapping[str, _Looked]) -> str:
    told = _told(looked.parameters[argument])
    if told & {"dict", "Dict", "Mapping"}:
        return ', take = "mapping"'
    for cls in [*(classes[one] for one in sorted(told) if one in classes), *classes.values()]:
        source, target = _first(cls.parameters, SOURCE), _first(cls.parameters, TARGET)
        if source is None or target is None or cls is looked:
            continue
        ends = f"{_at('source', source, cls.parameters)}, {_at('target', target, cls.parameters)}"
        guard = _first(cls.parameters, GUARD)
        told_guard = f", {_at('guard', guard, cls.parameters)}" if guard is not None else ""
        return f', class = "{cls.node.name}", {ends}{told_guard}'
    return ""


def _by_methods(looked: _Looked) -> str | None:
    """Of a class that nodes and edges are added to."""
    node = next((one for one in looked.methods if adds_node(one)), None)
    edge = next((one for one in looked.methods if adds_edge(one)), None)
    if node is None or edge is None:
        return None
    if len(looked.methods[node]) < 1 or len(looked.methods[edge]) < 2:
        return None
    takes = looked.methods[node]
    name = _first(takes, NAME) or takes[0]
    fields = [_at("name", name, takes)]
    run = _first(takes, RUN)
    if run is not None:
        fields.append(_at("run", run, takes))
    leads = looked.methods[edge]
    source, target = _first(leads, SOURCE) or leads[0], _first(leads, TARGET) or leads[1]
    ends = f"{_at('source', source, leads)}, {_at('target', target, leads)}"
    guard = _first(leads, GUARD)
    told_guard = f", {_at('guard', guard, leads)}" if guard is not None else ""
    lines = [
        f'nodes = {{ method = "{node}", {", ".join(fields)} }}',
        f'edges = {{ method = "{edge}", {ends}{told_guard} }}',
    ]
    entry = next((one for one in looked.methods if names_entry(one)), None)
    if entry is not None and looked.methods[entry]:
        lines.append(f'entry = {{ method = "{entry}" }}')
    finish = [one for one in looked.methods if one in FINISH]
    used = {node, edge, entry, *finish, "__init__"}
    others = [one for one in looked.methods if one not in used]
    reads = [one for one in others if one in READS]
    chained = [one for one in others if one not in READS and _returns_itself(looked.node, one)]
    for key, names in (("finish", finish), ("reads", reads), ("hides", chained)):
        if names:
            lines.insert(0, f"{key} = [{_quoted(names)}]")
    return "\n".join(lines) + "\n"


def _returns_itself(cls: ast.ClassDef, method: str) -> bool:
    functions = (one for one in cls.body if isinstance(one, ast.FunctionDef) and one.name == method)
    return any(
        isinstance(inner, ast.Return)
        and isinstance(inner.value, ast.Name)
        and inner.value.id == "self"
        for function in functions
        for inner in ast.walk(function)
    )


def _told(annotation: ast.expr | None) -> set[str]:
    """The names that a declared type mentions, also one in quotes."""
    if annotation is None:
        return set()
    return set(re.findall(r"\w+", ast.unparse(annotation)))


def _first(names: Iterable[str], words: frozenset[str]) -> str | None:
    return next((name for name in names if name.lower().strip("_") in words), None)


def _at(key: str, name: str, names: Iterable[str]) -> str:
    """Where a part stands: by its name, or at its position."""
    return f'{key} = ["{name}", {list(names).index(name)}]'


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _word(name: str) -> str:
    """The name of a class as that of a system."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", name)
    word = "-".join(part.lower() for part in parts).strip("-")
    return word if re.match("[a-z]", word) else "own-flows"


def place_of(proposal: Proposal, folder: str) -> str:
    """Where the class of a proposal is, from a folder on."""
    return os.path.relpath(proposal.path, folder).replace(os.sep, "/")
