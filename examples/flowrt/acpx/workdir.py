"""A folder made by a command, and an agent that works in it and nowhere else."""

from __future__ import annotations

from typing import Any

from flowrt import Edge, Flow, Node, NodeContext

MAKE_WORKSPACE = """
mkdir -p workspaces
workdir=$(mktemp -d workspaces/XXXXXX)
echo "a note for the agent" > "$workdir/note.txt"
printf %s "$workdir"
"""


def report(context: NodeContext) -> dict[str, Any]:
    """Put what the command made beside what the agent saw."""
    return {
        "made": context.outputs["prepare_workspace"],
        "seen": context.outputs["inspect_workspace"],
    }


flow = Flow(
    name="workdir",
    title="An agent in a folder of its own",
    nodes=[
        Node(
            "prepare_workspace",
            kind="shell",
            timeout=10,
            config={"command": MAKE_WORKSPACE, "shell": True, "parse": "text"},
        ),
        Node(
            "inspect_workspace",
            kind="agent",
            timeout=120,
            config={
                "cwd": "{outputs.prepare_workspace}",
                "prompt": "# Look around\nIn which folder are you, and which files are in it?\n"
                'Answer with one JSON object: {"cwd": "the folder", "files": "their names"}',
                "parse": "forgiving",
            },
        ),
        Node("finalize", report, kind="compute", config={"into": "result"}),
    ],
    edges=[
        Edge("prepare_workspace", "inspect_workspace"),
        Edge("inspect_workspace", "finalize"),
    ],
    entry="prepare_workspace",
)
