"""Several turns in one session: no prompt repeats what was said, as the agent remembers it."""

from __future__ import annotations

from typing import Any

from flowrt import Edge, Flow, Node, NodeContext


def turn(name: str, prompt: str) -> Node:
    """A prompt in the main session of the run, as nothing else is said of the session."""
    return Node(
        name, kind="agent", timeout=120, config={"prompt": f"# {name}\n{prompt}", "into": name}
    )


def last_words(context: NodeContext) -> dict[str, Any]:
    """Only the last turn matters: it stands on all the others."""
    return {"text": context.outputs["polish"]}


flow = Flow(
    name="two-turn",
    title="One conversation over several nodes",
    nodes=[
        turn("inspect_workspace", "Look at the folder. What is it about?"),
        turn("draft", "Draft a note on '{state.topic}' that fits what you saw."),
        turn("checklist", "List what the draft still lacks."),
        turn("polish", "Write the draft again so that nothing on your list is lacking."),
        Node("finalize", last_words, kind="compute", config={"into": "result"}),
    ],
    edges=[
        Edge("inspect_workspace", "draft"),
        Edge("draft", "checklist"),
        Edge("checklist", "polish"),
        Edge("polish", "finalize"),
    ],
    entry="inspect_workspace",
)
