"""How clashes of writes are told."""

from __future__ import annotations

from collections.abc import Sequence

from flowlint.graph.model import START
from flowlint.rules.clashes import Clash
from flowlint.rules.context import RuleContext
from flowlint.rules.presence import text_of
from flowlint.rules.report import listing
from flowlint.rules.writes import WHOLE, Writing, writings
from flowlint.source import Span


def message_of(clash: Clash, context: RuleContext) -> str:
    """What goes wrong."""
    names = listing(clash.nodes)
    error = context.graph.semantics.conflict_error or "an error"
    what, takes = _what(clash.keys)
    if clash.many is not None:
        return (
            f"{names} may be sent to several times in one superstep and writes {what}, {takes} "
            f"one value per step: the run raises {error} as soon as it is sent to twice at once."
        )
    every = "both" if len(clash.nodes) == 2 else "all"
    effect = f"the run raises {error}"
    if clash.taken is not None:
        source = _shown(clash.taken.move.source, context)
        names = f"When {source} leads on to {_chosen(clash)}, {names}"
        effect = f"the run then raises {error}"
    elif clash.presence:
        names = f"W{text_of(clash.presence)[1:]}, {names}"
        effect = f"the run then raises {error}"
    verb = f"{every} write {what}"
    hows = {writing.how for writing in _written(clash, context).values()}
    if hows == {"replaced"}:
        verb = f"{every} replace {what} past the reducer"
    if hows <= {"flow", "handed through"}:
        among = "" if WHOLE in clash.keys else f", {listing(clash.keys[:1])} included"
        verb, takes = f"{every} give back all they have of the state{among}", "which takes"
    if not _certainly(clash, context):
        verb = f"may {verb}"
        effect = f"the run then raises {error}"
    return f"{names} run in the same superstep and {verb}, {takes} one value per step: {effect}."


def places_of(clash: Clash, context: RuleContext) -> list[Span]:
    """Where it is to be seen that the nodes run together: the last is what brings it about."""
    if clash.many is not None:
        return [clash.many.span]
    if clash.taken is not None:
        return [clash.taken.move.span]
    if not clash.ways:
        return [context.nodes[name].name_span for name in reversed(clash.nodes)]
    spans = list(dict.fromkeys(way[0].span for way in reversed(clash.ways)))
    # A hand-over in code of another file is told beside what the flow's own file has.
    return sorted(spans, key=lambda span: span.path != context.graph.path)


def related_to(clash: Clash, context: RuleContext, told: Sequence[Span]) -> list[tuple[str, Span]]:
    """The writes, the key and the other ways."""
    found: list[tuple[str, Span]] = []
    if clash.fork is not None and clash.many is None:
        fork = _shown(clash.fork, context)
        for name, way in zip(clash.nodes, clash.ways, strict=True):
            if way[0].span not in told[:1]:
                over = "" if way[0].target == name else f" over `{way[0].target}`"
                found.append((f"{fork} also leads to `{name}`{over}", way[0].span))
    for name, writing in _written(clash, context).items():
        found.append((f"`{name}` {_how(writing, clash.keys)}", writing.span))
    state = context.graph.state
    channel = state.channels.get(clash.keys[0]) if state is not None else None
    if channel is not None and channel.kind == "reducer":
        found.append((f"`{channel.key}` is declared here", channel.span))
    elif channel is not None:
        found.append((f"`{channel.key}` is declared without a reducer", channel.span))
    elif state is not None:
        found.append(("the state is one single value", state.span))
    return found


def witness_of(clash: Clash, context: RuleContext) -> list[str]:
    """A run up to the step in which they clash."""
    if clash.fork is None:
        return []
    numbers = context.index.numbers
    names = [] if clash.fork == START else context.way_to(numbers[clash.fork])
    if clash.many is not None:
        return [*names, *clash.nodes, *clash.nodes]
    for level in range(max(len(way) for way in clash.ways)):
        names += dict.fromkeys(way[level].target for way in clash.ways if level < len(way))
    return names


def _what(keys: Sequence[str]) -> tuple[str, str]:
    if WHOLE in keys:
        return "the state", "which takes"
    return listing(keys), "which takes" if len(keys) == 1 else "which take"


def _chosen(clash: Clash) -> str:
    taken = clash.taken
    assert taken is not None
    if taken.move.row is None:
        return f"`{taken.move.target}`"
    targets = [way[taken.level].target for way in clash.ways if len(way) > taken.level]
    among = {move.target for move in taken.choice.moves}
    return listing([name for name in dict.fromkeys(targets) if name in among])


def _shown(name: str, context: RuleContext) -> str:
    marker = context.graph.semantics.start_marker or "the start"
    return marker if name == START else f"`{name}`"


def _written(clash: Clash, context: RuleContext) -> dict[str, Writing]:
    written = context.shared(writings)
    return {name: written[name][clash.keys[0]] for name in clash.nodes}


def _certainly(clash: Clash, context: RuleContext) -> bool:
    written = _written(clash, context)
    return clash.sure or all(writing.certain for writing in written.values())


def _how(writing: Writing, keys: Sequence[str]) -> str:
    if writing.how == "handed through":
        return "returns the state it was given, with all of its keys"
    if writing.how == "replaced":
        return f"replaces {listing(keys)} here"
    if writing.how == "flow":
        return "is a flow of its own, which gives back each of its keys that has a value"
    return f"writes {'an update' if WHOLE in keys else listing(keys)} here"


def cure_of(clash: Clash, context: RuleContext) -> str:
    """What to do about it."""
    ways = {writing.how for writing in _written(clash, context).values()}
    if clash.keys == (WHOLE,):
        return "declare the keys of the state, with a reducer for those that several nodes write"
    if clash.many is not None:
        return f"give {listing(clash.keys)} a reducer that puts the values together"
    if ways == {"replaced"}:
        return f"let one node replace {listing(clash.keys)}, or run the nodes one after the other"
    if "flow" in ways:
        return "let each flow give back only keys of its own, or run the nodes one after the other"
    if "handed through" in ways:
        return (
            "return only the keys that a node changes, and give those that several write a reducer"
        )
    return f"give {listing(clash.keys)} a reducer, or run the nodes one after the other"
