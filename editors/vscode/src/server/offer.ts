/** What can be done where the server is not there. */

import * as vscode from 'vscode';
import { Missing, OLDEST } from './discovery';

const DOWNLOADS = 'https://www.python.org/downloads/';

export async function offerInstall(missing: Missing, log: vscode.LogOutputChannel): Promise<void> {
  log.error(missing.reason);
  const { install } = missing;
  if (install !== null) {
    await offerCommand(missing.reason, install.command);
    return;
  }
  const settings = 'Open Settings';
  const python = `Get Python ${OLDEST.join('.')}+`;
  const chosen = await vscode.window.showErrorMessage(missing.reason, python, settings);
  if (chosen === python) {
    await vscode.env.openExternal(vscode.Uri.parse(DOWNLOADS));
  } else if (chosen === settings) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'flowlint.path');
  }
}

async function offerCommand(reason: string, command: string): Promise<void> {
  const run = 'Install in Terminal';
  const copy = 'Copy Command';
  const message = `${reason} Install it with: ${command}`;
  const chosen = await vscode.window.showErrorMessage(message, run, copy);
  if (chosen === copy) {
    await vscode.env.clipboard.writeText(command);
  } else if (chosen === run) {
    const terminal = vscode.window.createTerminal('flowlint');
    terminal.show();
    terminal.sendText(command);
  }
}
