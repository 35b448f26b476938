/** What the server answers to `flowlint/graph`: the flows of a document as they are to be drawn. */

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface Place {
  uri: string;
  range: Range;
}

export interface GraphNode extends Place {
  name: string;
  kind: string;
  nameRange: Range;
  function: ({ name: string } & Place) | null;
  regions: Record<string, Shape>;
}

export type EdgeKind = 'always' | 'when' | 'case' | 'outcome' | 'goto' | 'send';

export interface GraphEdge extends Place {
  source: string;
  target: string;
  kind: EdgeKind;
  label: string | null;
  guard: string | null;
  certain: boolean;
  group: string | null;
  /** Where its target is named; only there do the cases of one statement differ. */
  targetPlace?: Place;
}

/** What flows and regions have alike. */
export interface Shape {
  entry: string[];
  exits?: string[];
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** Edges from the start marker, for systems that have one. */
  starts?: GraphEdge[];
}

export type Severity = 'error' | 'warning' | 'info';

export interface GraphFinding extends Place {
  code: string;
  name: string;
  severity: Severity;
  message: string;
  help: string | null;
  node: string | null;
  /** Numbers of edges of the flow. */
  edges: number[];
  /** The run that shows the fault: names of nodes in the order in which they run. */
  witness: string[];
}

export interface Flow extends Shape, Place {
  name: string;
  dialect: string;
  symbol: string | null;
  complete: boolean;
  gaps: ({ reason: string } & Place)[];
  findings: GraphFinding[];
  startMarker: string | null;
  endMarker: string | null;
}

export interface GraphAnswer {
  flows: Flow[];
}

/** The target of edges that end the run. */
export const END = '__end__';
