/** The view: keeps what is shown, and answers the extension and the user. */

import { labelsOf, wantedOf } from '../graph/choosing';
import { Flow, Place } from '../graph/contract';
import { ImageFormat, ToExtension, ToView } from '../graph/messages';
import { allEdges, allNodes, Scene, SceneEdge, SceneNode, sceneOf } from '../graph/scene';
import { placeOf } from '../graph/written';
import { details } from './details';
import { byId, html } from './dom';
import { draw, Drawing } from './draw';
import { Engine, makeEngine } from './engine';
import { listenToKeys } from './keys';
import { Box, elkInput, Layout, layoutKey, layoutOf } from './layout';
import { makeMeasure } from './measure';
import { outline, OutlineActions } from './outline';
import { pngFile, svgFile } from './picture';
import { makePlayer } from './playing';
import { searched } from './search';
import { makeViewport, ZOOM_STEP } from './viewport';
import { stepsOf } from './witness';
import { flowWords } from './words';

declare function acquireVsCodeApi(): {
  postMessage(message: ToExtension): void;
  setState(state: unknown): void;
};

const editor = acquireVsCodeApi();
const frame = byId<SVGSVGElement>('picture');
const moved = byId<SVGGElement>('moved');
const layer = byId<SVGGElement>('playing');
const said = byId('said');
const flowChoice = byId<HTMLSelectElement>('flow');
const query = byId<HTMLInputElement>('query');
const hits = byId('hits');
const outlinePart = byId('outline');
const outlineToggle = byId<HTMLButtonElement>('toggle-outline');
const note = byId('note');

let engine: Promise<Engine> | null = null;
let flows: Flow[] = [];
/** The document that the flows are of, and which of them is drawn. */
let flowsOf = '';
let drawnFlow = '';
let scene: Scene | null = null;
let layout: Layout | null = null;
let drawing: Drawing | null = null;
let selected: string | null = null;
let hit = -1;
let turn = 0;
let settled: Promise<void> = Promise.resolve();

const viewport = makeViewport(frame, moved);
const player = makePlayer(layer, () => drawing);

const actions: OutlineActions = {
  openNode: (node) => act(node, true),
  openEdge: (edge) => act(edge, true),
  openFinding: (finding) => open(finding, true),
  play: (finding) => {
    if (scene !== null) {
      const steps = stepsOf(scene, finding.witness);
      const first = steps[0] && layout?.boxes.get(steps[0].node.id);
      if (first) {
        viewport.reveal(first);
      }
      player.play(steps);
    }
  },
};

player.onStep = (step, number) => {
  if (step !== null) {
    say(`Step ${number + 1}: ${step.node.name}`);
    const box = layout?.boxes.get(step.node.id);
    if (box !== undefined) {
      viewport.reveal(box);
    }
  }
};

// --- showing ------------------------------------------------------------------------------

async function show(given: Flow[], number: number, uri: string, file: string): Promise<void> {
  flows = given;
  flowsOf = uri;
  turn += 1;
  const own = turn;
  const flow = given[number] ?? given[0];
  if (flow === undefined) {
    return;
  }
  listFlows(given, given.indexOf(flow), file);
  const wanted = sceneOf(flow);
  const isSame = scene !== null && layoutKey(scene) === layoutKey(wanted);
  const key = keyOf(given.indexOf(flow));
  const isOther = drawnFlow !== key;
  const laidOut = isSame && layout !== null ? layout : await laidOutScene(wanted);
  if (own !== turn) {
    return;
  }
  const anchor = isOther ? null : anchorOf(wanted);
  player.stop();
  scene = wanted;
  layout = laidOut;
  drawnFlow = key;
  drawing = draw(scene, layout);
  const hadFocus = frame.contains(document.activeElement);
  moved.replaceChildren(drawing.group, layer);
  const words = flowWords(scene);
  frame.setAttribute('aria-label', `${words} Arrow keys move between nodes, Enter opens one.`);
  if (anchor === null) {
    viewport.fit(layout.width, layout.height, entryBox(), false);
  } else if (anchor.box !== null) {
    viewport.put(anchor.box(layout), anchor.at);
  }
  outlinePart.replaceChildren(...outline(scene, actions));
  setNote(null);
  select(isOther ? null : selected, false);
  if (hadFocus) {
    focusNode();
  }
  search(false);
  say(words);
  frame.dataset['shown'] = String(own);
}

async function laidOutScene(wanted: Scene): Promise<Layout> {
  engine ??= makeEngine(document.body.dataset['engine'] ?? '');
  document.body.classList.add('busy');
  try {
    const run = await engine;
    return layoutOf(await run(elkInput(wanted, makeMeasure())));
  } finally {
    document.body.classList.remove('busy');
  }
}

function keyOf(number: number): string {
  return JSON.stringify([flowsOf, wantedOf(flows, number)]);
}

function listFlows(given: readonly Flow[], chosen: number, file: string): void {
  const labels = labelsOf(given);
  const options = given.map((flow, number) => {
    const option = html('option', { value: number }, labels[number] ?? flow.name);
    option.selected = number === chosen;
    return option;
  });
  flowChoice.replaceChildren(...options);
  flowChoice.title = file;
  flowChoice.disabled = given.length < 2;
}

/** What stays where it is on the screen when the picture changes: what is selected, or the entry. */
function anchorOf(wanted: Scene): { box: (made: Layout) => Box; at: { x: number; y: number } } | null {
  const candidates = [selected, ...wanted.nodes.map((node) => node.id)];
  for (const id of candidates) {
    const before = id === null ? undefined : layout?.boxes.get(id);
    if (id !== null && before !== undefined && allNodes(wanted).some((node) => node.id === id)) {
      const at = viewport.onScreen(before);
      return { box: (made) => made.boxes.get(id) ?? before, at };
    }
  }
  return null;
}

function entryBox(): Box | null {
  const node = scene?.nodes.find((one) => one.isEntry) ?? scene?.nodes[0];
  return (node && layout?.boxes.get(node.id)) ?? null;
}

function setNote(text: string | null): void {
  note.hidden = text === null;
  note.textContent = text ?? '';
  document.body.classList.toggle('stale', text !== null);
}

function say(text: string): void {
  said.textContent = text;
}

// --- choosing ------------------------------------------------------------------------------

function partOf(id: string | null): SceneNode | SceneEdge | null {
  if (id === null || scene === null) {
    return null;
  }
  const all: (SceneNode | SceneEdge)[] = [...allNodes(scene), ...allEdges(scene)];
  return all.find((one) => one.id === id) ?? null;
}

function select(id: string | null, isRevealed = true): void {
  for (const old of document.querySelectorAll('.selected')) {
    old.classList.remove('selected');
  }
  for (const old of frame.querySelectorAll('[tabindex="0"]')) {
    old.setAttribute('tabindex', '-1');
  }
  const part = partOf(id);
  selected = part?.id ?? null;
  const drawn = drawing?.nodes.get(selected ?? '') ?? drawing?.edges.get(selected ?? '');
  drawn?.classList.add('selected');
  outlinePart.querySelector(`[data-node="${CSS.escape(selected ?? '')}"]`)?.classList.add('selected');
  focusable()?.setAttribute('tabindex', '0');
  const box = layout?.boxes.get(selected ?? '');
  if (isRevealed && box !== undefined) {
    viewport.reveal(box);
  }
  byId('details').replaceChildren(...details(part, actions, open));
  byId('details').hidden = part === null;
}

/** The node that Tab comes to: the selected one, else the first. */
function focusable(): SVGGElement | undefined {
  return drawing?.nodes.get(selected ?? '') ?? drawing?.nodes.values().next().value;
}

function focusNode(): void {
  focusable()?.focus({ preventScroll: true });
}

function open(place: Place, focus: boolean): void {
  editor.postMessage({ type: 'open', uri: place.uri, range: place.range, focus });
}

/** Select a part and go to where it is written. */
function act(part: SceneNode | SceneEdge, focus: boolean): void {
  player.stop();
  select(part.id);
  const place = scene === null ? null : placeOf(part, scene);
  if (place !== null) {
    open(place, focus);
  }
}

// --- searching -----------------------------------------------------------------------------

function search(isMoved: boolean): void {
  const found = scene === null ? [] : searched(scene, query.value);
  for (const [id, drawn] of drawing?.nodes ?? []) {
    drawn.classList.toggle('hit', found.some((node) => node.id === id));
  }
  frame.classList.toggle('searching', query.value.trim() !== '');
  hit = found.length === 0 ? -1 : Math.min(Math.max(hit, 0), found.length - 1);
  const none = query.value.trim() === '' ? '' : 'none';
  hits.textContent = found.length === 0 ? none : `${hit + 1} of ${found.length}`;
  const node = found[hit];
  if (isMoved && node !== undefined) {
    select(node.id, false);
    const box = layout?.boxes.get(node.id);
    if (box !== undefined) {
      viewport.centre(box);
    }
  }
}

query.addEventListener('input', () => {
  hit = 0;
  search(true);
});
query.addEventListener('keydown', (event) => {
  const found = scene === null ? 0 : searched(scene, query.value).length;
  if (event.key === 'Enter' && found > 0) {
    hit = (hit + (event.shiftKey ? found - 1 : 1)) % found;
    search(true);
  } else if (event.key === 'Escape') {
    query.value = '';
    search(false);
    focusNode();
  }
});

// --- controls ------------------------------------------------------------------------------

function fitAll(): void {
  if (layout !== null) {
    viewport.fit(layout.width, layout.height, null, true);
  }
}

function toggleOutline(isShown: boolean): void {
  const before = frame.getBoundingClientRect().width;
  outlinePart.hidden = !isShown;
  viewport.move((frame.getBoundingClientRect().width - before) / 2, 0);
  outlineToggle.setAttribute('aria-expanded', String(isShown));
}

async function exported(format: ImageFormat): Promise<string> {
  await settled;
  if (drawing === null || layout === null || scene === null) {
    throw new Error('there is no flow to export');
  }
  const before = selected;
  player.stop();
  select(null);
  try {
    const file = svgFile(drawing.group, layout, flowWords(scene));
    return format === 'svg' ? file.text : await pngFile(file);
  } finally {
    select(before, false);
  }
}

byId('zoom-in').addEventListener('click', () => viewport.zoom(ZOOM_STEP));
byId('zoom-out').addEventListener('click', () => viewport.zoom(1 / ZOOM_STEP));
byId('fit').addEventListener('click', fitAll);
outlineToggle.addEventListener('click', () => toggleOutline(outlinePart.hidden));
for (const format of ['svg', 'png'] as const) {
  const wants = (): void => editor.postMessage({ type: 'wantsExport', format });
  byId(`export-${format}`).addEventListener('click', wants);
}
flowChoice.addEventListener('change', () => {
  editor.postMessage({ type: 'chosen', flow: Number(flowChoice.value) });
});
frame.addEventListener('click', (event) => {
  const drawn = (event.target as Element).closest<SVGElement>('[data-id]');
  const part = partOf(drawn?.dataset['id'] ?? null);
  if (part === null) {
    player.stop();
    select(null);
    return;
  }
  act(part, event.detail > 1);
  if (event.detail <= 1 && !('source' in part)) {
    focusNode();
  }
});
listenToKeys(frame, {
  boxes: () => new Map([...(drawing?.nodes.keys() ?? [])].flatMap((id) => {
    const box = layout?.boxes.get(id);
    return box === undefined ? [] : [[id, box] as const];
  })),
  selected: () => selected ?? focusable()?.dataset['id'] ?? null,
  select: (id) => {
    select(id);
    focusNode();
  },
  open: (id, focus) => {
    const part = partOf(id);
    if (part !== null) {
      act(part, focus);
    }
  },
  zoom: (factor) => viewport.zoom(factor),
  fit: fitAll,
  leave: () => {
    player.stop();
    query.focus();
  },
  search: () => query.focus(),
});

// --- the extension -------------------------------------------------------------------------

window.addEventListener('message', (event: MessageEvent<ToView>) => {
  const message = event.data;
  switch (message.type) {
    case 'show':
      editor.setState({ uri: message.uri, flow: message.flows[message.flow]?.name });
      settled = show(message.flows, message.flow, message.uri, message.file).catch(failed);
      break;
    case 'select':
      void settled.then(() => {
        const isShown = keyOf(message.flow) === drawnFlow;
        if (isShown && message.part !== selected) {
          select(message.part);
        }
      });
      break;
    case 'stale':
      setNote(message.reason);
      say(message.reason);
      break;
    case 'export':
      exported(message.format).then((data) => {
        const { request, format } = message;
        editor.postMessage({ type: 'exported', request, format, data });
      }, failed);
      break;
  }
});

function failed(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  setNote(message);
  editor.postMessage({ type: 'failed', message });
}

toggleOutline(false);
editor.postMessage({ type: 'ready' });
