"""Flow modules of about 1,000 lines in TypeScript, in the shapes that projects write them in."""

from __future__ import annotations

import random
from itertools import pairwise

from modules import WORDS


def long_langgraph(rng: random.Random) -> str:
    """Nodes with a prompt each, helpers that they share, and a graph of all of them."""
    words = [f"{word}{again}" for word in WORDS for again in ("First", "Again")][:32]
    nodes = "".join(_node(word, rng) for word in words)
    adds = "\n".join(f'  .addNode("{word}", {word})' for word in words)
    edges = "\n".join(f'  .addEdge("{one}", "{two}")' for one, two in pairwise(words))
    return (
        'import { Annotation, END, START, StateGraph } from "@langchain/langgraph";\n\n'
        "const State = Annotation.Root({\n"
        "  messages: Annotation<string[]>({ reducer: (a, b) => a.concat(b) }),\n"
        "  attempts: Annotation<number>,\n  verdict: Annotation<string>,\n});\n\n"
        f"{_HELPERS}{nodes}export const graph = new StateGraph(State)\n{adds}\n"
        f'  .addEdge(START, "{words[0]}")\n{edges}\n'
        f'  .addEdge("{words[-1]}", "nowhere")\n  .compile();\n'
    )


def long_acpx(rng: random.Random) -> str:
    """Prompts and actions, with the functions that make and read them, and a flow of them."""
    words = [f"{word}{again}" for word in WORDS for again in ("First", "Again")][:42]
    functions = "".join(_prompt(word, rng) for word in words)
    nodes = "".join(
        f"    {word}: acp({{\n      session: {{ handle: 'main' }},\n"
        f"      prompt: ({{ outputs }}) => {word}Prompt(outputs),\n"
        f"      parse: (text) => extractJsonObject(text),\n    }}),\n"
        for word in words
    )
    edges = "\n".join(f"    {{ from: '{one}', to: '{two}' }}," for one, two in pairwise(words))
    return (
        'import { acp, defineFlow, extractJsonObject } from "acpx/flows";\n\n'
        f"{_HELPERS}{functions}export default defineFlow({{\n  name: 'long',\n"
        f"  startAt: '{words[0]}',\n  nodes: {{\n{nodes}  }},\n  edges: [\n{edges}\n"
        f"    {{ from: '{words[-1]}', to: 'nowhere' }},\n  ],\n}});\n"
    )


def long_objectstack(rng: random.Random) -> str:
    """Several flows of moderate size in one file."""
    return 'import { defineFlow } from "@objectstack/spec";\n\n' + "".join(
        _flow(f"{word}_{number}", rng) for number, word in enumerate(rng.sample(WORDS, 10))
    )


LONG_SCRIPTS = {
    "LangGraph.js": long_langgraph,
    "acpx": long_acpx,
    "ObjectStack": long_objectstack,
}

_HELPERS = """function shorten(text: string, limit = 200): string {
  const whole = text.trim();
  return whole.length > limit ? `${whole.slice(0, limit)}…` : whole;
}

function listed(values: string[], title: string): string {
  const lines = values.map((value) => `- ${shorten(value)}`);
  return [`# ${title}`, ...lines].join("\\n");
}

"""


def _node(word: str, rng: random.Random) -> str:
    steps = "".join(
        f"    parts.push({{ {rng.choice(WORDS)}: shorten(message, {rng.randint(9, 99)}) }});\n"
        if rng.random() < 0.6
        else f'    console.info("{rng.choice(WORDS)} of", parts.length);\n'
        for _ in range(rng.randint(3, 9))
    )
    lines = "\n".join(" ".join(rng.choices(WORDS, k=12)) for _ in range(rng.randint(4, 12)))
    return (
        f"const {word}Text = `You {word}.\n{lines}\n`;\n\n"
        f"async function {word}(state: typeof State.State) {{\n"
        "  const parts: Record<string, string>[] = [];\n"
        f"  for (const message of state.messages) {{\n{steps}  }}\n"
        f'  const question = listed([{word}Text, JSON.stringify(parts)], "{word}");\n'
        '  if (!question) {\n    return { verdict: "empty" };\n  }\n'
        "  return { attempts: state.attempts + 1, messages: [question] };\n}\n\n"
    )


def _prompt(word: str, rng: random.Random) -> str:
    asks = "".join(
        f'    "{" ".join(rng.choices(WORDS, k=10))}",\n' for _ in range(rng.randint(6, 16))
    )
    return (
        f"function {word}Prompt(outputs: Record<string, any>): string {{\n"
        '  const known = outputs.collectFirst ?? { files: [], title: "" };\n'
        "  return [\n"
        f"    `You {word} ${{known.title}}.`,\n{asks}"
        '    listed(known.files, "files"),\n'
        '  ].join("\\n");\n}\n\n'
    )


def _flow(name: str, rng: random.Random) -> str:
    steps = rng.sample(WORDS, 8)
    nodes = "".join(
        f"    {{\n      id: '{step}',\n      type: 'update_record',\n      label: 'Do {step}',\n"
        f"      config: {{\n        objectName: 'task',\n"
        "        filter: { id: '{record.id}' },\n"
        f"        fields: {{ status: '{rng.choice(WORDS)}' }},\n      }},\n    }},\n"
        for step in steps
    )
    ways = pairwise(["start", *steps, "end"])
    edges = "".join(
        f"    {{ id: 'e{number}', source: '{one}', target: '{two}' }},\n"
        for number, (one, two) in enumerate(ways)
    )
    return (
        f"export const {name} = defineFlow({{\n  name: '{name}',\n  label: '{name}',\n"
        "  type: 'autolaunched',\n  nodes: [\n    { id: 'start', type: 'start', label: 'Start' },\n"
        f"{nodes}    {{ id: 'end', type: 'end', label: 'End' }},\n  ],\n  edges: [\n{edges}"
        f"    {{ id: 'late', source: '{steps[0]}', target: 'nowhere' }},\n  ],\n}});\n\n"
    )
