"""An example: a release that is built, tested and published. It has faults: look below."""

from flows import Edge, Flow, Node


def tests_failed(state):
    """Whether to build again."""
    return state["failed"] > 0


async def build(state):
    """Count the attempts."""
    state["attempt"] = state.get("attempt", 0) + 1


async def test(state):
    """Count what failed."""
    state["failed"] = len(state.get("red", []))


async def publish(state):
    """Hand it out."""
    state["published"] = True


async def announce(state):
    """Tell everybody."""
    print("version", state["version"])


RELEASE = Flow(
    nodes=[
        Node("build", build),
        Node("test", test, kind="gate"),
        Node("publish", publish),
        Node("announce", announce),
    ],
    edges=[
        Edge("build", "test"),
        Edge("test", "build", when=tests_failed),
        Edge("test", "publihs"),
        Edge("publish", "announce"),
    ],
    entry="build",
)
