"""Expressions that no engine reads: each is refused in a sentence."""

from __future__ import annotations

import pytest
from flowrt.cel import compiled
from flowrt.errors import FlowError

from flowlint.graph.cel_names import parsed
from flowlint.graph.cel_syntax import CelError


@pytest.mark.parametrize("count", [200, 25_000, 500_000])
def test_what_is_nested_too_deeply_is_refused(count: int) -> None:
    text = "(" * count
    assert isinstance(parsed(text), CelError)
    with pytest.raises(FlowError, match="is not a CEL expression") as raised:
        compiled(text)
    assert len(str(raised.value)) < 2_000


def test_brackets_in_texts_are_none() -> None:
    assert not isinstance(parsed('x == "' + "(" * 30_000 + '"'), CelError)
