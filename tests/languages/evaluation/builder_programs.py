"""Random small programs that build flows, made together with the flow that each outcome builds.

A program is a tree of statements. Its text is rendered, and for every choice of outcomes of its
unknown tests the graph that Python would build is worked out beside it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from hypothesis import strategies as st

NAMES = ("a", "b", "c", "d", "e")
ENDS = (*NAMES, "__end__")
MAX_UNKNOWN = 3

FINISH = "return builder.compile()"

HEADER = """\
import os

from langgraph.graph import END, START, StateGraph

YES, NO = True, False
COUNT = 2


def step(state):
    return {}


def route(state):
    return "x"


def same(name):
    return name


def add_node(builder, name):
    builder.add_node(name, step)


def link(builder, source, target="__end__"):
    builder.add_edge(source, target)


class Names:
    def __init__(self, name):
        self.name = name

    @property
    def full(self):
        return self.name


builder = StateGraph(dict)
"""


@dataclass(frozen=True)
class Graph:
    """What a builder holds in the end."""

    nodes: frozenset[str]
    edges: frozenset[tuple[str, str]]
    joins: frozenset[tuple[frozenset[str], str]]
    cases: frozenset[tuple[str, str]]


@dataclass
class Building:
    """A graph in the making, under known outcomes of the unknown tests."""

    outcomes: dict[int, bool]
    nodes: set[str] = field(default_factory=set)
    edges: set[tuple[str, str]] = field(default_factory=set)
    joins: set[tuple[frozenset[str], str]] = field(default_factory=set)
    cases: set[tuple[str, str]] = field(default_factory=set)

    def graph(self) -> Graph:
        """The graph as it is now."""
        parts = (self.nodes, self.edges, self.joins, self.cases)
        return Graph(*(frozenset(part) for part in parts))  # type: ignore[arg-type]


class BreakError(Exception):
    """`break` leaves the loop."""


class ContinueError(Exception):
    """`continue` leaves the round."""


class ReturnError(Exception):
    """`return` leaves the function."""


class Statement:
    """One statement of a program."""

    def lines(self) -> Iterator[str]:
        """Its text."""
        raise NotImplementedError

    def build(self, to: Building) -> None:
        """What it does. Raises one of the errors above where it leaves more than itself."""
        raise NotImplementedError


@dataclass
class Do(Statement):
    """One call, or several, written in one of many ways."""

    text: str
    nodes: tuple[str, ...] = ()
    edges: tuple[tuple[str, str], ...] = ()
    join: tuple[frozenset[str], str] | None = None
    cases: tuple[tuple[str, str], ...] = ()

    def lines(self) -> Iterator[str]:
        yield from self.text.splitlines()

    def build(self, to: Building) -> None:
        to.nodes.update(self.nodes)
        to.edges.update(self.edges)
        to.cases.update(self.cases)
        if self.join is not None:
            to.joins.add(self.join)


@dataclass
class Branch(Statement):
    """An `if` on a test that is known (`outcome`) or unknown (`number`)."""

    test: str
    outcome: bool | None
    number: int | None
    then: list[Statement]
    other: list[Statement]

    def lines(self) -> Iterator[str]:
        yield f"if {self.test}:"
        yield from indented(self.then)
        if self.other:
            yield "else:"
            yield from indented(self.other)

    def build(self, to: Building) -> None:
        outcome = self.outcome
        if outcome is None:
            assert self.number is not None
            outcome = to.outcomes[self.number]
        for statement in self.then if outcome else self.other:
            statement.build(to)


@dataclass
class Leave(Statement):
    """`break`, `continue` or `return` under a test."""

    inner: Branch
    how: str = "break"

    def lines(self) -> Iterator[str]:
        yield f"if {self.inner.test}:"
        yield f"    {self.how}"

    def build(self, to: Building) -> None:
        outcome = self.inner.outcome
        if outcome is None:
            assert self.inner.number is not None
            outcome = to.outcomes[self.inner.number]
        if outcome:
            raise {"break": BreakError, "continue": ContinueError}.get(self.how, ReturnError)


@dataclass
class Repeat(Statement):
    """A loop of known length; `bodies` are its rounds, all of one text."""

    head: str
    text: list[str]
    bodies: list[list[Statement]]

    def lines(self) -> Iterator[str]:
        yield from self.head.splitlines()
        yield from (f"    {line}" for line in self.text)

    def build(self, to: Building) -> None:
        for body in self.bodies:
            try:
                for statement in body:
                    statement.build(to)
            except ContinueError:
                continue
            except BreakError:
                return


def indented(body: list[Statement]) -> Iterator[str]:
    for statement in body:
        for line in statement.lines():
            yield f"    {line}"
    if not body:
        yield "    pass"


@dataclass
class Program:
    """A program and how many unknown tests it asks."""

    body: list[Statement]
    unknown: int
    in_function: bool

    def text(self) -> str:
        """The whole module."""
        finish = FINISH if self.in_function else "graph = builder.compile()"
        lines = [*(line for statement in self.body for line in statement.lines()), finish]
        if self.in_function:
            lines = ["def build():", *(f"    {line}" for line in lines), "", "graph = build()"]
        return HEADER + "\n".join(lines) + "\n"

    def graphs(self) -> list[Graph]:
        """The graph for each choice of outcomes of the unknown tests."""
        found: list[Graph] = []
        for chosen in itertools.product((True, False), repeat=self.unknown):
            to = Building(dict(enumerate(chosen)))
            with suppress(ReturnError):
                for statement in self.body:
                    statement.build(to)
            found.append(to.graph())
        return found


def written(name: str, way: int, fresh: str) -> tuple[str, str]:
    """Statements that prepare a name, and the expression that then gives it."""
    ways = [
        ("", repr(name)),
        (f"{fresh} = {name!r}\n", fresh),
        ("", f'f"{{{name[:1]!r}}}{name[1:]}"'),
        ("", f"same({name!r})"),
        (f"{fresh} = [{name!r}, 'x']\n", f"{fresh}[0]"),
        (f"{fresh} = {{'k': {name!r}}}\n", f"{fresh}['k']"),
        ("", f"Names({name!r}).full"),
        ("", f"{name[:1]!r} + {name[1:]!r}"),
        ("", f"({name!r} if YES else 'x')"),
        ("", f"'x{name}'.removeprefix('x')"),
    ]
    return ways[way % len(ways)]


@st.composite
def programs(draw: st.DrawFn, *, unknown: bool) -> Program:
    """Programs that build one flow, with tests on unknown values if asked for."""
    counter = itertools.count()
    in_function = draw(st.booleans())
    tests: list[int] = []
    added: set[str] = set()

    def name(choices: tuple[str, ...]) -> tuple[str, str, str]:
        chosen = draw(st.sampled_from(choices))
        before, text = written(chosen, draw(st.integers(0, 9)), f"n{next(counter)}")
        return chosen, before, text

    def test() -> tuple[str, bool | None, int | None]:
        if unknown and len(tests) < MAX_UNKNOWN and draw(st.booleans()):
            number = len(tests)
            tests.append(number)
            return f'os.getenv("T{number}")', None, number
        if unknown and tests and draw(st.booleans()):
            number = draw(st.sampled_from(tests))
            return f'os.getenv("T{number}")', None, number
        outcome = draw(st.booleans())
        known = [("YES", True), ("NO", False), ("not NO", True), ("COUNT > 5", False)]
        known += [("COUNT == 2 and YES", True), ("NO or COUNT != 2", False)]
        text = draw(st.sampled_from([text for text, value in known if value is outcome]))
        return text, outcome, None

    def node() -> Statement:
        chosen, before, text = name(NAMES)
        # A name that is there already would raise, so such a node is added only once.
        if chosen in added:
            return edge()
        added.add(chosen)
        call = draw(
            st.sampled_from([f"builder.add_node({text}, step)", f"add_node(builder, {text})"])
        )
        return Do(before + call, nodes=(chosen,))

    def edge() -> Statement:
        source, before, first = name(("__start__", *NAMES))
        target, more, second = name(ENDS)
        calls = [
            f"builder.add_edge({first}, {second})",
            f"link(builder, {first}, {second})",
            f"builder.add_edge(end_key={second}, start_key={first})",
        ]
        return Do(before + more + draw(st.sampled_from(calls)), edges=((source, target),))

    def conditional() -> Statement:
        source, before, text = name(NAMES)
        targets = draw(st.lists(st.sampled_from(ENDS), min_size=1, max_size=3, unique=True))
        number = next(counter)
        router = f"r{number}"
        maps = [
            repr({target: target for target in targets}),
            repr(targets),
            f"{{t: t for t in {targets!r}}}",
            f"dict(zip({targets!r}, {targets!r}))",
        ]
        call = f"builder.add_conditional_edges({text}, {router}, {draw(st.sampled_from(maps))})"
        define = f"def {router}(state):\n    return 'x'\n"
        return Do(before + define + call, cases=tuple((source, target) for target in targets))

    def join() -> Statement:
        sources = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True))
        target = draw(st.sampled_from(ENDS))
        call = f"builder.add_edge({sources!r}, {target!r})"
        return Do(call, join=(frozenset(sources), target))

    def loop(depth: int) -> Statement:
        values = draw(st.lists(st.sampled_from(NAMES), min_size=0, max_size=3, unique=True))
        target = draw(st.sampled_from(ENDS))
        variable, place = f"v{next(counter)}", f"i{next(counter)}"
        heads = [
            f"for {variable} in {values!r}:",
            f"for {variable} in tuple({values!r}):",
            f"for {place}, {variable} in enumerate({values!r}):",
            f"for {variable} in dict.fromkeys({values!r}):",
            f"for {variable}, _ in {[(value, 0) for value in values]!r}:",
            f"for {variable} in [x for x in {[*values, 'z']!r} if x != 'z']:",
            f"for {place} in range(len({values!r})):\n    {variable} = {values!r}[{place}]",
            f"{place} = {values!r}\nwhile {place}:\n    {variable} = {place}.pop(0)",
        ]
        head = draw(st.sampled_from(heads))
        leave: Statement | None = None
        if draw(st.booleans()):
            text, outcome, number = test()
            how = draw(st.sampled_from(["break", "continue", *([FINISH] if in_function else [])]))
            leave = Leave(Branch(text, outcome, number, [], []), how)
        link_to = f"builder.add_edge({variable}, {target!r})"
        extra = block(depth - 1) if depth > 0 else []
        before_leaving = draw(st.booleans())
        lines: list[str] = []
        bodies: list[list[Statement]] = []
        own: list[Statement] = []
        if leave is not None and before_leaving:
            own.append(leave)
        mark = len(own)
        own += extra
        if leave is not None and not before_leaving:
            own.append(leave)
        for value in values:
            body: list[Statement] = list(own)
            body.insert(mark, Do(link_to, edges=((value, target),)))
            bodies.append(body)
        shape: list[Statement] = list(own)
        shape.insert(mark, Do(link_to))
        for statement in shape:
            lines += statement.lines()
        return Repeat(head, lines, bodies)

    def block(depth: int) -> list[Statement]:
        """Statements that may run any number of times, so none of them adds a node."""
        return [statement(depth, nodes=False) for _ in range(draw(st.integers(0, 2)))]

    def statement(depth: int, *, nodes: bool) -> Statement:
        kinds = ["edge", "join", *(["node", "node", "conditional"] if nodes else [])]
        kinds += ["loop", "if", "if"] if depth > 0 else []
        kinds += ["leave"] if in_function else []
        kind = draw(st.sampled_from(kinds))
        if kind == "node":
            return node()
        if kind == "conditional":
            return conditional()
        if kind == "leave":
            text, outcome, number = test()
            return Leave(Branch(text, outcome, number, [], []), FINISH)
        if kind == "join":
            return join()
        if kind == "loop":
            return loop(depth - 1)
        if kind == "if":
            text, outcome, number = test()
            then = [statement(depth - 1, nodes=nodes) for _ in range(draw(st.integers(0, 2)))]
            other = [statement(depth - 1, nodes=nodes) for _ in range(draw(st.integers(0, 2)))]
            return Branch(text, outcome, number, then, other)
        return edge()

    body = [statement(2, nodes=True) for _ in range(draw(st.integers(1, 6)))]
    return Program(body, len(tests), in_function)
