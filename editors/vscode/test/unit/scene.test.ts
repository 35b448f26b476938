import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelsOf, numberAt, numberOf, wantedOf } from '../../src/graph/choosing';
import { pointedAt } from '../../src/graph/cursor';
import { allEdges, allNodes, edgeText, gravest, sceneOf } from '../../src/graph/scene';
import { placeOf } from '../../src/graph/written';
import { searched } from '../../src/view/search';
import { stepsOf } from '../../src/view/witness';
import { edgeWords, flowWords, nodeWords } from '../../src/view/words';
import { flowOf, recorded } from './recorded';

const named = (flow: string, name: string) => {
  const scene = sceneOf(recorded(flow));
  const node = allNodes(scene).find((one) => one.name === name);
  assert.ok(node, name);
  return { scene, node };
};

test('a node that edges name but that is none is drawn as missing', () => {
  const { node } = named('broken_triage', 'lable');
  assert.equal(node.role, 'missing');
  const { node: known } = named('broken_triage', 'label');
  assert.equal(known.role, 'node');
});

test('findings are on their nodes and edges', () => {
  const { scene, node } = named('broken_triage', 'classify');
  assert.deepEqual(node.findings.map((finding) => finding.code), ['FL201']);
  assert.equal(gravest(node.findings), 'warning');
  const marked = scene.edges.filter((edge) => edge.findings.length > 0);
  assert.deepEqual(
    marked.map((edge) => `${edge.source.name}>${edge.target.name}`),
    ['load>done', 'reproduce>reproduce', 'reproduce>lable'],
  );
});

test('the start leads to the entry once, with its own edge where one is written', () => {
  const plain = sceneOf(recorded('broken_triage'));
  const written = sceneOf(recorded('broken_support_agent'));
  const starts = (scene: typeof plain) => scene.edges.filter((edge) => edge.source.role === 'start');
  assert.deepEqual(starts(plain).map((one) => [one.target.name, one.edge]), [['load', null]]);
  assert.equal(starts(written).length, 1);
  assert.ok(starts(written)[0]?.edge);
});

test('edges to the end marker lead to one end', () => {
  const scene = sceneOf(recorded('broken_support_agent'));
  const ends = scene.nodes.filter((node) => node.role === 'end');
  assert.equal(ends.length, 1);
  assert.deepEqual(
    scene.edges.filter((edge) => edge.target === ends[0]).map((edge) => edge.source.name),
    ['respond', 'escalate'],
  );
});

test('regions have their own nodes and edges', () => {
  const { node } = named('batch_reminders', 'each_project');
  assert.deepEqual(node.regions.map((region) => region.name), ['body']);
  const inner = node.regions[0]?.nodes.filter((one) => one.role === 'node') ?? [];
  assert.deepEqual(inner.map((one) => one.name), ['check', 'remind', 'note_muted', 'next']);
  const parallel = named('fan_out_notify', 'announce').node;
  assert.deepEqual(parallel.regions.map((region) => region.name), ['mail', 'chat', 'phone']);
});

test('ids are unique, also for nodes of the same name', () => {
  const flow = flowOf(['a>b', 'b>a']);
  flow.nodes.push({ ...flow.nodes[0]! });
  for (const scene of [sceneOf(flow), sceneOf(recorded('fan_out_notify'))]) {
    const ids = [...allNodes(scene), ...allEdges(scene)].map((one) => one.id);
    assert.equal(new Set(ids).size, ids.length);
  }
});

test('what is written beside edges', () => {
  const edge = flowOf(['a>b']).edges[0]!;
  assert.equal(edgeText(edge), '');
  assert.equal(edgeText({ ...edge, kind: 'when', label: 'x', guard: 'x > 1' }), 'x > 1');
  assert.equal(edgeText({ ...edge, kind: 'case', label: 'bug' }), 'bug');
  assert.equal(edgeText({ ...edge, kind: 'outcome', label: 'failed', guard: 'x' }), 'failed: x');
});

test('the cursor points at the smallest thing around it', () => {
  const flow = recorded('broken_triage');
  const at = (line: number, character: number) => pointedAt([flow], flow.uri, { line, character });
  const scene = sceneOf(flow);
  const name = (part: string | null | undefined) =>
    [...allNodes(scene)].find((node) => node.id === part)?.name;
  assert.equal(name(at(58, 24)?.part), 'classify');
  assert.match(at(70, 20)?.part ?? '', /^e4$/);
  assert.deepEqual(at(56, 12), { flow: 0, part: null });
  assert.equal(at(0, 0), null);
  assert.equal(pointedAt([flow], 'file:///other.py', { line: 58, character: 24 }), null);
  const functionOf = allNodes(scene).find((node) => node.name === 'answer')?.node?.function;
  assert.equal(name(pointedAt([flow], flow.uri, functionOf!.range.start)?.part), 'answer');
});

test('one statement that makes several edges points at their source, but their names at each', () => {
  const flow = recorded('broken_support_agent');
  const scene = sceneOf(flow);
  const part = (line: number, character: number) =>
    pointedAt([flow], flow.uri, { line, character })?.part;
  const classify = allNodes(scene).find((node) => node.name === 'classify');
  assert.equal(part(78, 6), classify?.id);
  const cases = scene.edges.filter((edge) => edge.source === classify);
  assert.deepEqual([80, 81, 82].map((line) => part(line, 26)), cases.map((edge) => edge.id));
  assert.deepEqual(cases.map((edge) => placeOf(edge, scene)?.range.start.line), [80, 81, 82]);
  const missing = allNodes(scene).find((node) => node.role === 'missing');
  assert.equal(placeOf(missing!, scene)?.range.start.line, 81);
});

test('flows of one name are told apart', () => {
  const flows = [1, 7, 9].map((line) => {
    const start = { line, character: 0 };
    return { ...flowOf(['a>b']), name: line === 7 ? 'other' : 'flow', range: { start, end: start } };
  });
  assert.deepEqual(labelsOf(flows), ['flow, line 2', 'other', 'flow, line 10']);
  assert.equal(numberAt(flows, 'flow', { line: 9, character: 0 }), 2);
  assert.equal(numberAt(flows, 'flow', { line: 8, character: 0 }), -1);
  const again = flows.map((_, number) => numberOf(flows, wantedOf(flows, number)!));
  assert.deepEqual(again, [0, 1, 2]);
  assert.equal(numberOf(flows.slice(0, 2), { name: 'flow', earlier: 1 }), 0);
});

test('the steps of a witness are the nodes and the edges between them', () => {
  const { scene } = named('broken_release', 'build');
  const steps = stepsOf(scene, ['build', 'test', 'build', 'gone']);
  assert.deepEqual(steps.map((step) => step.node.name), ['build', 'test', 'build']);
  assert.deepEqual(steps.map((step) => step.edge?.id ?? null), [null, 'e0', 'e1']);
});

test('a search finds names before kinds, conditions and codes', () => {
  const { scene } = named('broken_triage', 'load');
  const found = (query: string) => searched(scene, query).map((node) => node.name);
  assert.deepEqual(found('la'), ['label', 'lable', 'classify', 'escalate']);
  assert.deepEqual(found('GATE'), ['classify']);
  assert.deepEqual(found('_worth'), ['reproduce']);
  assert.deepEqual(found('fl106'), ['escalate']);
  assert.deepEqual(found('  '), []);
});

test('words tell what the picture shows', () => {
  const { scene, node } = named('broken_triage', 'classify');
  assert.equal(flowWords(scene), 'Flow TriagePhase._build_triage_flow: 7 nodes, 6 findings.');
  assert.equal(
    nodeWords(node, scene).split('. ')[0],
    'classify, gate; leads to reproduce when _is_bug; leads to answer when _is_question',
  );
  assert.match(nodeWords(node, scene), /warning FL201: No edge out of `classify`/);
  const missing = named('broken_triage', 'lable').node;
  assert.match(nodeWords(missing, scene), /no node of this flow/);
  const support = sceneOf(recorded('broken_support_agent'));
  const [last] = support.edges.filter((edge) => edge.target.role === 'end');
  assert.equal(edgeWords(last!), 'From respond to the end');
});
