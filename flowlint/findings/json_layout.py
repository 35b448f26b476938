"""Where comments stand in JSON that has some: `.jsonc` and `.json5`."""

from __future__ import annotations

import re
from bisect import bisect_right

from flowlint.findings.layout import Comment, Layout

_PART = re.compile(
    r""""(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'|(?P<comment>//[^\r\n]*|/\*.*?(?:\*/|\Z))""",
    re.DOTALL,
)
_LINE_END = re.compile(r"\r\n|\n|\r")


def json_layout(text: str) -> Layout:
    """The layout of a text; comments may be added to every line that does not end within one."""
    starts = [0, *(found.end() for found in _LINE_END.finditer(text))]
    comments: list[Comment] = []
    closed = set[int]()
    for found in _PART.finditer(text):
        written = found["comment"]
        if written is None:
            continue
        line = bisect_right(starts, found.start())
        first, *rest = _LINE_END.split(written)
        comments.append(Comment(line, found.start() - starts[line - 1], first))
        comments += [Comment(line + 1 + number, 0, one) for number, one in enumerate(rest)]
        closed.update(range(line, line + len(rest)))
    ends = frozenset(range(1, len(starts) + 1)) - closed
    return Layout(comments, [], [], ends, is_script=True)
