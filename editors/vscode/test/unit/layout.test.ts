import assert from 'node:assert/strict';
import { test } from 'node:test';
import ELK from 'elkjs';
import { allEdges, allNodes, allScopes, Scene, sceneOf } from '../../src/graph/scene';
import { neighbour } from '../../src/view/directions';
import { Box, elkInput, Layout, layoutKey, layoutOf, pathOf, shortLabel } from '../../src/view/layout';
import { shift } from '../../src/view/viewport';
import { flowOf, recorded } from './recorded';

const EXAMPLES = ['broken_triage', 'broken_support_agent', 'batch_reminders', 'fan_out_notify'];

async function laidOut(scene: Scene): Promise<Layout> {
  return layoutOf(await new ELK().layout(elkInput(scene, (text) => text.length * 7)));
}

const isInside = (inner: Box, outer: Box) =>
  inner.x >= outer.x - 0.5 &&
  inner.y >= outer.y - 0.5 &&
  inner.x + inner.width <= outer.x + outer.width + 0.5 &&
  inner.y + inner.height <= outer.y + outer.height + 0.5;

const isApart = (one: Box, other: Box) =>
  one.x + one.width <= other.x ||
  other.x + other.width <= one.x ||
  one.y + one.height <= other.y ||
  other.y + other.height <= one.y;

function assertSound(scene: Scene, layout: Layout): void {
  const whole = { x: 0, y: 0, width: layout.width, height: layout.height };
  for (const scope of allScopes(scene)) {
    const boxes = scope.nodes.map((node) => layout.boxes.get(node.id)!);
    const outer = layout.boxes.get(scope.id) ?? whole;
    for (const [number, box] of boxes.entries()) {
      assert.ok(isInside(box, outer), `${scope.nodes[number]?.name} lies in ${scope.name}`);
      for (const other of boxes.slice(number + 1)) {
        assert.ok(isApart(box, other), `${scope.nodes[number]?.name} lies on nothing`);
      }
    }
  }
  for (const edge of allEdges(scene)) {
    const route = layout.routes.get(edge.id);
    const [first, last] = [route?.points[0], route?.points.at(-1)];
    const touches = (point: { x: number; y: number } | undefined, id: string) => {
      const box = layout.boxes.get(id)!;
      return point !== undefined && isInside({ ...point, width: 0, height: 0 }, box);
    };
    assert.ok(touches(first, edge.source.id), `${edge.id} begins at its source`);
    assert.ok(touches(last, edge.target.id), `${edge.id} ends at its target`);
    assert.equal(route?.label !== null, edge.text !== '', `${edge.id} has its label`);
  }
}

for (const name of EXAMPLES) {
  test(`${name} is laid out: boxes apart, regions in their nodes, edges at their ends`, async () => {
    const scene = sceneOf(recorded(name));
    assertSound(scene, await laidOut(scene));
  });
}

test('five hundred nodes are laid out', async () => {
  const edges = Array.from({ length: 499 }, (_, number) => [
    `n${Math.floor(number / 3)}>n${number + 1}`,
    ...(number % 25 === 0 ? [`n${number + 1}>n${Math.floor(number / 2)}`] : []),
  ]).flat();
  const scene = sceneOf(flowOf(edges));
  assert.equal(allNodes(scene).filter((node) => node.role === 'node').length, 500);
  assertSound(scene, await laidOut(scene));
});

test('five hundred nodes one after the other are laid out in columns', async () => {
  const edges = Array.from({ length: 499 }, (_, number) => [
    `n${number}>n${number + 1}`,
    ...(number % 4 === 0 && number < 490 ? [`n${number}>n${number + 3}`] : []),
    ...(number % 23 === 22 ? [`n${number}>n${number - 9}`] : []),
  ]).flat();
  const scene = sceneOf(flowOf(edges));
  const layout = await laidOut(scene);
  assertSound(scene, layout);
  assert.ok(layout.height < 4 * layout.width, `${layout.width} x ${layout.height}`);
});

test('only what changes the picture makes a new layout', () => {
  const flow = recorded('broken_triage');
  const moved = structuredClone(flow);
  moved.nodes[0]!.range.start.line += 5;
  moved.findings.pop();
  const renamed = structuredClone(flow);
  renamed.nodes[0]!.name = 'begin';
  const guarded = structuredClone(flow);
  guarded.edges[0]!.guard = 'other';
  const key = layoutKey(sceneOf(flow));
  assert.equal(layoutKey(sceneOf(moved)), key);
  assert.notEqual(layoutKey(sceneOf(renamed)), key);
  assert.notEqual(layoutKey(sceneOf(guarded)), key);
});

test('long labels are cut, line breaks are spaces', () => {
  assert.equal(shortLabel('a\n  and b'), 'a and b');
  assert.equal(shortLabel('x'.repeat(80)).length, 42);
});

test('lines have round corners', () => {
  const points = [{ x: 0, y: 0 }, { x: 0, y: 50 }, { x: 50, y: 50 }];
  assert.equal(pathOf(points), 'M0 0L0 44Q0 50 6 50L50 50');
  assert.equal(pathOf([]), '');
});

test('arrows go to the nearest node ahead', () => {
  const box = (x: number, y: number): Box => ({ x, y, width: 10, height: 10 });
  const boxes = new Map([
    ['middle', box(100, 100)],
    ['below', box(110, 200)],
    ['aside', box(300, 150)],
    ['above', box(100, 0)],
  ]);
  assert.equal(neighbour(boxes, 'middle', 'down'), 'below');
  assert.equal(neighbour(boxes, 'middle', 'up'), 'above');
  assert.equal(neighbour(boxes, 'middle', 'right'), 'aside');
  assert.equal(neighbour(boxes, 'middle', 'left'), null);
});

test('what is seen is not moved', () => {
  assert.equal(shift(10, 20, 0, 100), 0);
  assert.equal(shift(-30, -10, 0, 100), 30);
  assert.equal(shift(90, 130, 0, 100), -30);
  assert.equal(shift(50, 400, 0, 100), -50);
});
