/** Which box lies next in a direction, for the arrow keys. */

import { Box } from './layout';

/** What lies farther aside than so many times ahead lies in another direction. */
const STEEPEST = 3;

export type Direction = 'up' | 'down' | 'left' | 'right';

/** The nearest box in a direction; what lies straight ahead is nearer than what lies aside. */
export function neighbour(
  boxes: ReadonlyMap<string, Box>,
  from: string,
  direction: Direction,
): string | null {
  const start = boxes.get(from);
  if (start === undefined) {
    return null;
  }
  let best: { id: string; far: number } | null = null;
  for (const [id, box] of boxes) {
    const far = distance(start, box, direction);
    if (id !== from && far !== null && (best === null || far < best.far)) {
      best = { id, far };
    }
  }
  return best?.id ?? null;
}

function distance(from: Box, to: Box, direction: Direction): number | null {
  const across = to.x + to.width / 2 - (from.x + from.width / 2);
  const down = to.y + to.height / 2 - (from.y + from.height / 2);
  const [ahead, aside] = {
    up: [-down, across],
    down: [down, across],
    left: [-across, down],
    right: [across, down],
  }[direction] as [number, number];
  const isAhead = ahead > 1 && Math.abs(aside) < STEEPEST * ahead;
  return isAhead ? ahead + 2 * Math.abs(aside) : null;
}
