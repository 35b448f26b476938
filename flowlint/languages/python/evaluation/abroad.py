"""Code that has nothing to do with flows: followed for a while, and no further.

What a call there gives may still matter, as a list of names does, and then it is given soon. Most
of what is far away only makes clients and reads settings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from flowlint.languages.python.evaluation.machine import Machine, TooMuchWorkError, Travel
from flowlint.languages.python.reading import ParsedModule

FEWEST_STEPS = 600
"""Syntax nodes evaluated abroad for one file, beside one for each few of its characters."""

CHARACTERS = 16

_MADE = re.compile(r"\s*[\[(]|\s+as\b")
_GIVEN = re.compile(r"\s*[,)]")
_CALLED = re.compile(r"\s*\(")

T = TypeVar("T")


def is_abroad(machine: Machine, module: ParsedModule) -> bool:
    """Whether a module other than the file itself speaks of no flows, nor of building them."""
    travel = machine.travel
    found = travel.known.get(id(module))
    if found is None:
        home = travel.home
        is_other = home is not None and module.path != home.path
        found = is_other and not _builds(travel, module.text)
        travel.known[id(module)] = found
    return found


def _builds(travel: Travel, text: str) -> bool:
    """Whether a text makes, hands on or renames what builds flows, or adds to it.

    Each word is looked for by itself, which is much faster than a pattern of all of them.
    """
    return any(
        (_MADE.match(text, end) and not _is_inside_word(text, start))
        or (_GIVEN.match(text, end) and _is_handed_on(text, start))
        for name in travel.types
        for start, end in _places(text, name)
    ) or any(
        _CALLED.match(text, end) for name in travel.methods for _, end in _places(text, f".{name}")
    )


def _places(text: str, word: str) -> Iterator[tuple[int, int]]:
    start = text.find(word)
    while start >= 0:
        yield start, start + len(word)
        start = text.find(word, start + 1)


def _is_inside_word(text: str, start: int) -> bool:
    return start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_")


def _is_handed_on(text: str, start: int) -> bool:
    """Whether what is before a word begins an argument, or gives it a name."""
    while start > 0 and text[start - 1].isspace():
        start -= 1
    return start > 0 and text[start - 1] in "(,="


def follow(
    machine: Machine, module: ParsedModule, act: Callable[[], T], give_up: Callable[[int], T]
) -> T:
    """Do some evaluation of a module's code; abroad it ends at a limit of its own.

    `give_up` is then asked instead, and told how many flows there were before.
    """
    travel = machine.travel
    if is_abroad(machine, module) == travel.is_away:
        return act()
    if travel.is_away:
        return _at_home(machine, act)
    assert travel.home is not None
    allowed = max(FEWEST_STEPS + len(travel.home.text) // CHARACTERS - travel.spent, 0)
    if machine.steps <= allowed:
        return act()
    travel.spared, machine.steps, travel.is_away = machine.steps - allowed, allowed, True
    depth, mark, made = len(machine.frames), machine.mark(), len(machine.built)
    try:
        return act()
    except (TooMuchWorkError, RecursionError):
        if travel.spared <= 0:
            raise
        del machine.frames[depth:]
        machine.restore(mark)
        return give_up(made)
    finally:
        left = max(machine.steps, 0)
        travel.spent += allowed - left
        machine.steps, travel.spared, travel.is_away = left + travel.spared, 0, False


def _at_home(machine: Machine, act: Callable[[], T]) -> T:
    """What is called back from abroad into code about flows is followed in full."""
    travel, left = machine.travel, machine.steps
    machine.steps, travel.spared, travel.is_away = left + travel.spared, 0, False
    try:
        return act()
    finally:
        machine.steps, travel.spared, travel.is_away = left, machine.steps - left, True
