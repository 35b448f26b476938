import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discover, Machine, PythonFacts, Wanted } from '../../src/server/discovery';
import { chosenInterpreter, isPythonExtension } from '../../src/server/interpreter';

const NEW: PythonFacts = { version: [3, 12], hasServer: false, hasProtocol: false };
const SERVING: PythonFacts = { version: [3, 12], hasServer: true, hasProtocol: true };
const OLD: PythonFacts = { version: [3, 9], hasServer: false, hasProtocol: false };

const WANTED: Wanted = {
  setting: '',
  folders: ['/project'],
  interpreter: null,
  isTrusted: true,
  bundle: '/extension/serve.py',
  isWindows: false,
  home: '/home/me',
};

interface Things {
  pythons?: Record<string, PythonFacts>;
  path?: Record<string, string>;
  files?: string[];
  broken?: string[];
}

function machine({ pythons = {}, path = {}, files = [], broken = [] }: Things): Machine & { probed: string[] } {
  const probed: string[] = [];
  return {
    probed,
    isFile: async (name) => name in pythons || files.includes(name),
    runs: async (program) => !broken.includes(program),
    which: async (name) => path[name] ?? null,
    probe: async (python) => {
      probed.push(python);
      return pythons[python] ?? null;
    },
    log: () => undefined,
  };
}

test('the setting wins over all else', async () => {
  const things = { files: ['/opt/flowls'], pythons: { '/project/.venv/bin/python': SERVING } };
  const found = await discover({ ...WANTED, setting: '/opt/flowls' }, machine(things));
  assert.deepEqual(found, { kind: 'found', origin: 'setting', command: '/opt/flowls', args: [] });
});

test('the setting understands the home, the folder, relative places and names on PATH', async () => {
  const files = ['/home/me/bin/flowls', '/project/tools/flowls'];
  const there = machine({ files, path: { 'flowls-next': '/usr/bin/flowls-next' } });
  const settings = ['~/bin/flowls', '${workspaceFolder}/tools/flowls', './tools/flowls', 'flowls-next'];
  const commands = [];
  for (const setting of settings) {
    const found = await discover({ ...WANTED, setting }, there);
    commands.push(found.kind === 'found' ? found.command : found.reason);
  }
  assert.deepEqual(commands, [files[0], files[1], files[1], '/usr/bin/flowls-next']);
});

test('a setting that names nothing is told and nothing else is taken', async () => {
  const there = machine({ path: { flowls: '/usr/bin/flowls' } });
  const found = await discover({ ...WANTED, setting: '/gone/flowls' }, there);
  assert.equal(found.kind, 'missing');
  assert.match(found.kind === 'missing' ? found.reason : '', /flowlint\.path.*\/gone\/flowls/);
});

test('the chosen interpreter is asked before .venv, and both before PATH', async () => {
  const pythons = { '/conda/python': SERVING, '/project/.venv/bin/python': SERVING };
  const there = machine({ pythons, path: { flowls: '/usr/bin/flowls' } });
  const chosen = await discover({ ...WANTED, interpreter: '/conda/python' }, there);
  const usual = await discover(WANTED, there);
  assert.deepEqual(chosen.kind === 'found' && [chosen.command, ...chosen.args], ['/conda/python', '-m', 'flowls']);
  assert.equal(usual.kind === 'found' && usual.command, '/project/.venv/bin/python');
});

test('an environment that lacks what the server needs is passed over', async () => {
  const pythons = { '/project/.venv/bin/python': { ...SERVING, hasProtocol: false } };
  const found = await discover(WANTED, machine({ pythons, path: { flowls: '/usr/bin/flowls' } }));
  assert.equal(found.kind === 'found' && found.origin, 'path');
});

test('a program on PATH that does not run is passed over', async () => {
  const path = { flowls: '/shims/flowls', python3: '/usr/bin/python3' };
  const things = { path, broken: ['/shims/flowls'], pythons: { '/usr/bin/python3': NEW } };
  const found = await discover(WANTED, machine(things));
  assert.equal(found.kind === 'found' && found.origin, 'bundle');
});

test('nothing of a folder that is not trusted is run', async () => {
  const pythons = { '/project/.venv/bin/python': SERVING, '/chosen/python': SERVING, '/usr/bin/python3': NEW };
  const there = machine({ pythons, path: { python3: '/usr/bin/python3' } });
  const wanted = { ...WANTED, isTrusted: false, interpreter: '/chosen/python' };
  const found = await discover(wanted, there);
  assert.deepEqual(there.probed, ['/usr/bin/python3']);
  assert.equal(found.kind === 'found' && found.origin, 'bundle');
});

test('the bundled server is run, isolated, by a Python that is new enough', async () => {
  const pythons = { '/project/.venv/bin/python': OLD, '/usr/bin/python3': OLD, '/usr/bin/python3.12': NEW };
  const path = { python3: '/usr/bin/python3', 'python3.12': '/usr/bin/python3.12' };
  const found = await discover(WANTED, machine({ pythons, path }));
  assert.deepEqual(found, {
    kind: 'found',
    origin: 'bundle',
    command: '/usr/bin/python3.12',
    args: ['-I', '/extension/serve.py'],
  });
});

test('without a bundle the exact command that installs is offered', async () => {
  const there = machine({ pythons: { '/my env/bin/python': NEW } });
  const wanted = { ...WANTED, bundle: null, interpreter: '/my env/bin/python' };
  const found = await discover(wanted, there);
  assert.equal(
    found.kind === 'missing' && found.install?.command,
    `"/my env/bin/python" -m pip install 'flowls[lsp]'`,
  );
});

test('without a Python that is new enough, that is said', async () => {
  const there = machine({ pythons: { '/usr/bin/python3': OLD }, path: { python3: '/usr/bin/python3' } });
  const found = await discover(WANTED, there);
  assert.match(found.kind === 'missing' ? found.reason : '', /Python 3\.11 or newer/);
  assert.equal(found.kind === 'missing' && found.install, null);
});

test('the environments of Windows have their own layout', async () => {
  const wanted = { ...WANTED, isWindows: true };
  const probed: string[] = [];
  const there = { ...machine({}), isFile: async (name: string) => probed.push(name) > 99 };
  await discover(wanted, there);
  assert.ok(probed.some((name) => /\.venv.Scripts.python\.exe$/.test(name)), probed.join());
});

test('the Python extension is asked for the interpreter by its interface', async () => {
  const extension = {
    environments: {
      getActiveEnvironmentPath: (resource: unknown) => ({ id: String(resource), path: 'env' }),
      resolveEnvironment: async ({ id }: { id: string }) => ({
        executable: { uri: id === 'folder' ? { fsPath: '/env/bin/python' } : undefined },
      }),
      onDidChangeActiveEnvironmentPath: () => ({ dispose: () => undefined }),
    },
  };
  assert.equal(await chosenInterpreter(extension, 'folder'), '/env/bin/python');
  assert.equal(await chosenInterpreter(extension, 'another'), null);
  assert.equal(await chosenInterpreter(null, 'folder'), null);
  assert.ok(isPythonExtension(extension));
  assert.ok(!isPythonExtension({ settings: {} }));
});
