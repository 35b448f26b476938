"""The state of a graph: which keys it has, and what becomes of two values for one of them.

Each program is read, and where langgraph can be imported (see `langgraph_parity`), the real one is
asked too.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from langgraph_parity import record, state_difference

from flowlint.graph.code import StateSchema
from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

IMPORTS = """
import operator
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, ClassVar, Generic, NamedTuple, Optional, TypedDict, TypeVar

from langgraph.channels import EphemeralValue, LastValue, Topic, UntrackedValue
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.message import add_messages
from langgraph.managed import IsLastStep, RemainingSteps
from pydantic import BaseModel, Field
from typing_extensions import NotRequired, ReadOnly, Required
"""


@dataclass(frozen=True)
class Program:
    """A program and the state of the one graph it builds, as `key: kind` words.

    `more` is a part of why there may be other keys, None: it has only these.
    """

    title: str
    code: str
    keys: str
    more: str | None = None
    files: dict[str, str] = field(default_factory=dict)
    future: bool = False
    runs: bool = True

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in self.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(textwrap.dedent(text))
        first = "from __future__ import annotations\n" if self.future else ""
        (folder / "flow.py").write_text(first + IMPORTS + textwrap.dedent(self.code))


PROGRAMS = [
    Program(
        "a TypedDict",
        """
        class State(TypedDict, total=False):
            text: str
            texts: Annotated[list, operator.add]

        graph = StateGraph(State)
        """,
        "text: last, texts: reducer",
    ),
    Program(
        "what counts as a reducer",
        """
        def joined(old, new):
            return old

        def logged(old, new, *more, level=1):
            return old

        Alias = Annotated[list, operator.add]

        class State(TypedDict):
            documented: Annotated[str, "what it is"]
            first: Annotated[list, operator.add, "all of them"]
            last: Annotated[list, "all of them", operator.add]
            nested: Annotated[Annotated[list, operator.add], "all of them"]
            own: Annotated[list, joined]
            keyword: Annotated[list, logged]
            short: Annotated[dict, lambda old, new: {**old, **new}]
            given: Annotated[list, partial(add_messages, format="langchain-openai")]
            checked: Annotated[int, Field(gt=1)]
            called: Alias
            maybe: Optional[Annotated[list, operator.add]]
            several: list[Annotated[list, operator.add]]

        graph = StateGraph(State)
        """,
        "documented: last, first: last, last: reducer, nested: last, own: reducer, "
        "keyword: reducer, short: reducer, given: reducer, checked: last, called: reducer, "
        "maybe: last, several: last",
    ),
    Program(
        "required or not",
        """
        class State(TypedDict):
            inside: NotRequired[Annotated[list, operator.add]]
            outside: Annotated[NotRequired[list], operator.add]
            must: Required[Annotated[list, add_messages]]
            readable: ReadOnly[Annotated[list, operator.add]]

        graph = StateGraph(State)
        """,
        "inside: reducer, outside: reducer, must: reducer, readable: last",
    ),
    Program(
        "channels and what the system gives",
        """
        class State(TypedDict):
            once: Annotated[int, EphemeralValue]
            wins: Annotated[int, UntrackedValue, operator.add]
            topic: Annotated[str, Topic(str)]
            stated: Annotated[int, LastValue(int)]
            steps: RemainingSteps
            final: NotRequired[IsLastStep]
            found: Optional[RemainingSteps]

        graph = StateGraph(State)
        """,
        "once: other, wins: other, topic: other, stated: last, steps: managed, final: managed, "
        "found: managed",
    ),
    Program(
        "types written as texts",
        """
        class State(TypedDict):
            whole: "Annotated[list, operator.add]"
            part: NotRequired["Annotated[list, operator.add]"]
            note: Annotated["list", "operator.add"]

        graph = StateGraph(State)
        """,
        "whole: reducer, part: reducer, note: last",
    ),
    Program(
        "annotations that wait",
        """
        class State(TypedDict):
            texts: Annotated[list, operator.add]
            later: Later

        Later = Annotated[list, operator.add]
        graph = StateGraph(State)
        """,
        "texts: reducer, later: reducer",
        future=True,
    ),
    Program(
        "the functional syntax",
        """
        State = TypedDict(
            "State", {"text": str, "a-b": Annotated[list, operator.add]}, total=False
        )
        graph = StateGraph(State)
        """,
        "text: last, a-b: reducer",
    ),
    Program(
        "inherited keys, some of them declared anew",
        """
        class Base(TypedDict):
            text: str
            texts: Annotated[list, operator.add]

        class Other(TypedDict):
            other: int

        class State(Base, Other):
            text: Annotated[str, operator.add]

        graph = StateGraph(State)
        """,
        "text: reducer, texts: reducer, other: last",
    ),
    Program(
        "dataclasses and models",
        """
        class Base(BaseModel):
            base: int

        class Model(Base):
            text: str = Field(default="")
            texts: Annotated[list, operator.add] = []
            shared: ClassVar[int] = 1
            _own: int = 2

        @dataclass(kw_only=True)
        class Record:
            record: int
            records: Annotated[list, operator.add] = field(default_factory=list)

        graph = StateGraph(Model, output_schema=Record)
        """,
        "base: last, text: last, texts: reducer, shared: last, _own: last, record: last, "
        "records: reducer",
    ),
    Program(
        "plain classes and named tuples",
        """
        class Place(NamedTuple):
            x: int

        class Plain:
            __slots__ = ("y",)
            y: Annotated[list, operator.add]
            z = 3

        class Nothing(dict):
            pass

        graph = StateGraph(Place, input_schema=Plain, output_schema=Nothing)
        """,
        "x: last, y: reducer",
    ),
    Program(
        "generic types",
        """
        T = TypeVar("T")

        class Base(TypedDict, Generic[T]):
            base: T

        class State(Base[int]):
            text: str

        class Model(BaseModel, Generic[T]):
            model: T

        graph = StateGraph(State, output_schema=Model[int])
        """,
        "base: last, text: last, model: last",
    ),
    Program(
        "a type without keys is the whole state",
        """
        graph = StateGraph(dict)
        """,
        "__root__: last",
    ),
    Program(
        "a whole state with a reducer",
        """
        graph = StateGraph(Annotated[list, operator.add])
        """,
        "__root__: reducer",
    ),
    Program(
        "a whole state with arguments",
        """
        graph = StateGraph(dict[str, Any])
        """,
        "__root__: last",
    ),
    Program(
        "a generic TypedDict with arguments is one too",
        """
        T = TypeVar("T")

        class State(TypedDict, Generic[T]):
            text: T

        graph = StateGraph(State[int])
        """,
        "__root__: last",
    ),
    Program(
        "states that LangGraph brings",
        """
        from langgraph.prebuilt.chat_agent_executor import AgentState

        class State(AgentState):
            text: str

        graph = StateGraph(State, input_schema=MessagesState)
        """,
        "messages: reducer, remaining_steps: managed, text: last",
    ),
    Program(
        "the first schema that names a key says what it is",
        """
        class State(TypedDict):
            texts: Annotated[list, operator.add]

        class Answer(TypedDict):
            texts: list
            answer: str

        graph = StateGraph(State, output_schema=Answer)
        """,
        "texts: reducer, answer: last",
    ),
    Program(
        "what nodes and routers take",
        """
        class State(TypedDict):
            text: str

        class Private(TypedDict):
            private: str

        class Routed(TypedDict):
            routed: Annotated[list, operator.add]

        class Given(TypedDict):
            given: str

        class Called(TypedDict):
            called: str

        class Bound(TypedDict):
            bound: str

        class Returned(TypedDict):
            returned: str

        class Unread(TypedDict):
            unread: str

        def node(state: Private) -> Returned:
            return {"returned": ""}

        def route(state: Routed):
            return END

        def given(state: Unread):
            return None

        def maybe(state: Optional[Unread]):
            return None

        def second(state, config: Unread):
            return None

        def bare(state: dict):
            return None

        class Node:
            def __call__(self, state: Called):
                return None

            def method(self, state: Bound):
                return None

            def unbound(self, state: Unread):
                return None

        def with_more(more, state: Unread):
            return None

        graph = StateGraph(State)
        graph.add_node("node", node)
        graph.add_node("given", given, input_schema=Given)
        graph.add_node("called", Node())
        graph.add_node("bound", Node().method)
        graph.add_node("unbound", Node.unbound)
        graph.add_node("partial", partial(with_more, 1))
        graph.add_node("lambda", lambda state: None)
        graph.add_sequence([maybe, ("second", second), bare])
        graph.add_edge(START, "node")
        graph.add_conditional_edges("node", route)
        """,
        "text: last, private: last, given: last, called: last, bound: last, routed: reducer",
    ),
    Program(
        "an annotation that does not resolve adds nothing",
        """
        def build():
            class State(TypedDict):
                text: str

            class Private(TypedDict):
                private: str

            def node(state: "Private"):
                return None

            graph = StateGraph(State)
            graph.add_node(node)
            graph.add_edge(START, "node")
            return graph.compile()
        """,
        "text: last",
    ),
    Program(
        "a name that means something else later",
        """
        class State(TypedDict):
            old: str

        def node(state: State):
            return None

        class State(TypedDict):
            new: str

        graph = StateGraph(State)
        graph.add_node(node)
        """,
        "new: last, old: last",
    ),
    Program(
        "schemas of other modules",
        """
        from shared.schemas import State as Shared
        import shared.schemas as schemas

        graph = StateGraph(Shared, output_schema=schemas.Answer)
        """,
        "texts: reducer, answer: last",
        files={
            "shared/__init__.py": "",
            "shared/schemas.py": """
                from typing import Annotated, TypedDict

                from .reducers import append

                class State(TypedDict):
                    texts: Annotated[list, append]

                class Answer(TypedDict):
                    answer: str
                """,
            "shared/reducers.py": """
                def append(old, new):
                    return old + new
                """,
        },
    ),
    Program(
        "a base out of sight",
        """
        from elsewhere import Base

        class State(Base):
            text: str
            texts: Annotated[list, operator.add]

        class Answer(TypedDict):
            answer: str

        graph = StateGraph(State, output_schema=Answer)
        """,
        "text: last, texts: reducer, answer: other",
        more="`Base` of `elsewhere`",
        runs=False,
    ),
    Program(
        "types out of sight may be shorthands",
        """
        from elsewhere import Kept, Table, kept

        class State(TypedDict):
            table: Table
            kept: Annotated[list, kept]
            noted: Annotated[list, Kept(), operator.add]

        graph = StateGraph(State)
        """,
        "table: other, kept: other, noted: other",
        runs=False,
    ),
    Program(
        "a node out of sight",
        """
        from elsewhere import node

        class State(TypedDict):
            text: str

        graph = StateGraph(State)
        graph.add_node("node", node)
        """,
        "text: last",
        more="`elsewhere.node`",
        runs=False,
    ),
    Program(
        "fields under a condition",
        """
        class State:
            text: str
            if END:
                more: str

        graph = StateGraph(State)
        """,
        "text: last",
        more="under a condition",
    ),
    Program(
        "what is added after compile() is in no graph",
        """
        class State(TypedDict):
            text: str

        class Late(TypedDict):
            late: str

        def node(state: State):
            return None

        def late(state: Late):
            return None

        graph = StateGraph(State)
        graph.add_node(node)
        graph.add_edge(START, "node")
        graph.compile()
        graph.add_node(late)
        """,
        "text: last",
        runs=False,
    ),
]


def read(program: Program, folder: Path, monkeypatch: pytest.MonkeyPatch) -> StateSchema:
    program.write(folder)
    monkeypatch.chdir(folder)
    (graph,) = analyse_file("flow.py", ProjectFiles(), str(folder)).graphs
    assert graph.state is not None
    return graph.state


def told(state: StateSchema) -> str:
    return ", ".join(f"{key}: {channel.kind}" for key, channel in state.channels.items())


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.title)
def test_keys(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = read(program, tmp_path, monkeypatch)
    assert sorted(told(state).split(", ")) == sorted(program.keys.split(", "))
    if program.more is None:
        assert state.more is None
    else:
        assert state.more is not None
        assert program.more in state.more
    assert state.whole == (program.keys.startswith("__root__"))


def test_the_real_system_agrees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = [program for program in PROGRAMS if program.runs]
    folders = [tmp_path / str(number) for number in range(len(programs))]
    states = [read(*pair, monkeypatch) for pair in zip(programs, folders, strict=True)]
    for program, state, real in zip(programs, states, record(folders), strict=True):
        assert real["error"] is None, program.title
        (graph,) = real["graphs"]
        assert state_difference(state, graph) is None, program.title


def test_places_and_reducers_that_add(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program(
        "places",
        """
        class State(TypedDict):
            added: Annotated[list, operator.add]
            merged: Annotated[list, add_messages]

        graph = StateGraph(State)
        """,
        "",
    )
    state = read(program, tmp_path, monkeypatch)
    lines = (tmp_path / "flow.py").read_text().splitlines()
    added = next(number for number, line in enumerate(lines, 1) if "    added:" in line)
    assert (state.name, state.channels["added"].span.line) == ("State", added)
    assert [channel.adds for channel in state.channels.values()] == [True, False]
