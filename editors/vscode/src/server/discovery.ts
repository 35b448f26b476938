/** Where the server is: what is run, and where it was found. All effects come from outside. */

import path from 'node:path';

export type Origin = 'setting' | 'environment' | 'path' | 'bundle';

export interface Found {
  kind: 'found';
  origin: Origin;
  command: string;
  args: string[];
}

export interface Missing {
  kind: 'missing';
  reason: string;
  /** The Python that the server could be installed for, and how. */
  install: { python: string; command: string } | null;
}

export type Discovery = Found | Missing;

/** What a Python has. */
export interface PythonFacts {
  version: [number, number];
  hasServer: boolean;
  hasProtocol: boolean;
}

export interface Wanted {
  /** The setting `flowlint.path`; empty where nobody set it. */
  setting: string;
  folders: readonly string[];
  /** The Python that the user chose for the workspace in the Python extension. */
  interpreter: string | null;
  /** Nothing that belongs to a folder is run before the user trusts it. */
  isTrusted: boolean;
  /** The script of the bundled server, where the package has one. */
  bundle: string | null;
  isWindows: boolean;
  home: string;
}

export interface Machine {
  isFile(path: string): Promise<boolean>;
  /** The program of this name on PATH. */
  which(name: string): Promise<string | null>;
  /** Whether a program tells its version: names on PATH may stand for what is not installed. */
  runs(program: string): Promise<boolean>;
  /** What a Python has; null where it does not run. */
  probe(python: string): Promise<PythonFacts | null>;
  log(message: string): void;
}

export const OLDEST: [number, number] = [3, 11];
export const PACKAGE = 'flowls[lsp]';

const ENVIRONMENTS = ['.venv', 'venv'];

/** The first of: the setting, the workspace's Python, PATH, what the package brings along. */
export async function discover(wanted: Wanted, machine: Machine): Promise<Discovery> {
  if (wanted.setting !== '') {
    return fromSetting(wanted, machine);
  }
  const pythons = wanted.isTrusted ? await workspacePythons(wanted, machine) : [];
  const inWorkspace = await fromPythons(pythons, machine);
  if (inWorkspace !== null) {
    return inWorkspace;
  }
  const program = await machine.which('flowls');
  if (program !== null && (await machine.runs(program))) {
    return { kind: 'found', origin: 'path', command: program, args: [] };
  }
  return fromBundle(wanted, [...pythons, ...(await pathPythons(wanted, machine))], machine);
}

async function fromSetting(wanted: Wanted, machine: Machine): Promise<Discovery> {
  for (const candidate of expanded(wanted)) {
    if (await machine.isFile(candidate)) {
      return { kind: 'found', origin: 'setting', command: candidate, args: [] };
    }
  }
  const isName = !/[\\/]/.test(wanted.setting);
  const program = isName ? await machine.which(wanted.setting) : null;
  if (program !== null) {
    return { kind: 'found', origin: 'setting', command: program, args: [] };
  }
  const reason = `The setting flowlint.path names ${wanted.setting}, which is not there.`;
  return { kind: 'missing', reason, install: null };
}

/** The places that the setting can mean: relative ones are of any folder. */
function expanded(wanted: Wanted): string[] {
  const setting = wanted.setting.replace(/^~(?=[\\/]|$)/, wanted.home);
  if (setting.includes('${workspaceFolder}')) {
    return wanted.folders.map((folder) => setting.replaceAll('${workspaceFolder}', folder));
  }
  if (path.isAbsolute(setting)) {
    return [setting];
  }
  return /[\\/]/.test(setting) ? wanted.folders.map((folder) => path.join(folder, setting)) : [];
}

async function workspacePythons(wanted: Wanted, machine: Machine): Promise<string[]> {
  const inside = wanted.isWindows ? ['Scripts', 'python.exe'] : ['bin', 'python'];
  const usual = wanted.folders.flatMap((folder) =>
    ENVIRONMENTS.map((environment) => path.join(folder, environment, ...inside)),
  );
  const chosen = wanted.interpreter === null ? [] : [wanted.interpreter];
  const there: string[] = [];
  for (const python of new Set([...chosen, ...usual])) {
    if (await machine.isFile(python)) {
      there.push(python);
    }
  }
  return there;
}

async function fromPythons(pythons: readonly string[], machine: Machine): Promise<Found | null> {
  for (const python of pythons) {
    const facts = await machine.probe(python);
    if (facts?.hasServer && facts.hasProtocol) {
      return { kind: 'found', origin: 'environment', command: python, args: ['-m', 'flowls'] };
    }
    const lacks = facts === null ? 'does not run' : `has no ${PACKAGE}`;
    machine.log(`${python} ${lacks}`);
  }
  return null;
}

async function pathPythons(wanted: Wanted, machine: Machine): Promise<string[]> {
  const names = wanted.isWindows
    ? ['python', 'py']
    : ['python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];
  const there: string[] = [];
  for (const name of names) {
    const python = await machine.which(name);
    if (python !== null && !there.includes(python)) {
      there.push(python);
    }
  }
  return there;
}

/** The first Python that is new enough runs what the package brings along. */
async function fromBundle(
  wanted: Wanted,
  pythons: readonly string[],
  machine: Machine,
): Promise<Discovery> {
  let newest: string | null = null;
  for (const python of pythons) {
    const facts = await machine.probe(python);
    if (facts === null || !isNewEnough(facts.version)) {
      machine.log(`${python} is ${facts === null ? 'no Python' : facts.version.join('.')}`);
      continue;
    }
    if (wanted.bundle !== null) {
      // Isolated: neither the folder nor PYTHONPATH may put other modules in their place.
      return {
        kind: 'found',
        origin: 'bundle',
        command: python,
        args: ['-I', wanted.bundle],
      };
    }
    newest ??= python;
  }
  if (newest === null) {
    const reason = `flowlint needs Python ${OLDEST.join('.')} or newer, and none was found.`;
    return { kind: 'missing', reason, install: null };
  }
  const command = `${quoted(newest)} -m pip install '${PACKAGE}'`;
  return {
    kind: 'missing',
    reason: 'The language server flowls is not installed.',
    install: { python: newest, command: wanted.isWindows ? command.replaceAll("'", '"') : command },
  };
}

function isNewEnough([major, minor]: [number, number]): boolean {
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

function quoted(text: string): string {
  return /\s/.test(text) ? `"${text}"` : text;
}
