/** The keys of the picture. */

import { Direction, neighbour } from './directions';
import { Box } from './layout';
import { ZOOM_STEP } from './viewport';

export interface KeyActions {
  /** The boxes of all nodes, in the order in which Tab goes through them. */
  boxes(): ReadonlyMap<string, Box>;
  selected(): string | null;
  select(id: string): void;
  open(id: string, focus: boolean): void;
  zoom(factor: number): void;
  fit(): void;
  leave(): void;
  search(): void;
}

const ARROWS: Record<string, Direction> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

export function listenToKeys(frame: SVGSVGElement, actions: KeyActions): void {
  frame.addEventListener('keydown', (event) => {
    if (isHandled(event, actions)) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
}

function isHandled(event: KeyboardEvent, actions: KeyActions): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return false;
  }
  const boxes = actions.boxes();
  const ids = [...boxes.keys()];
  const at = actions.selected();
  const arrow = ARROWS[event.key];
  if (arrow !== undefined && at !== null) {
    selectedNext(neighbour(boxes, at, arrow), actions);
    return true;
  }
  switch (event.key) {
    case 'Tab':
      return selectedNext(ids[ids.indexOf(at ?? '') + (event.shiftKey ? -1 : 1)] ?? null, actions);
    case 'Home':
      return selectedNext(ids[0] ?? null, actions);
    case 'End':
      return selectedNext(ids.at(-1) ?? null, actions);
    case 'Enter':
    case ' ':
      if (at !== null) {
        actions.open(at, event.key === 'Enter');
      }
      return true;
    case '+':
    case '=':
      actions.zoom(ZOOM_STEP);
      return true;
    case '-':
      actions.zoom(1 / ZOOM_STEP);
      return true;
    case '0':
      actions.fit();
      return true;
    case '/':
      actions.search();
      return true;
    case 'Escape':
      actions.leave();
      return true;
    default:
      return false;
  }
}

/** At the first and the last node, Tab goes on to what is beside the picture. */
function selectedNext(id: string | null, actions: KeyActions): boolean {
  if (id === null) {
    return false;
  }
  actions.select(id);
  return true;
}
