"""What differs between LangGraph for Python and for JavaScript, as data."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from flowlint.dialects.langgraph.javascript import schemas as javascript_schemas
from flowlint.dialects.langgraph.javascript.model import METHODS
from flowlint.dialects.langgraph.schemas import Keys, keys_of
from flowlint.graph.model import Gap, Violation
from flowlint.source import Span
from flowlint.values.model import Value


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition, and how its users write what is told in the terms of Python's."""

    keys_of: Callable[[Value, Span], Keys] = keys_of
    """The keys of a schema that is named at a place."""
    reads_types: bool = True
    """Whether declared types are there when the program runs, so that the builder goes by them."""
    checks_calls: bool = True
    """Whether a function fails that is given less or more than it takes."""
    knows_routers: bool = True
    """Whether routers of LangGraph's own declare where they lead to."""
    names_functions: bool = True
    """Whether a router's branch is called like its function; else all of them are called alike."""
    joins_end: bool = True
    """Whether an edge from several nodes may lead to the end."""
    writes_falsehoods: bool = False
    """Whether a node may return a value that counts as false instead of an update."""
    script_keys: bool = False
    """Whether whatever a router returns is looked up as the text that it is printed as."""
    parent_error: str | None = "ParentCommand"
    """What a hand-over to a parent that is not there raises; None: it is lost."""
    cure_node: str = "annotate the node `-> Command[Literal[…]]`, or pass `destinations=`"
    """How a node declares where its code hands over to."""
    cure_router: str = "annotate the router `-> Literal[…]`, or pass a path_map with every target"
    """How a router declares where it leads to."""
    values: Mapping[str, str] = field(default_factory=dict)
    """How its users call kinds of values, by the words that Python's users have for them."""
    words: Mapping[str, str] = field(default_factory=dict)
    """How its users write what messages name in the words of Python's edition."""

    def in_words(self, text: str) -> str:
        """A message as its users write what it names."""
        if not self.words:
            return text
        return _NAMED.sub(lambda found: self.words.get(found[0], found[0]), text)

    def violation(self, told: Violation) -> Violation:
        """A violation in the words of its users."""
        help_text = self.in_words(told.help) if told.help is not None else None
        return replace(told, message=self.in_words(told.message), help=help_text)

    def gap(self, told: Gap) -> Gap:
        """A gap in the words of its users."""
        cure = self.in_words(told.cure) if told.cure is not None else None
        return replace(told, reason=self.in_words(told.reason), cure=cure)


_SAID = {
    "pass the class of the state": "pass the state, such as `Annotation.Root({ … })`",
    "write them as a list or a dict": "write them as an array or a plain object",
    "`graph=Command.PARENT`": "`graph: Command.PARENT`",
    "`InMemorySaver()`": "`new MemorySaver()`",
    "interrupt_before": "interruptBefore",
    "interrupt_after": "interruptAfter",
    'pass `{"configurable": {"thread_id": …}}` as the config': (
        "pass `{ configurable: { thread_id: … } }` as the config"
    ),
}
_WORDS = {
    **_SAID,
    **{f"{theirs}()": f"{ours}()" for ours, theirs in METHODS.items() if ours != theirs},
    "StateGraph() is given": "`new StateGraph()` is given",
    "TypeError": "an error",
    "AttributeError": "a TypeError",
    "`error_handler`": "`errorHandler`",
}
_NAMED = re.compile("|".join(re.escape(word) for word in sorted(_WORDS, key=len, reverse=True)))

PYTHON = Edition()
JAVASCRIPT = Edition(
    javascript_schemas.keys_of,
    reads_types=False,
    checks_calls=False,
    knows_routers=False,
    names_functions=False,
    joins_end=False,
    writes_falsehoods=True,
    script_keys=True,
    parent_error=None,
    cure_node="pass `ends: […]` with every target to addNode()",
    cure_router="pass every target as the third argument of addConditionalEdges()",
    values={
        "a bool": "a boolean",
        "a dict": "an object",
        "a float": "a number",
        "a list": "an array",
        "a str": "a string",
        "an int": "a number",
    },
    words=_WORDS,
)
