"""Python that is newer than the running one: what looks like it, and reading it.

libcst knows the newer grammar but is slow to import and to parse, so it only sees statements
that failed and look as if they could be newer: type parameters and aliases (PEP 695, 696),
f-strings without restrictions (PEP 701), template strings (PEP 750), `except A, B:` (PEP 758).
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from flowlint.languages.python.reading.layout import mask

_SUSPECT = re.compile(
    r"""
    (?:^|[;:])[ \t]*type[ \t\\]
    | \b(?:def|class)[ \t]+\w+[ \t]*\[
    | \bexcept\b[^:\n]*,
    | \blazy[ \t]+(?:import|from)\b
    | [\[{(]\s*\*[^\n]*\bfor\b
    | (?<!\w)(?:[tT][rR]?|[rR][tT])["']
    # An expression of an f-string with the outer quote, a backslash or a comment in it, one that
    # goes on in the next line, or one that is nested three deep.
    | (?<!\w)(?:[fF][rR]?|[rR][fF])(["'])(?!\1)(?:\\\n|[^\n])*\{[^}\n]*(?:\1|[\\\#]|\{[^}\n]*\{|$)
    | (?<!\w)(?:[fF][rR]?|[rR][fF])(\"\"\"|''')(?s:.)*?\{[^}]*(?:\2|[\\\#]|\{[^}]*\{)
    """,
    re.MULTILINE | re.VERBOSE,
)
_NESTING = re.compile(r"[(\[{]|[)\]}]|[,;\n]|[-+*/%@&|^<>~.:]|\b(?:if|else|not|lambda|await)\b")
_LONGEST, _DEEPEST, _MOST_BRACKETS, _MOST_CLAUSES = 300_000, 500, 150, 500


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Sound newer Python that has no counterpart in the running Python's syntax tree."""


Newer = ast.Module | Unreadable


def suspected(text: str, message: str) -> bool:
    """Whether a text that does not parse, for the reason given, could be newer Python."""
    return message.startswith("f-string") or _SUSPECT.search(text) is not None


def modernise(text: str) -> Newer | None:
    """The tree of newer Python with all places as they are; None if it is no Python at all."""
    if len(text) > _LONGEST or _overwhelming(mask(text)):
        return Unreadable()
    from flowlint.languages.python.reading.newer_rewriting import rewrite

    return rewrite(text)


def _overwhelming(text: str) -> bool:
    """Whether nesting could be deep enough to overflow the stack of libcst's native parser."""
    if text.count("elif") > _MOST_CLAUSES:
        return True
    chains = [0]
    depth = 0
    for match in _NESTING.finditer(text):
        token = match.group()
        if token in "([{":
            chains[-1] += 1
            chains.append(0)
            depth += 1
        elif token in ")]}":
            depth -= chains.pop()
            chains = chains or [0]
            depth = max(depth, 0)
        elif token in ",;" or (token == "\n" and len(chains) == 1):
            depth -= chains[-1]
            chains[-1] = 0
        else:
            chains[-1] += 1
            depth += 1
        if depth > _DEEPEST or len(chains) > _MOST_BRACKETS:
            return True
    return False
