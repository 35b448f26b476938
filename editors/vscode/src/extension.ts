/** The extension: wires the server, the status item, the commands and the flow graph. */

import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { GraphAnswer, Range } from './graph/contract';
import { ImageFormat } from './graph/messages';
import { GraphPanel, VIEW_TYPE } from './graph/panel';
import { openExample } from './example';
import { pythonExtension, Server } from './server/server';
import { showMenu, statusItem } from './status';

/** Settings after whose change the server is looked for anew. */
const RESTARTING = 'flowlint.path';

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('flowlint', { log: true });
  const server = new Server(context, log);
  const graph = new GraphPanel(context.extensionUri, (uri) => askFlows(server, uri), log);
  context.subscriptions.push(
    log,
    server,
    graph,
    statusItem(server),
    ...commands(context, server, graph, log),
    ...following(server, graph),
    vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
      deserializeWebviewPanel: (panel, state) => graph.revive(panel, state),
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(RESTARTING)) {
        void server.restart();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void server.restart()),
  );
  void followInterpreter(context, server);
  void server.restart();
}

function commands(
  context: vscode.ExtensionContext,
  server: Server,
  graph: GraphPanel,
  log: vscode.LogOutputChannel,
): vscode.Disposable[] {
  const register = vscode.commands.registerCommand;
  return [
    register('flowlint.restart', () => server.restart()),
    register('flowlint.showLog', () => log.show()),
    register('flowlint.showMenu', () => showMenu(server)),
    register('flowlint.openSettings', () =>
      vscode.commands.executeCommand(
        'workbench.action.openSettings',
        `@ext:${context.extension.id}`,
      ),
    ),
    register('flowlint.openExample', () => openExample(context.extensionUri)),
    // Lenses give all of it; the command palette and the title of editors give less or nothing.
    register('flowlint.showGraph', async (document?: string | vscode.Uri, name?: unknown, range?: unknown) => {
      const given = typeof document === 'string' ? vscode.Uri.parse(document, true) : document;
      const location = vscode.ProgressLocation.Window;
      await vscode.window.withProgress({ location, title: 'flowlint: reading flows' }, async () => {
        const uri = given ?? (await workedOn(server));
        if (uri !== undefined) {
          const start = (range as Partial<Range> | undefined)?.start ?? null;
          await graph.show(uri, typeof name === 'string' ? name : null, start);
        }
      });
    }),
    register('flowlint.exportGraph', async (format?: ImageFormat, target?: vscode.Uri) => {
      const chosen = format ?? (await vscode.window.showQuickPick(['svg', 'png']));
      if (chosen === 'svg' || chosen === 'png') {
        await graph.export(chosen, target);
      }
    }),
  ];
}

function following(server: Server, graph: GraphPanel): vscode.Disposable[] {
  return [
    server.onDidBegin((client: LanguageClient) => {
      client.onNotification('flowlint/flowsChanged', ({ uris }: { uris: string[] }) =>
        graph.flowsChanged(uris.map((uri) => vscode.Uri.parse(uri, true).toString())),
      );
    }),
    server.onDidChangeStatus(({ kind }) => {
      if (kind === 'running') {
        void graph.serverStarted();
      }
    }),
    vscode.window.onDidChangeActiveTextEditor((editor) => graph.follow(editor)),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => graph.cursor(textEditor)),
  ];
}

/** The document that is worked on; of a notebook, the first cell that has a flow. */
async function workedOn(server: Server): Promise<vscode.Uri | undefined> {
  const notebook = vscode.window.activeNotebookEditor;
  const active = vscode.window.activeTextEditor?.document.uri;
  for (const cell of notebook?.notebook.getCells() ?? []) {
    const answer = await askFlows(server, cell.document.uri);
    if (answer !== null && answer.flows.length > 0) {
      return cell.document.uri;
    }
  }
  return active ?? notebook?.notebook.uri;
}

async function askFlows(server: Server, uri: vscode.Uri): Promise<GraphAnswer | null> {
  const client = await server.running();
  if (client === null) {
    return null;
  }
  const textDocument = { uri: client.code2ProtocolConverter.asUri(uri) };
  return client.sendRequest<GraphAnswer>('flowlint/graph', { textDocument });
}

/** Another interpreter may have another server. */
async function followInterpreter(context: vscode.ExtensionContext, server: Server): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    return;
  }
  const extension = await pythonExtension().catch(() => null);
  if (extension !== null) {
    const restart = (): void => void server.restart();
    context.subscriptions.push(extension.environments.onDidChangeActiveEnvironmentPath(restart));
  }
}
