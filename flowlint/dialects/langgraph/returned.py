"""What routers are seen to return, as LangGraph looks it up."""

from __future__ import annotations

from dataclasses import dataclass, field

from flowlint.dialects.langgraph import members
from flowlint.dialects.langgraph.bodies import Mention, body_of, mentions, reads_of
from flowlint.dialects.langgraph.editions import Edition
from flowlint.dialects.langgraph.javascript.made import is_nothing
from flowlint.dialects.langgraph.model import COMMAND, KNOWN_ROUTERS, SEND
from flowlint.dialects.reading import bare_function
from flowlint.graph.code import Read, Route
from flowlint.source import Span
from flowlint.values.bodies import Given, Made, Opaque, Plain, Row, Table
from flowlint.values.model import External, Function, Value

OUT_OF_SIGHT = "its code is out of sight"
UNNAMED = "the router"
"""What a router is called that has no name of its own."""


@dataclass(frozen=True, slots=True)
class Routes:
    """What a router may return. `more`: why there may be other values."""

    name: str
    routes: tuple[Route, ...] = ()
    more: str | None = None
    several: bool = False
    definition: Span | None = None
    names: tuple[Mention, ...] = ()
    reads: tuple[Read, ...] = ()
    more_reads: bool = True
    may_stop: bool = False


def routes_of(router: Value, place: Span, edition: Edition) -> Routes:
    """What a router, given at a place, is seen to return."""
    if isinstance(router, External):
        known = KNOWN_ROUTERS.get(router.qualified)
        name = router.qualified.rsplit(".", 1)[-1]
        if known is None:
            return Routes(name, more=OUT_OF_SIGHT)
        return Routes(name, tuple(Route(value, _shown(value, edition), place) for value in known))
    found = body_of(router)
    if found is None:
        function = bare_function(router)
        return Routes(_called(function) if function is not None else UNNAMED, more=OUT_OF_SIGHT)
    function, body = found
    reading = _RouteReading(edition)
    for given in body.returns:
        reading.read(given)
    routes = tuple(dict.fromkeys(reading.routes))
    span = function.origin.span()
    names = tuple(dict.fromkeys(reading.names))
    return Routes(
        _called(function),
        routes,
        reading.more,
        reading.several,
        span,
        names,
        reads_of(body),
        0 in body.leaks,
        reading.may_stop,
    )


def _called(function: Function) -> str:
    return UNNAMED if function.kind == "lambda" else function.name


@dataclass(slots=True)
class _RouteReading:
    edition: Edition
    routes: list[Route] = field(default_factory=list)
    more: str | None = None
    several: bool = False
    may_stop: bool = False
    rows: int = 0
    names: list[Mention] = field(default_factory=list)

    def read(self, given: Given, *, many: bool = False, row: int | None = None) -> None:
        if is_nothing(given):
            sure = not isinstance(given, Plain) or given.sure
            self.routes.append(Route(None, "None", given.span, sure=sure, row=row))
        elif isinstance(given, Plain):
            self.routes.append(_route(given, row, self.edition))
            self.names += mentions(given, "route")
        elif isinstance(given, Made) and given.qualified in SEND:
            self._send(given, many=many, row=row)
        elif isinstance(given, Row):
            self.several = True
            self.may_stop |= given.repeated or not given.items
            self.rows += 1
            for item in given.items:
                among = self.rows if len(item) == 1 and not given.repeated else None
                for inner in item:
                    self.read(inner, many=given.repeated, row=among)
            if given.more:
                self.more = self.more or "what it returns may have more in it"
        elif isinstance(given, Opaque):
            self.more = self.more or given.reason
        elif isinstance(given, Table):
            kind = self.edition.values.get("a dict", "a dict")
            self.routes.append(Route(kind, "{…}", given.span, row=row, is_name=False))
        elif isinstance(given, Made) and given.qualified in COMMAND:
            route = Route("a Command", "Command(…)", given.span, row=row, is_name=False)
            self.routes.append(route)
        else:
            self.more = self.more or "it returns something that is no name"

    def _send(self, made: Made, *, many: bool, row: int | None) -> None:
        for target in made.arguments.get("node") or made.arguments.get("0") or ():
            if isinstance(target, Plain) and isinstance(target.value, str):
                self.names += mentions(target, "send")
                shown = _shown(target.value, self.edition)
                route = Route(target.value, shown, target.span, True, many, row=row)
                self.routes.append(route)
            else:
                self.more = self.more or "where it sends to is not known"
        self.several = True


def _shown(value: object, edition: Edition) -> str:
    """A constant as it is written."""
    if not edition.script_keys:
        return repr(value)
    return f'"{value}"' if isinstance(value, str) else members.printed(value)


def _route(given: Plain, row: int | None, edition: Edition) -> Route:
    name = members.name_of(given)
    cure = None if name is None or name.is_text else members.cure_of(name)
    shown = given.member or _shown(given.value, edition)
    key = members.case_key(given, edition.script_keys)
    is_empty = edition.script_keys and not given.value
    return Route(key, shown, given.span, sure=given.sure, row=row, cure=cure, is_empty=is_empty)
