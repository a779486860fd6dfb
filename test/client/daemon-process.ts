/** A real daemon from the sources, with a home of its own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkoutRoot } from '../source-files.ts';
import { startEnvironment } from '../start-environment.ts';

export interface DaemonProcess {
  readonly home: string;
  readonly daemonHome: string;
  /** An empty folder to be made a project. */
  folder(name: string): string;
  start(): Promise<{ readonly url: string }>;
  /** `SIGKILL` leaves everything as it is. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Runs a program of the checkout in `folder`, as this user. */
  run(program: string, folder: string): Promise<{ readonly code: number; readonly output: string }>;
  dispose(): Promise<void>;
}

const node = ['--disable-warning=ExperimentalWarning'];

/** `more` is added to the environment of the daemon. */
export function daemonProcess(more: Readonly<Record<string, string>> = {}): DaemonProcess {
  const home = mkdtempSync(path.join(tmpdir(), 'client-daemon-'));
  const env = { ...startEnvironment, HOME: home, ...more };
  let child: ChildProcess | undefined;

  const stop: DaemonProcess['stop'] = async (signal = 'SIGTERM') => {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'close');
    running.kill(signal);
    await ended;
  };

  return {
    home,
    daemonHome: path.join(home, '.neuralmind'),
    folder(name) {
      const folder = path.join(home, name);
      mkdirSync(folder, { recursive: true });
      return folder;
    },
    async start() {
      const main = path.join(checkoutRoot, 'src/main.ts');
      const started = spawn(process.execPath, [...node, main, '--port', '0'], { cwd: home, env });
      child = started;
      let output = '';
      for (const stream of [started.stdout, started.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => {
          output += String(text);
        });
      }
      for (;;) {
        const url = /listens on (http:\/\/[^\s/]+)/.exec(output)?.[1];
        if (url !== undefined) return { url };
        if (started.exitCode !== null) throw new Error(`the daemon ended: ${output}`);
        await sleep(10);
      }
    },
    stop,
    async run(program, folder) {
      const file = path.join(checkoutRoot, program);
      return new Promise((resolve) => {
        execFile(process.execPath, [...node, file], { cwd: folder, env }, (error, stdout, stderr) => {
          resolve({
            code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1,
            output: stdout + stderr,
          });
        });
      });
    },
    async dispose() {
      await stop('SIGKILL');
      rmSync(home, { recursive: true, force: true });
    },
  };
}
