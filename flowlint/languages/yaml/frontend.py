"""A file of YAML in, its documents with places out."""

from __future__ import annotations

import re

import yaml

from flowlint.languages.places import Documents, Fault, Text, text_of_bytes
from flowlint.languages.reading_data import TOO_LARGE, Found
from flowlint.languages.yaml.breaks import Break, break_of, without_line
from flowlint.languages.yaml.reading import Reading, TooLargeError
from flowlint.values.model import Sequence, Value

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SHARED = re.compile(r"^(?:---|\.\.\.|%)|(?:^|[\s,\[{])[&*][^\s&*=]|<<\s*:", re.MULTILINE)
"""Markers of documents, anchors, aliases and merges: what reaches beyond a part of a text."""

MOST = 2_000_000
"""How many characters are read, which takes about a second."""

_MOST_BREAKS = 8
"""How many lines a text is read without."""

_LARGE = 100_000
"""From how many characters on that is one line."""


def read_yaml(path: str, data: bytes) -> Documents:
    """The documents of a file of YAML as far as they can be read, with all that is wrong."""
    text = text_of_bytes(path, data)
    if isinstance(text, Fault):
        return Documents(faults=(text,), says_flow=b"flowrt" in data)
    found = Found()
    return found.documents(read_whole(text, found), text)


def read_whole(text: Text, found: Found) -> tuple[Value, ...]:
    """The documents of a text. Lines in which it is broken are told and left out."""
    if len(text.text) > MOST:
        found.tell_at(text, 0, TOO_LARGE.format(MOST // 1_000_000))
        return ()
    has_parts = found.in_parts and _SHARED.search(text.text) is None
    most = _MOST_BREAKS if len(text.text) < _LARGE else 1
    source = text.text
    breaks: list[Break] = []
    while True:
        found.forget()
        reading = Reading(text, found, breaks, has_parts=has_parts)
        values, stop = _composed(source, reading)
        if stop is None:
            break
        shorter = without_line(source, stop)
        breaks.append(stop)
        if len(breaks) > most or shorter is None:
            break
        source = shorter
    for stop in breaks:
        found.tell_at(text, stop.offset, stop.message)
    return tuple(values)


def read_part(text: Text, found: Found) -> Value | None:
    """The value of a part, an element of a list; None where it is none on its own.

    What is wrong with one that is broken, and how far it reaches, depends on all around it.
    """
    if _SHARED.search(text.text) is not None:
        return None
    values = read_whole(text, found)
    if len(values) != 1 or found.faults:
        return None
    (listed,) = values
    is_one = isinstance(listed, Sequence) and listed.rest is None and len(listed.items) == 1
    return listed.items[0].value if isinstance(listed, Sequence) and is_one else None


def _composed(source: str, reading: Reading) -> tuple[list[Value], Break | None]:
    """The documents up to the first one that is broken, and where that is."""
    values: list[Value] = []
    try:
        nodes = yaml.compose_all(source, Loader=_LOADER)
        # Extended as they come: those before a break count.
        values.extend(reading.whole(node) for node in nodes if node is not None)
    except TooLargeError as error:
        return values, Break(error.offset, error.message, is_final=True)
    except yaml.YAMLError as error:
        return values, break_of(error, source)
    return values, None
