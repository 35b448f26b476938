/** VS Code as code-server serves it, in Chromium: started, driven, ended. */

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';

const PATIENCE = 30_000;
const QUIET = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'workbench.enableExperiments': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'chat.commandCenter.enabled': false,
  'window.commandCenter': false,
  'git.enabled': false,
};

/** An empty VS Code with one extension. `home`: a folder for all that it keeps. */
export async function startServer({ program, vsix, home, settings = {}, env = process.env }) {
  const data = path.join(home, 'data');
  fs.mkdirSync(path.join(data, 'User'), { recursive: true });
  fs.writeFileSync(path.join(data, 'User', 'settings.json'), JSON.stringify({ ...QUIET, ...settings }));
  const own = { ...env, XDG_CONFIG_HOME: path.join(home, 'config'), XDG_DATA_HOME: path.join(home, 'share') };
  const common = ['--user-data-dir', data, '--extensions-dir', path.join(home, 'extensions')];
  const installed = spawnSync(program, [...common, '--install-extension', vsix], { env: own, encoding: 'utf8' });
  if (installed.status !== 0) {
    throw new Error(`the extension was not installed: ${installed.stdout}${installed.stderr}`);
  }
  const options = ['--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'];
  // A group of its own, so that all that it starts ends with it.
  const child = spawn(program, [...common, ...options], { env: own, detached: true });
  const base = await new Promise((resolve, reject) => {
    let said = '';
    const listen = (chunk) => {
      said += chunk;
      const found = /HTTP server listening on (http:\/\/[\d.:]+)/.exec(said);
      if (found) {
        resolve(found[1]);
      }
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.on('exit', () => reject(new Error(`code-server ended: ${said}`)));
  });
  return {
    base,
    logs: path.join(data, 'logs'),
    stop() {
      try {
        process.kill(-child.pid, 'SIGTERM');
      } catch {
        // It has ended by itself.
      }
    },
  };
}

/** A browser with nothing in it; `reducedMotion` is what the system would say. */
export async function startBrowser({ reducedMotion = 'no-preference', size = { width: 1400, height: 860 } } = {}) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    viewport: size,
    reducedMotion,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(PATIENCE);
  return {
    page,
    async stop() {
      await context.close();
      fs.rmSync(profile, { recursive: true, force: true });
    },
  };
}

export async function openFolder(page, base, folder) {
  await page.goto(`${base}/?folder=${encodeURIComponent(folder)}`);
  await page.waitForSelector('.monaco-workbench');
  await page.waitForSelector('.explorer-folders-view .monaco-list-row');
}

/** Open a file by its name in the explorer. */
export async function openFile(page, name) {
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first().dblclick();
  await page.locator('.tab.active', { hasText: name }).first().waitFor();
  await page.waitForSelector('.monaco-editor .view-line');
}

export async function runCommand(page, title) {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').first().fill(`>${title}`);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
}

/** The page of the flow graph, two frames deep; notebooks have such frames, too. */
export function graphFrame(page) {
  return page.frameLocator('iframe.webview.ready[src*="extensionId=flowls.flowlint"]').frameLocator('iframe#active-frame');
}

/** The line of the cursor, which is marked also while the graph has the focus. */
export async function cursorLine(page) {
  const marked = page.locator('.monaco-editor .line-numbers.active-line-number').first();
  return Number(await marked.innerText());
}
