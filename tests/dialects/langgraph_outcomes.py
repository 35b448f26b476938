"""Runs small programs with the real LangGraph and tells how each ends.

Called as a script by an interpreter that has langgraph: standard input holds a JSON list of
programs, each with a function `run`; standard output gets a JSON list with one record for each:
`{"raises": null | name, "result": text, "logs": [text, …]}`.
"""

from __future__ import annotations

import io
import json
import logging
import sys
import types
from contextlib import redirect_stdout
from typing import Any


class _Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def _outcome(program: str, kept: _Kept) -> dict[str, Any]:
    kept.messages = []
    raises, result = None, ""
    try:
        module = sys.modules["flow"] = types.ModuleType("flow")
        exec(compile(program, "flow.py", "exec", dont_inherit=True), module.__dict__)
        result = repr(module.run())
    except Exception as problem:
        raises = type(problem).__name__
    return {"raises": raises, "result": result, "logs": kept.messages}


def main() -> None:
    """Run every program that was asked for."""
    kept = _Kept()
    logging.getLogger().addHandler(kept)
    programs = json.load(sys.stdin)
    # What programs print is no answer.
    with redirect_stdout(io.StringIO()):
        records = [_outcome(program, kept) for program in programs]
    json.dump(records, sys.stdout)


if __name__ == "__main__":
    # The folder of this script has one that is called langgraph too.
    sys.path.pop(0)
    main()
