import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pageOf } from '../../src/graph/page';

const manifest = JSON.parse(
  readFileSync(path.join(__dirname, '..', '..', 'package.json'), 'utf8'),
);

test('the problem matcher understands lines of `--format concise`', () => {
  const { pattern } = manifest.contributes.problemMatchers[0];
  const matched = (line: string) => {
    const found = new RegExp(pattern.regexp).exec(line);
    const parts = ['file', 'line', 'column', 'code', 'severity', 'message'] as const;
    return found && parts.map((part) => found[pattern[part]]);
  };
  assert.deepEqual(
    matched('flows/a.py:46:13: FL301 [loop-without-exit] error: No edge leads out of it.'),
    ['flows/a.py', '46', '13', 'FL301', 'error', 'No edge leads out of it.'],
  );
  assert.deepEqual(matched('C:\\flows\\a.py:1:2: FL106 [unreachable-node] warning: So.')?.[0], 'C:\\flows\\a.py');
  assert.deepEqual(matched('a.ipynb:cell 2:3:4: FL201 [x] info: So: it is.')?.slice(0, 3), ['a.ipynb', '3', '4']);
  assert.equal(matched('Found 2 errors in 1 flow (1 file checked).'), null);
});

test('the extension starts for each language that the server is asked about', () => {
  const asked = readFileSync(path.join(__dirname, '..', '..', 'src', 'server', 'server.ts'), 'utf8');
  const listed: string[] = /const LANGUAGES = \[([^\]]+)\]/.exec(asked)?.[1]?.match(/\w+/g) ?? [];
  assert.ok(listed.includes('python') && listed.includes('typescriptreact'));
  const { when } = manifest.contributes.menus['editor/context'][0];
  const shown = new RegExp(/=~ \/([^/]+)\//.exec(when)?.[1] ?? '');
  for (const language of listed) {
    assert.ok(manifest.activationEvents.includes(`onLanguage:${language}`), language);
    assert.match(language, shown);
  }
});

test('the page runs our script alone, and each page has its own nonce', () => {
  const parts = { cspSource: 'https://own', script: 's.js', style: 's.css', engine: 'e.js' };
  const page = pageOf({ ...parts, nonce: 'abc' });
  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'nonce-abc';/);
  assert.doesNotMatch(policy, /unsafe|\*/);
  assert.doesNotMatch(page, / style="| on\w+="/);
  assert.equal(page.match(/<script /g)?.length, 1);
});

test('all commands and settings are described, and the setting that runs things is restricted', () => {
  const { commands, configuration, menus, walkthroughs } = manifest.contributes;
  const known = new Set(commands.map((one: { command: string }) => one.command));
  for (const setting of Object.values<Record<string, string>>(configuration.properties)) {
    assert.ok((setting['description'] ?? setting['markdownDescription'] ?? '').endsWith('.'));
  }
  for (const entries of Object.values<{ command: string }[]>(menus)) {
    assert.ok(entries.every((entry) => known.has(entry.command)));
  }
  const linked = JSON.stringify(walkthroughs).match(/command:flowlint\.\w+/g) ?? [];
  assert.ok(linked.length > 0 && linked.every((link) => known.has(link.replace('command:', ''))));
  assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, ['flowlint.path']);
});
