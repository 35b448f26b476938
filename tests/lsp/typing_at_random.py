"""Somebody who types at random: what people do to texts, and what cats do."""

from __future__ import annotations

import random
from collections.abc import Callable

_CHARACTERS = "()[]{},:.=\"'#\\\n \tabstx01_é😋\u2028\x0c"
_TYPED = (
    'Edge("',
    'Node("a", run)',
    "    nodes=[",
    'def run(state):\n    return {"x": 1}\n',
    "async def step(state: dict",
    'graph.add_edge("a", ',
    "if state[",
    'FLOW = Flow(nodes=[Node("a", None)], edges=[], entry="a")\n',
    "# flowlint: ignore[dangling-edge] reason",
    '"""',
    "return ",
    "from flows import ",
    "class State(TypedDict):\n    a: int\n",
    "lambda state: ",
    "for x in range(3):\n    ",
)

Change = tuple[int, int, str]
"""From which character to which gives way to what."""


class Typist:
    """Makes one change after the other to a text, of which some take back the one before."""

    def __init__(self, seed: object) -> None:
        self._random = random.Random(str(seed))
        self._undo: list[Change] = []
        self._typing = ""
        self._at = 0
        self._clipboard = ""
        self._ways: tuple[Callable[[str], Change], ...] = (
            self._character,
            self._character,
            self._delete,
            self._delete_line,
            self._type,
            self._type,
            self._type,
            self._paste,
            self._copy_line,
            self._indent,
            self._rename,
            self._undone,
            self._undone,
        )

    def rests(self) -> bool:
        """Whether nothing is typed for a while."""
        return self._random.random() < 0.4

    def pick(self, count: int) -> int:
        """One of so many."""
        return self._random.randrange(count)

    def change(self, text: str) -> Change:
        """What happens to the text next."""
        start, end, new = self._random.choice(self._ways)(text)
        self._undo.append((start, start + len(new), text[start:end]))
        return start, end, new

    def _place(self, text: str) -> int:
        return self._random.randint(0, len(text))

    def _line(self, text: str) -> tuple[int, int]:
        start = text.rfind("\n", 0, self._place(text)) + 1
        end = text.find("\n", start)
        return start, len(text) if end < 0 else end + 1

    def _character(self, text: str) -> Change:
        at = self._place(text)
        return at, at, self._random.choice(_CHARACTERS)

    def _delete(self, text: str) -> Change:
        at = self._place(text)
        end = min(len(text), at + self._random.choice((1, 1, 2, 5, 40)))
        self._clipboard = text[at:end]
        return at, end, ""

    def _delete_line(self, text: str) -> Change:
        start, end = self._line(text)
        self._clipboard = text[start:end]
        return start, end, ""

    def _type(self, text: str) -> Change:
        """Some more letters of what is being typed; now and then something else is begun."""
        if not self._typing or self._random.random() < 0.2 or self._at > len(text):
            self._typing = self._random.choice(_TYPED)
            self._at = self._place(text) if self._random.random() < 0.5 else self._line(text)[0]
        count = self._random.randint(1, 6)
        typed, self._typing = self._typing[:count], self._typing[count:]
        at = self._at
        self._at += len(typed)
        return at, at, typed

    def _paste(self, text: str) -> Change:
        at = self._line(text)[0] if self._random.random() < 0.7 else self._place(text)
        return at, at, self._clipboard or self._random.choice(_TYPED)

    def _copy_line(self, text: str) -> Change:
        start, end = self._line(text)
        return end, end, text[start:end]

    def _indent(self, text: str) -> Change:
        start, end = self._line(text)
        line = text[start:end]
        if line.startswith("    ") and self._random.random() < 0.5:
            return start, start + 4, ""
        return start, start, "    "

    def _rename(self, text: str) -> Change:
        """A letter within a text between quotes."""
        quotes = [at for at, one in enumerate(text) if one == '"']
        if not quotes:
            return self._character(text)
        at = self._random.choice(quotes) + 1
        return at, at, self._random.choice("xyz")

    def _undone(self, text: str) -> Change:
        if not self._undo:
            return self._character(text)
        start, end, old = self._undo.pop()
        return min(start, len(text)), min(end, len(text)), old
