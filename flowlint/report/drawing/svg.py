"""Drawings of flows as SVG, with what was found drawn on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from flowlint.findings.model import Finding, Severity
from flowlint.graph.model import FlowGraph
from flowlint.report.drawing.layout import Point, Route, Size
from flowlint.report.drawing.look import styles
from flowlint.report.drawing.marks import Marks, marks_of
from flowlint.report.drawing.measure import shorten, text_width, wrap
from flowlint.report.drawing.scene import (
    BADGE,
    LABEL_SIZE,
    REGION_HEAD,
    REGION_PAD,
    Arrow,
    Box,
    Scene,
    region_width,
    scene_of,
)
from flowlint.report.xml import attribute, escape

_MARGIN = 20.0
_HEAD = 46.0
_TOLD_SIZE, _TOLD_LINE, _TOLD_WIDTH = 12.0, 17.0, 460.0
_GRAVITY: dict[Severity, int] = {"error": 0, "warning": 1, "info": 2}
_TIP = 7.0


def render(graphs: Sequence[FlowGraph], findings: Sequence[Finding]) -> Iterator[str]:
    """The lines of one picture with all flows below each other, each with its findings."""
    marks, _ = marks_of(graphs, findings)
    drawn = [_Drawing(graph, own) for graph, own in zip(graphs, marks, strict=True)]
    width = max((drawing.width for drawing in drawn), default=2 * _MARGIN)
    height = sum(drawing.height for drawing in drawn) or 2 * _MARGIN
    yield _opening(width, height, [graph.name for graph in graphs])
    yield f"<style>{styles()}</style>"
    yield f'<rect class="paper" width="{_n(width)}" height="{_n(height)}"/>'
    top = 0.0
    for drawing in drawn:
        yield f'<g transform="translate(0 {_n(top)})">'
        yield from drawing.lines()
        yield "</g>"
        top += drawing.height
    yield "</svg>"


def picture(graph: FlowGraph, marks: Marks) -> Iterator[str]:
    """One flow without heading, list of findings and style sheet, for pages that have their own."""
    scene = scene_of(graph, marks)
    width, height = scene.layout.width + 2 * _MARGIN, scene.layout.height + 2 * _MARGIN
    yield _opening(width, height, [graph.name])
    yield from _placed(scene, marks.findings, (_MARGIN, _MARGIN))
    yield "</svg>"


def _opening(width: float, height: float, names: Sequence[str]) -> str:
    size = f'width="{_n(width)}" height="{_n(height)}" viewBox="0 0 {_n(width)} {_n(height)}"'
    title = attribute(f"flow {', '.join(names)}" if names else "no flows")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="flow" {size} role="img" '
        f'aria-label="{title}">'
    )


class _Drawing:
    """One flow with a heading above and its findings below."""

    def __init__(self, graph: FlowGraph, marks: Marks) -> None:
        self._name = shorten(graph.name, 60)
        place = f"{graph.path}:{graph.span.line}"
        self._caption = f"{graph.dialect} · {shorten(place, 70)}"
        self._scene = scene_of(graph, marks)
        self._findings = marks.findings
        layout = self._scene.layout
        heading = max(text_width(self._name, 16, bold=True), text_width(self._caption, 11))
        wanted = max(layout.width, heading)
        if self._findings:
            wanted = max(wanted, _TOLD_WIDTH)
        self.width = wanted + 2 * _MARGIN
        self._told = [
            list(wrap(_sentence(found), _TOLD_SIZE, wanted - BADGE - 6)) for found in self._findings
        ]
        told = sum(len(lines) * _TOLD_LINE + 5 for lines in self._told)
        self._below = _MARGIN + _HEAD + layout.height + _MARGIN
        self.height = self._below + told + _MARGIN / 2

    def lines(self) -> Iterator[str]:
        yield f'<text class="title" x="{_n(_MARGIN)}" y="30">{escape(self._name)}</text>'
        yield f'<text class="caption" x="{_n(_MARGIN)}" y="47">{escape(self._caption)}</text>'
        left = (self.width - self._scene.layout.width) / 2
        yield from _placed(self._scene, self._findings, (left, _MARGIN + _HEAD))
        top = self._below + 4
        for number, (found, lines) in enumerate(zip(self._findings, self._told, strict=True), 1):
            yield _badge((_MARGIN + BADGE / 2, top + 4), number, found.severity)
            for line in lines:
                x, y = _MARGIN + BADGE + 6, top + 8
                yield f'<text class="told" x="{_n(x)}" y="{_n(y)}">{escape(line)}</text>'
                top += _TOLD_LINE
            top += 5


def _sentence(finding: Finding) -> str:
    return f"{finding.severity} {finding.code} {finding.name}: {finding.message}"


def _placed(scene: Scene, findings: Sequence[Finding], at: Point) -> Iterator[str]:
    yield f'<g transform="translate({_n(at[0])} {_n(at[1])})">'
    pairs = list(zip(scene.arrows, scene.layout.routes, strict=True))
    # What was found is drawn last, so that no other line runs over it.
    for arrow, route in sorted(pairs, key=lambda pair: bool(pair[0].findings)):
        yield from _arrow(arrow, route, scene, findings)
    for box, middle in zip(scene.boxes, scene.layout.middles, strict=True):
        yield from _box(box, middle, findings)
    for arrow, route in pairs:
        yield from _label(arrow, route, findings)
    yield "</g>"


def _box(box: Box, middle: Point, findings: Sequence[Finding]) -> Iterator[str]:
    classes = ["node", box.shape, *_tones(box.findings, findings)]
    if box.maybe or box.shape == "unknown":
        classes.append("dashed")
    x, y = middle
    width, height = box.size.width, box.size.height
    yield f'<g class="{" ".join(classes)}"{_numbers(box.findings)}>'
    yield f"<title>{escape(_title(box, findings))}</title>"
    match box.shape:
        case "start":
            yield f'<circle class="dot" cx="{_n(x)}" cy="{_n(y)}" r="{_n(width / 2 - 1)}"/>'
        case "end":
            yield f'<circle class="ring" cx="{_n(x)}" cy="{_n(y)}" r="{_n(width / 2 - 1)}"/>'
            yield f'<circle class="dot" cx="{_n(x)}" cy="{_n(y)}" r="{_n(width / 2 - 5)}"/>'
        case "gate":
            yield f'<path class="box" d="{_hexagon(middle, box.size)}"/>'
        case _:
            radius = height / 2 if box.shape == "join" else 7
            yield (
                f'<rect class="box" x="{_n(x - width / 2)}" y="{_n(y - height / 2)}" '
                f'width="{_n(width)}" height="{_n(height)}" rx="{_n(radius)}"/>'
            )
    yield from _texts(box, middle)
    yield from _regions(box, middle, findings)
    for at, number in enumerate(reversed(box.findings)):
        place = (x + width / 2 - 4 - at * BADGE, y - height / 2)
        yield _badge(place, number, findings[number - 1].severity)
    yield "</g>"


def _texts(box: Box, middle: Point) -> Iterator[str]:
    x, y = middle
    if box.shape == "region":
        top = y - box.size.height / 2 + 18
        kind = f' <tspan class="kind">{escape(box.kind)}</tspan>' if box.kind else ""
        yield f'<text class="name" x="{_n(x)}" y="{_n(top)}">{escape(box.name)}{kind}</text>'
    elif box.shape == "join":
        yield f'<text class="kind" x="{_n(x)}" y="{_n(y + 3.5)}">{escape(box.name)}</text>'
    elif box.kind:
        yield f'<text class="name" x="{_n(x)}" y="{_n(y - 1)}">{escape(box.name)}</text>'
        yield f'<text class="kind" x="{_n(x)}" y="{_n(y + 13)}">{escape(box.kind)}</text>'
    elif box.name:
        yield f'<text class="name" x="{_n(x)}" y="{_n(y + 4.5)}">{escape(box.name)}</text>'


def _regions(box: Box, middle: Point, findings: Sequence[Finding]) -> Iterator[str]:
    """The regions of a box, side by side below its name."""
    room = sum(region_width(label, scene) for label, scene in box.inner)
    room += REGION_PAD * (len(box.inner) - 1)
    left = middle[0] - room / 2
    top = middle[1] - box.size.height / 2 + REGION_HEAD
    height = box.size.height - REGION_HEAD - REGION_PAD
    for label, scene in box.inner:
        width = region_width(label, scene)
        yield (
            f'<rect class="inner" x="{_n(left)}" y="{_n(top)}" width="{_n(width)}" '
            f'height="{_n(height)}" rx="6"/>'
        )
        yield f'<text class="caption" x="{_n(left + 8)}" y="{_n(top + 14)}">{escape(label)}</text>'
        inside = left + (width - scene.layout.width) / 2
        yield from _placed(scene, findings, (inside, top + LABEL_SIZE + REGION_PAD))
        left += width + REGION_PAD


def _arrow(arrow: Arrow, route: Route, scene: Scene, findings: Sequence[Finding]) -> Iterator[str]:
    classes = ["edge", *_tones(arrow.findings, findings)]
    if arrow.dashed:
        classes.append("dashed")
    if route.points:
        path, tip = _curve(route)
    else:
        middle = scene.layout.middles[arrow.link.source]
        path, tip = _round(middle, scene.boxes[arrow.link.source].size)
    yield f'<g class="{" ".join(classes)}"{_numbers(arrow.findings)}>'
    yield f"<title>{escape(_arrow_title(arrow, scene, findings))}</title>"
    yield f'<path class="wide" d="{path}"/><path class="line" d="{path}"/>'
    yield f'<path class="tip" d="{tip}"/>'
    yield "</g>"


def _curve(route: Route) -> tuple[str, str]:
    x, y = route.points[-1]
    way = 1 if y >= route.points[0][1] else -1
    points = [*route.points[:-1], (x, y - way * (_TIP - 1))]
    parts = [f"M{_n(points[0][0])} {_n(points[0][1])}"]
    for (x1, y1), (x2, y2) in pairwise(points):
        if x1 == x2:
            parts.append(f"V{_n(y2)}")
        else:
            bend = (y1 + y2) / 2
            parts.append(f"C{_n(x1)} {_n(bend)} {_n(x2)} {_n(bend)} {_n(x2)} {_n(y2)}")
    back = y - way * _TIP
    return "".join(parts), f"M{_n(x)} {_n(y)}L{_n(x - 4)} {_n(back)}H{_n(x + 4)}Z"


def _round(middle: Point, size: Size) -> tuple[str, str]:
    """A link from a node to itself, on the right of it."""
    x, y = middle[0] + size.width / 2, middle[1]
    path = (
        f"M{_n(x)} {_n(y - 8)}C{_n(x + 26)} {_n(y - 20)} {_n(x + 26)} {_n(y + 20)} "
        f"{_n(x + _TIP - 1)} {_n(y + 8)}"
    )
    return path, f"M{_n(x)} {_n(y + 6)}L{_n(x + 7)} {_n(y + 5)}L{_n(x + 5)} {_n(y + 12)}Z"


def _label(arrow: Arrow, route: Route, findings: Sequence[Finding]) -> Iterator[str]:
    width = arrow.link.label_width
    if not width:
        return
    x, y = route.label
    left = x - width / 2
    yield f"<g{_numbers(arrow.findings)}>"
    yield f"<title>{escape(arrow.text or 'a link')}</title>"
    yield (
        f'<rect class="paper" x="{_n(left)}" y="{_n(y - 8)}" width="{_n(width)}" height="16" '
        'rx="4"/>'
    )
    for at, number in enumerate(arrow.findings):
        place = (left + BADGE * (at + 0.5), y)
        yield _badge(place, number, findings[number - 1].severity)
    if arrow.label:
        start = left + BADGE * len(arrow.findings) + 4
        yield (f'<text class="label" x="{_n(start)}" y="{_n(y + 4)}">{escape(arrow.label)}</text>')
    yield "</g>"


def _badge(middle: Point, number: int, severity: Severity) -> str:
    x, y = _n(middle[0]), middle[1]
    return (
        f'<circle class="badge {severity}" cx="{x}" cy="{_n(y)}" r="7.5"/>'
        f'<text class="number" x="{x}" y="{_n(y + 3.5)}">{number}</text>'
    )


def _hexagon(middle: Point, size: Size) -> str:
    x, y = middle
    left, right = x - size.width / 2, x + size.width / 2
    top, bottom = y - size.height / 2, y + size.height / 2
    return (
        f"M{_n(left)} {_n(y)}L{_n(left + 14)} {_n(top)}H{_n(right - 14)}L{_n(right)} {_n(y)}"
        f"L{_n(right - 14)} {_n(bottom)}H{_n(left + 14)}Z"
    )


def _tones(numbers: Sequence[int], findings: Sequence[Finding]) -> list[str]:
    """The classes of a part with findings, of which the gravest gives the colour."""
    if not numbers:
        return []
    severities = [findings[number - 1].severity for number in numbers]
    return ["marked", min(severities, key=_GRAVITY.__getitem__)]


def _numbers(numbers: Sequence[int]) -> str:
    return f' data-findings="{" ".join(map(str, numbers))}"' if numbers else ""


def _title(box: Box, findings: Sequence[Finding]) -> str:
    told = [_sentence(findings[number - 1]) for number in box.findings]
    name = f"{box.full_name} ({box.kind})" if box.kind else box.full_name
    return "\n".join([name, *told])


def _arrow_title(arrow: Arrow, scene: Scene, findings: Sequence[Finding]) -> str:
    source = scene.boxes[arrow.link.source].full_name
    target = scene.boxes[arrow.link.target].full_name
    name = f"{source} → {target}" + (f": {arrow.text}" if arrow.text else "")
    return "\n".join([name, *(_sentence(findings[number - 1]) for number in arrow.findings)])


def _n(number: float) -> str:
    return f"{round(number, 1) + 0.0:.1f}".removesuffix(".0")
