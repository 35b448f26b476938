/** Flows of a document by their names, of which several may bear the same. */

import { Flow, Position } from './contract';

export interface Wanted {
  name: string;
  /** How many flows of the same name come before. */
  earlier: number;
}

/** The flow of a number, so that it is found again when the text has changed. */
export function wantedOf(flows: readonly Flow[], number: number): Wanted | null {
  const flow = flows[number];
  if (flow === undefined) {
    return null;
  }
  const { name } = flow;
  return { name, earlier: flows.slice(0, number).filter((one) => one.name === name).length };
}

/** The number of a flow; of one that comes earlier, where there are fewer by now; -1 for none. */
export function numberOf(flows: readonly Flow[], wanted: Wanted): number {
  const numbers = flows.flatMap((flow, number) => (flow.name === wanted.name ? [number] : []));
  return numbers[wanted.earlier] ?? numbers.at(-1) ?? -1;
}

/** The number of the flow of a name that begins there; -1 for none. */
export function numberAt(flows: readonly Flow[], name: string, start: Position): number {
  return flows.findIndex(
    ({ name: own, range }) =>
      own === name && range.start.line === start.line && range.start.character === start.character,
  );
}

/** What flows are called where one chooses between them. */
export function labelsOf(flows: readonly Flow[]): string[] {
  return flows.map(({ name, range }) => {
    const isAlone = flows.filter((one) => one.name === name).length === 1;
    return isAlone ? name : `${name}, line ${range.start.line + 1}`;
  });
}
