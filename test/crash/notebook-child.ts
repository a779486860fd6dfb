/** Starts `notebook-writer.ts` and listens to what it says. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isJsonObject, type JsonObject } from '../../src/base/json.ts';

const program = fileURLToPath(new URL('notebook-writer.ts', import.meta.url));

export interface NotebookChild {
  readonly process: ChildProcess;
  /** What it has said so far. Complete once `ended` is. */
  readonly lines: readonly JsonObject[];
  /** Settles when it said something with this key, so many times; fails if it ends without. */
  said(key: string, times?: number): Promise<void>;
  /** The exit code, or the signal; with what it wrote to stderr if that was anything but a kill. */
  readonly ended: Promise<string>;
}

export function startNotebookChild(root: string, command: string, argument: number): NotebookChild {
  const child = spawn(process.execPath, [program, root, command, String(argument)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: JsonObject[] = [];
  const waiting = new Set<{ readonly key: string; readonly times: number; readonly resolve: () => void }>();
  const count = (key: string) => lines.filter((line) => Object.hasOwn(line, key)).length;
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += String(data);
  });
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (text) => {
    const line: unknown = JSON.parse(text);
    if (!isJsonObject(line)) throw new Error(`not a line of ours: ${text}`);
    lines.push(line);
    for (const waiter of waiting) if (count(waiter.key) >= waiter.times) waiter.resolve();
  });
  const closed = once(reader, 'close');
  const ended = once(child, 'close').then(async () => {
    await closed;
    return child.signalCode ?? `${child.exitCode}${child.exitCode === 0 ? '' : ` ${errors}`}`;
  });
  return {
    process: child,
    lines,
    ended,
    async said(key, times = 1) {
      if (count(key) >= times) return;
      await Promise.race([
        new Promise<void>((resolve) => waiting.add({ key, times, resolve })),
        ended.then((how) => Promise.reject(new Error(`ended before it said ${key}: ${how}`))),
      ]);
    },
  };
}
