/** A flow as things to draw: nodes and edges that know each other, their regions and findings. */

import { END, Flow, GraphEdge, GraphFinding, GraphNode, Severity, Shape } from './contract';

/** `missing`: edges name it, but the flow has no such node. */
export type Role = 'node' | 'start' | 'end' | 'missing';

export interface SceneNode {
  id: string;
  role: Role;
  name: string;
  kind: string;
  node: GraphNode | null;
  isEntry: boolean;
  isExit: boolean;
  regions: Scope[];
  findings: GraphFinding[];
}

export interface SceneEdge {
  id: string;
  source: SceneNode;
  target: SceneNode;
  /** What is written beside the edge. */
  text: string;
  /** Null where nothing but the entry says that the run begins there. */
  edge: GraphEdge | null;
  findings: GraphFinding[];
}

export interface Scope {
  id: string;
  name: string;
  nodes: SceneNode[];
  edges: SceneEdge[];
}

export interface Scene extends Scope {
  flow: Flow;
}

/** All of a flow, in the order in which it is written. */
export function sceneOf(flow: Flow): Scene {
  const root = scopeOf('', flow.name, flow);
  for (const finding of flow.findings) {
    for (const number of finding.edges) {
      edgeOf(root, flow, number)?.findings.push(finding);
    }
    if (finding.node !== null) {
      allNodes(root).find((one) => one.name === finding.node)?.findings.push(finding);
    }
  }
  return { ...root, flow };
}

/** The nodes of a scope and of all regions in it. */
export function allNodes(scope: Scope): SceneNode[] {
  return scope.nodes.flatMap((node) => [node, ...node.regions.flatMap(allNodes)]);
}

/** The edges of a scope and of all regions in it. */
export function allEdges(scope: Scope): SceneEdge[] {
  const inner = scope.nodes.flatMap((node) => node.regions.flatMap(allEdges));
  return [...scope.edges, ...inner];
}

/** The scopes of a scope, itself first. */
export function allScopes(scope: Scope): Scope[] {
  return [scope, ...scope.nodes.flatMap((node) => node.regions.flatMap(allScopes))];
}

/** The gravest severity of some findings. */
export function gravest(findings: readonly GraphFinding[]): Severity | null {
  const order: Severity[] = ['error', 'warning', 'info'];
  return order.find((one) => findings.some((finding) => finding.severity === one)) ?? null;
}

/** What is written beside an edge: nothing where it is always taken. */
export function edgeText(edge: GraphEdge): string {
  if (edge.kind === 'when') {
    return edge.guard ?? edge.label ?? '';
  }
  const named = edge.label ?? '';
  const condition = edge.guard !== null && edge.guard !== named ? edge.guard : '';
  return [named, condition].filter((part) => part !== '').join(': ');
}

function scopeOf(id: string, name: string, shape: Shape): Scope {
  const nodes = shape.nodes.map((node, number) => nodeOf(`${id}n${number}`, node, shape));
  const scope: Scope = { id, name, nodes, edges: [] };
  const found = (wanted: string): SceneNode => find(scope, wanted);
  for (const [number, start] of startsOf(shape).entries()) {
    scope.edges.push(connect(`${id}s${number}`, startNode(scope), found(start.target), start.edge));
  }
  for (const [number, edge] of shape.edges.entries()) {
    const target = edge.target === END ? endNode(scope) : found(edge.target);
    scope.edges.push(connect(`${id}e${number}`, found(edge.source), target, edge));
  }
  return scope;
}

function nodeOf(id: string, node: GraphNode, shape: Shape): SceneNode {
  return {
    id,
    role: 'node',
    name: node.name,
    kind: node.kind,
    node,
    isEntry: shape.entry.includes(node.name),
    isExit: shape.exits?.includes(node.name) ?? false,
    regions: Object.entries(node.regions).map(([name, region]) =>
      scopeOf(`${id}/${name}/`, name, region),
    ),
    findings: [],
  };
}

function startsOf(shape: Shape): { target: string; edge: GraphEdge | null }[] {
  const starts = shape.starts ?? [];
  const written = new Set(starts.map((edge) => edge.target));
  const bare = [...new Set(shape.entry)].filter((name) => !written.has(name));
  return [
    ...bare.map((target) => ({ target, edge: null })),
    ...starts.map((edge) => ({ target: edge.target, edge })),
  ];
}

function connect(
  id: string,
  source: SceneNode,
  target: SceneNode,
  edge: GraphEdge | null,
): SceneEdge {
  return { id, source, target, text: edge === null ? '' : edgeText(edge), edge, findings: [] };
}

function find(scope: Scope, name: string): SceneNode {
  const known = scope.nodes.find((one) => one.name === name && one.role !== 'start');
  return known ?? added(scope, 'missing', `${scope.id}missing:${name}`, name);
}

function startNode(scope: Scope): SceneNode {
  const known = scope.nodes.find((one) => one.role === 'start');
  return known ?? added(scope, 'start', `${scope.id}start`, 'start');
}

function endNode(scope: Scope): SceneNode {
  const known = scope.nodes.find((one) => one.role === 'end');
  return known ?? added(scope, 'end', `${scope.id}end`, END);
}

function added(scope: Scope, role: Role, id: string, name: string): SceneNode {
  const made: SceneNode = {
    id,
    role,
    name,
    kind: '',
    node: null,
    isEntry: false,
    isExit: false,
    regions: [],
    findings: [],
  };
  scope.nodes.push(made);
  return made;
}

function edgeOf(root: Scope, flow: Flow, number: number): SceneEdge | undefined {
  const wanted = flow.edges[number];
  return wanted === undefined ? undefined : root.edges.find((one) => one.edge === wanted);
}
