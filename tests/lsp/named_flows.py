"""Flows whose nodes are named in many ways, for the features that treat names as symbols."""

HYDRA = """from flows import Edge, Flow, Node

LAST = "publish"


async def collect(state):
    return None


async def publish(state):
    return None


def is_good(state):
    return state["score"] > 3


FLOW = Flow(
    nodes=[Node("collect", collect), Node("review", publish, kind="gate"), Node(LAST, publish)],
    edges=[
        Edge("collect", "review"),
        Edge("review", LAST, when=is_good),
        Edge("review", "collect"),
    ],
    entry="collect",
)
"""

LANGGRAPH = """from typing import Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send


class State(TypedDict):
    bad: bool
    notes: list


def plan(state: State) -> Command[Literal["write", "review"]]:
    if state["bad"]:
        return Command(goto="write")
    return Command(goto="review", update={"notes": []})


def write(state: State):
    return {"notes": []}


def review(state: State):
    return {"bad": False}


def route(state: State) -> Literal["plan", "publish"]:
    return "plan" if state["bad"] else "publish"


def fan(state: State):
    return [Send(u'publish', state)]


graph = StateGraph(State)
graph.add_node("plan", plan)
graph.add_node("write", write)
graph.add_node(review)
graph.add_node("publish", write)
graph.add_edge(START, "plan")
graph.add_conditional_edges("review", route)
graph.add_conditional_edges("write", fan, ["publish"])
graph.add_edge("publish", END)
app = graph.compile(interrupt_before=["publish"])
"""

FLOWRT = """from flowrt import Edge, Flow, Node, Region, Switch


def work(ctx):
    return {}


FLOW = Flow(
    nodes=[
        Node("collect", work),
        Node(
            "again",
            kind="repeat",
            config={"over": "input.papers"},
            regions={
                "body": Region(
                    nodes=[Node("try_it", work), Node("tidy", work)],
                    edges=[Edge("try_it", "tidy")],
                    entry="try_it",
                )
            },
        ),
        Node("publish", work),
    ],
    edges=[
        Edge("collect", "again"),
        Switch("again", "$.kind", cases={"big": "publish"}, default="collect"),
    ],
    entry="collect",
)
"""

FLOWRT_JSON = """{
  "flowrt": 1,
  "name": "papers",
  "entry": "collect",
  "nodes": [
    {"name": "collect", "run": "work:collect"},
    {"name": "publish", "run": "work:publish"}
  ],
  "edges": [
    {"from": "collect", "to": "publish", "when": "state.good"},
    {"from": "collect", "to": "collect"}
  ]
}
"""

FLOWRT_YAML = """flowrt: 1
name: papers
entry: collect
nodes:
  - name: collect
    run: work:collect
  - name: publish
    run: work:publish
edges:
  - from: collect
    to: "publish"
    when: state.good
  - {from: collect, to: collect}
"""

WORK = """def collect(ctx):
    return {}


def publish(ctx):
    return {}
"""

LOOPED = """from flows import Edge, Flow, Node


async def step(state):
    return None


FLOW = Flow(
    nodes=[Node(f"step_{number}", step) for number in range(3)],
    edges=[Edge("step_0", "step_1"), Edge("step_1", "step_2")],
    entry="step_0",
)
"""

NAMES = """LAST = "publish"
"""

USING_NAMES = """from flows import Edge, Flow, Node
from names import LAST


async def collect(state):
    return None


FLOW = Flow(
    nodes=[Node("collect", collect), Node(LAST, collect)],
    edges=[Edge("collect", LAST)],
    entry="collect",
)
"""

OUTPUTS = """from flowrt import Edge, Flow, Node


def load(context):
    return {"number": 3}


def tell(context):
    return {"told": context.outputs["load"]["number"], "load": "a key"}


FLOW = Flow(
    name="é",
    nodes=[
        Node("load", load),
        Node("ask", kind="agent", config={"prompt": "Look at {outputs.load.number}, é"}),
        Node("tell", tell),
    ],
    edges=[Edge("load", "ask", when="outputs.load.number > 2"), Edge("ask", "tell")],
    entry="load",
)
"""
