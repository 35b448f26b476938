/** The item in the status bar: whether the server runs, and what can be done about it. */

import * as vscode from 'vscode';
import { Origin } from './server/discovery';
import { Server, Status } from './server/server';

const ORIGINS: Record<Origin, string> = {
  setting: 'the setting flowlint.path',
  environment: "the workspace's Python environment",
  path: 'PATH',
  bundle: 'the copy that comes with the extension',
};

export function statusItem(server: Server): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('flowlint', vscode.StatusBarAlignment.Right);
  item.name = 'flowlint';
  item.command = 'flowlint.showMenu';
  const show = (status: Status): void => {
    item.text = `${icon(status)} flowlint`;
    item.tooltip = tooltip(status);
    item.accessibilityInformation = { label: plain(status), role: 'button' };
    item.backgroundColor =
      status.kind === 'failed' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    item.show();
  };
  show(server.status);
  return vscode.Disposable.from(item, server.onDidChangeStatus(show));
}

/** What one can do, as a menu. */
export async function showMenu(server: Server): Promise<void> {
  const entries = [
    { label: '$(type-hierarchy) Show Flow Graph', command: 'flowlint.showGraph' },
    { label: '$(refresh) Restart Server', command: 'flowlint.restart' },
    { label: '$(output) Show Log', command: 'flowlint.showLog' },
    { label: '$(gear) Open Settings', command: 'flowlint.openSettings' },
  ];
  const placeHolder = plain(server.status);
  const chosen = await vscode.window.showQuickPick(entries, { placeHolder });
  if (chosen !== undefined) {
    await vscode.commands.executeCommand(chosen.command);
  }
}

function icon(status: Status): string {
  const icons = { starting: '$(sync~spin)', running: '$(check)', failed: '$(error)' };
  return icons[status.kind];
}

function tooltip(status: Status): vscode.MarkdownString {
  const text = new vscode.MarkdownString(undefined, true);
  text.isTrusted = { enabledCommands: ['flowlint.restart', 'flowlint.showLog'] };
  text.appendText(plain(status));
  text.appendMarkdown(
    '\n\n[Restart](command:flowlint.restart) · [Show log](command:flowlint.showLog)',
  );
  return text;
}

function plain(status: Status): string {
  switch (status.kind) {
    case 'starting':
      return 'flowlint: the server is starting';
    case 'running':
      return `flowlint ${status.version}: running, from ${ORIGINS[status.found.origin]}`;
    case 'failed':
      return `flowlint: ${status.reason}`;
  }
}
