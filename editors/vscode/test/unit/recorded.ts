/** What the server answered for the examples, recorded. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Flow, GraphAnswer, GraphEdge, GraphNode, Range } from '../../src/graph/contract';

export function recorded(name: string): Flow {
  // The tests run in dist-test/unit, two folders below the package.
  const folder = path.join(__dirname, '..', '..', 'test', 'unit', 'recorded');
  const answer = JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8')) as GraphAnswer;
  const [flow] = answer.flows;
  if (flow === undefined) {
    throw new Error(`${name} has no flow`);
  }
  return flow;
}

/** A made-up flow, `a>b` an edge each; what is at a line is at no other. */
export function flowOf(edges: string[], entry = edges[0]?.split('>')[0] ?? ''): Flow {
  const names = [...new Set(edges.flatMap((edge) => edge.split('>')))].filter(
    (name) => name !== '__end__',
  );
  const nodes: GraphNode[] = names.map((name, number) => ({
    name,
    kind: 'step',
    ...at(number),
    nameRange: at(number).range,
    function: null,
    regions: {},
  }));
  const links: GraphEdge[] = edges.map((edge, number) => {
    const [source = '', target = ''] = edge.split('>');
    const place = at(names.length + number);
    return { source, target, kind: 'always', label: null, guard: null, certain: true, group: null, ...place };
  });
  return {
    name: 'flow',
    dialect: 'flowrt',
    uri: 'file:///flow.py',
    range: { start: { line: 0, character: 0 }, end: { line: 1000, character: 0 } },
    symbol: null,
    complete: true,
    gaps: [],
    entry: [entry],
    nodes,
    edges: links,
    findings: [],
    startMarker: null,
    endMarker: null,
  };
}

function at(line: number): { uri: string; range: Range } {
  const range = { start: { line, character: 4 }, end: { line, character: 20 } };
  return { uri: 'file:///flow.py', range };
}
