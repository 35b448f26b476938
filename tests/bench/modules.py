"""A repository of flow modules in the shapes that projects write them in.

Each package has ten modules with a state and tools of their own that they import. Names, sizes
and texts differ from module to module; the same repository every time.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

MODULES = 500
IN_PACKAGE = 10

WORDS = [
    "collect",
    "plan",
    "search",
    "draft",
    "review",
    "rank",
    "merge",
    "publish",
    "classify",
    "route",
    "extract",
    "verify",
    "summarize",
    "answer",
    "escalate",
    "critique",
    "retrieve",
    "embed",
    "translate",
    "score",
    "filter",
    "notify",
    "approve",
    "archive",
    "parse",
]


def make_repository(root: Path) -> list[Path]:
    """Fill `root` and give the flow modules."""
    (root / "pyproject.toml").write_text('[project]\nname = "bench"\nversion = "1"\n')
    (root / "requirements.txt").write_text("langgraph==1.0.3\n")
    made: list[Path] = []
    for number in range(MODULES):
        package = f"team_{number // IN_PACKAGE}"
        folder = root / package
        if not folder.exists():
            folder.mkdir()
            _write_shared(folder, random.Random(number))
        shape = SHAPES[number % len(SHAPES)]
        path = folder / f"{shape.__name__.lstrip('_')}_{number}.py"
        path.write_text(shape(random.Random(number), package))
        made.append(path)
    return made


def _write_shared(folder: Path, rng: random.Random) -> None:
    (folder / "__init__.py").write_text("")
    keys = rng.sample(WORDS, 6)
    fields = "\n".join(f"    {key}: Annotated[list[str], operator.add]" for key in keys)
    (folder / "state.py").write_text(
        "import operator\nfrom typing import Annotated, Any, TypedDict\n\n"
        "from langgraph.graph.message import add_messages\n\n\n"
        "class State(TypedDict, total=False):\n"
        '    """What the nodes share."""\n\n'
        "    messages: Annotated[list[Any], add_messages]\n"
        f"    attempts: int\n    verdict: str\n{fields}\n"
    )
    tools = "\n\n".join(_tool(word, rng) for word in keys)
    (folder / "tools.py").write_text(f"import json\nimport re\nfrom typing import Any\n\n\n{tools}")


def _tool(word: str, rng: random.Random) -> str:
    lines = "\n".join(
        f'    found["{rng.choice(WORDS)}"] = re.sub(r"\\s+", " ", str(values.get("{word}", "")))'
        for _ in range(rng.randint(3, 9))
    )
    return (
        f"def {word}_all(values: dict[str, Any], limit: int = {rng.randint(2, 90)}) -> str:\n"
        f'    """{word.capitalize()} what was found so far and give it back as text."""\n'
        f"    found: dict[str, Any] = {{}}\n{lines}\n"
        "    if len(found) > limit:\n        raise ValueError(f'too many: {len(found)}')\n"
        "    return json.dumps(found, sort_keys=True)\n"
    )


def opening_lines(package: str) -> str:
    """How a module of a package begins."""
    return (
        '"""A flow of this team."""\n\nfrom __future__ import annotations\n\nimport json\n'
        "import logging\nfrom typing import Any, Literal\n\n"
        "from langgraph.graph import END, START, StateGraph\n\n"
        f"from {package}.state import State\n\n"
        "logger = logging.getLogger(__name__)\n\n\n"
    )


def _prompt(word: str, rng: random.Random) -> str:
    lines = "\n".join(" ".join(rng.choices(WORDS, k=12)) for _ in range(rng.randint(4, 14)))
    return f'{word.upper()}_PROMPT = """You {word}.\n{lines}\n{{question}}\n"""\n'


def node_function(
    word: str,
    rng: random.Random,
    returned: str = '{"attempts": 1}',
    otherwise: str = '{"verdict": "empty"}',
) -> str:
    """A node with the prompt that it uses."""
    steps = "\n".join(
        f'        parts.append({{"{rng.choice(WORDS)}": text[: {rng.randint(9, 99)}]}})'
        if rng.random() < 0.6
        else f'        logger.info("%s of %d", "{rng.choice(WORDS)}", len(parts))'
        for _ in range(rng.randint(2, 10))
    )
    return (
        f"{_prompt(word, rng)}\n\n"
        f"async def {word}(state: State) -> dict[str, Any]:\n"
        f'    """{word.capitalize()} the messages."""\n'
        '    messages = state.get("messages", [])\n    parts: list[dict[str, str]] = []\n'
        "    for message in messages:\n        text = str(getattr(message, 'content', message))\n"
        f"{steps}\n"
        f"    question = {word.upper()}_PROMPT.format(question=json.dumps(parts))\n"
        f"    if not question:\n        return {otherwise}\n"
        f"    return {returned}\n\n\n"
    )


def _names(rng: random.Random, most: int = 10) -> list[str]:
    return rng.sample(WORDS, rng.randint(4, most))


def _chain(rng: random.Random, package: str) -> str:
    words = _names(rng)
    nodes = "".join(node_function(word, rng) for word in words)
    adds = "\n".join(f'builder.add_node("{word}", {word})' for word in words)
    edges = "\n".join(f'builder.add_edge("{one}", "{two}")' for one, two in pairwise(words))
    return (
        f"{opening_lines(package)}{nodes}builder = StateGraph(State)\n{adds}\n"
        f'builder.add_edge(START, "{words[0]}")\n{edges}\n'
        f'builder.add_edge("{words[-1]}", END)\ngraph = builder.compile()\n'
    )


def _router(rng: random.Random, package: str) -> str:
    first, *words = _names(rng)
    nodes = "".join(node_function(word, rng) for word in (first, *words))
    cases = "".join(
        f'    if "{word}" in verdict:\n        return "{word}"\n' for word in words[:-1]
    )
    targets = ", ".join(f'"{word}": "{word}"' for word in words)
    adds = "\n".join(f'    builder.add_node("{word}", {word})' for word in (first, *words))
    ends = "\n".join(f'    builder.add_edge("{word}", END)' for word in words)
    return (
        f"{opening_lines(package)}{nodes}def choose(state: State) -> str:\n"
        f'    verdict = state.get("verdict", "").lower()\n{cases}    return "{words[-1]}"\n\n\n'
        f"def build() -> Any:\n    builder = StateGraph(State)\n{adds}\n"
        f'    builder.add_edge(START, "{first}")\n'
        f'    builder.add_conditional_edges("{first}", choose, {{{targets}}})\n{ends}\n'
        "    return builder.compile()\n\n\ngraph = build()\n"
    )


def _supervisor(rng: random.Random, package: str) -> str:
    words = _names(rng, 7)
    back = 'Command(goto="supervisor", update={"attempts": 1})'
    nodes = "".join(node_function(word, rng, back, "Command(goto=END)") for word in words)
    literal = ", ".join(f'"{word}"' for word in (*words, "__end__"))
    adds = "\n".join(f'builder.add_node("{word}", {word})' for word in words)
    cases = "".join(
        f'    if verdict == "{word}":\n        return Command(goto="{word}")\n' for word in words
    )
    return (
        f"{opening_lines(package)}"
        f"from langgraph.types import Command\n\n\n{nodes}"
        f"def supervisor(state: State) -> Command[Literal[{literal}]]:\n"
        f'    verdict = state.get("verdict", "")\n{cases}    return Command(goto=END)\n\n\n'
        f'builder = StateGraph(State)\nbuilder.add_node("supervisor", supervisor)\n{adds}\n'
        'builder.add_edge(START, "supervisor")\ngraph = builder.compile()\n'
    )


def _map_reduce(rng: random.Random, package: str) -> str:
    plan, work, reduce = rng.sample(WORDS, 3)
    many = '{"messages": [question]}'
    nodes = "".join(node_function(word, rng, many, many) for word in (plan, work, reduce))
    return (
        f"{opening_lines(package)}from langgraph.types import Send\n\n\n{nodes}"
        "def fan_out(state: State) -> list[Send]:\n"
        f'    return [Send("{work}", {{"messages": [one]}}) for one in state["messages"]]\n\n\n'
        f'builder = StateGraph(State)\nbuilder.add_node("{plan}", {plan})\n'
        f'builder.add_node("{work}", {work})\nbuilder.add_node("{reduce}", {reduce})\n'
        f'builder.add_edge(START, "{plan}")\n'
        f'builder.add_conditional_edges("{plan}", fan_out, ["{work}"])\n'
        f'builder.add_edge("{work}", "{reduce}")\nbuilder.add_edge("{reduce}", END)\n'
        "graph = builder.compile()\n"
    )


def _registry(rng: random.Random, package: str) -> str:
    words = _names(rng)
    nodes = "".join(node_function(word, rng) for word in words)
    table = ",\n".join(f'    "{word}": {word}' for word in words)
    return (
        f"{opening_lines(package)}from {package} import tools\n\n\n{nodes}"
        f"STAGES = {{\n{table},\n}}\n\n\ndef build() -> Any:\n    builder = StateGraph(State)\n"
        "    before = START\n    for name, stage in STAGES.items():\n"
        "        builder.add_node(name, stage)\n        builder.add_edge(before, name)\n"
        "        before = name\n    builder.add_edge(before, END)\n"
        "    return builder.compile()\n\n\nHELPERS = [tools]\ngraph = build()\n"
    )


def _agent_class(rng: random.Random, package: str) -> str:
    words = _names(rng, 8)
    methods = "".join(
        f"    async def {word}(self, state: State) -> dict[str, Any]:\n"
        f'        """{word.capitalize()} once more."""\n'
        f'        text = json.dumps({{"{word}": state.get("verdict"), "of": self.limit}})\n'
        f"        logger.debug(text)\n        return {{'messages': [text], 'attempts': 1}}\n\n"
        for word in words
    )
    adds = "\n".join(f'        builder.add_node("{word}", self.{word})' for word in words)
    edges = "\n".join(f'        builder.add_edge("{one}", "{two}")' for one, two in pairwise(words))
    return (
        f"{opening_lines(package)}class Agent:\n"
        '    """An agent."""\n\n'
        f"    def __init__(self, limit: int = {rng.randint(2, 9)}) -> None:\n"
        f"        self.limit = limit\n        self.graph = self._build()\n\n{methods}"
        "    def again(self, state: State) -> Literal['again', 'done']:\n"
        "        return 'again' if state.get('attempts', 0) < self.limit else 'done'\n\n"
        f"    def _build(self) -> Any:\n        builder = StateGraph(State)\n{adds}\n"
        f'        builder.add_edge(START, "{words[0]}")\n{edges}\n'
        f'        builder.add_conditional_edges("{words[-1]}", self.again, '
        f'{{"again": "{words[0]}", "done": END}})\n        return builder.compile()\n\n\n'
        "agent = Agent()\n"
    )


def _hydraflow(rng: random.Random, package: str) -> str:
    words = _names(rng)
    methods = "".join(
        f"    async def {word}(self, state: Any) -> Any:\n"
        f'        """{word.capitalize()} the state."""\n'
        f'        return state.model_copy(update={{"{word}": json.dumps(state.facts)}})\n\n'
        for word in words
    )
    nodes = "\n".join(f'                Node("{word}", self.{word}),' for word in words)
    edges = "\n".join(f'                Edge("{one}", "{two}"),' for one, two in pairwise(words))
    return (
        '"""A pipeline of this team."""\n\nfrom __future__ import annotations\n\nimport json\n'
        "from typing import Any\n\nfrom flows import Edge, Flow, Node\n\n"
        f"from {package} import tools\n\n\n"
        f"class Pipeline:\n{methods}    def build(self) -> Flow:\n        return Flow(\n"
        f'            entry="{words[0]}",\n            nodes=[\n{nodes}\n            ],\n'
        f"            edges=[\n{edges}\n            ],\n"
        f"            max_steps={rng.randint(20, 90)},\n"
        "        )\n\n\nHELPERS = [tools]\nFLOW = Pipeline().build()\n"
    )


SHAPES: tuple[Callable[[random.Random, str], str], ...] = (
    _chain,
    _router,
    _supervisor,
    _map_reduce,
    _registry,
    _agent_class,
    _hydraflow,
)
