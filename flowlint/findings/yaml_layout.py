"""Where comments stand in YAML: in what no token of it covers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from flowlint.findings.layout import Comment, Layout

_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\r\n]*")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LINE = re.compile(r"[^\r\n]*")
_MARK = "\ufeff"


def yaml_layout(text: str) -> Layout:
    """The comments of a text of YAML, up to what is no YAML."""
    text = text.removeprefix(_MARK)
    comments: list[Comment] = []
    lines = frozenset(range(1, text.count("\n") + 2))
    for begin, end in _gaps(text):
        for found in _COMMENT.finditer(text, begin, end):
            before = text[: found.start()]
            start = max(before.rfind("\n"), before.rfind("\r")) + 1
            number = len(re.findall(r"\r\n|\n|\r", before)) + 1
            comments.append(Comment(number, found.start() - start, found[0]))
    return Layout(comments, [], [], lines)


def _gaps(text: str) -> Iterator[tuple[int, int]]:
    end = 0
    try:
        for token in yaml.scan(text, Loader=_LOADER):
            if token.start_mark.index > end:
                yield end, token.start_mark.index
            if getattr(token, "style", None) in ("|", ">"):
                # What is behind the sign for a block is no part of its text.
                begin = token.start_mark.index
                yield begin, begin + len(_LINE.match(text, begin)[0])  # type: ignore[index]
            end = max(end, token.end_mark.index)
    except yaml.YAMLError:
        return
    yield end, len(text)
