/** The flow as nested lists: the same as the picture, for reading. */

import { GraphFinding } from '../graph/contract';
import { gravest, Scene, SceneEdge, SceneNode, Scope } from '../graph/scene';
import { html } from './dom';
import { findingWords, targetWords } from './words';

export interface OutlineActions {
  openNode(node: SceneNode): void;
  openEdge(edge: SceneEdge): void;
  openFinding(finding: GraphFinding): void;
  play(finding: GraphFinding): void;
}

/** All findings, then all nodes with the edges out of them. */
export function outline(scene: Scene, actions: OutlineActions): HTMLElement[] {
  const parts: HTMLElement[] = [];
  if (scene.flow.findings.length > 0) {
    parts.push(html('h2', {}, 'Findings'), findingsList(scene.flow.findings, actions));
  }
  for (const gap of scene.flow.gaps) {
    parts.push(html('p', { class: 'gap' }, `Could not be read: ${gap.reason}`));
  }
  parts.push(html('h2', {}, 'Nodes'), nodesList(scene, actions));
  return parts;
}

export function findingsList(
  findings: readonly GraphFinding[],
  actions: OutlineActions,
): HTMLElement {
  const items = findings.map((finding) => {
    const told = button(findingWords(finding), () => actions.openFinding(finding));
    told.classList.add('finding', finding.severity);
    const item = html('li', {}, told);
    if (finding.help !== null) {
      item.append(html('p', { class: 'help' }, `Help: ${finding.help}`));
    }
    if (finding.witness.length > 1) {
      const path = finding.witness.join(' → ');
      const play = button(`▶ ${path}`, () => actions.play(finding));
      play.classList.add('play');
      play.setAttribute('aria-label', `Show the path: ${finding.witness.join(', then ')}`);
      item.append(play);
    }
    return item;
  });
  return html('ul', {}, ...items);
}

function nodesList(scope: Scope, actions: OutlineActions): HTMLElement {
  const items = scope.nodes
    .filter((node) => node.role === 'node' || node.role === 'missing')
    .map((node) => nodeItem(node, scope, actions));
  return html('ul', {}, ...items);
}

function nodeItem(node: SceneNode, scope: Scope, actions: OutlineActions): HTMLElement {
  const kind = node.role === 'missing' ? 'no such node' : node.kind;
  const open = button(node.name, () => actions.openNode(node));
  open.classList.add('to-node', gravest(node.findings) ?? 'sound');
  open.dataset['node'] = node.id;
  open.append(html('span', { class: 'kind' }, ` ${kind}`));
  const item = html('li', {}, open);
  const out = scope.edges.filter((edge) => edge.source === node);
  if (out.length > 0) {
    const lines = out.map((edge) => {
      const line = button(`→ ${targetWords(edge)}`, () => actions.openEdge(edge));
      line.classList.add('to-edge', gravest(edge.findings) ?? 'sound');
      return html('li', {}, line);
    });
    item.append(html('ul', { 'aria-label': `Out of ${node.name}` }, ...lines));
  }
  for (const region of node.regions) {
    item.append(html('p', { class: 'region' }, region.name), nodesList(region, actions));
  }
  return item;
}

function button(text: string, act: () => void): HTMLButtonElement {
  const made = html('button', { type: 'button' }, text);
  made.addEventListener('click', act);
  return made;
}
