/** Runs the tests of test/host inside VS Code. Arguments: a JSON of what is there. */

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startBrowser, startServer } from './workbench.mjs';

const PATIENCE = 240_000;
const { program, vsix, home, folder, flowls } = JSON.parse(process.argv[2]);
const here = path.dirname(fileURLToPath(import.meta.url));
const result = path.join(home, 'result.txt');
const tests = path.resolve(here, '../../dist-test/host/index.js');

// VS Code runs tests for an extension under development only; ours is the installed one, as users
// have it, so this is another, which does nothing.
const stand = path.join(home, 'nothing');
fs.mkdirSync(stand, { recursive: true });
const manifest = { name: 'nothing', publisher: 'test', version: '0.0.1', engines: { vscode: '*' } };
fs.writeFileSync(path.join(stand, 'package.json'), JSON.stringify(manifest));

const server = await startServer({
  program,
  vsix,
  home,
  settings: { 'flowlint.path': flowls, 'security.workspace.trust.enabled': false },
  env: { ...process.env, FLOWLINT_TEST_RESULT: result },
});
const { page, stop } = await startBrowser();
let code;
try {
  const ended = new Promise((resolve) => {
    page.exposeFunction('codeAutomationExit', resolve);
    page.exposeFunction('codeAutomationLog', () => undefined);
  });
  const { host } = new URL(server.base);
  const payload = JSON.stringify([
    ['extensionDevelopmentPath', `vscode-remote://${host}${stand}`],
    ['extensionTestsPath', `vscode-remote://${host}${tests}`],
  ]);
  await page.goto(`${server.base}/?folder=${encodeURIComponent(folder)}&payload=${encodeURIComponent(payload)}`);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, 'too late'));
  code = await Promise.race([ended, late]);
  if (code !== 0) {
    await page.screenshot({ path: path.join(home, 'failure.png') });
  }
} finally {
  await stop();
  server.stop();
}
console.log(fs.existsSync(result) ? fs.readFileSync(result, 'utf8') : `no result: ${code}`);
process.exit(code === 0 ? 0 : 1);
