/**
 * What a new user sees: an empty VS Code, the packaged extension, no settings, no `flowls` anywhere.
 * Arguments: a JSON of what is there; `images` names a folder for pictures of the documentation.
 */

import assert from 'node:assert/strict';
import path from 'node:path';
import { cursorLine, graphFrame, openFile, openFolder, runCommand, startBrowser, startServer } from './workbench.mjs';

const { program, vsix, home, folder, images } = JSON.parse(process.argv[2]);
const server = await startServer({ program, vsix, home });
const { page, stop } = await startBrowser();
const policy = [];
page.on('console', (message) => {
  if (/flowlint|elk|view\.js/.test(message.text()) && /Content Security Policy/.test(message.text())) {
    policy.push(message.text());
  }
});

async function step(name, act) {
  await act();
  console.log(`ok: ${name}`);
}

async function picture(name) {
  if (images) {
    await page.waitForTimeout(1200);
    await page.screenshot({ path: path.join(images, `vscode-${name}.png`) });
  }
}

async function goTo(line, column = 1) {
  await page.keyboard.press('Control+G');
  await page.locator('.quick-input-widget input').first().fill(`:${line}:${column}`);
  await page.keyboard.press('Enter');
}

const graph = () => graphFrame(page);
const node = (name) => graph().locator('.node', { has: graph().getByText(name, { exact: true }) }).first();
const squiggles = () => page.locator('.monaco-editor .squiggly-error');
const problems = () => page.locator('.markers-panel .monaco-list-row');

try {
  await step('in a folder that is not trusted, findings are shown', async () => {
    await openFolder(page, server.base, folder);
    await page.locator('.monaco-dialog-box', { hasText: 'trust the authors' }).waitFor();
    await page.getByRole('button', { name: /No, I don't trust/ }).click();
    await openFile(page, 'fixable.py');
    await squiggles().first().waitFor();
    await page.locator('.statusbar-item', { hasText: 'flowlint' }).first().waitFor();
  });

  await step('the folder is trusted, and the server comes again', async () => {
    await runCommand(page, 'Workspaces: Manage Workspace Trust');
    await page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await openFile(page, 'fixable.py');
    await squiggles().first().waitFor();
  });

  await step('the status item tells that the server runs, and from where', async () => {
    const item = page.locator('.statusbar-item', { hasText: 'flowlint' }).first();
    await item.locator('.codicon-check').waitFor();
    const label = await item.locator('a').first().getAttribute('aria-label');
    assert.match(label, /running, from the copy that comes with the extension/);
    await item.click();
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Restart Server' }).waitFor();
    await page.keyboard.press('Escape');
  });

  await step('the problem is listed, and its quick fix is applied', async () => {
    await page.keyboard.press('Control+Shift+M');
    await problems().filter({ hasText: 'publihs' }).first().dblclick();
    await page.waitForTimeout(500);
    await page.keyboard.press('Control+.');
    await page.locator('.action-widget .monaco-list-row', { hasText: 'publish' }).first().waitFor();
    await picture('quick-fix');
    await page.keyboard.press('Enter');
    await page.locator('.view-line', { hasText: '"collect", "publish"' }).first().waitFor();
    await squiggles().first().waitFor({ state: 'detached' });
    await page.keyboard.press('Control+J');
  });

  await step('the lens opens the graph', async () => {
    await openFile(page, 'triage.py');
    await goTo(58);
    await page.locator('.codelens-decoration a', { hasText: '7 nodes · 6 findings · show graph' }).click();
    await node('classify').waitFor();
    assert.equal(await graph().locator('.node.missing').count(), 1);
    assert.equal(await graph().locator('.node.error').count(), 3);
  });

  await step('a click on a node moves the cursor', async () => {
    await node('answer').click();
    await waitFor(async () => (await cursorLine(page)) === 62);
    await picture('graph');
  });

  await step('a click on an edge moves the cursor', async () => {
    await graph().locator('.edge .label', { hasText: '_is_question' }).click();
    await waitFor(async () => (await cursorLine(page)) === 70);
  });

  await step('keys move between nodes, and Enter goes to the text', async () => {
    await node('load').click();
    await page.keyboard.press('ArrowDown');
    await graph().locator('.node.selected[data-id="n1"]').waitFor();
    await page.keyboard.press('Tab');
    await graph().locator('.node.selected[data-id="n2"]').waitFor();
    await page.keyboard.press('Enter');
    await waitFor(async () => (await cursorLine(page)) === 60);
    await page.locator('.monaco-editor.focused').waitFor();
  });

  await step('the cursor selects its node', async () => {
    await goTo(61, 27);
    await graph().locator('.node.selected[data-id="n3"]').waitFor();
  });

  await step('an edit updates the graph and the problems', async () => {
    await goTo(72, 36);
    await page.keyboard.press('Control+Shift+ArrowRight');
    await page.keyboard.type('label');
    await graph().locator('.node.missing').waitFor({ state: 'detached' });
    await graph().locator('.badge').first().waitFor();
    await page.locator('.view-line', { hasText: 'Edge("reproduce", "label")' }).first().waitFor();
    await waitFor(async () => (await squiggles().count()) < 3);
  });

  await step('nodes are found by what is written on them', async () => {
    await graph().locator('#query').fill('gate');
    await graph().locator('.node.hit.selected', { hasText: 'classify' }).waitFor();
    assert.equal(await graph().locator('#hits').innerText(), '1 of 1');
    await page.keyboard.press('Escape');
  });

  await step('the outline tells the same, and plays the run that shows a fault', async () => {
    await openFile(page, 'release.py');
    await node('approve').waitFor();
    await graph().locator('#toggle-outline').click();
    const outline = graph().locator('#outline');
    await outline.getByRole('button', { name: 'test gate' }).waitFor();
    assert.equal(await outline.getByRole('button', { name: '→ build when tests_failed' }).count(), 1);
    await outline.getByRole('button', { name: 'Show the path: build, then test, then build' }).click();
    await graph().locator('.token').waitFor();
    await graph().locator('.edge.on-path').nth(1).waitFor();
    await picture('witness');
  });

  await step('flows in YAML have graphs, with regions as boxes', async () => {
    await graph().locator('#toggle-outline').click();
    await openFile(page, 'reminders.yaml');
    await graph().locator('#picture .region', { hasText: 'body' }).waitFor();
  });

  await step('flows in notebooks have graphs, from which one comes to the cell', async () => {
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'flow.ipynb' }).dblclick();
    await page.locator('.notebook-editor .view-line', { hasText: 'Flow(' }).first().waitFor();
    await runCommand(page, 'flowlint: Show Flow Graph');
    await node('publish').click();
    await page.keyboard.press('Enter');
    await page.locator('.notebook-editor .monaco-editor.focused').waitFor();
    await page.keyboard.type('>>');
    await page.locator('.notebook-editor .view-line', { hasText: 'Node(>>"publish"' }).waitFor();
  });

  await step('where movement is unwanted, the run is shown at once, by numbers', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openFile(page, 'release.py');
    await node('approve').waitFor();
    await graph().locator('#toggle-outline').click();
    await graph().locator('#outline .play').first().click();
    await graph().locator('.number', { hasText: '1, 3' }).waitFor();
    assert.equal(await graph().locator('.token').count(), 0);
  });

  await step('what is closed is told no more, and the graph follows when it is open again', async () => {
    await page.keyboard.press('Control+Shift+M');
    await openFile(page, 'release.py');
    await problems().filter({ hasText: 'Edge from `test` to `publish`' }).first().waitFor();
    await runCommand(page, 'View: Close Editor');
    await problems().filter({ hasText: 'Edge from `test` to `publish`' }).first().waitFor({ state: 'detached' });
    await openFile(page, 'release.py');
    await squiggles().first().waitFor();
    await goTo(42, 39);
    await page.keyboard.type(' Node("thank", publish),');
    await node('thank').waitFor();
  });

  await step('the page holds to its content security policy', async () => {
    assert.deepEqual(policy, []);
  });
} catch (error) {
  await page.screenshot({ path: path.join(home, 'failure.png') });
  throw error;
} finally {
  await stop();
  server.stop();
}

async function waitFor(isSo) {
  for (let turn = 0; turn < 150; turn += 1) {
    if (await isSo()) {
      return;
    }
    await page.waitForTimeout(100);
  }
  assert.fail(`never so: ${isSo}`);
}
