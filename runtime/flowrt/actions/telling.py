"""Actions that tell somebody: log, notify, webhook, metric."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from typing import Any, Literal
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from pydantic import Field, field_validator

from flowrt.actions.registry import ActionCall, ActionConfig, register_action
from flowrt.durations import Duration
from flowrt.errors import FlowError
from flowrt.nodes.values import plain, settle, where

logger = logging.getLogger("flowrt.actions")

NOTIFY = "notify"
"""The service that sends notifications: a function (channel, message, target), sync or async."""
METRICS = "metrics"
"""The service that takes metrics: a function (name, value, tags), sync or async."""


class LogConfig(ActionConfig):
    """A line for the log."""

    message: str = Field(description="The text; `{node_name}`, `{result}` and so on are filled in.")
    level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="How serious it is."
    )


@register_action("log", LogConfig, tells=True)
async def log(config: LogConfig, call: ActionCall) -> Any:
    """Write a line to the log `flowrt.actions`."""
    level = logging.getLevelNamesMapping()[config.level.upper()]
    logger.log(level, "%s", call.fill(config.message))
    return call.value


class NotifyConfig(ActionConfig):
    """A message to people."""

    message: str = Field(description="The text; `{node_name}`, `{result}` and so on are filled in.")
    channel: str = Field(
        default="log", description="How it is sent: `log`, or a channel of the service `notify`."
    )
    target: str | None = Field(default=None, description="Who gets it, for the service to know.")


def _no_channel(config: NotifyConfig, services: Mapping[str, Any]) -> str | None:
    if config.channel == "log" or services.get(NOTIFY) is not None:
        return None
    return (
        f"notifies by `{config.channel}`, but the service `{NOTIFY}` is not given, and only `log` "
        "works without it"
    )


@register_action("notify", NotifyConfig, tells=True, lacks=_no_channel)
async def notify(config: NotifyConfig, call: ActionCall) -> Any:
    """Send a message by the service `notify`; the channel `log` needs none."""
    message = call.fill(config.message)
    target = call.fill(config.target) if config.target is not None else None
    service = call.context.services.get(NOTIFY)
    if service is not None:
        await settle(service(config.channel, message, target))
    elif config.channel == "log":
        logger.info("%s", message if target is None else f"{target}: {message}")
    else:
        raise FlowError(f"{where(call.context)} {_no_channel(config, call.context.services)}")
    return call.value


class MetricConfig(ActionConfig):
    """One measurement."""

    name: str = Field(min_length=1, description="What is measured.")
    value: float = Field(default=1.0, description="How much.")
    value_from: str | None = Field(
        default=None, description="A path or CEL text that gives how much, instead of `value`."
    )
    tags: dict[str, str] = Field(
        default_factory=dict, description="Tags; their values are templates."
    )


@register_action("metric", MetricConfig, tells=True)
async def metric(config: MetricConfig, call: ActionCall) -> Any:
    """Give a measurement to the service `metrics`, or to the log where there is none."""
    amount: Any = config.value if config.value_from is None else call.look_up(config.value_from)
    if isinstance(amount, bool) or not isinstance(amount, int | float):
        raise FlowError(f"the metric `{config.name}` of {where(call.context)} is {amount!r}")
    tags = call.fill_all(config.tags)
    service = call.context.services.get(METRICS)
    if service is not None:
        await settle(service(config.name, amount, tags))
    else:
        logger.info("metric %s=%s %s", config.name, amount, tags)
    return call.value


class WebhookConfig(ActionConfig):
    """A request to an address."""

    url: str = Field(description="Where to, http or https; a template.")
    method: Literal["POST", "PUT"] = Field(default="POST", description="How.")
    headers: dict[str, str] = Field(
        default_factory=dict, description="Headers; their values are templates."
    )
    body: str | dict[str, Any] | list[Any] | None = Field(
        default=None,
        description="What is sent: a template as it is, anything else as JSON with its texts "
        "filled in. Without, JSON with flow, run_id, node, result and error.",
    )
    timeout: Duration = Field(default=10.0, gt=0, le=600, description="How long it may take.")

    @field_validator("url")
    @classmethod
    def _address(cls, url: str) -> str:
        if not url.startswith(("http://", "https://", "{")):
            raise ValueError("has to begin with http:// or https://")
        return url


@register_action("webhook", WebhookConfig, tells=True)
async def webhook(config: WebhookConfig, call: ActionCall) -> Any:
    """Send a request; any answer but a 2xx one is a failure, redirects included."""
    url = call.fill(config.url)
    if urlsplit(url).scheme not in ("http", "https"):
        raise FlowError(f"the webhook of {where(call.context)} leads to `{url}`, neither http(s)")
    headers = {name: call.fill(text) for name, text in config.headers.items()}
    if isinstance(config.body, str):
        body = call.fill(config.body)
    else:
        told = call.fill_all(config.body) if config.body is not None else _told(call)
        body = json.dumps(plain(told), default=str)
        headers.setdefault("Content-Type", "application/json")
    request = Request(url, body.encode(), headers, method=config.method)
    try:
        await asyncio.to_thread(_send, request, config.timeout)
    except (URLError, OSError, ValueError) as error:
        problem = f"{error.code} {error.reason}" if isinstance(error, HTTPError) else str(error)
        raise FlowError(f"the webhook of {where(call.context)} failed: {problem}") from error
    return call.value


def _told(call: ActionCall) -> Mapping[str, Any]:
    scope = call.scope()
    names = {"flow": "flow", "run_id": "run_id", "node": "node_name", "result": "result"}
    return {**{name: scope[root] for name, root in names.items()}, "error": scope["error"]}


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Follow none: the answer is treated as an error."""


def _send(request: Request, timeout: float) -> None:
    with build_opener(_NoRedirects).open(request, timeout=timeout) as answer:
        answer.read(1024)
