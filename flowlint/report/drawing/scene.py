"""What is to be drawn of a flow: boxes with their sizes and places, and arrows between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from flowlint.graph.model import END, START, Edge, Entry, FlowGraph, Node
from flowlint.report.drawing.layers import Link
from flowlint.report.drawing.layout import Layout, Size, layout
from flowlint.report.drawing.marks import Marks
from flowlint.report.drawing.measure import shorten, text_width
from flowlint.report.graph_json import entry_names, exit_names, node_names

NAME_SIZE, KIND_SIZE, LABEL_SIZE = 13.0, 10.5, 11.0
BADGE = 17.0
REGION_HEAD, REGION_PAD = 26.0, 12.0
_NAME_LIMIT, _LABEL_LIMIT = 34, 26
_FEW_ENDS = 4
"""Up to so many ways out share one end; more would draw lines all over the picture."""

Shape = Literal["step", "gate", "start", "end", "join", "unknown", "region"]


@dataclass(frozen=True, slots=True)
class Box:
    """A node or marker. `inner` are the regions in it, by name."""

    shape: Shape
    size: Size
    name: str = ""
    kind: str = ""
    full_name: str = ""
    maybe: bool = False
    findings: tuple[int, ...] = ()
    inner: tuple[tuple[str, Scene], ...] = ()


@dataclass(frozen=True, slots=True)
class Arrow:
    """A link, `dashed` where it is not in every build. `label` may be cut, `text` is all of it."""

    link: Link
    label: str = ""
    text: str = ""
    dashed: bool = False
    findings: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is drawn of one flow or region, laid out."""

    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    layout: Layout


def scene_of(graph: FlowGraph, marks: Marks) -> Scene:
    """The laid-out scene of a flow."""
    builder = _Builder(graph, marks)
    builder.build()
    sizes = [box.size for box in builder.boxes]
    placed = layout(sizes, [arrow.link for arrow in builder.arrows])
    return Scene(tuple(builder.boxes), tuple(builder.arrows), placed)


@dataclass
class _Builder:
    graph: FlowGraph
    marks: Marks
    boxes: list[Box] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    shared_end: int | None = None
    few_ends: bool = True

    def build(self) -> None:
        graph = self.graph
        starts = entry_names(graph)
        start = self._add(Box("start", Size(18, 18), full_name="start")) if starts else None
        nodes = {node.name: node for node in reversed(graph.nodes)}
        for name in node_names(graph):
            self.numbers[name] = self._add(self._box(nodes[name]))
        ends = exit_names(graph)
        leading = sum(edge.target == END for edge in graph.edges) + len(ends)
        self.few_ends = leading <= 2 * _FEW_ENDS or len(ends) <= _FEW_ENDS
        if start is not None:
            self._starts(start, starts)
        self._edges()
        leaving = {edge.source for edge in graph.edges}
        for name in ends:
            if name not in leaving:
                self._arrow(self.numbers[name], self._end(), None)

    def _starts(self, start: int, names: Sequence[str]) -> None:
        entries = {entry.name: entry for entry in reversed(self.graph.entries)}
        edges = {e.target: e for e in reversed(self.graph.edges) if e.source == START}
        for name in names:
            target = self._end() if name == END else self._number(name)
            self._arrow(start, target, entries.get(name) or edges.get(name))

    def _edges(self) -> None:
        joins: dict[tuple[str, str], int] = {}
        for edge in self.graph.edges:
            if edge.source == START:
                continue
            source = self._number(edge.source)
            if edge.group is None:
                self._arrow(source, self._target(edge), edge)
                continue
            key = (edge.group, edge.target)
            if key not in joins:
                joins[key] = self._add(Box("join", Size(44, 16), "all", full_name="all of these"))
                self._arrow(joins[key], self._target(edge), None)
            self._arrow(source, joins[key], edge)

    def _target(self, edge: Edge) -> int:
        return self._end() if edge.target == END else self._number(edge.target)

    def _number(self, name: str) -> int:
        """The box of a name; what nobody declared is drawn as unknown."""
        if name not in self.numbers:
            shown = shorten(name, _NAME_LIMIT) or " "
            width = max(text_width(shown, NAME_SIZE), text_width("unknown", KIND_SIZE)) + 28
            box = Box("unknown", Size(width, 42), shown, "unknown", name)
            self.numbers[name] = self._add(box)
        return self.numbers[name]

    def _end(self) -> int:
        if self.few_ends and self.shared_end is not None:
            return self.shared_end
        self.shared_end = self._add(Box("end", Size(20, 20), full_name="end"))
        return self.shared_end

    def _add(self, box: Box) -> int:
        self.boxes.append(box)
        return len(self.boxes) - 1

    def _box(self, node: Node) -> Box:
        name = shorten(node.name, _NAME_LIMIT) or " "
        kind = "" if node.kind == "step" else shorten(node.kind, _NAME_LIMIT)
        shape: Shape = "gate" if node.kind == "gate" else "step"
        width = max(text_width(name, NAME_SIZE, bold=True), text_width(kind, KIND_SIZE), 36.0)
        width += 46 if shape == "gate" else 28
        height = 42.0 if kind else 34.0
        inner = tuple(
            (shorten(label, _NAME_LIMIT), scene_of(region, self.marks))
            for label, region in node.regions.items()
        )
        if inner:
            shape = "region"
            width += text_width(kind, KIND_SIZE) + 10
            width, height = _around(inner, width)
        return Box(
            shape,
            Size(width, height),
            name,
            kind,
            node.name,
            bool(node.presence),
            self.marks.of(node),
            inner,
        )

    def _arrow(self, source: int, target: int, part: Edge | Entry | None) -> None:
        text = _label(part)
        # What a case is called and what it leads to are mostly one; that is read once.
        label = "" if text == self.boxes[target].full_name else shorten(text, _LABEL_LIMIT)
        findings = self.marks.of(part) if part is not None else ()
        width = BADGE * len(findings)
        if label:
            width += text_width(label, LABEL_SIZE) + 8
        link = Link(source, target, width, 16.0 if width else 0.0)
        dashed = part is not None and bool(part.presence)
        self.arrows.append(Arrow(link, label, text, dashed, findings))


def _around(inner: Sequence[tuple[str, Scene]], width: float) -> tuple[float, float]:
    """The size of a box around regions that stand side by side."""
    room = sum(region_width(label, scene) for label, scene in inner)
    height = max(scene.layout.height for _, scene in inner)
    return (
        max(width, room + REGION_PAD * (len(inner) + 1)),
        height + REGION_HEAD + 3 * REGION_PAD + LABEL_SIZE,
    )


def region_width(label: str, scene: Scene) -> float:
    """How wide a region is drawn."""
    return max(scene.layout.width + 16, text_width(label, LABEL_SIZE) + 16, 40.0)


def _label(part: Edge | Entry | None) -> str:
    if part is None:
        return ""
    if part.label is not None:
        return part.label
    guard = part.guard if isinstance(part, Edge) else None
    return guard.text if guard is not None else ""
