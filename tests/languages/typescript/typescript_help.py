"""What the tests of TypeScript share: modules in memory, and values as short texts.

`show(x)` of the package `probe` is followed: what it is given is what the tests look at. `Graph` is
a builder whose methods are recorded, `Plan` a type that values can be declared to be of.
"""

import os

from flowlint.languages.typescript.frontend import Evaluation, evaluate_file
from flowlint.values import model
from flowlint.values.following import TypeModel, join_models

PROBE = TypeModel(
    "probe.show", frozenset({"probe.show"}), annotates=frozenset({"probe.Plan", "probe.Ns.Plan"})
)
GRAPH = TypeModel(
    "probe.Graph",
    frozenset({"probe.Graph"}),
    fluent=frozenset({"addNode", "addEdge"}),
    products=frozenset({"compile"}),
    readers=frozenset({"toString"}),
)
MODELS = join_models((PROBE, GRAPH), {"probe.END": "__end__"})
IMPORT = 'import { show, Graph, END } from "probe";\n'


class Texts:
    """Files that are only in memory."""

    def __init__(self, texts: dict[str, str | bytes]) -> None:
        self.texts = {
            os.path.normpath(os.path.join("/p", path)): text.encode()
            if isinstance(text, str)
            else text
            for path, text in texts.items()
        }

    def read(self, path: str) -> bytes:
        try:
            return self.texts[os.path.normpath(path)]
        except KeyError:
            raise FileNotFoundError(path) from None

    def is_file(self, path: str) -> bool:
        return os.path.normpath(path) in self.texts

    def is_dir(self, path: str) -> bool:
        return any(name.startswith(f"{path}/") for name in self.texts)


def evaluate(source: str | bytes, name: str = "main.ts", **files: str) -> Evaluation:
    """What a module builds. `files` are others: `a_b__ts` is `a/b.ts`."""
    others: dict[str, str | bytes] = {
        path.replace("__", ".").replace("_", "/"): text for path, text in files.items()
    }
    return evaluate_file(f"/p/{name}", Texts({name: source, **others}), "/p", MODELS)


def shown(source: str, name: str = "main.ts", **files: str) -> list[str]:
    """What a module gives to `show`, as texts."""
    evaluation = evaluate(IMPORT + source, name, **files)
    built = [one for one in evaluation.built if one.model is PROBE]
    return [", ".join(text_of(item.value) for item in one.arguments.items) for one in built]


def steps(source: str, name: str = "main.ts", **files: str) -> list[str]:
    """What a module does to a `Graph`: each call with its condition, and where it escapes."""
    evaluation = evaluate(IMPORT + source, name, **files)
    found: list[str] = []
    for built in evaluation.built:
        if built.model is GRAPH:
            for one in built.operations:
                given = ", ".join(text_of(item.value) for item in one.arguments.items)
                found.append(f"{one.method}({given}){_when(one.presence)}")
            found += [f"! {how}" for how, _ in built.escapes]
    return found


def text_of(value: model.Value, depth: int = 0) -> str:
    """A value as a short text: what is not known is `?`, conditions follow in square brackets."""
    if depth > 8:
        return "…"
    match value:
        case model.Const(value=constant):
            if constant is None or isinstance(constant, bool):
                return "null" if constant is None else str(constant).lower()
            return repr(constant)
        case model.Mapped():
            parts = [
                f"{text_of(e.key, depth + 1).strip(chr(39))}: {text_of(e.value, depth + 1)}"
                + _when(e.presence)
                for e in value.entries
            ]
            return "{" + ", ".join(parts + ["…"] * (value.rest is not None)) + "}"
        case model.Sequence():
            items = [text_of(i.value, depth + 1) + _when(i.presence) for i in value.items]
            return "[" + ", ".join(items + ["…"] * (value.rest is not None)) + "]"
        case model.External():
            return value.qualified
        case model.Function():
            return f"{'async ' if value.is_async else ''}{value.kind} {value.name}"
        case model.Call():
            given = ", ".join(text_of(item.value, depth + 1) for item in value.arguments.items)
            return f"{value.target}({given})"
        case model.Choice():
            return " | ".join(text_of(v, depth + 1) + _when(p) for p, v in value.alternatives)
        case model.Instance():
            parts = [f"{name}: {text_of(v, depth + 1)}" for name, v in value.attributes.items()]
            return f"{value.cls.name}{{{', '.join(parts)}}}"
        case model.Class():
            return f"class {value.name}"
        case model.Built():
            return f"built {value.model.key}"
        case model.Unknown():
            return "?"
        case _:
            return type(value).__name__


def _when(presence: frozenset[tuple[str, bool]]) -> str:
    said = " & ".join(test if outcome else f"!({test})" for test, outcome in sorted(presence))
    return f" [{said}]" if said else ""
