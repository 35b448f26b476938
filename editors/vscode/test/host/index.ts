/** What VS Code gets from the extension, asked for inside its extension host. */

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';

const PATIENCE = 30_000;

type Check = () => Promise<void>;

const checks: Record<string, Check> = {
  'findings are problems, with codes and related places': async () => {
    const document = await open('release.py');
    const problems = await problemsOf(document.uri, (all) => all.length === 2);
    assert.deepEqual(problems.map(codeOf).sort(), ['FL203', 'FL301']);
    assert.ok(problems.every((problem) => problem.source === 'flowlint'));
    assert.ok(problems.every((problem) => problem.severity === vscode.DiagnosticSeverity.Error));
  },

  'a quick fix is offered, applied, and the problem is gone': async () => {
    const document = await open('fixable.py');
    const [problem] = await problemsOf(document.uri, (all) => all.length > 0);
    assert.ok(problem);
    const kind = vscode.CodeActionKind.QuickFix.value;
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider', document.uri, problem.range, kind, 50,
    );
    const fix = actions.find((one) => one.edit && one.title.includes('publish'));
    assert.ok(fix?.edit, actions.map((one) => one.title).join(' | '));
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    assert.match(document.getText(), /Edge\("collect", "publish"\)/);
    await problemsOf(document.uri, (all) => all.length === 0);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  },

  'all that is safe is fixed on save': async () => {
    const document = await open('fixable.py');
    await problemsOf(document.uri, (all) => all.length > 0);
    const settings = vscode.workspace.getConfiguration('editor', document);
    await settings.update('codeActionsOnSave', { 'source.fixAll.flowlint': 'explicit' });
    // VS Code gives up on what takes too long while it saves, as on a machine that is busy.
    await until(
      async () => {
        await replace(document, 'entry="collect",', 'entry="collect", ');
        await document.save();
        return document.getText();
      },
      (text) => text.includes('Edge("collect", "publish")'),
    );
    await settings.update('codeActionsOnSave', undefined);
  },

  'a node is renamed in two files': async () => {
    const flow = await open('two_files.py');
    const names = await vscode.workspace.openTextDocument(inFolder('names.py'));
    await problemsOf(flow.uri, (all) => all.length === 0);
    const at = flow.positionAt(flow.getText().indexOf('"collect"') + 3);
    const edit = await until(
      () => vscode.commands.executeCommand<vscode.WorkspaceEdit>(
        'vscode.executeDocumentRenameProvider', flow.uri, at, 'gather',
      ),
      (found) => (found?.size ?? 0) === 2,
    );
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.match(names.getText(), /FIRST = "gather"/);
    assert.doesNotMatch(flow.getText(), /collect"/);
    assert.match(flow.getText(), /Edge\("gather", "publish"\)/);
    await problemsOf(flow.uri, (all) => all.length === 0);
  },

  'a lens opens the graph, which is saved as SVG and PNG': async () => {
    const document = await open('triage.py');
    const lenses = await until(
      () => vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 9),
      (found) => found.length === 1,
    );
    const command = lenses[0]?.command;
    assert.ok(command);
    assert.equal(command.title, '7 nodes · 6 findings · show graph');
    await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
    await until(async () => graphTab(), (tab) => tab?.label === 'Flow: TriagePhase._build_triage_flow');
    const picture = await exportedSvg();
    for (const text of ['classify', 'reproduce', '_is_question', 'no such node']) {
      assert.ok(picture.includes(`>${text}<`), text);
    }
    assert.doesNotMatch(picture, /class=|var\(/);
    const png = inFolder('graph.png');
    await vscode.commands.executeCommand('flowlint.exportGraph', 'png', png);
    const bytes = await vscode.workspace.fs.readFile(png);
    assert.equal(Buffer.from(bytes.slice(1, 4)).toString('latin1'), 'PNG');
    assert.ok(bytes.length > 5000, String(bytes.length));
  },

  'an edit updates the graph and the problems, before it is saved': async () => {
    const document = await open('triage.py');
    await replace(document, '"lable"', '"label"');
    await problemsOf(document.uri, (all) => !all.some((one) => codeOf(one) === 'FL105'));
    await until(exportedSvg, (picture) => !picture.includes('no such node'));
    await replace(document, 'Node("answer", self._answer),', 'Node("answer", self._answer), Node("thank", self._done),');
    await until(exportedSvg, (picture) => picture.includes('>thank<'));
    assert.ok(document.isDirty);
  },

  'while a flow is not sound text, the last picture stays': async () => {
    const document = await open('triage.py');
    const before = await exportedSvg();
    await replace(document, 'return Flow(', 'return Flow((');
    await replace(document, 'def _build_triage_flow(', 'def (');
    await problemsOf(document.uri, () => true);
    assert.ok((await exportedSvg()).includes('>thank<'), before);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  },

  'a lens opens its own flow, also where another has the same name': async () => {
    const document = await open('research.py');
    const lenses = await until(
      () => vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 9),
      (found) => found.length === 2,
    );
    for (const { command } of lenses) {
      assert.ok(command);
      await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
      const isSecond = command.title.startsWith('4 nodes');
      await until(exportedSvg, (picture) => picture.includes('>critique<') === isSecond);
    }
  },

  'the graph follows to other documents: YAML, with regions': async () => {
    await open('reminders.yaml');
    await until(async () => graphTab()?.label, (label) => label === 'Flow: batch_reminders');
    await until(exportedSvg, (picture) => picture.includes('>note_muted<') && picture.includes('>body<'));
  },

  'what others write on the disk counts at once': async () => {
    const document = await open('beside_others.py');
    await problemsOf(document.uri, (all) => all.length === 0);
    const [names, settings] = [inFolder('others.py').fsPath, inFolder('flowlint.toml').fsPath];
    writeFileSync(names, 'FIRST = "elsewhere"\n');
    await problemsOf(document.uri, (all) => all.length > 0);
    writeFileSync(settings, 'ignore = ["all"]\n');
    await problemsOf(document.uri, (all) => all.length === 0);
    rmSync(settings);
    await problemsOf(document.uri, (all) => all.length > 0);
    writeFileSync(names, 'FIRST = "collect"\n');
    await problemsOf(document.uri, (all) => all.length === 0);
  },

  'JSON is checked': async () => {
    const document = await open('flow.json');
    const problems = await problemsOf(document.uri, (all) => all.length > 0);
    assert.ok(problems.some((one) => document.getText(one.range).includes('publihs')), JSON.stringify(problems));
  },

  'cells of notebooks are checked': async () => {
    const notebook = await vscode.workspace.openNotebookDocument(inFolder('flow.ipynb'));
    await vscode.window.showNotebookDocument(notebook);
    const cell = notebook.cellAt(1).document;
    const problems = await problemsOf(cell.uri, (all) => all.length > 0);
    assert.ok(problems.some((one) => cell.getText(one.range).includes('publihs')), JSON.stringify(problems));
    await vscode.commands.executeCommand('flowlint.showGraph', cell.uri);
    await until(async () => graphTab()?.label, (label) => label === 'Flow: FLOW');
  },

  'names are symbols: definition, hover, outline': async () => {
    const document = await open('release.py');
    await problemsOf(document.uri, (all) => all.length === 2);
    const at = document.positionAt(document.getText().indexOf('Edge("approve"') + 8);
    const places = await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[]>(
      'vscode.executeDefinitionProvider', document.uri, at,
    );
    const lines = places.map((one) => ('targetRange' in one ? one.targetRange : one.range).start.line);
    assert.ok(lines.some((line) => document.lineAt(line).text.includes('Node("approve"')), String(lines));
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, at);
    const hovered = hovers.flatMap((one) => one.contents.map((part) => (part as vscode.MarkdownString).value));
    assert.ok(hovered.some((text) => text.includes('`approve`')), hovered.join('\n'));
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider', document.uri,
    );
    const names = (all: vscode.DocumentSymbol[]): string[] =>
      all.flatMap((one) => [one.name, ...names(one.children)]);
    assert.ok(names(symbols).includes('publish'), names(symbols).join());
  },

  'settings hold at once: lenses, and problems of the whole workspace': async () => {
    const document = await open('release.py');
    const settings = vscode.workspace.getConfiguration('flowlint');
    const lenses = () => vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri);
    await settings.update('codeLens', false);
    await until(lenses, (found) => found.length === 0);
    await settings.update('codeLens', undefined);
    await until(lenses, (found) => found.length === 1);
    assert.deepEqual(vscode.languages.getDiagnostics(inFolder('never_opened.py')), []);
    await settings.update('diagnosticMode', 'workspace');
    await problemsOf(inFolder('never_opened.py'), (all) => all.length > 0);
    await settings.update('diagnosticMode', undefined);
    await problemsOf(inFolder('never_opened.py'), (all) => all.length === 0);
  },

  'a text that has no file yet is checked': async () => {
    await vscode.commands.executeCommand('flowlint.openExample');
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.isUntitled, true);
    await problemsOf(document!.uri, (all) => all.some((one) => codeOf(one) === 'FL105'));
  },

  'the server is restarted, and the problems come again': async () => {
    const document = await open('release.py');
    await problemsOf(document.uri, (all) => all.length === 2);
    await vscode.commands.executeCommand('flowlint.restart');
    await problemsOf(document.uri, (all) => all.length === 2);
  },

  'a setting that names no server is told, and the right one holds at once': async () => {
    const document = await open('release.py');
    await problemsOf(document.uri, (all) => all.length === 2);
    const settings = vscode.workspace.getConfiguration('flowlint');
    await settings.update('path', '/gone/flowls', vscode.ConfigurationTarget.Workspace);
    await problemsOf(document.uri, (all) => all.length === 0);
    // Nor is one waited for that never answers.
    const silent = inFolder('silent.sh').fsPath;
    writeFileSync(silent, '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
    await settings.update('path', silent, vscode.ConfigurationTarget.Workspace);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await settings.update('path', undefined, vscode.ConfigurationTarget.Workspace);
    await problemsOf(document.uri, (all) => all.length === 2);
  },
};

export async function run(): Promise<void> {
  const result = process.env['FLOWLINT_TEST_RESULT'];
  const wanted = process.env['FLOWLINT_TEST_ONLY'] ?? '';
  assert.ok(result);
  const told: string[] = [];
  for (const [name, check] of Object.entries(checks)) {
    if (!name.includes(wanted)) {
      continue;
    }
    try {
      await check();
      told.push(`ok: ${name}`);
    } catch (error) {
      told.push(`not ok: ${name}\n${error instanceof Error ? error.stack : String(error)}`);
    }
    writeFileSync(result, told.join('\n'));
  }
  const failed = told.filter((line) => line.startsWith('not ok'));
  writeFileSync(result, [...told, failed.length === 0 ? 'PASS' : 'FAIL'].join('\n'));
  assert.deepEqual(failed, []);
}

function inFolder(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder);
  return vscode.Uri.joinPath(folder.uri, name);
}

async function open(name: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(inFolder(name));
  await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  return document;
}

async function until<T>(ask: () => PromiseLike<T>, isEnough: (found: T) => boolean): Promise<T> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const found = await ask();
    if (isEnough(found)) {
      return found;
    }
    if (Date.now() > end) {
      throw new Error(`never came; at last there was ${JSON.stringify(found)?.slice(0, 2000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function problemsOf(
  uri: vscode.Uri,
  isEnough: (all: vscode.Diagnostic[]) => boolean,
): Promise<vscode.Diagnostic[]> {
  return until(async () => vscode.languages.getDiagnostics(uri), isEnough);
}

function codeOf(problem: vscode.Diagnostic): string {
  const { code } = problem;
  return String(typeof code === 'object' ? code.value : code);
}

async function replace(document: vscode.TextDocument, old: string, text: string): Promise<void> {
  const at = document.getText().indexOf(old);
  assert.ok(at >= 0, old);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(at), document.positionAt(at + old.length));
  edit.replace(document.uri, range, text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

function graphTab(): vscode.Tab | undefined {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.find(
    ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes('flowlint.graph'),
  );
}

async function exportedSvg(): Promise<string> {
  const target = inFolder('graph.svg');
  await vscode.commands.executeCommand('flowlint.exportGraph', 'svg', target);
  return Buffer.from(await vscode.workspace.fs.readFile(target)).toString('utf8');
}
