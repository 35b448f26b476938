"""Exact answers about guards: can one be true, do some cover every case, does one win over another.

Each variable's values fall into finitely many cells (see `flowlint.graph.domains`), and trying
every combination decides the question. A read that raises ends the evaluation of the whole list
of guards: such a combination is neither a match nor a case that no guard takes.

Every answer is None where it cannot be told: a guard outside the fragment, or too many
combinations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from math import prod
from typing import Literal

from flowlint.graph.domains import Atom, Cell, Outcome, cells_among, cells_of, outcome
from flowlint.graph.guards import And, Compare, Formula, Member, Not, Or, Truth, Truthy

MAX_COMBINATIONS = 20_000
MAX_ATOMS = 300
MAX_WORK = 2_000_000
MAX_DEPTH = 100

Fate = Literal["taken", "never true", "shadowed", "raises"]
"""What becomes of a guard behind others, in any state whatever: `taken` in some; never true by
itself; `shadowed` where an earlier one is true wherever it is; `raises` where in some of these
states an earlier one raises instead."""

_Row = tuple[Outcome, ...]
_Combination = tuple[_Row, ...]
_Evaluate = Callable[[_Combination], Outcome]


@dataclass(frozen=True, slots=True)
class Witness:
    """A state that shows something: as text, and as one example value for each variable."""

    text: str
    values: tuple[tuple[str, object], ...]


def can_match(formula: Formula | None) -> bool | None:
    """Whether some state makes the guard true."""
    known = _known((formula,))
    return _can_match(_Guards.of(known)) if known else None


def can_match_where(
    formula: Formula, variable: str, admits: Callable[[object], bool], choices: tuple[str, ...]
) -> bool | None:
    """Whether some state makes the guard true where a variable may only be what is admitted.

    `choices` are values that it may have besides those that the guard tells apart.
    """
    known = _known((formula,))
    space = _space(known, (variable, admits, choices)) if known else None
    if space is None:
        return None
    return any(space.evaluators[0](combination) is True for combination in space.all())


def always_matches(formula: Formula | None) -> bool | None:
    """Whether no state makes the guard false."""
    known = _known((formula,))
    return _is_total(_Guards.of(known)) if known else None


def uncovered(formulas: Sequence[Formula | None]) -> Witness | Literal[False] | None:
    """A natural state that passes by all guards, tried in order; False where there is none."""
    known = _known(formulas)
    return None if len(known) < len(formulas) else _uncovered(_Guards.of(known))


def is_total(formulas: Sequence[Formula | None]) -> bool | None:
    """Whether no state whatever passes by all guards. Guards that are unknown count for none."""
    return _is_total(_Guards.of(_known(formulas)))


def fates(formulas: Sequence[Formula | None]) -> tuple[Fate | None, ...] | None:
    """What becomes of each guard when they are tried in order; None for those that are unknown.

    A guard that is unknown never counts as having matched before another.
    """
    known = _known(formulas)
    places = [place for place, formula in enumerate(formulas) if _known((formula,))]
    return _fates(_Guards.of(known), tuple(places), len(formulas))


def overlap(first: Formula | None, second: Formula | None) -> Witness | Literal[False] | None:
    """A natural state that makes both guards true; False where there is none."""
    known = _known((first, second))
    return None if len(known) < 2 else _overlap(_Guards.of(known))


def _known(formulas: Sequence[Formula | None]) -> tuple[Formula, ...]:
    return tuple(formula for formula in formulas if formula is not None and _is_shallow(formula))


def _is_shallow(formula: Formula) -> bool:
    """Whether a formula can be walked recursively."""
    level = [formula]
    for _ in range(MAX_DEPTH):
        following: list[Formula] = []
        for part in level:
            if isinstance(part, Not):
                following.append(part.operand)
            elif isinstance(part, (And, Or)):
                following += part.operands
        if not following:
            return True
        level = following
    return False


@dataclass(frozen=True, slots=True)
class _Guards:
    """Formulas as a key to remember answers by; True and 1 are equal but not the same here."""

    key: str
    formulas: tuple[Formula, ...] = field(compare=False)

    @classmethod
    def of(cls, formulas: tuple[Formula, ...]) -> _Guards:
        return cls(repr(formulas), formulas)


# Guards recur within a flow and from check to check, so the answers are kept.


@lru_cache(maxsize=4096)
def _can_match(guards: _Guards) -> bool | None:
    space = _space(guards.formulas)
    if space is None:
        return None
    return any(space.evaluators[0](combination) is True for combination in space.all())


@lru_cache(maxsize=4096)
def _uncovered(guards: _Guards) -> Witness | Literal[False] | None:
    space = _space(guards.formulas)
    return None if space is None else space.witness_of_all(False)


@lru_cache(maxsize=4096)
def _is_total(guards: _Guards) -> bool | None:
    space = _space(guards.formulas)
    if space is None:
        return None
    return not any(space.are_all(False, combination) for combination in space.all())


@lru_cache(maxsize=4096)
def _fates(guards: _Guards, places: tuple[int, ...], count: int) -> tuple[Fate | None, ...] | None:
    space = _space(guards.formulas)
    if space is None:
        return None
    evaluators: list[_Evaluate | None] = [None] * count
    for place, evaluate in zip(places, space.evaluators, strict=True):
        evaluators[place] = evaluate
    seen = [_Seen() for _ in evaluators]
    for combination in space.all():
        end: Literal["open", "taken", "raises"] = "open"
        for guard, note in zip(evaluators, seen, strict=True):
            note.is_tried |= end == "open"
            result = guard(combination) if guard else False
            if result:
                note.matches_after.add(end)
            if end == "open" and result is not False:
                end = "taken" if result else "raises"
    return tuple(
        note.fate() if guard else (None if note.is_tried else "shadowed")
        for guard, note in zip(evaluators, seen, strict=True)
    )


@dataclass(slots=True)
class _Seen:
    """What was seen of a guard over all combinations."""

    is_tried: bool = False
    matches_after: set[str] = field(default_factory=set)

    def fate(self) -> Fate:
        if "open" in self.matches_after:
            return "taken"
        if "raises" in self.matches_after:
            return "raises"
        return "shadowed" if self.matches_after else "never true"


@lru_cache(maxsize=4096)
def _overlap(guards: _Guards) -> Witness | Literal[False] | None:
    space = _space(guards.formulas)
    return None if space is None else space.witness_of_all(True)


@dataclass(frozen=True, slots=True)
class _Space:
    """All combinations of cells of the variables of some formulas.

    `rows` holds for each variable and cell what the variable's atoms come to there.
    """

    variables: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    rows: tuple[tuple[_Row, ...], ...]
    evaluators: tuple[_Evaluate, ...]

    def all(self) -> Iterator[_Combination]:
        return product(*self.rows)

    def are_all(self, value: bool, combination: _Combination) -> bool:
        """Whether every guard comes to this value."""
        return all(guard(combination) is value for guard in self.evaluators)

    def witness_of_all(self, value: bool) -> Witness | Literal[False]:
        """The first natural combination in which every guard comes to this value."""
        natural = [
            [number for number, cell in enumerate(cells) if cell.natural] for cells in self.cells
        ]
        for choice in product(*natural):
            if self.are_all(value, self._combination(choice)):
                return self._describe(value, choice, natural)
        return False

    def _combination(self, choice: Sequence[int]) -> _Combination:
        return tuple(rows[number] for rows, number in zip(self.rows, choice, strict=True))

    def _describe(self, value: bool, choice: tuple[int, ...], natural: list[list[int]]) -> Witness:
        """The state as text, without the variables that make no difference to it."""
        chosen = [cells[number] for cells, number in zip(self.cells, choice, strict=True)]
        pools = [[number] for number in choice]
        texts = []
        for place, pool in enumerate(pools):
            pools[place] = natural[place]
            others = map(self._combination, product(*pools))
            if not all(self.are_all(value, other) for other in others):
                pools[place] = pool
                texts.append(chosen[place].text)
        values = [(name, cell.value) for name, cell in zip(self.variables, chosen, strict=True)]
        return Witness(" and ".join(texts), tuple(values))


def _space(
    formulas: tuple[Formula, ...],
    narrowed: tuple[str, Callable[[object], bool], tuple[str, ...]] | None = None,
) -> _Space | None:
    atoms: dict[str, dict[str, Atom]] = {}
    for formula in formulas:
        _collect(formula, atoms)
    count = sum(map(len, atoms.values()))
    if count > MAX_ATOMS:
        return None
    variables = tuple(atoms)
    cells = tuple(
        tuple(
            cells_among(list(atoms[name].values()), name, narrowed[1], narrowed[2])
            if narrowed is not None and narrowed[0] == name
            else cells_of(name, list(atoms[name].values()))
        )
        for name in variables
    )
    combinations = prod(map(len, cells))
    if combinations > MAX_COMBINATIONS or combinations * count > MAX_WORK:
        return None
    rows = tuple(
        tuple(tuple(outcome(atom, cell.value) for atom in atoms[name].values()) for cell in own)
        for name, own in zip(variables, cells, strict=True)
    )
    columns = {
        key: (place, column)
        for place, name in enumerate(variables)
        for column, key in enumerate(atoms[name])
    }
    evaluators = tuple(_evaluator(formula, columns) for formula in formulas)
    return _Space(variables, cells, rows, evaluators)


def _collect(formula: Formula, atoms: dict[str, dict[str, Atom]]) -> None:
    """Collect the atoms by variable."""
    if isinstance(formula, (Truthy, Compare, Member)):
        atoms.setdefault(formula.term.variable, {})[repr(formula)] = formula
    elif isinstance(formula, Not):
        _collect(formula.operand, atoms)
    elif isinstance(formula, (And, Or)):
        for part in formula.operands:
            _collect(part, atoms)


def _evaluator(formula: Formula, columns: dict[str, tuple[int, int]]) -> _Evaluate:
    if isinstance(formula, Truth):
        value = formula.value
        return lambda _: value
    if isinstance(formula, Not):
        return _negated(_evaluator(formula.operand, columns))
    if isinstance(formula, (And, Or)):
        parts = [_evaluator(part, columns) for part in formula.operands]
        join = _decided if formula.any_order else _chained
        return join(parts, isinstance(formula, And))
    place, column = columns[repr(formula)]
    return lambda combination: combination[place][column]


def _negated(operand: _Evaluate) -> _Evaluate:
    def evaluate(combination: _Combination) -> Outcome:
        result = operand(combination)
        return None if result is None else not result

    return evaluate


def _chained(operands: list[_Evaluate], going: bool) -> _Evaluate:
    """And goes on while operands are true, Or while they are false."""

    def evaluate(combination: _Combination) -> Outcome:
        for operand in operands:
            result = operand(combination)
            if result is not going:
                return result
        return going

    return evaluate


def _decided(operands: list[_Evaluate], going: bool) -> _Evaluate:
    """And is false where any operand is, Or true, whatever the others come to."""

    def evaluate(combination: _Combination) -> Outcome:
        results = {operand(combination) for operand in operands}
        if (not going) in results:
            return not going
        return None if None in results else going

    return evaluate
