/** The flow graph beside the code: one panel, which follows the document that is worked on. */

import { randomBytes } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { numberAt, numberOf, Wanted, wantedOf } from './choosing';
import { Flow, GraphAnswer, Place, Position } from './contract';
import { pointedAt } from './cursor';
import { ImageFormat, ToExtension, ToView } from './messages';
import { pageOf } from './page';
import { openPlace } from './places';

export const VIEW_TYPE = 'flowlint.graph';
/** Milliseconds after which the editor has told that its cursor was moved. */
const ECHO = 300;
const EXPORT_PATIENCE = 30_000;

/** Asks the server for the flows of a document; null while no server runs. */
export type AskFlows = (uri: vscode.Uri) => Promise<GraphAnswer | null>;

interface Shown {
  uri: vscode.Uri;
  flows: Flow[];
  /** The number of the flow that is seen. */
  flow: number;
}

export class GraphPanel {
  private panel: vscode.WebviewPanel | null = null;
  private shown: Shown | null = null;
  private revived: { uri: vscode.Uri; flow: Wanted | null } | null = null;
  private isReady = false;
  private whenReady: (() => void)[] = [];
  /** How often another document was to be shown, and how often the shown one was asked about. */
  private turns = 0;
  private refreshes = 0;
  /** Where the picture has sent the cursor to just now. */
  private expected: string | null = null;
  private exports = new Map<number, (data: string) => void>();
  private exportNumber = 0;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly ask: AskFlows,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Show a flow of a document: the one of this name and place, else the one at the cursor. */
  async show(uri: vscode.Uri, name: string | null, start: Position | null): Promise<void> {
    this.turns += 1;
    const own = this.turns;
    const answer = await this.ask(uri);
    if (own !== this.turns) {
      return;
    }
    const flows = answer?.flows ?? [];
    if (flows.length === 0) {
      const why = answer === null ? 'the server does not run' : 'no flow is constructed there';
      const file = path.posix.basename(uri.path);
      void vscode.window.showInformationMessage(`flowlint: no graph of ${file}: ${why}.`);
      return;
    }
    const placed = name !== null && start !== null ? numberAt(flows, name, start) : -1;
    const named = name === null || placed >= 0 ? placed : numberOf(flows, { name, earlier: 0 });
    const flow = named >= 0 ? named : (this.pointed(uri, flows)?.flow ?? 0);
    this.shown = { uri, flows, flow };
    this.open();
    this.panel?.reveal(undefined, true);
    this.tellShown();
    this.tellPointed();
  }

  /** The panel of before the window was loaded anew. */
  async revive(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    this.adopt(panel);
    const { uri, flow } = (state ?? {}) as { uri?: string; flow?: string };
    if (uri === undefined) {
      panel.dispose();
      return;
    }
    // The server may not run yet; then this is asked when it does.
    const wanted = flow === undefined ? null : { name: flow, earlier: 0 };
    this.revived = { uri: vscode.Uri.parse(uri, true), flow: wanted };
    await this.serverStarted();
  }

  /** What the server answered may be of before: ask again. */
  async flowsChanged(uris: readonly string[]): Promise<void> {
    const wanted = this.wanted;
    if (wanted !== null && uris.includes(wanted.uri.toString())) {
      await this.refresh(wanted.uri, wanted.flow);
    }
  }

  /** Another server has to be asked again, so that it tells of changes. */
  async serverStarted(): Promise<void> {
    const wanted = this.wanted;
    if (wanted !== null) {
      await this.refresh(wanted.uri, wanted.flow);
    }
  }

  /** Another document is worked on: follow, if there is a flow in it. */
  async follow(editor: vscode.TextEditor | undefined): Promise<void> {
    if (this.panel === null || editor === undefined) {
      return;
    }
    this.turns += 1;
    const own = this.turns;
    const { uri } = editor.document;
    if (uri.toString() === this.shown?.uri.toString()) {
      // The server forgets what it was asked about when a document is closed.
      await this.serverStarted();
      return;
    }
    const answer = await this.ask(uri);
    if (answer !== null && answer.flows.length > 0 && own === this.turns) {
      const flow = this.pointed(uri, answer.flows)?.flow ?? 0;
      this.shown = { uri, flows: answer.flows, flow };
      this.tellShown();
    }
  }

  /** The cursor has moved: select what stands there. */
  cursor(editor: vscode.TextEditor): void {
    if (this.panel === null || this.shown === null) {
      return;
    }
    const uri = editor.document.uri.toString();
    const { active } = editor.selection;
    const pointed = pointedAt(this.shown.flows, uri, active);
    if (pointed === null || placeKey(uri, active.line, active.character) === this.expected) {
      return;
    }
    if (pointed.flow !== this.shown.flow) {
      this.shown.flow = pointed.flow;
      this.tellShown();
    }
    this.tell({ type: 'select', ...pointed });
  }

  /** Save the picture; asks where unless it is told. */
  async export(format: ImageFormat, target?: vscode.Uri): Promise<void> {
    if (this.panel === null || this.shown === null) {
      void vscode.window.showInformationMessage('flowlint: show a flow graph first.');
      return;
    }
    const place = target ?? (await this.askTarget(format, this.shown));
    if (place === undefined) {
      return;
    }
    this.panel.reveal(undefined, true);
    const data = await this.image(format);
    await vscode.workspace.fs.writeFile(
      place,
      Buffer.from(data, format === 'svg' ? 'utf-8' : 'base64'),
    );
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private get wanted(): { uri: vscode.Uri; flow: Wanted | null } | null {
    const shown = this.shown;
    return shown === null
      ? this.revived
      : { uri: shown.uri, flow: wantedOf(shown.flows, shown.flow) };
  }

  private async refresh(uri: vscode.Uri, flow: Wanted | null): Promise<void> {
    this.refreshes += 1;
    const own = this.refreshes;
    const answer = await this.ask(uri);
    // Another document may be shown by now.
    const isWanted = this.wanted?.uri.toString() === uri.toString();
    if (own !== this.refreshes || !isWanted || answer === null || this.panel === null) {
      return;
    }
    if (answer.flows.length === 0) {
      this.tell({ type: 'stale', reason: 'No flow can be read there now; this is the last one.' });
      return;
    }
    const named = flow === null ? -1 : numberOf(answer.flows, flow);
    const before = Math.min(this.shown?.flow ?? 0, answer.flows.length - 1);
    this.shown = { uri, flows: answer.flows, flow: named >= 0 ? named : before };
    this.tellShown();
  }

  private pointed(uri: vscode.Uri, flows: readonly Flow[]): ReturnType<typeof pointedAt> {
    const editor = vscode.window.visibleTextEditors.find(
      (one) => one.document.uri.toString() === uri.toString(),
    );
    return editor ? pointedAt(flows, uri.toString(), editor.selection.active) : null;
  }

  private open(): void {
    if (this.panel !== null) {
      return;
    }
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    this.adopt(vscode.window.createWebviewPanel(VIEW_TYPE, 'Flow graph', column));
  }

  private adopt(panel: vscode.WebviewPanel): void {
    const { webview } = panel;
    const file = (...names: string[]): vscode.Uri =>
      vscode.Uri.joinPath(this.extension, ...names);
    this.panel?.dispose();
    this.panel = panel;
    this.isReady = false;
    webview.options = {
      enableScripts: true,
      localResourceRoots: [file('dist'), file('media')],
    };
    panel.iconPath = file('media', 'graph.svg');
    panel.onDidChangeViewState(() => {
      // The page of a hidden panel is gone, and is made anew.
      this.isReady &&= panel.visible;
    });
    panel.onDidDispose(() => {
      if (this.panel === panel) {
        this.panel = null;
        this.shown = null;
      }
    });
    webview.onDidReceiveMessage((message: ToExtension) => this.receive(message));
    webview.html = pageOf({
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
      script: webview.asWebviewUri(file('dist', 'view.js')).toString(),
      style: webview.asWebviewUri(file('media', 'graph.css')).toString(),
      engine: webview.asWebviewUri(file('dist', 'elk-worker.js')).toString(),
    });
  }

  private receive(message: ToExtension): void {
    switch (message.type) {
      case 'ready':
        // The page begins anew whenever it was hidden.
        this.isReady = true;
        this.tellShown();
        this.tellPointed();
        for (const go of this.whenReady.splice(0)) {
          go();
        }
        break;
      case 'open':
        void this.goTo(message, message.focus);
        break;
      case 'chosen':
        if (this.shown !== null) {
          this.shown.flow = message.flow;
          this.tellShown();
        }
        break;
      case 'wantsExport':
        void vscode.commands.executeCommand('flowlint.exportGraph', message.format);
        break;
      case 'exported':
        this.exports.get(message.request)?.(message.data);
        this.exports.delete(message.request);
        break;
      case 'failed':
        this.log.error(`flow graph: ${message.message}`);
        break;
    }
  }

  /** The cursor goes where the picture wants it, which need not be told back to the picture. */
  private async goTo(place: Place, isFocused: boolean): Promise<void> {
    const { start } = place.range;
    const expected = placeKey(place.uri, start.line, start.character);
    this.expected = expected;
    try {
      await openPlace(place, isFocused, this.panel?.viewColumn);
    } catch (error) {
      this.log.error(`${place.uri} cannot be shown: ${String(error)}`);
    } finally {
      setTimeout(() => {
        this.expected = this.expected === expected ? null : this.expected;
      }, ECHO);
    }
  }

  private tellShown(): void {
    if (this.shown === null || this.panel === null) {
      return;
    }
    const { uri, flows, flow } = this.shown;
    this.panel.title = `Flow: ${flows[flow]?.name ?? ''}`;
    const file = vscode.workspace.asRelativePath(uri);
    this.tell({ type: 'show', uri: uri.toString(), file, flows, flow });
  }

  /** Select what the cursor is at. */
  private tellPointed(): void {
    const pointed = this.shown && this.pointed(this.shown.uri, this.shown.flows);
    if (pointed && pointed.flow === this.shown?.flow) {
      this.tell({ type: 'select', ...pointed });
    }
  }

  private tell(message: ToView): void {
    if (this.isReady) {
      void this.panel?.webview.postMessage(message);
    }
  }

  private image(format: ImageFormat): Promise<string> {
    this.exportNumber += 1;
    const request = this.exportNumber;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.exports.delete(request);
        reject(new Error('the flow graph did not answer'));
      }, EXPORT_PATIENCE);
      this.exports.set(request, (data) => {
        clearTimeout(late);
        resolve(data);
      });
      const begin = (): void => this.tell({ type: 'export', format, request });
      if (this.isReady) {
        begin();
      } else {
        this.whenReady.push(begin);
      }
    });
  }

  private askTarget(format: ImageFormat, shown: Shown): Thenable<vscode.Uri | undefined> {
    const name = (shown.flows[shown.flow]?.name ?? 'flow').replace(/[^\w.-]+/g, '_');
    const isFile = shown.uri.scheme === 'file';
    const folder = isFile ? vscode.Uri.joinPath(shown.uri, '..') : undefined;
    return vscode.window.showSaveDialog({
      ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, `${name}.${format}`) } : {}),
      filters: format === 'svg' ? { SVG: ['svg'] } : { PNG: ['png'] },
    });
  }
}

function placeKey(uri: string, line: number, character: number): string {
  return `${vscode.Uri.parse(uri).toString()}#${line}:${character}`;
}
