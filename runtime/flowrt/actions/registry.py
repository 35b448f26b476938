"""The registry of actions, and running them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from flowlint.graph.reference import is_foreign
from flowrt.authoring import FlowState
from flowrt.engine.context import NodeContext
from flowrt.errors import FlowError
from flowrt.nodes.configs import checked
from flowrt.nodes.values import fill, fill_all, look_up, scope_of, where


class ActionConfig(BaseModel):
    """What every action can be told, beside its `type`."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)

    when: Literal["ok", "failed", "always"] = Field(
        default="ok",
        description="After which end of the node the action runs; before a node all run.",
    )


@dataclass(frozen=True, slots=True)
class ActionCall:
    """What an action works on: the node's context, the value (None before a node), the state that
    it may change in place, and the error when the node failed."""

    context: NodeContext
    value: Any
    state: FlowState
    error: BaseException | None = None

    def scope(self) -> dict[str, Any]:
        """What paths, CEL texts and templates of actions can name."""
        context = self.context
        edge = context.incoming
        prompt = edge.prompt if edge is not None else None
        return {
            **scope_of(context, {"state": self.state}),
            "result": self.value,
            "prompt": prompt if isinstance(prompt, str) else "",
            "error": "" if self.error is None else str(self.error),
            "node_name": context.node.name,
            "flow": context.flow,
            "run_id": context.run_id or "",
            "attempt": context.attempt,
        }

    def fill(self, template: str) -> str:
        """A template with its holes filled. Raises FlowError for what cannot be."""
        return fill(template, self.scope())

    def fill_all(self, value: Any) -> Any:
        """The same for every text inside dicts and lists."""
        return fill_all(value, self.scope())

    def look_up(self, text: str) -> Any:
        """What a path or CEL text gives. Raises FlowError when it cannot be evaluated."""
        return look_up(text, self.scope())


Apply = Callable[[Any, ActionCall], Awaitable[Any]]
Lacks = Callable[[Any, Mapping[str, Any]], str | None]


@dataclass(frozen=True, slots=True)
class Action:
    """An entry of the registry. `apply(config, call)` returns the value to go on with.

    One that `tells` changes nothing here but tells somebody else, which is done once. `lacks` says
    of a config and the services of a run what is not there to do it, before the run begins.
    """

    name: str
    apply: Apply
    summary: str
    config: type[ActionConfig]
    tells: bool = False
    lacks: Lacks | None = None


BUILT_IN = ("log", "notify", "webhook", "metric", "set-context", "validate", "transform")

_ACTIONS: dict[str, Action] = {}


def register_action(
    name: str,
    config: type[ActionConfig] = ActionConfig,
    summary: str = "",
    *,
    tells: bool = False,
    lacks: Lacks | None = None,
) -> Callable[[Apply], Apply]:
    """Add an action, as a decorator of its function; its name has a dot: `acme.page`.

    By the dot flowlint tells actions that it cannot know from slips of the pen. Raises FlowError
    for a name without one, and when the name is taken.
    """
    if name not in BUILT_IN and not is_foreign(name):
        raise FlowError(f"the action `{name}` needs a dot in its name, such as `acme.{name}`")

    def add(apply: Apply) -> Apply:
        known = _ACTIONS.get(name)
        if known is not None and known.apply is not apply:
            raise FlowError(f"the action `{name}` is registered already")
        text = summary or (apply.__doc__ or "").strip().split("\n")[0]
        _ACTIONS[name] = Action(name, apply, text, config, tells, lacks)
        return apply

    return add


def find_action(name: str) -> Action | None:
    """The action of a name, None when there is none; `set_context` also finds `set-context`."""
    _load_built_in()
    return _ACTIONS.get(name) or _ACTIONS.get(name.replace("_", "-"))


def all_actions() -> Iterator[Action]:
    """Every action, by name."""
    _load_built_in()
    yield from (_ACTIONS[name] for name in sorted(_ACTIONS))


def _load_built_in() -> None:
    from flowrt.actions import changing, telling  # noqa: F401


def lacks_of(given: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], str | None] | None:
    """Asks of the services of a run what an action lacks; None where nothing can."""
    settings = dict(given)
    action = find_action(str(settings.pop("type", None)))
    if action is None or action.lacks is None:
        return None
    lacks, config = action.lacks, action.config.model_validate(settings)
    return lambda services: lacks(config, services)


def not_told_yet(actions: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The actions to run before a node that paused and is gone on with: what was told is told."""
    known = ((action, find_action(str(action.get("type")))) for action in actions)
    return [action for action, entry in known if entry is None or not entry.tells]


async def run_actions(
    actions: Sequence[Mapping[str, Any]],
    context: NodeContext,
    value: Any,
    state: FlowState | None = None,
    error: BaseException | None = None,
) -> Any:
    """Run actions one after the other and give the value the last one left.

    `state` is what they may change in place, the context's unless given. With an `error`, only
    actions meant for failures run. All configs are checked before the first action runs. Raises
    FlowError for an unknown action, FlowValidationError for a wrong config, and what actions
    raise.
    """
    target = context.state if state is None else state
    for action, config in [_prepared(given, context) for given in actions]:
        if config.when == "always" or (config.when == "failed") == (error is not None):
            value = await action.apply(config, ActionCall(context, value, target, error))
    return value


def _prepared(given: Mapping[str, Any], context: NodeContext) -> tuple[Action, ActionConfig]:
    settings = dict(given)
    name = settings.pop("type", None)
    if not isinstance(name, str):
        raise FlowError(f"an action of {where(context)} has no `type`")
    action = find_action(name)
    if action is None:
        known = ", ".join(f"`{other.name}`" for other in all_actions())
        raise FlowError(f"{where(context)} has the action `{name}`, but there are only {known}")
    return action, checked(action.config, settings, f"the action `{name}` of {where(context)}")
