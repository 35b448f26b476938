/** The machine as discovery sees it. */

import { execFile } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { Machine, PythonFacts } from './discovery';

const PROBE = `
import json, sys
from importlib.util import find_spec
print(json.dumps([*sys.version_info[:2], bool(find_spec("flowls")), bool(find_spec("pygls"))]))
`;
const PATIENCE = 10_000;

/** `folder`: where programs run, which must be none whose files they could import. */
export function thisMachine(folder: string, log: (message: string) => void): Machine {
  const probed = new Map<string, Promise<PythonFacts | null>>();
  return {
    isFile,
    which,
    log,
    runs: (program) => runs(program, folder),
    probe(python) {
      const known = probed.get(python) ?? probe(python, folder);
      probed.set(python, known);
      return known;
    },
  };
}

async function isFile(name: string): Promise<boolean> {
  try {
    return (await stat(name)).isFile();
  } catch {
    return false;
  }
}

/** Only whole places on PATH count: what is relative would be of the folder that is open. */
async function which(name: string): Promise<string | null> {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter(path.isAbsolute);
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const folder of folders) {
    for (const ending of endings) {
      const program = path.join(folder, name + ending);
      if ((await isFile(program)) && (await isExecutable(program))) {
        return program;
      }
    }
  }
  return null;
}

async function isExecutable(name: string): Promise<boolean> {
  try {
    await access(name, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function runs(program: string, folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { cwd: folder, timeout: PATIENCE, windowsHide: true };
    execFile(program, ['--version'], options, (error) => resolve(error === null));
  });
}

function probe(python: string, folder: string): Promise<PythonFacts | null> {
  return new Promise((resolve) => {
    const options = { cwd: folder, timeout: PATIENCE, windowsHide: true };
    execFile(python, ['-c', PROBE], options, (error, output) => {
      try {
        const [major, minor, hasServer, hasProtocol] = JSON.parse(error ? '' : output);
        resolve({ version: [major, minor], hasServer, hasProtocol });
      } catch {
        resolve(null);
      }
    });
  });
}
