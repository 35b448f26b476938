"""Suppressions in data that has no comments: the key `flowlint` of a flow definition.

`"flowlint": {"ignore": ["dead-end"], "reason": "…"}` silences rules in the flow that it is a key
of.
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.comments import Suppression, Word
from flowlint.languages.places import Documents
from flowlint.values.model import Const, Mapped, Sequence, Value

KEY, IGNORE, REASON = "flowlint", "ignore", "reason"


def suppressions_of(path: str, data: bytes) -> Iterator[Suppression]:
    """The suppressions that the documents of a file hold as keys."""
    for document in _read(path, data).values:
        for entry in _entries(document, KEY):
            for rules in _entries(entry, IGNORE):
                if isinstance(rules, Sequence):
                    span = rules.origin.span()
                    reasons = [_text(value) for value in _entries(entry, REASON)]
                    yield Suppression(
                        "flow",
                        tuple(_words(rules)),
                        "".join(reason or "" for reason in reasons),
                        span,
                        span,
                        kind=KEY,
                        is_key=True,
                    )


def _read(path: str, data: bytes) -> Documents:
    if path.endswith(".json"):
        from flowlint.languages.json.frontend import read_json

        return read_json(path, data)
    if path.endswith((".yaml", ".yml")):
        from flowlint.languages.yaml.frontend import read_yaml

        return read_yaml(path, data)
    return Documents()


def _entries(value: Value, name: str) -> Iterator[Value]:
    if isinstance(value, Mapped):
        for entry in value.entries:
            if isinstance(entry.key, Const) and entry.key.value == name:
                yield entry.value


def _words(rules: Sequence) -> Iterator[Word]:
    for item in rules.items:
        text = _text(item.value)
        if text is not None:
            yield Word(text.lower(), item.value.origin.span(), text)


def _text(value: Value) -> str | None:
    return value.value if isinstance(value, Const) and isinstance(value.value, str) else None
