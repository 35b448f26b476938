/** The server's life: found, started, restarted, ended. */

import os from 'node:os';
import * as vscode from 'vscode';
import {
  ErrorHandler,
  LanguageClient,
  LanguageClientOptions,
  RevealOutputChannelOn,
  State,
} from 'vscode-languageclient/node';
import { discover, Discovery, Found } from './discovery';
import { chosenInterpreter, isPythonExtension, PythonExtension } from './interpreter';
import { thisMachine } from './machine';
import { offerInstall } from './offer';
import { Program } from './program';

export type Status =
  | { kind: 'starting' }
  | { kind: 'running'; found: Found; version: string }
  | { kind: 'failed'; reason: string };

const PYTHON_EXTENSION = 'ms-python.python';
const LANGUAGES = [
  'python',
  'json',
  'jsonc',
  'yaml',
  'typescript',
  'typescriptreact',
  'javascript',
  'javascriptreact',
];
const SCHEMES = ['file', 'untitled'];
/** Milliseconds in which a server has to say something. */
const START_PATIENCE = 60_000;

export class Server {
  status: Status = { kind: 'starting' };
  client: LanguageClient | null = null;
  private readonly changed = new vscode.EventEmitter<Status>();
  private readonly begun = new vscode.EventEmitter<LanguageClient>();
  readonly onDidChangeStatus = this.changed.event;
  /** A client is about to start: notifications of the server are listened to from here on. */
  readonly onDidBegin = this.begun.event;
  private turn: Promise<void> = Promise.resolve();
  /** What has not answered yet. */
  private starting: Program | null = null;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Start, after the end of what runs; one such change at a time. */
  restart(): Promise<void> {
    // Who does not answer is not waited for.
    this.starting?.giveUp('Another server is started.');
    this.starting = null;
    this.turn = this.turn.then(() => this.begin());
    return this.turn;
  }

  /** The client, once the server runs; null where it does not. */
  async running(): Promise<LanguageClient | null> {
    await this.turn;
    return this.status.kind === 'running' ? this.client : null;
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = null;
    // A client that failed to start cannot be stopped, and is none to wait for.
    if (client?.needsStop()) {
      await client.stop().catch((error: unknown) => this.log.error(String(error)));
    }
    await client?.dispose().catch(() => undefined);
  }

  dispose(): Thenable<void> {
    return this.stop();
  }

  private async begin(): Promise<void> {
    await this.stop();
    this.tell({ kind: 'starting' });
    let found: Discovery;
    try {
      found = await this.discovered();
    } catch (error) {
      this.fail(String(error));
      return;
    }
    if (found.kind === 'missing') {
      this.tell({ kind: 'failed', reason: found.reason });
      void offerInstall(found, this.log);
      return;
    }
    this.log.info(`${found.origin}: ${[found.command, ...found.args].join(' ')}`);
    await this.run(found);
  }

  private async discovered(): Promise<Discovery> {
    const settings = vscode.workspace.getConfiguration('flowlint');
    const folders = (vscode.workspace.workspaceFolders ?? [])
      .filter((folder) => folder.uri.scheme === 'file')
      .map((folder) => folder.uri.fsPath);
    const bundle = vscode.Uri.joinPath(this.context.extensionUri, 'bundled', 'serve.py').fsPath;
    const machine = thisMachine(this.context.extensionPath, (message) => this.log.info(message));
    const { isTrusted } = vscode.workspace;
    return discover(
      {
        setting: settings.get<string>('path', '').trim(),
        folders,
        interpreter: isTrusted ? await this.interpreter() : null,
        isTrusted,
        bundle: (await machine.isFile(bundle)) ? bundle : null,
        isWindows: process.platform === 'win32',
        home: os.homedir(),
      },
      machine,
    );
  }

  private async interpreter(): Promise<string | null> {
    try {
      const extension = await pythonExtension();
      return await chosenInterpreter(extension, vscode.workspace.workspaceFolders?.[0]?.uri);
    } catch (error) {
      this.log.warn(`the Python extension does not tell its interpreter: ${String(error)}`);
      return null;
    }
  }

  private async run(found: Found): Promise<void> {
    const program = new Program(found, this.context.extensionPath);
    const client: LanguageClient = new LanguageClient(
      'flowlint',
      'flowlint',
      () => program.start(),
      this.options(program.handler(() => client.createDefaultErrorHandler())),
    );
    this.client = client;
    client.onDidChangeState(({ newState }) => {
      if (this.client !== client) {
        return;
      }
      if (newState === State.Running) {
        const version = client.initializeResult?.serverInfo?.version ?? '';
        this.tell({ kind: 'running', found, version });
      } else if (newState === State.Starting) {
        this.tell({ kind: 'starting' });
      } else {
        this.tell({ kind: 'failed', reason: 'The server has stopped.' });
      }
    });
    this.begun.fire(client);
    this.starting = program;
    const late = setTimeout(() => program.giveUp('It does not answer.'), START_PATIENCE);
    try {
      await Promise.race([client.start(), program.left]);
    } catch (error) {
      if (program.isGivenUp) {
        this.client = null;
      }
      // Where another one is started, that one tells how things are.
      if (this.starting === program) {
        this.fail(error instanceof Error ? error.message : String(error));
      }
    } finally {
      clearTimeout(late);
      this.starting = this.starting === program ? null : this.starting;
    }
  }

  private options(errorHandler: ErrorHandler): LanguageClientOptions {
    const documents = LANGUAGES.flatMap((language) =>
      SCHEMES.map((scheme) => ({ scheme, language })),
    );
    return {
      documentSelector: [...documents, { notebook: 'jupyter-notebook', language: 'python' }],
      errorHandler,
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      synchronize: { configurationSection: 'flowlint' },
      initializationOptions: {
        ...vscode.workspace.getConfiguration('flowlint'),
        showGraph: true,
      },
    };
  }

  private fail(reason: string): void {
    this.log.error(reason);
    this.tell({ kind: 'failed', reason });
    const showLog = 'Show Log';
    const again = 'Restart';
    void vscode.window
      .showErrorMessage(`flowlint: the server does not start: ${reason}`, showLog, again)
      .then((chosen) => {
        if (chosen === showLog) {
          this.log.show();
        } else if (chosen === again) {
          void this.restart();
        }
      });
  }

  private tell(status: Status): void {
    this.status = status;
    void vscode.commands.executeCommand(
      'setContext',
      'flowlint.isRunning',
      status.kind === 'running',
    );
    this.changed.fire(status);
  }
}

/** The Python extension, awake, if it is installed. */
export async function pythonExtension(): Promise<PythonExtension | null> {
  const extension = vscode.extensions.getExtension(PYTHON_EXTENSION);
  if (extension === undefined) {
    return null;
  }
  const exports: unknown = extension.isActive ? extension.exports : await extension.activate();
  return isPythonExtension(exports) ? exports : null;
}
