/** A scene and its layout as SVG. */

import { allEdges, gravest, Scene, SceneEdge, SceneNode, Scope } from '../graph/scene';
import { svg } from './dom';
import { Box, HEADER, Layout, pathOf, Point, Route, shortLabel } from './layout';
import { edgeWords, nodeWords } from './words';

const MARKS = { error: '✕', warning: '!', info: 'i' } as const;

export interface Drawing {
  group: SVGGElement;
  nodes: Map<string, SVGGElement>;
  edges: Map<string, SVGGElement>;
}

/** Boxes first and lines above them, since lines end at boxes. */
export function draw(scene: Scene, layout: Layout): Drawing {
  const nodes = new Map<string, SVGGElement>();
  const edges = new Map<string, SVGGElement>();
  const boxes = svg('g', { class: 'nodes' });
  drawScope(scene, layout, boxes, nodes);
  const lines = svg('g', { class: 'edges', 'aria-hidden': 'true' });
  for (const edge of allEdges(scene)) {
    const route = layout.routes.get(edge.id);
    if (route !== undefined) {
      const drawn = drawEdge(edge, route);
      edges.set(edge.id, drawn);
      lines.append(drawn);
    }
  }
  return { group: svg('g', { class: 'picture' }, boxes, lines), nodes, edges };
}

function drawScope(
  scope: Scope,
  layout: Layout,
  into: SVGGElement,
  nodes: Map<string, SVGGElement>,
): void {
  for (const node of scope.nodes) {
    const box = layout.boxes.get(node.id);
    if (box === undefined) {
      continue;
    }
    const drawn = drawNode(node, scope, box);
    nodes.set(node.id, drawn);
    into.append(drawn);
    for (const region of node.regions) {
      const inner = layout.boxes.get(region.id);
      if (inner !== undefined) {
        into.append(drawRegion(region, inner));
        drawScope(region, layout, into, nodes);
      }
    }
  }
}

function drawNode(node: SceneNode, scope: Scope, box: Box): SVGGElement {
  const words = nodeWords(node, scope);
  const severity = gravest(node.findings);
  const classes = ['node', node.role, node.regions.length > 0 ? 'outer' : '', severity ?? ''];
  const group = svg('g', {
    class: classes.filter(Boolean).join(' '),
    'data-id': node.id,
    transform: `translate(${box.x} ${box.y})`,
    role: 'button',
    tabindex: -1,
    'aria-label': words,
  });
  if (node.role === 'start' || node.role === 'end') {
    group.append(...dot(node.role, box));
  } else {
    group.append(...labelled(node, box));
  }
  if (severity !== null) {
    group.append(badge(box.width, 0, severity, node.findings.length));
  }
  group.append(svg('title', {}, words));
  return group;
}

function dot(role: 'start' | 'end', box: Box): SVGElement[] {
  const at = { cx: box.width / 2, cy: box.height / 2 };
  const outer = svg('circle', { class: 'shape', ...at, r: box.width / 2 });
  return role === 'start' ? [outer] : [outer, svg('circle', { class: 'core', ...at, r: 4 })];
}

function labelled(node: SceneNode, box: Box): SVGElement[] {
  const { width, height } = box;
  const parts: SVGElement[] = [svg('rect', { class: 'shape', width, height, rx: 5 })];
  if (node.isExit) {
    const inner = { x: 3, y: 3, width: width - 6, height: height - 6, rx: 3 };
    parts.push(svg('rect', { class: 'exit', ...inner }));
  }
  const kind = node.role === 'missing' ? 'no such node' : node.kind;
  const middle = (node.regions.length > 0 ? HEADER : height) / 2;
  parts.push(svg('text', { class: 'name', x: width / 2, y: middle - 2 }, node.name));
  parts.push(svg('text', { class: 'kind', x: width / 2, y: middle + 13 }, kind));
  return parts;
}

function drawRegion(region: Scope, box: Box): SVGGElement {
  const { x, y, width, height } = box;
  return svg(
    'g',
    { class: 'region', transform: `translate(${x} ${y})`, 'aria-hidden': 'true' },
    svg('rect', { class: 'shape', width, height, rx: 4 }),
    svg('text', { class: 'kind', x: 8, y: 15 }, region.name),
  );
}

function drawEdge(edge: SceneEdge, route: Route): SVGGElement {
  const severity = gravest(edge.findings);
  const kind = edge.edge?.kind ?? 'entry';
  const maybe = edge.edge?.certain === false ? 'maybe' : '';
  const classes = ['edge', kind, maybe, severity ?? ''].filter(Boolean).join(' ');
  const group = svg('g', { class: classes, 'data-id': edge.id });
  const line = pathOf(route.points);
  group.append(svg('path', { class: 'hit', d: line }));
  group.append(svg('path', { class: 'line', d: line }));
  group.append(arrow(route));
  if (route.label !== null) {
    const { x, y, width, height } = route.label;
    const back = { x: x - 2, y, width: width + 4, height, rx: 2 };
    group.append(svg('rect', { class: 'behind', ...back }));
    group.append(svg('text', { class: 'label', x, y: y + 12 }, shortLabel(edge.text)));
  }
  if (severity !== null) {
    // Labels stand about half way.
    const at = pointAt(route, route.label === null ? 0.5 : 0.2);
    group.append(badge(at.x, at.y, severity, edge.findings.length));
  }
  group.append(svg('title', {}, edgeWords(edge)));
  return group;
}

/** A head of its own, since markers do not take the colour of their line everywhere. */
function arrow(route: Route): SVGElement {
  const end = route.points.at(-1) ?? { x: 0, y: 0 };
  const before = route.points.at(-2) ?? end;
  const turned = (Math.atan2(end.y - before.y, end.x - before.x) * 180) / Math.PI;
  const transform = `translate(${end.x} ${end.y}) rotate(${turned})`;
  return svg('path', { class: 'head', d: 'M0 0L-8 -4L-8 4Z', transform });
}

/** The point after such a part of the way. */
function pointAt(route: Route, share: number): Point {
  const lengths = route.points.slice(1).map((point, number) => {
    const from = route.points[number] ?? point;
    return Math.hypot(point.x - from.x, point.y - from.y);
  });
  let left = lengths.reduce((sum, one) => sum + one, 0) * share;
  for (const [number, length] of lengths.entries()) {
    const from = route.points[number];
    const to = route.points[number + 1];
    if (from !== undefined && to !== undefined && left <= length && length > 0) {
      const part = left / length;
      return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
    }
    left -= length;
  }
  return route.points[0] ?? { x: 0, y: 0 };
}

/** How grave it is is told by the sign too, not by the colour alone. */
function badge(x: number, y: number, severity: keyof typeof MARKS, number: number): SVGElement {
  return svg(
    'g',
    { class: `badge ${severity}`, transform: `translate(${x} ${y})`, 'aria-hidden': 'true' },
    svg('circle', { r: 8 }),
    svg('text', { y: 3.5 }, number > 1 ? String(number) : MARKS[severity]),
  );
}
