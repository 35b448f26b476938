/** The witness of a finding, played in the picture: a token runs along the edges. */

import { svg } from './dom';
import { Drawing } from './draw';
import { Step } from './witness';

const ALONG_EDGE = 700;
const AT_NODE = 250;

export interface Player {
  play(steps: readonly Step[]): void;
  stop(): void;
  /** Told of each step, and of null when nothing is played any more. */
  onStep: (step: Step | null, number: number) => void;
}

/** Whether movement is unwanted, by the system or by VS Code. */
export function isStill(): boolean {
  return (
    document.body.classList.contains('vscode-reduce-motion') ||
    window.matchMedia('(prefers-reduced-motion: reduce)').matches
  );
}

export function makePlayer(layer: SVGGElement, drawing: () => Drawing | null): Player {
  let run = 0;

  function clear(): void {
    run += 1;
    layer.replaceChildren();
    for (const marked of document.querySelectorAll('.on-path, .at-step')) {
      marked.classList.remove('on-path', 'at-step');
    }
  }

  function mark(step: Step, number: number): void {
    const shown = drawing();
    const node = shown?.nodes.get(step.node.id);
    shown?.edges.get(step.edge?.id ?? '')?.classList.add('on-path');
    node?.classList.add('on-path');
    for (const before of document.querySelectorAll('.at-step')) {
      before.classList.remove('at-step');
    }
    node?.classList.add('at-step');
    player.onStep(step, number);
  }

  /** All steps at once, each node with the numbers of its steps. */
  function showStill(steps: readonly Step[]): void {
    const numbers = new Map<string, number[]>();
    for (const [number, step] of steps.entries()) {
      mark(step, number);
      numbers.set(step.node.id, [...(numbers.get(step.node.id) ?? []), number + 1]);
    }
    for (const [id, all] of numbers) {
      const at = drawing()?.nodes.get(id)?.getAttribute('transform') ?? '';
      const text = all.join(', ');
      const width = 10 + 7 * text.length;
      layer.append(
        svg(
          'g',
          { class: 'number', transform: at },
          svg('rect', { x: -8, y: -10, width, height: 18, rx: 9 }),
          svg('text', { x: -8 + width / 2, y: 3 }, text),
        ),
      );
    }
  }

  async function showMoving(steps: readonly Step[], own: number): Promise<void> {
    const token = svg('circle', { class: 'token', r: 7, opacity: 0 });
    layer.append(token);
    for (const [number, step] of steps.entries()) {
      const line = drawing()?.edges.get(step.edge?.id ?? '')?.querySelector('.line');
      if (line instanceof SVGPathElement) {
        await along(line, token, () => own === run);
      }
      if (own !== run) {
        return;
      }
      mark(step, number);
      await pause(AT_NODE);
    }
    token.remove();
  }

  const player: Player = {
    onStep: () => undefined,
    play(steps) {
      clear();
      if (isStill()) {
        showStill(steps);
      } else {
        void showMoving(steps, run);
      }
    },
    stop() {
      clear();
      player.onStep(null, 0);
    },
  };
  return player;
}

function along(line: SVGPathElement, token: SVGElement, wanted: () => boolean): Promise<void> {
  const length = line.getTotalLength();
  const begin = performance.now();
  return new Promise((resolve) => {
    function frame(now: number): void {
      const part = Math.min(1, Math.max(0, (now - begin) / ALONG_EDGE));
      const at = line.getPointAtLength(length * (part * part * (3 - 2 * part)));
      token.setAttribute('cx', String(at.x));
      token.setAttribute('cy', String(at.y));
      token.setAttribute('opacity', '1');
      if (part < 1 && wanted()) {
        requestAnimationFrame(frame);
      } else {
        resolve();
      }
    }
    requestAnimationFrame(frame);
  });
}

function pause(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time));
}
