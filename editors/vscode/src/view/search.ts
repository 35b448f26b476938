/** Finding nodes by what is written on them and on the edges out of them. */

import { allScopes, Scene, SceneNode } from '../graph/scene';

/** The nodes that hold all words, those whose name begins with the first word before others. */
export function searched(scene: Scene, query: string): SceneNode[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const [first] = words;
  if (first === undefined) {
    return [];
  }
  const found = allScopes(scene).flatMap((scope) =>
    scope.nodes.filter((node) => {
      const out = scope.edges.filter((edge) => edge.source === node).map((edge) => edge.text);
      const codes = node.findings.flatMap((finding) => [finding.code, finding.name]);
      const text = [node.name, node.kind, ...out, ...codes].join(' ').toLowerCase();
      return node.role !== 'start' && node.role !== 'end' && words.every((w) => text.includes(w));
    }),
  );
  const begins = (node: SceneNode): number => (node.name.toLowerCase().startsWith(first) ? 0 : 1);
  return found.sort((one, other) => begins(one) - begins(other));
}
