"""A text is written until it is long enough, approved by somebody, and published."""

from flowrt import Edge, Flow, Node


async def write(state):
    rounds = state.get("rounds", 0) + 1
    return {**state, "text": " ".join([state["topic"]] * rounds), "rounds": rounds}


def is_short(state):
    return len(state["text"]) < 12


flow = Flow(
    nodes=[
        Node("write", write, kind="loop"),
        Node("approve", kind="ask", config={"question": "Publish `{state.text}`?", "into": "by"}),
        Node(
            "publish",
            kind="shell",
            config={"command": "echo", "args": ["{state.text}"], "templates": True},
        ),
    ],
    edges=[
        Edge("write", "write", when=is_short),
        Edge("write", "approve"),
        Edge("approve", "publish", when="state.by != 'nobody'"),
        Edge("approve", "write"),
    ],
    entry="write",
    max_steps=50,
)
