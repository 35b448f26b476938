/** What is told of parts of flows in words: for screen readers, tooltips and the outline. */

import { GraphFinding } from '../graph/contract';
import { allNodes, Scene, SceneEdge, SceneNode, Scope } from '../graph/scene';

export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

/** The flow in a sentence. */
export function flowWords(scene: Scene): string {
  const nodes = allNodes(scene).filter((node) => node.role === 'node').length;
  const parts = [count(nodes, 'node'), count(scene.flow.findings.length, 'finding')];
  const known = scene.flow.complete ? '' : ' Not all of it could be read.';
  return `Flow ${scene.name}: ${parts.join(', ')}.${known}`;
}

/** A node with what leads out of it and what is found there. */
export function nodeWords(node: SceneNode, scope: Scope): string {
  if (node.role === 'start') {
    return `Start of ${scope.name}`;
  }
  if (node.role === 'end') {
    return `End of ${scope.name}`;
  }
  if (node.role === 'missing') {
    return `${node.name}: no node of this flow, though edges name it`;
  }
  const parts = [node.kind === '' ? node.name : `${node.name}, ${node.kind}`];
  if (node.isEntry) {
    parts.push('the run begins here');
  }
  const out = scope.edges.filter((edge) => edge.source === node);
  parts.push(...out.map((edge) => `leads to ${targetWords(edge)}`));
  if (node.isExit || out.length === 0) {
    parts.push('the run may end here');
  }
  if (node.regions.length > 0) {
    parts.push(`contains ${node.regions.map((region) => region.name).join(', ')}`);
  }
  return [parts.join('; '), ...node.findings.map(findingWords)].join('. ');
}

/** Where an edge leads, and when. */
export function targetWords(edge: SceneEdge): string {
  const name = edge.target.role === 'end' ? 'the end' : edge.target.name;
  return edge.text === '' ? name : `${name} ${conditionWords(edge)}`;
}

export function edgeWords(edge: SceneEdge): string {
  const source = edge.source.role === 'start' ? 'the start' : edge.source.name;
  const sentence = `From ${source} to ${targetWords(edge)}`;
  return [sentence, ...edge.findings.map(findingWords)].join('. ');
}

export function findingWords(finding: GraphFinding): string {
  return `${finding.severity} ${finding.code}: ${finding.message}`;
}

function conditionWords(edge: SceneEdge): string {
  const kind = edge.edge?.kind;
  const maybe = edge.edge?.certain === false ? ', perhaps' : '';
  if (kind === 'case' || kind === 'outcome') {
    return `on ${kind} ${edge.text}${maybe}`;
  }
  return kind === 'when' ? `when ${edge.text}${maybe}` : `(${edge.text})${maybe}`;
}
