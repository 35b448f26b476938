"""Syntax that TypeScript has and its grammar here does not know yet.

Such text is replaced, for the parser only, by as many bytes that it knows: places stay, and texts
are taken from what was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_SPECIFIER = rb"import\s*\(\s*(?:\"[^\"\n]*\"|'[^'\n]*')\s*\)"


@dataclass(frozen=True, slots=True)
class _Rewriting:
    """What is written instead of a pattern. `sign` is in every text that fits; it is found fast."""

    sign: re.Pattern[bytes]
    pattern: re.Pattern[bytes]
    instead: Callable[[re.Match[bytes]], bytes]


_REWRITINGS = (
    # A character that ends a text for the parser, though not for JavaScript.
    _Rewriting(re.compile(rb"\x00"), re.compile(rb"\x00"), lambda found: b" "),
    # Types of modules: `typeof import("x")`, `import("x").Y[]`.
    _Rewriting(
        re.compile(rb"import\s*\("),
        re.compile(rb"(\btypeof\s+)(" + _SPECIFIER + rb")"),
        lambda found: found.group(1) + _name(found.group(2)),
    ),
    _Rewriting(
        re.compile(rb"import\s*\("),
        re.compile(
            rb"([:<|&,(]\s*|=>\s*|\bas\s+)("
            + _SPECIFIER
            + rb")(?=(?:\s*\.\s*[A-Za-z_$][\w$]*)+(?![\w$]|\s*\())"
        ),
        lambda found: found.group(1) + _name(found.group(2)),
    ),
    _Rewriting(
        re.compile(rb"type\s*\*"),
        re.compile(rb"(\bexport\s+)type(?=\s*\*)"),
        lambda found: found.group(1) + b"    ",
    ),
    # Variance: `<out T, in U>`.
    _Rewriting(
        re.compile(rb"<"),
        re.compile(rb"([<,]\s*)((?:in\s+out|in|out)\s)(?=\s*[A-Z]\w*\s*(?:[=,>]|extends\b))"),
        lambda found: found.group(1) + b" " * len(found.group(2)),
    ),
    # A name that begins like a word of the grammar.
    _Rewriting(
        re.compile(rb"using"),
        re.compile(rb"\busing\b(?=\s*[?]?\s*[:),;.=\]}])"),
        lambda found: b"Using",
    ),
    _Rewriting(
        re.compile(rb"in"),
        re.compile(rb"(?m)^(\s*)in(?=[A-Za-z_$])(?!stanceof\b|terface\b|fer\b)"),
        lambda found: found.group(1) + b"iN",
    ),
    # `accessor x = 1` in a class, `import defer * as x`.
    _Rewriting(
        re.compile(rb"accessor\s"),
        re.compile(rb"(?<=[\s{;])accessor(?=\s+[\w#$]+\s*[:=;])"),
        lambda found: b"readonly",
    ),
    _Rewriting(
        re.compile(rb"defer\s*\*"),
        re.compile(rb"(\bimport\s+)defer(?=\s*\*)"),
        lambda found: found.group(1) + b"     ",
    ),
    # Text between tags: `<code>cd x && make</code>`.
    _Rewriting(
        re.compile(rb"&&"),
        re.compile(rb"(?<=>)[^<>{}()=;]*&&[^<>{}()=;]*(?=</?[A-Za-z])"),
        lambda found: found.group(0).replace(b"&", b"_"),
    ),
    # `using x = y` as a declaration.
    _Rewriting(
        re.compile(rb"using\s"),
        re.compile(
            rb"(?m)((?:^|[;{}(])\s*)((?:await +)?using)"
            rb"(?=\s+[A-Za-z_$][\w$]*\s*(?::[^=;\n]*)?(?:=(?![=>])|of\b))"
        ),
        lambda found: found.group(1) + b"const".rjust(len(found.group(2))),
    ),
)


def _name(text: bytes) -> bytes:
    """A name as long as a text."""
    return b"I" + b"_" * (len(text) - 1)


def rewritten(data: bytes) -> bytes | None:
    """A text that the grammar may know better, of the same length; None where nothing fits."""
    found = data
    for rewriting in _REWRITINGS:
        if rewriting.sign.search(found):
            found = rewriting.pattern.sub(rewriting.instead, found)
    return found if found != data and len(found) == len(data) else None
