/** Between a scene and ELK: what is to be laid out, and where things came to lie. */

import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api';
import { allEdges, allNodes, allScopes, Scene, SceneNode, Scope } from '../graph/scene';

/** The width of a text in pixels; `style` tells how it is written. */
export type Measure = (text: string, style: TextStyle) => number;
export type TextStyle = 'name' | 'kind' | 'label';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Route {
  points: Point[];
  label: Box | null;
}

/** All in the coordinates of the whole picture. */
export interface Layout {
  width: number;
  height: number;
  boxes: Map<string, Box>;
  routes: Map<string, Route>;
}

export const NODE_HEIGHT = 44;
export const LABEL_HEIGHT = 16;
export const DOT = 14;
/** The height of what is written at the top of nodes with regions, and of regions. */
export const HEADER = 44;
export const REGION_HEADER = 22;
const NARROWEST = 90;
const PADDING = 14;
const LONGEST_LABEL = 42;

const FLOWING: Record<string, string> = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.layered.considerModelOrder.strategy': 'PREFER_NODES',
  'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST',
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
  'elk.layered.nodePlacement.favorStraightEdges': 'true',
  'elk.layered.spacing.nodeNodeBetweenLayers': '36',
  'elk.layered.spacing.edgeNodeBetweenLayers': '18',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '12',
  'elk.spacing.nodeNode': '32',
  'elk.spacing.nodeSelfLoop': '22',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeEdge': '12',
  'elk.spacing.edgeLabel': '4',
  'elk.spacing.componentComponent': '32',
};

/** A label as it is drawn: long ones are cut, the whole is told when one points at it. */
export function shortLabel(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_LABEL ? line : `${line.slice(0, LONGEST_LABEL - 1)}…`;
}

/** Large flows are long; cut into columns, they can be seen as a whole. */
const LARGE = 80;
const IN_COLUMNS: Record<string, string> = {
  'elk.layered.wrapping.strategy': 'MULTI_EDGE',
  'elk.aspectRatio': '0.8',
};

/** What ELK lays out. */
export function elkInput(scene: Scene, measure: Measure): ElkNode {
  const flowing = scene.nodes.length > LARGE ? { ...FLOWING, ...IN_COLUMNS } : FLOWING;
  return {
    id: 'root',
    layoutOptions: { ...flowing, 'elk.padding': '[top=16,left=16,bottom=16,right=16]' },
    ...contentOf(scene, measure),
  };
}

function contentOf(
  scope: Scope,
  measure: Measure,
): { children: ElkNode[]; edges: ElkExtendedEdge[] } {
  return {
    children: scope.nodes.map((node) => nodeInput(node, measure)),
    edges: scope.edges.map((edge) => {
      const text = shortLabel(edge.text);
      const label = { text, width: measure(text, 'label'), height: LABEL_HEIGHT };
      return {
        id: edge.id,
        sources: [edge.source.id],
        targets: [edge.target.id],
        labels: text === '' ? [] : [label],
      };
    }),
  };
}

function nodeInput(node: SceneNode, measure: Measure): ElkNode {
  if (node.role === 'start' || node.role === 'end') {
    const layer = node.role === 'start' ? 'FIRST' : 'NONE';
    const layoutOptions = { 'elk.layered.layering.layerConstraint': layer };
    return { id: node.id, width: DOT, height: DOT, layoutOptions };
  }
  const text = Math.max(measure(node.name, 'name'), measure(node.kind, 'kind'));
  const width = Math.ceil(Math.max(NARROWEST, text + 2 * PADDING));
  if (node.regions.length === 0) {
    return { id: node.id, width, height: NODE_HEIGHT };
  }
  return {
    id: node.id,
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'DOWN',
      'elk.spacing.componentComponent': '14',
      'elk.padding': `[top=${HEADER},left=10,bottom=10,right=10]`,
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${width},${NODE_HEIGHT})`,
    },
    children: node.regions.map((region) => ({
      id: region.id,
      layoutOptions: {
        ...FLOWING,
        'elk.padding': `[top=${REGION_HEADER + 8},left=10,bottom=10,right=10]`,
        'elk.nodeSize.constraints': 'MINIMUM_SIZE',
        'elk.nodeSize.minimum': `(${Math.ceil(measure(region.name, 'kind')) + 24},40)`,
      },
      ...contentOf(region, measure),
    })),
  };
}

/** Where everything lies. */
export function layoutOf(laidOut: ElkNode): Layout {
  const layout: Layout = {
    width: laidOut.width ?? 0,
    height: laidOut.height ?? 0,
    boxes: new Map(),
    routes: new Map(),
  };
  place(laidOut, { x: 0, y: 0 }, layout);
  return layout;
}

function place(parent: ElkNode, at: Point, layout: Layout): void {
  for (const child of parent.children ?? []) {
    const x = at.x + (child.x ?? 0);
    const y = at.y + (child.y ?? 0);
    layout.boxes.set(child.id, { x, y, width: child.width ?? 0, height: child.height ?? 0 });
    place(child, { x, y }, layout);
  }
  for (const edge of parent.edges ?? []) {
    const section = edge.sections?.[0];
    const points = section
      ? [section.startPoint, ...(section.bendPoints ?? []), section.endPoint]
      : [];
    const label = edge.labels?.[0];
    layout.routes.set(edge.id, {
      points: points.map((point) => ({ x: at.x + point.x, y: at.y + point.y })),
      label: label
        ? {
            x: at.x + (label.x ?? 0),
            y: at.y + (label.y ?? 0),
            width: label.width ?? 0,
            height: label.height ?? 0,
          }
        : null,
    });
  }
}

/** What tells whether two scenes have the same layout: then nothing needs to be laid out anew. */
export function layoutKey(scene: Scene): string {
  const scopes = allScopes(scene).map((scope) => `${scope.id}=${scope.name}`);
  const nodes = allNodes(scene).map((node) => `${node.id}=${node.name}|${node.kind}`);
  const edges = allEdges(scene).map((one) => `${one.source.id}>${one.target.id}|${one.text}`);
  return [...scopes, ...nodes, ...edges].join('\n');
}

/** A line through points, with corners that are a little round. */
export function pathOf(points: readonly Point[], radius = 6): string {
  const [first, ...rest] = points;
  if (first === undefined) {
    return '';
  }
  const parts = [`M${first.x} ${first.y}`];
  let last = first;
  for (const [number, point] of rest.entries()) {
    const next = rest[number + 1];
    if (next === undefined) {
      parts.push(`L${point.x} ${point.y}`);
      break;
    }
    const from = towards(point, last, radius);
    const to = towards(point, next, radius);
    parts.push(`L${from.x} ${from.y}`, `Q${point.x} ${point.y} ${to.x} ${to.y}`);
    last = point;
  }
  return parts.join('');
}

function towards(from: Point, to: Point, most: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const part = length === 0 ? 0 : Math.min(most, length / 2) / length;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}
