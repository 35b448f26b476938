"""A file of JSON in, its value with places out."""

from __future__ import annotations

from flowlint.languages.json.scanner import Scanner, is_balanced
from flowlint.languages.json.tokens import Form
from flowlint.languages.places import Documents, Fault, Text, text_of_bytes
from flowlint.languages.reading_data import TOO_LARGE, Found
from flowlint.values.model import Value

MOST = 4_000_000
"""How many characters are read, which takes about a second."""


def form_of(path: str) -> Form:
    """What a file of this name allows beside JSON."""
    if path.endswith(".json5"):
        return "json5"
    return "jsonc" if path.endswith(".jsonc") else "json"


def read_json(path: str, data: bytes) -> Documents:
    """The value of a file of JSON as far as it can be read, with all that is wrong with it."""
    text = text_of_bytes(path, data)
    if isinstance(text, Fault):
        return Documents(faults=(text,), says_flow=b'"flowrt"' in data)
    found = Found()
    return found.documents(read_whole(text, found), text)


def read_whole(text: Text, found: Found) -> tuple[Value, ...]:
    """The value of a text; none where it holds none, or is too large."""
    if len(text.text) > MOST:
        found.tell_at(text, 0, TOO_LARGE.format(MOST // 1_000_000))
        return ()
    scanner = Scanner(text, form_of(text.path), found)
    scanner.read()
    return (scanner.done,) if scanner.done is not None else ()


def read_part(text: Text, found: Found) -> Value | None:
    """The value of a part of a text; None where it is none on its own.

    Where brackets or quotes lack their others, what is around may close them.
    """
    form = form_of(text.path)
    scanner = Scanner(text, form, found, outer=2)
    if not scanner.read() or (found.faults and not is_balanced(text, form)):
        return None
    return scanner.done
