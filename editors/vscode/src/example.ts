/** A flow with faults, to try things on. */

import * as vscode from 'vscode';

export async function openExample(extension: vscode.Uri): Promise<void> {
  const file = vscode.Uri.joinPath(extension, 'media', 'walkthrough', 'example.py');
  const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const document = await vscode.workspace.openTextDocument({ language: 'python', content });
  await vscode.window.showTextDocument(document);
}
