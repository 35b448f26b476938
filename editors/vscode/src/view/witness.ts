/** The run that shows a fault, as steps through the picture. */

import { allNodes, allScopes, Scene, SceneEdge, SceneNode } from '../graph/scene';

export interface Step {
  node: SceneNode;
  /** The edge that leads here from the step before, where the picture has it. */
  edge: SceneEdge | null;
}

/** The steps through the nodes of these names; names that the picture lacks are left out. */
export function stepsOf(scene: Scene, witness: readonly string[]): Step[] {
  const scopes = allScopes(scene);
  const nodes = allNodes(scene);
  const steps: Step[] = [];
  for (const name of witness) {
    const last = steps.at(-1)?.node;
    const between = (edge: SceneEdge): boolean =>
      edge.source === last && edge.target.name === name;
    const edge = scopes.flatMap((scope) => scope.edges.filter(between))[0] ?? null;
    const node = edge?.target ?? nodes.find((one) => one.name === name && one.role !== 'start');
    if (node !== undefined) {
      steps.push({ node, edge });
    }
  }
  return steps;
}
