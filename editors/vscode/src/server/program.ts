/** The process of a server, which can be given up while it does not answer. */

import { ChildProcess, spawn } from 'node:child_process';
import { CloseAction, ErrorHandler } from 'vscode-languageclient/node';
import { Found } from './discovery';

export class Program {
  isGivenUp = false;
  private process: ChildProcess | null = null;
  private leave: (error: Error) => void = () => undefined;
  /** Never comes true; fails when the program is given up. */
  readonly left = new Promise<never>((_, reject) => {
    this.leave = reject;
  });

  constructor(
    private readonly found: Found,
    private readonly folder: string,
  ) {
    this.left.catch(() => undefined);
  }

  /** Run it. Fails where there is nothing that can be run. */
  start(): Promise<ChildProcess> {
    const { command, args } = this.found;
    const started = spawn(command, [...args, '--stdio'], { cwd: this.folder, windowsHide: true });
    this.process = started;
    return new Promise((resolve, reject) => {
      started.once('spawn', () => resolve(started));
      started.once('error', reject);
    });
  }

  /** Wait for it no longer. */
  giveUp(reason: string): void {
    this.isGivenUp = true;
    this.process?.kill('SIGKILL');
    this.leave(new Error(reason));
  }

  /** What crashes is restarted as usual, what was given up is not. */
  handler(usual: () => ErrorHandler): ErrorHandler {
    let made: ErrorHandler | null = null;
    const kept = (): ErrorHandler => (made ??= usual());
    return {
      error: (error, message, count) => kept().error(error, message, count),
      closed: () =>
        this.isGivenUp ? { action: CloseAction.DoNotRestart, handled: true } : kept().closed(),
    };
  }
}
