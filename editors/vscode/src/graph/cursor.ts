/** Which part of which flow stands where the cursor is. */

import { Flow, Position, Range } from './contract';
import { allEdges, allNodes, Scene, sceneOf } from './scene';
import { isShared } from './written';

export interface Pointed {
  /** The number of the flow in the document. */
  flow: number;
  /** The id of the node or edge, null where the cursor is in the flow but at no part of it. */
  part: string | null;
}

interface Candidate {
  pointed: Pointed;
  uri: string;
  range: Range;
}

/** The smallest thing whose text holds the cursor. */
export function pointedAt(
  flows: readonly Flow[],
  uri: string,
  position: Position,
): Pointed | null {
  const here = flows
    .flatMap((flow, number) => candidates(sceneOf(flow), number))
    .filter((one) => one.uri === uri && contains(one.range, position));
  if (here.length === 0) {
    return null;
  }
  return here.reduce((best, one) => (isWithin(one.range, best.range) ? one : best)).pointed;
}

function candidates(scene: Scene, number: number): Candidate[] {
  const candidate = (uri: string, range: Range, part: string | null): Candidate => ({
    pointed: { flow: number, part },
    uri,
    range,
  });
  const nodes = allNodes(scene).flatMap(({ id, node }) => {
    if (node === null) {
      return [];
    }
    const runs = node.function;
    return [
      ...(runs === null ? [] : [candidate(runs.uri, runs.range, id)]),
      candidate(node.uri, node.range, id),
      candidate(node.uri, node.nameRange, id),
    ];
  });
  const edges = allEdges(scene).flatMap(({ id, edge, source }) => {
    if (edge === null) {
      return [];
    }
    const { targetPlace } = edge;
    return [
      candidate(edge.uri, edge.range, isShared(edge, scene) ? source.id : id),
      ...(targetPlace === undefined ? [] : [candidate(targetPlace.uri, targetPlace.range, id)]),
    ];
  });
  return [candidate(scene.flow.uri, scene.flow.range, null), ...nodes, ...edges];
}

export function contains(range: Range, position: Position): boolean {
  return !before(position, range.start) && !before(range.end, position);
}

function isWithin(inner: Range, outer: Range): boolean {
  return !before(inner.start, outer.start) && !before(outer.end, inner.end);
}

function before(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}
