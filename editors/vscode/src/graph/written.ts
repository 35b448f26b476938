/** Where the parts of a picture are written. */

import { GraphEdge, Place } from './contract';
import { allEdges, Scene, SceneEdge, SceneNode } from './scene';

/** Where one comes to from a part; null where nothing in the text stands for it. */
export function placeOf(part: SceneNode | SceneEdge, scene: Scene): Place | null {
  if ('source' in part) {
    return part.edge && edgePlace(part.edge, scene);
  }
  if (part.node !== null) {
    return { uri: part.node.uri, range: part.node.nameRange };
  }
  if (part.role !== 'missing') {
    return scene.flow;
  }
  const naming = allEdges(scene).filter(({ edge }) => edge !== null);
  const target = naming.find((one) => one.target === part)?.edge;
  return target?.targetPlace ?? target ?? naming.find((one) => one.source === part)?.edge ?? null;
}

/** Whether one statement makes several edges, so that only their targets tell them apart. */
export function isShared(edge: GraphEdge, scene: Scene): boolean {
  return allEdges(scene).some(({ edge: other }) => {
    const isOther = other !== null && other !== edge && other.uri === edge.uri;
    return isOther && JSON.stringify(other.range) === JSON.stringify(edge.range);
  });
}

function edgePlace(edge: GraphEdge, scene: Scene): Place {
  return (isShared(edge, scene) ? edge.targetPlace : undefined) ?? edge;
}
