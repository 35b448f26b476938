"""Runs small programs with the real LangGraph and tells which graphs they made.

Called as a script by an interpreter that has langgraph: standard input holds a JSON list of
folders, each with a `flow.py`; standard output gets a JSON list with one record for each:
`{"graphs": […], "error": null | text, "operation": …}`. Every program runs in a process of its own.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import sys
import tempfile
from typing import Any


def main() -> None:
    """Run every program that was asked for."""
    # The folder of this script has one that is called langgraph too.
    sys.path.pop(0)
    import langgraph.graph
    import langgraph.prebuilt  # noqa: F401

    wanted = json.load(sys.stdin)
    json.dump([_in_child(folder) for folder in wanted], sys.stdout)


def _in_child(folder: str) -> dict[str, Any]:
    with tempfile.TemporaryFile("w+") as answer:
        child = os.fork()
        if child == 0:
            _silence()
            try:
                record = _run(folder)
            except BaseException as error:
                record = {"graphs": [], "error": f"the recorder failed: {error!r}"}
            json.dump(record, answer)
            answer.flush()
            os._exit(0)
        os.waitpid(child, 0)
        answer.seek(0)
        return json.load(answer)


def _silence() -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def _run(folder: str) -> dict[str, Any]:
    os.chdir(folder)
    sys.path.insert(0, folder)
    made = _record_builders(folder)
    error = None
    try:
        _build_all(importlib.import_module("flow"))
    except Exception as problem:
        error = f"{type(problem).__name__}: {problem}"
    return {"graphs": [_graph(builder, place) for builder, place in made], "error": error}


def _record_builders(folder: str) -> list[tuple[Any, str]]:
    """Note every builder from now on, with the file and line that made it."""
    from langgraph.graph import StateGraph

    made: list[tuple[Any, str]] = []
    plain = StateGraph.__init__

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        plain(self, *args, **kwargs)
        made.append((self, _made_at(self, folder)))

    StateGraph.__init__ = init  # type: ignore[method-assign]
    return made


def _made_at(builder: Any, folder: str) -> str:
    """Where a builder was made, as `file:line`.

    The constructor of a subclass, and what is not a program's own code, are passed over.
    """
    frame = inspect.currentframe()
    while frame is not None:
        own = frame.f_code.co_filename.startswith(folder)
        constructor = frame.f_code.co_name == "__init__" and any(
            value is builder for value in frame.f_locals.values()
        )
        if own and not constructor:
            name = os.path.relpath(frame.f_code.co_filename, folder)
            return f"{name}:{frame.f_lineno}"
        frame = frame.f_back
    return "nowhere"


def _build_all(module: Any) -> None:
    """Call what is there to build flows: functions and methods named `build…`."""
    for name, value in list(vars(module).items()):
        if getattr(value, "__module__", None) != module.__name__:
            continue
        if inspect.isfunction(value) and name.startswith("build"):
            value()
        elif inspect.isclass(value):
            methods = [method for method in dir(value) if method.startswith("build")]
            methods = [method for method in methods if inspect.isfunction(getattr(value, method))]
            if methods:
                made = value()
                for method in methods:
                    getattr(made, method)()


def _graph(builder: Any, place: str) -> dict[str, Any]:
    return {
        "place": place,
        "nodes": [
            {
                "name": str.__str__(name),
                "ends": [_text(e) for e in node.ends],
                # Early releases do not know it.
                "defer": getattr(node, "defer", False),
            }
            for name, node in builder.nodes.items()
            if not getattr(node, "is_error_handler", False)
        ],
        "edges": sorted([_text(a), _text(b)] for a, b in builder.edges),
        "joins": sorted([sorted(map(_text, a)), _text(b)] for a, b in builder.waiting_edges),
        "branches": [
            [_text(source), None if not branch.ends else [_text(e) for e in branch.ends.values()]]
            for source, named in builder.branches.items()
            for branch in named.values()
        ],
        "channels": {key: type(channel).__name__ for key, channel in builder.channels.items()},
        "managed": sorted(builder.managed),
    }


def _text(name: Any) -> str:
    return str.__str__(name) if isinstance(name, str) else repr(name)


if __name__ == "__main__":
    main()
