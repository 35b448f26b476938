/** From the picture to the text. */

import * as vscode from 'vscode';
import { Place } from './contract';

/** Put the cursor there, in the editor that shows the document, beside the picture. */
export async function openPlace(
  place: Place,
  isFocused: boolean,
  graphColumn: vscode.ViewColumn | undefined,
): Promise<void> {
  const uri = vscode.Uri.parse(place.uri, true);
  const { start, end } = place.range;
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  if (uri.scheme === 'vscode-notebook-cell') {
    await openCell(uri, range, isFocused);
    return;
  }
  const seen = vscode.window.visibleTextEditors.find(
    (editor) => editor.document.uri.toString() === uri.toString(),
  );
  const beside =
    graphColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
  const editor = await vscode.window.showTextDocument(uri, {
    viewColumn: seen?.viewColumn ?? beside,
    preserveFocus: !isFocused,
  });
  show(editor, range);
}

async function openCell(uri: vscode.Uri, range: vscode.Range, isFocused: boolean): Promise<void> {
  const notebook = vscode.workspace.notebookDocuments.find((one) =>
    one.getCells().some((cell) => cell.document.uri.toString() === uri.toString()),
  );
  const cell = notebook
    ?.getCells()
    .find((one) => one.document.uri.toString() === uri.toString());
  if (notebook === undefined || cell === undefined) {
    return;
  }
  const shown = await vscode.window.showNotebookDocument(notebook, {
    preserveFocus: !isFocused,
    selections: [new vscode.NotebookRange(cell.index, cell.index + 1)],
  });
  shown.revealRange(
    new vscode.NotebookRange(cell.index, cell.index + 1),
    vscode.NotebookEditorRevealType.InCenterIfOutsideViewport,
  );
  if (isFocused) {
    await vscode.commands.executeCommand('notebook.cell.edit');
  }
  const editor = vscode.window.visibleTextEditors.find(
    (one) => one.document.uri.toString() === uri.toString(),
  );
  if (editor !== undefined) {
    show(editor, range);
  }
}

function show(editor: vscode.TextEditor, range: vscode.Range): void {
  editor.selection = new vscode.Selection(range.start, range.start);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
