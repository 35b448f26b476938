"""The kinds of nodes and what their configs may hold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flowlint.changes import Rename
from flowlint.dialects.objectstack.conditions import check_condition
from flowlint.dialects.objectstack.config_shapes import CONFIGS
from flowlint.dialects.objectstack.kinds import KINDS, RENAMED_KINDS, RETIRED_SCRIPT_KEYS
from flowlint.dialects.objectstack.notes import FAILS, NODE_FAILS, REGISTERED
from flowlint.dialects.objectstack.objects import expression_of, object_of, texts_within
from flowlint.dialects.objectstack.parts import UNKNOWN_KIND, NodePart, Scope
from flowlint.dialects.objectstack.shape_checks import check_values
from flowlint.graph.names import NearNames
from flowlint.graph.reference_faults import near, near_rename
from flowlint.values.model import Const, Mapped
from flowlint.values.model import Sequence as List

_HOLE = re.compile(r"\{\s*([A-Za-z_]\w*)(?:\.[\w.]*)?\s*\}")
_TITLES = ("title", "template", "subject")
_AGGREGATES = frozenset({"aggregations", "aggregate", "groupBy", "rollup", "having"})


def check_nodes(scope: Scope) -> None:
    """Note what is wrong with the kinds and configs of the nodes."""
    for node in scope.nodes:
        _kind(node, scope)
        _keys(node, scope)
        _required(node, scope)
        _values(node, scope)
        _conditions(node, scope)
        _specials(node, scope)


def _kind(node: NodePart, scope: Scope) -> None:
    kind, given = node.kind, node.obj.fields.get("type")
    if given is None or kind == UNKNOWN_KIND or not kind:
        return
    notes = scope.notes
    if kind in RENAMED_KINDS:
        new = RENAMED_KINDS[kind]
        said = f"{node.shown} is of kind `{kind}`, which is called `{new}` now"
        rename = Rename(given.span, kind, new)
        notes.add(
            given.span,
            f"{said}: it is only converted when the flow is registered",
            f"write `{new}`",
            rule="removed-api",
            node=node.id,
            severity="warning",
            rename=rename,
        )
    elif kind not in KINDS:
        meant = NearNames(list(KINDS)).of(kind)
        said = f"{node.shown} is of kind `{kind}`, which ObjectStack does not bring along"
        notes.add(
            given.span,
            f"{said}: without a plugin that does, the run fails when it gets there",
            f"did you mean `{meant}`?" if meant else "see that the plugin is installed",
            rule="unknown-node-kind",
            node=node.id,
            severity="warning" if meant else "info",
            rename=near_rename(given.span, kind, KINDS),
        )
    elif not node.facts.runs:
        _interchange(node, scope)


def _refuses_others(node: NodePart) -> bool:
    """Whether a key that its kind does not have is told."""
    return node.facts.closed or node.facts.strict


def _failure(node: NodePart) -> str:
    """What becomes of a run that comes to a node whose config is refused."""
    return NODE_FAILS if node.kind == "approval" else FAILS


def _interchange(node: NodePart, scope: Scope) -> None:
    """A kind that is there for BPMN only."""
    is_led_to = node.id in scope.led_to()
    said = f"{node.shown} is a `{node.kind}`, which is there to exchange flows with BPMN only"
    if node.kind == "boundary_event" and not is_led_to:
        scope.notes.add(
            node.name_span,
            f"{said}: nothing ever comes to it",
            'draw an edge of type "fault" from the node that may fail, or use `try_catch`',
            rule="unreachable-node",
            node=node.id,
            severity="warning",
        )
        return
    cure = "use a `parallel` node, which runs its branches and waits for them"
    scope.notes.add(
        node.name_span,
        f"{said}, so nothing can run it: {FAILS}",
        cure if node.kind != "boundary_event" else "use a `try_catch` node",
        rule="unknown-node-kind",
        node=node.id,
        severity="error",
    )


def _keys(node: NodePart, scope: Scope) -> None:
    """Keys of a config that nothing reads."""
    facts, notes = node.facts, scope.notes
    for given in node.config.fields.values():
        name = given.name
        new = facts.renamed.get(name)
        if new is not None and (not facts.closed or node.config.lacks(new)):
            rename = Rename(given.key, name, new) if node.config.lacks(new) else None
            said = f"`{name}` of node `{node.id}` is called `{new}` now"
            notes.add(
                given.key,
                f"{said}: it is only converted when the flow is registered",
                f"write `{new}`",
                rule="removed-api",
                node=node.id,
                severity="warning",
                rename=rename,
            )
        elif node.kind == "script" and name in RETIRED_SCRIPT_KEYS:
            continue
        elif _refuses_others(node) and name not in facts.keys:
            said = f"The config of node `{node.id}` has a key `{name}` that nothing reads"
            cure = near(name, facts.keys, f"there is {', '.join(f'`{k}`' for k in facts.keys)}")
            rename = near_rename(given.key, name, facts.keys)
            if rename is not None and not node.config.lacks(rename.new):
                rename = None
            if name in _AGGREGATES:
                cure = "compute it in a summary or formula field of the object"
            notes.add(
                given.key,
                f"{said}: {REGISTERED if facts.closed else _failure(node)}",
                cure,
                rule="unknown-field",
                node=node.id,
                severity="error",
                rename=rename,
            )
        elif name in _AGGREGATES and node.runs_as in KINDS and node.kind != "assignment":
            notes.add(
                given.key,
                f"`{name}` of node `{node.id}` has no effect: no node of ObjectStack aggregates",
                "compute it in a summary or formula field of the object",
                rule="ineffective-field",
                node=node.id,
                severity="warning",
            )


def _required(node: NodePart, scope: Scope) -> None:
    """Keys without which a node refuses to run, which no edge can route."""
    config, facts = node.config, node.facts
    has = {facts.renamed.get(name, name) for name in config.fields}
    retired = node.kind == "script" and any(key in config.fields for key in RETIRED_SCRIPT_KEYS)
    lacking = [name for name in facts.required if name not in has and config.lacks(name)]
    # A loop without body does not look at what it is to go through.
    if node.kind == "loop" and config.lacks("body"):
        lacking = []
    if node.kind == "notify" and all(config.lacks(name) for name in _TITLES):
        lacking.append("title")
    # What is misspelt is told as such.
    near_keys = NearNames([*facts.keys])
    misspelt = {near_keys.of(name) for name in config.fields if name not in facts.keys}
    lacking = [name for name in lacking if name not in misspelt or not _refuses_others(node)]
    if lacking and not retired:
        names = " and ".join(f"`{name}`" for name in lacking)
        scope.notes.add(
            config.span if node.obj.get("config") is not None else node.obj.span,
            f"{node.shown} is a `{node.kind}` without {names}: {_failure(node)}",
            f"write {names} in its `config`",
            node=node.id,
        )
    block = {"wait": "waitEventConfig", "connector_action": "connectorConfig"}.get(node.kind)
    if block is not None and node.obj.lacks(block) and not config.fields and not config.is_open:
        if block == "connectorConfig":
            scope.notes.add(
                node.obj.span,
                f"{node.shown} is a `{node.kind}` without `{block}`: {FAILS}",
                f"write `{block}` with a `connectorId` and an `actionId`",
                node=node.id,
            )


def _conditions(node: NodePart, scope: Scope) -> None:
    """The expressions in a config."""
    notes = scope.notes
    gate = node.config.get("condition")
    if gate is not None:
        check_condition(expression_of(gate), f"Condition of node `{node.id}`", notes, node.id)
    if node.kind == "decision":
        for condition in node.config.items("conditions"):
            if isinstance(condition, Mapped):
                part = object_of(condition)
                written, label = part.get("expression"), part.text("label")
                what = f"Condition `{label}` of decision `{node.id}`"
                if written is not None:
                    check_condition(expression_of(written), what, notes, node.id)
    if node.kind == "screen":
        for field in node.config.items("fields"):
            if isinstance(field, Mapped):
                part = object_of(field)
                written, name = part.get("visibleWhen"), part.text("name")
                what = f"`visibleWhen` of field `{name}` of screen `{node.id}`"
                if written is not None:
                    check_condition(expression_of(written), what, notes, node.id)


def _specials(node: NodePart, scope: Scope) -> None:
    config, notes = node.config, scope.notes
    if node.kind == "parallel":
        branches = config.get("branches")
        if isinstance(branches, List) and len(branches.items) < 2 and branches.rest is None:
            said = f"{node.shown} is a `parallel` with less than two branches: {REGISTERED}"
            cure = "write another branch, or run the nodes without `parallel`"
            notes.add(branches.origin.span(), said, cure, rule="malformed-region", node=node.id)
    elif node.kind == "try_catch":
        _uncaught(node, scope)
    elif node.kind == "script":
        _retired(node, scope)
    elif node.kind == "notify":
        _content(node, scope)


def _uncaught(node: NodePart, scope: Scope) -> None:
    """A `try_catch` that neither catches nor tries again."""
    config = node.config
    if not (config.lacks("catch") and config.lacks("retry")) or "try" not in config.fields:
        return
    if any(edge.is_fault for edge in scope.all_leaving(node.id)):
        return
    scope.notes.add(
        node.name_span,
        f"{node.shown} tries without catching: what fails inside fails the run as well",
        "write a `catch` or a `retry`, or run the nodes without `try_catch`",
        rule="unhandled-failure",
        node=node.id,
        severity="warning",
    )


def _values(node: NodePart, scope: Scope) -> None:
    """Values in a config that a node refuses to run with."""
    shape = CONFIGS.get(node.runs_as)
    if shape is None:
        return
    inner = scope.notes.inner()
    check_values(node.config, shape, f"node `{node.id}`", inner, node.id)
    for seen in inner.found:
        if seen.rule == "removed-api":
            scope.notes.found.append(seen)
            continue
        is_unread = seen.rule == "unknown-field" and node.facts.closed
        message = seen.message.removesuffix(f": {inner.refusal}")
        scope.notes.add(
            seen.span,
            f"{message}: {REGISTERED if is_unread else _failure(node)}",
            seen.help,
            rule="bad-limit" if "too little" in message or "too much" in message else seen.rule,
            node=node.id,
            severity="error",
            rename=seen.rename,
        )


def _retired(node: NodePart, scope: Scope) -> None:
    for name in RETIRED_SCRIPT_KEYS:
        given = node.config.fields.get(name)
        if given is None:
            continue
        is_run = "function" in node.config.fields
        effect = "it has no effect" if is_run else FAILS
        scope.notes.add(
            given.key,
            f"`{name}` of script `{node.id}` is gone since ObjectStack 17: {effect}",
            "name a registered function in `function`; use a `notify` node to send something",
            rule="removed-api",
            node=node.id,
            severity="warning" if is_run else "error",
        )
        return


def _content(node: NodePart, scope: Scope) -> None:
    config, notes = node.config, scope.notes
    if "title" in config.fields and "template" in config.fields:
        said = f"{node.shown} is a `notify` with both `title` and `template`: {FAILS}"
        given = config.fields["template"]
        notes.add(given.key, said, "remove one of them", node=node.id)


def check_loops(flow: Scope, inner: Sequence[Scope]) -> None:
    """Note loops that repeat nothing."""
    for scope in (flow, *inner):
        bodiless = [n for n in scope.nodes if n.kind == "loop" and n.config.lacks("body")]
        filled = _filled(scope) if bodiless else {}
        for node in bodiless:
            _bodiless(node, scope, filled)


_Filled = dict[str, list[tuple[str, Const]]]


def _filled(scope: Scope) -> _Filled:
    """The texts that are filled in with variables, by these, each with its node."""
    found: _Filled = {}
    for node in scope.nodes:
        value = node.obj.get("config")
        for text in texts_within(value) if value is not None else ():
            for name in dict.fromkeys(_HOLE.findall(str(text.value))):
                found.setdefault(name, []).append((node.id, text))
    return found


def _bodiless(node: NodePart, scope: Scope, filled: _Filled) -> None:
    config = node.config
    variable = config.text("iteratorVariable") or "item"
    is_known = config.lacks("iteratorVariable") or "iteratorVariable" in config.fields
    uses: list[Const] = []
    if is_known and variable in filled:
        behind = _behind(node.id, scope)
        uses = [text for name, text in filled[variable] if name in behind and name != node.id]
    effect = "what follows runs once"
    if uses:
        effect = f"what follows runs once, and `{variable}` is not set there"
    scope.notes.add(
        node.name_span,
        f"Loop `{node.id}` has no `body`, so it repeats nothing: {effect}",
        "move what is to be repeated into `body`, as `nodes` and `edges` of their own",
        rule="loop-never-repeats",
        node=node.id,
        severity="error" if uses else "warning",
        related=tuple((f"`{variable}` is used here", use.origin.span()) for use in uses[:3]),
    )


def _behind(name: str, scope: Scope) -> set[str]:
    """The nodes that a run may come to after a node."""
    behind, pending = {name}, [name]
    for one in pending:
        for edge in scope.all_leaving(one):
            if edge.target not in behind:
                behind.add(edge.target)
                pending.append(edge.target)
    return behind
