"""What a text in CEL may name where it stands, and what is wrong with one that is written there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

from flowlint.graph.cel_functions import FUNCTIONS
from flowlint.graph.cel_syntax import MAX_DEPTH, CelError, Other, Tree, mentions, parse_cel
from flowlint.graph.cel_types import call_fault, raises_always
from flowlint.graph.model import Violation
from flowlint.graph.names import NearNames
from flowlint.graph.reference_faults import RESULT_FIELDS, near
from flowlint.source import Span

_DATA = (".json", ".jsonc", ".json5", ".yaml", ".yml")
_MOST_SHOWN = 300
MAX_LENGTH = 20_000
"""The longest text that is looked at."""

VISIT_FIELDS = ("node", "outcome", "attempts", "output", "error", "started_at", "ended_at")
"""What `results` has of each node."""

_PATH = re.compile(r"[A-Za-z_$][\w$-]*(\.[\w$-]+)*\Z")
_CONSTANTS = ("true", "false", "null")
_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'')
_BRACKET = re.compile(r"[][(){}]")


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that a text can begin with, and what is known of what they stand for.

    `fields` are those of a name that has no others; `by_node` are names that hold something for
    each of the nodes that are called as in `nodes` (None: not all are known). `place` says what
    has these names, as in `no variable of a guard`.
    """

    names: tuple[str, ...]
    place: str
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    by_node: tuple[str, ...] = ("outputs", "results")
    nodes: frozenset[str] | None = None

    def among(self, nodes: frozenset[str] | None) -> Scope:
        """The same where there are these nodes."""
        return replace(self, nodes=nodes)


GUARD = Scope(
    ("state", "output", "outputs", "input", "result"),
    "a guard",
    MappingProxyType({"result": RESULT_FIELDS}),
)
"""What guards may look at."""


@lru_cache(maxsize=1024)
def parsed(text: str) -> Tree | CelError:
    """The tree of a text, or why there is none. Of one that nobody would write nothing is told."""
    if len(text) > MAX_LENGTH:
        return _of_long(text)
    try:
        return parse_cel(text)
    except CelError as error:
        return error
    except RecursionError:
        # As deep as is allowed, and looked at from somewhere deep.
        return Other()


def _of_long(text: str) -> Tree | CelError:
    """Of a long text only its brackets are looked at: too many within each other are refused."""
    depth = 0
    for found in _BRACKET.finditer(_QUOTED.sub("", text)):
        depth += 1 if found[0] in "([{" else -1
        if depth > MAX_DEPTH:
            return CelError("it is nested too deeply", len(text))
    return Other()


def shown(text: str) -> str:
    """A text as messages quote it: in one line, and whole, unless it is very long."""
    if "\n" in text:
        text = " ".join(text.split())
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


def position(text: str, offset: int) -> str:
    """Where a character of a text stands, as messages say it; nothing of its end."""
    if offset >= len(text):
        return ""
    line = text.count("\n", 0, offset)
    column = offset - text.rfind("\n", 0, offset)
    return f" in line {line + 1} at column {column}" if line else f" at column {column}"


def place_within(span: Span, text: str, offset: int, *, literal: bool = False) -> Span:
    """Where a character of a text stands; all of the text where that cannot be told.

    `literal` tells that a literal stands there, as it always does in JSON and YAML.
    """
    width = span.end_column - span.column
    is_data = span.path.endswith(_DATA)
    if span.line != span.end_line or not (literal or is_data):
        return span
    if width == len(text) + 2:
        column = span.column + 1 + offset
    elif width == len(text) and is_data:
        column = span.column + min(offset, max(0, width - 1))
    else:
        # It has escapes, or is put together.
        return span
    return replace(span, column=column, end_column=column + 1)


def cel_fault(
    what: str,
    text: str,
    scope: Scope,
    cure: str,
    span: Span,
    node: str | None,
    *,
    literal: bool = False,
) -> Violation | None:
    """What is wrong with a text in CEL, None when nothing is. `what` is how it is spoken of."""
    tree = parsed(text)
    if isinstance(tree, CelError):
        where = position(text, tree.offset)
        said = f"{what} is no CEL expression: {tree.message}{where}: Flow(…) raises"
        place = place_within(span, text, tree.offset, literal=literal)
        return Violation(place, said, cure, node, "invalid-expression")
    called = call_fault(tree)
    if called is not None:
        said = f"{what} {called}: it raises whenever it is evaluated"
        return Violation(span, said, cure, node, "invalid-expression")
    for mention in mentions(tree):
        fault = _called(mention) if isinstance(mention, str) else _named(mention, scope)
        if fault is not None:
            said, cure = fault
            said = f"{what} {said}: Flow(…) raises"
            return Violation(span, said, cure, node, "unknown-variable")
    raised = raises_always(tree)
    if raised is not None:
        said = f"{what} has {raised}: it raises whenever it is evaluated"
        return Violation(span, said, cure, node, "invalid-expression")
    return None


def value_fault(
    what: str, text: str, scope: Scope, cure: str, span: Span, node: str | None
) -> Violation | None:
    """The same for a text that may also be a path, which then begins in the state."""
    if not _PATH.match(text) or text in _CONSTANTS:
        return cel_fault(what, text, scope, cure, span, node)
    head, *rest = text.split(".")
    fault = _named((head, *rest), scope) if head in scope.names else None
    if fault is None:
        return None
    said, cure = fault
    return Violation(span, f"{what} {said}: Flow(…) raises", cure, node, "unknown-variable")


_HOLE = re.compile(r"\{\{|\}\}|\{([A-Za-z_]\w*(?:\.[\w$-]+)*)\}")


def holes(template: str) -> list[tuple[str, ...]]:
    """The paths that a template is filled in with."""
    return [tuple(found[1].split(".")) for found in _HOLE.finditer(template) if found[1]]


def template_fault(
    what: str, template: str, scope: Scope, *, strict: bool, span: Span, node: str | None
) -> Violation | None:
    """What is wrong with a template. Where it is not `strict`, unknown names stay as they are."""
    for path in holes(template):
        if path[0] not in scope.names and not strict:
            continue
        fault = _named(path, scope)
        if fault is not None:
            said, cure = fault
            return Violation(span, f"{what} {said}: Flow(…) raises", cure, node, "unknown-variable")
    return None


def _called(name: str) -> tuple[str, str] | None:
    if name in FUNCTIONS:
        return None
    cure = near(name, FUNCTIONS, "compute it in a node, and look at the state here")
    return f"calls `{name}`, which is no function of CEL", cure


def _named(path: tuple[str, ...], scope: Scope) -> tuple[str, str] | None:
    """What is wrong with a name and the fields that are read of it, and the cure."""
    name, *fields = path
    if name not in scope.names:
        meant = NearNames(scope.names).of(name)
        cure = f"did you mean `{meant}`?" if meant else f"did you mean `state.{name}`?"
        return f"looks at `{name}`, which is no variable of {scope.place}", cure
    known = scope.fields.get(name)
    if fields and known is not None and fields[0] not in known:
        cure = near(fields[0], known, f"there is {', '.join(f'`{other}`' for other in known)}")
        return f"looks at `{name}.{fields[0]}`, which is not there", cure
    if fields and name in scope.by_node and scope.nodes is not None:
        if fields[0] not in scope.nodes:
            cure = near(fields[0], scope.nodes, "name a node of this flow")
            return f"looks at `{name}.{fields[0]}`, but no node is called `{fields[0]}`", cure
        if name == "results" and len(fields) > 1 and fields[1] not in VISIT_FIELDS:
            cure = near(fields[1], VISIT_FIELDS, f"there is `{'`, `'.join(VISIT_FIELDS)}`")
            return f"looks at `{'.'.join(path[:3])}`, which is not there", cure
    return None
