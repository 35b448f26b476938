/** ELK in a worker, so that large flows do not stop the page while they are laid out. */

import ELK from 'elkjs/lib/elk-api';
import type { ElkNode } from 'elkjs/lib/elk-api';

export type Engine = (graph: ElkNode) => Promise<ElkNode>;

/** The worker's script is fetched, since pages like this may only run workers of their own. */
export async function makeEngine(script: string): Promise<Engine> {
  const answer = await fetch(script);
  if (!answer.ok) {
    throw new Error(`the layout engine could not be loaded (${answer.status})`);
  }
  const source = new Blob([await answer.text()], { type: 'text/javascript' });
  const url = URL.createObjectURL(source);
  const elk = new ELK({ workerFactory: () => new Worker(url) });
  return (graph) => elk.layout(graph);
}
