/** Moving and zooming: what of the picture is seen. */

import { Box, Point } from './layout';

const CLOSEST = 3;
const FARTHEST = 0.01;
const STEP = 1.25;
/** Texts are hardly read below this, so pictures that only fit smaller begin where the run does. */
const READABLE = 0.75;
/** Below this, labels and kinds are left out, since they would be dirt. */
const FAR = 0.4;

export interface Viewport {
  /** Show all of a picture, or, unless `all`, the part around a box where all is too small. */
  fit(width: number, height: number, around: Box | null, all: boolean): void;
  zoom(factor: number, at?: Point): void;
  move(across: number, down: number): void;
  /** Move as little as is needed for a box to be seen. */
  reveal(box: Box): void;
  centre(box: Box): void;
  /** Where the middle of a box is on the screen. */
  onScreen(box: Box): Point;
  /** Move so that the middle of a box is there again. */
  put(box: Box, at: Point): void;
}

export function makeViewport(frame: SVGSVGElement, moved: SVGGElement): Viewport {
  let scale = 1;
  let x = 0;
  let y = 0;
  const size = (): { width: number; height: number } => frame.getBoundingClientRect();
  const middle = (box: Box): Point => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

  function apply(): void {
    moved.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`);
    frame.classList.toggle('far', scale < FAR);
    frame.dataset['scale'] = scale.toFixed(3);
  }

  function bounded(wanted: number): number {
    return Math.min(CLOSEST, Math.max(FARTHEST, wanted));
  }

  const viewport: Viewport = {
    fit(width, height, around, all) {
      const seen = size();
      const whole = Math.min(seen.width / width, seen.height / height, 1.25);
      scale = bounded(all || around === null ? whole : Math.max(whole, READABLE));
      x = (seen.width - width * scale) / 2;
      y = (seen.height - height * scale) / 2;
      if (scale > whole && around !== null) {
        this.put(around, { x: seen.width / 2, y: Math.min(seen.height / 3, 120) });
      }
      apply();
    },
    zoom(factor, at) {
      const seen = size();
      const fixed = at ?? { x: seen.width / 2, y: seen.height / 2 };
      const wanted = bounded(scale * factor);
      x = fixed.x - ((fixed.x - x) * wanted) / scale;
      y = fixed.y - ((fixed.y - y) * wanted) / scale;
      scale = wanted;
      apply();
    },
    move(across, down) {
      x += across;
      y += down;
      apply();
    },
    reveal(box) {
      const seen = size();
      const margin = 24;
      const left = x + box.x * scale;
      const top = y + box.y * scale;
      x += shift(left, left + box.width * scale, margin, seen.width - margin);
      y += shift(top, top + box.height * scale, margin, seen.height - margin);
      apply();
    },
    centre(box) {
      const seen = size();
      scale = Math.max(scale, READABLE);
      this.put(box, { x: seen.width / 2, y: seen.height / 2 });
    },
    onScreen(box) {
      const at = middle(box);
      return { x: x + at.x * scale, y: y + at.y * scale };
    },
    put(box, at) {
      const from = middle(box);
      x = at.x - from.x * scale;
      y = at.y - from.y * scale;
      apply();
    },
  };
  listen(frame, viewport);
  return viewport;
}

/** How far to move for `from`…`to` to lie in `low`…`high`. */
export function shift(from: number, to: number, low: number, high: number): number {
  if (from < low || to - from > high - low) {
    return low - from;
  }
  return to > high ? high - to : 0;
}

/** The wheel moves and, with Ctrl as pinching gives it, zooms; dragging the ground moves. */
function listen(frame: SVGSVGElement, viewport: Viewport): void {
  frame.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) {
        const bounds = frame.getBoundingClientRect();
        const at = { x: event.clientX - bounds.left, y: event.clientY - bounds.top };
        viewport.zoom(Math.exp(-event.deltaY / 300), at);
      } else if (event.shiftKey && event.deltaX === 0) {
        viewport.move(-event.deltaY, 0);
      } else {
        viewport.move(-event.deltaX, -event.deltaY);
      }
    },
    { passive: false },
  );
  frame.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || (event.target as Element).closest('[data-id]') !== null) {
      return;
    }
    frame.setPointerCapture(event.pointerId);
    frame.classList.add('dragging');
  });
  frame.addEventListener('pointermove', (event) => {
    if (frame.hasPointerCapture(event.pointerId)) {
      viewport.move(event.movementX, event.movementY);
    }
  });
  frame.addEventListener('pointerup', () => frame.classList.remove('dragging'));
}

export const ZOOM_STEP = STEP;
