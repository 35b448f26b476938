/** What is known of the selected part, below the picture. */

import { Place } from '../graph/contract';
import { SceneEdge, SceneNode } from '../graph/scene';
import { html } from './dom';
import { findingsList, OutlineActions } from './outline';
import { edgeWords } from './words';

export function details(
  part: SceneNode | SceneEdge | null,
  actions: OutlineActions,
  open: (place: Place, focus: boolean) => void,
): HTMLElement[] {
  if (part === null) {
    return [];
  }
  const head = 'source' in part ? edgeHead(part) : nodeHead(part, open);
  return part.findings.length === 0 ? [head] : [head, findingsList(part.findings, actions)];
}

function edgeHead(edge: SceneEdge): HTMLElement {
  return html('p', { class: 'head' }, edgeWords({ ...edge, findings: [] }));
}

function nodeHead(node: SceneNode, open: (place: Place, focus: boolean) => void): HTMLElement {
  const head = html('p', { class: 'head' }, html('strong', {}, node.name), ` ${node.kind}`);
  const runs = node.node?.function;
  if (runs) {
    const link = html('button', { type: 'button' }, `runs ${runs.name}`);
    link.addEventListener('click', () => open(runs, true));
    head.append(' · ', link);
  }
  return head;
}
