"""The values a guard's variable may have, cut into the few kinds that its guards tell apart.

Every kind is represented by one real Python value and Python itself compares it, so equality of
True and 1, short circuits and raising comparisons are Python's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import inf, isnan, nan
from typing import Protocol, cast

from flowlint.graph.guards import Compare, Constant, Member, Term, Truthy

Atom = Truthy | Compare | Member
Outcome = bool | None
"""What a guard comes to: true, false, or None where evaluating it raises."""

_Number = int | float | Fraction


class _Ordered(Protocol):
    def __lt__(self, other: object, /) -> bool: ...
    def __le__(self, other: object, /) -> bool: ...
    def __gt__(self, other: object, /) -> bool: ...
    def __ge__(self, other: object, /) -> bool: ...


class Missing:
    """Stands for a value that is not there."""


class Opaque:
    """Stands for a value of a type that no guard names: a list, a mapping, an object."""

    def __init__(self, truth: bool) -> None:
        self._truth = truth

    def __bool__(self) -> bool:
        return self._truth


MISSING = Missing()


@dataclass(frozen=True, slots=True)
class Cell:
    """A kind of value: one example, and what all of the kind have in common, as text.

    A cell is natural if a state is likely to hold such a value, going by the constants that the
    guards compare with: a witness is always natural, a proof must hold for the others too.
    """

    value: object
    natural: bool
    text: str


@dataclass(frozen=True, slots=True)
class _Use:
    """How guards use one variable."""

    variable: str
    equals: tuple[Constant, ...]
    orders: tuple[Constant, ...]
    defaults: tuple[Constant, ...]
    truthy: bool
    may_be_missing: bool

    def constants(self) -> tuple[Constant, ...]:
        return (*self.equals, *self.orders, *self.defaults)

    def has(self, kind: type) -> bool:
        return any(type(constant) is kind for constant in self.constants())

    def has_numbers(self) -> bool:
        return self.has(int) or self.has(float)


def outcome(atom: Atom, value: object) -> Outcome:
    """What an atom comes to where its variable has this value (or is `MISSING`)."""
    if isinstance(value, Missing):
        if atom.term.access == "item":
            return None
        value = atom.term.default
    if atom.term.typed:
        return _typed_outcome(atom, value)
    if isinstance(atom, Truthy):
        return bool(value)
    if isinstance(atom, Member):
        return value in atom.constants
    return _compare(value, atom.operator, atom.constant)


def _typed_outcome(atom: Atom, value: object) -> Outcome:
    if isinstance(atom, Truthy):
        return value if isinstance(value, bool) else None
    kind = _kind(value)
    if isinstance(atom, Member):
        return any(_kind(constant) is kind and value == constant for constant in atom.constants)
    is_same = _kind(atom.constant) is kind
    if atom.operator in ("==", "!="):
        return (is_same and value == atom.constant) is (atom.operator == "==")
    is_ordered = is_same and value == value  # noqa: PLR0124 - what is no number equals nothing
    return _compare(value, atom.operator, atom.constant) if is_ordered else None


def _kind(value: object) -> type:
    """What values are compared as where types count: all numbers alike."""
    is_number = isinstance(value, int | float | Fraction) and not isinstance(value, bool)
    return Fraction if is_number else type(value)


def _compare(value: object, sign: str, constant: Constant) -> Outcome:
    if sign in ("==", "!="):
        return (value == constant) is (sign == "==")
    if sign in ("is", "is not"):
        return (value is constant) is (sign == "is")
    try:
        return _is_ordered(cast(_Ordered, value), sign, constant)
    except TypeError:
        return None


def _is_ordered(value: _Ordered, sign: str, constant: Constant) -> bool:
    if sign == "<":
        return value < constant
    if sign == "<=":
        return value <= constant
    if sign == ">":
        return value > constant
    return value >= constant


def cells_of(variable: str, atoms: Sequence[Atom]) -> list[Cell]:
    """The kinds of values of a variable that these atoms tell apart, likeliest first."""
    use = _use(variable, atoms)
    merged: dict[tuple[Outcome, ...], Cell] = {}
    for cell in _candidates(use, atoms):
        signature = tuple(outcome(atom, cell.value) for atom in atoms)
        known = merged.get(signature)
        if known is None or (cell.natural and not known.natural):
            merged[signature] = cell
    return list(merged.values())


def cells_among(
    atoms: Sequence[Atom], variable: str, admits: Callable[[object], bool], choices: Iterable[str]
) -> list[Cell]:
    """The kinds of those values that are admitted; `choices` are values besides."""
    given = [Cell(choice, True, f"{variable} == {choice!r}") for choice in choices]
    cells = [*given, *_candidates(_use(variable, atoms), atoms)]
    return [cell for cell in cells if admits(cell.value)]


def _use(variable: str, atoms: Sequence[Atom]) -> _Use:
    equals: list[Constant] = []
    orders: list[Constant] = []
    terms: list[Term] = []
    truthy = False
    for atom in atoms:
        terms.append(atom.term)
        if isinstance(atom, Truthy):
            truthy = True
        elif isinstance(atom, Member):
            equals += atom.constants
        elif atom.operator in ("<", "<=", ">", ">="):
            orders.append(atom.constant)
        else:
            equals.append(atom.constant)
    gets = [term.default for term in terms if term.access == "get"]
    return _Use(
        variable,
        _distinct(equals),
        _distinct(orders),
        tuple(default for default in gets if default is not None),
        truthy,
        bool(gets),
    )


def _distinct(constants: Iterable[Constant]) -> tuple[Constant, ...]:
    return tuple({(type(constant), constant): constant for constant in constants}.values())


def _candidates(use: _Use, atoms: Sequence[Atom]) -> list[Cell]:
    cells = [*_number_cells(use, atoms), *_string_cells(use)]
    is_typed = use.has_numbers() or use.has(str) or use.has(bool)
    cells += [Cell(truth, use.has(bool), f"{use.variable} is {truth}") for truth in (True, False)]
    cells.append(Cell(None, None in use.equals, f"{use.variable} is None"))
    if not is_typed:
        cells += _untyped_cells(use)
    cells.append(Cell(MISSING, use.may_be_missing, f"{use.variable} is missing"))
    for value in (0, 1, 2, -1, nan, "", "?", Opaque(True), Opaque(False)):
        cells.append(Cell(value, False, f"{use.variable} == {value!r}"))
    return cells


def _untyped_cells(use: _Use) -> list[Cell]:
    """For a variable of which only the truth, or being None, is asked."""
    if not use.truthy:
        return [Cell(Opaque(True), True, f"{use.variable} is not None")]
    other = " but not None" if None in use.equals else ""
    return [
        Cell(Opaque(False), True, f"{use.variable} is falsy{other}"),
        Cell(Opaque(True), True, f"{use.variable} is truthy"),
    ]


def _string_cells(use: _Use) -> list[Cell]:
    if not use.has(str):
        return []
    name = use.variable
    points = [text for text in (*use.equals, *use.orders) if isinstance(text, str)]
    cells = [Cell(point, True, f"{name} == {point!r}") for point in points]
    ordered = sorted({text for text in use.orders if isinstance(text, str)})
    if ordered:
        ordered = sorted(set(points))
        cells.append(Cell("", True, f"{name} < {ordered[0]!r}"))
        for low, high in zip(ordered, [*ordered[1:], None], strict=True):
            upper = "" if high is None else f" and {name} < {high!r}"
            cells.append(Cell(low + "\0", True, f"{name} > {low!r}{upper}"))
        return cells
    other = "?"
    while other in points:
        other += "?"
    cells.append(Cell(other, True, _none_of(use)))
    if use.truthy:
        cells.append(Cell("", True, f"{name} == ''"))
    return cells


def _none_of(use: _Use) -> str:
    constants = [repr(constant) for constant in use.equals]
    if not constants:
        return f"{use.variable} is truthy"
    if use.truthy:
        constants.append("empty" if use.has(str) else "0")
    if len(constants) == 1:
        return f"{use.variable} is not {constants[0]}"
    if len(constants) == 2:
        return f"{use.variable} is neither {constants[0]} nor {constants[1]}"
    return f"{use.variable} is none of {', '.join(constants)}"


def _number_cells(use: _Use, atoms: Sequence[Atom]) -> list[Cell]:
    points = _points(use)
    if not use.has_numbers() and not points:
        return []
    if not points or not any(isinstance(constant, (int, float)) for constant in use.orders):
        cells = [Cell(point, True, f"{use.variable} == {point!r}") for point in points]
        cells.append(Cell(_above(points[-1]) if points else 1, True, _none_of(use)))
        return cells
    return _runs(use.variable, _line(use, points), atoms)


def _points(use: _Use) -> list[_Number]:
    points: set[_Number] = {0} if use.truthy and use.has_numbers() else set()
    for constant in (*use.equals, *use.orders):
        if isinstance(constant, bool):
            if constant in use.orders:
                points.add(int(constant))
        elif isinstance(constant, int) or (isinstance(constant, float) and not isnan(constant)):
            points.add(constant)
    return sorted(points)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A point of the number line, or the open interval between two."""

    value: _Number
    natural: bool
    low: _Number | None
    high: _Number | None

    @property
    def is_point(self) -> bool:
        return self.low is not None and self.low == self.high


def _line(use: _Use, points: list[_Number]) -> list[_Stretch]:
    numbers = [
        constant
        for constant in use.constants()
        if isinstance(constant, (int, float)) and not isinstance(constant, bool)
    ]
    whole = all(isinstance(number, int) for number in numbers)
    signed = any(number < 0 for number in numbers)
    # Constants such as 0.8 that go up to just 1 speak of shares, which never exceed 1.
    is_share = not whole and points[-1] == 1 and not signed
    line: list[_Stretch] = []
    if points[0] != -inf:
        below = _below(points[0], whole, signed)
        line.append(_Stretch(below, signed or points[0] > 0, None, points[0]))
    for low, high in pairwise(points):
        line.append(_Stretch(low, True, low, low))
        middle = _between(low, high)
        is_natural = not whole or isinstance(middle, int)
        line.append(_Stretch(middle, is_natural, low, high))
    line.append(_Stretch(points[-1], True, points[-1], points[-1]))
    if points[-1] != inf:
        line.append(_Stretch(_above(points[-1]), not is_share, points[-1], None))
    return line


def _runs(name: str, line: list[_Stretch], atoms: Sequence[Atom]) -> list[Cell]:
    """Neighbours that no atom tells apart become one cell."""
    runs: list[list[_Stretch]] = []
    last: tuple[Outcome, ...] | None = None
    for stretch in line:
        signature = tuple(outcome(atom, stretch.value) for atom in atoms)
        if signature == last:
            runs[-1].append(stretch)
        else:
            runs.append([stretch])
        last = signature
    return [_run_cell(name, run) for run in runs]


def _run_cell(name: str, run: list[_Stretch]) -> Cell:
    natural = [stretch for stretch in run if stretch.natural]
    first, last = (natural or run)[0], (natural or run)[-1]
    chosen = next((part for part in natural if not part.is_point), first)
    if first.is_point and last.is_point and first.low == last.low:
        return Cell(chosen.value, bool(natural), f"{name} == {first.low!r}")
    return Cell(chosen.value, bool(natural), _range_text(name, first, last))


def _range_text(name: str, first: _Stretch, last: _Stretch) -> str:
    above = "<=" if first.is_point else "<"
    below = "<=" if last.is_point else "<"
    if first.low is None:
        return f"{name} is a number" if last.high is None else f"{name} {below} {last.high!r}"
    if last.high is None:
        return f"{name} {above.replace('<', '>')} {first.low!r}"
    return f"{first.low!r} {above} {name} {below} {last.high!r}"


def _below(point: _Number, whole: bool, signed: bool) -> _Number:
    if signed or point <= 0:
        return point - 1 if point - 1 < point else -inf
    return point - 1 if whole and point >= 1 else _between(0, point)


def _above(point: _Number) -> _Number:
    return point + 1 if point + 1 > point else inf


def _between(low: _Number, high: _Number) -> _Number:
    if low == -inf:
        return 0 if high == inf else (high - 1 if high - 1 < high else Fraction(high) - 1)
    if high == inf:
        return low + 1 if low + 1 > low else Fraction(low) + 1
    middle = (Fraction(low) + Fraction(high)) / 2
    if (whole := middle.__floor__()) > low:
        return whole
    return middle
