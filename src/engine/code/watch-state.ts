/**
 * `watch.json` in the `.neuralmind` folder of a project: which process follows its files. A file whose process is gone
 * tells a watcher that died from one that was ended.
 */
import { existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { errnoOf, readPrivateFile, removeIfThere, replacePrivateFile } from '../../base/private-file.ts';
import { isRunning, ownIdentity } from '../../base/process-identity.ts';

export type WatchMethod = 'events' | 'polling';

const stateSchema = z.object({
  pid: z.int().positive(),
  /** Tells the process from a later one with the same pid. */
  begun: z.string(),
  method: z.enum(['events', 'polling']),
  /** Since when; ISO 8601, UTC. */
  at: z.string(),
});

export type WatchState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly pid: number; readonly method: WatchMethod; readonly at: string }
  | { readonly kind: 'dead'; readonly pid: number; readonly at: string }
  /** Not a file of ours, or not private to this user. */
  | { readonly kind: 'unreadable'; readonly fault: string };

export function watchStatePath(root: string): string {
  return path.join(root, '.neuralmind', 'watch.json');
}

export function readWatchState(root: string): WatchState {
  const file = readPrivateFile(watchStatePath(root));
  if (file.kind === 'missing') return { kind: 'none' };
  if (file.kind === 'unsafe') return { kind: 'unreadable', fault: file.fault };
  const state = parseState(file.text);
  if (state === null) return { kind: 'unreadable', fault: 'is not understood' };
  const { pid, method, at } = state;
  return isRunning(state) ? { kind: 'running', pid, method, at } : { kind: 'dead', pid, at };
}

/**
 * Says that this process follows the files, unless another living one says so already. Whoever cannot write here can
 * still watch: then nobody is told.
 */
export function announceWatch(root: string, method: WatchMethod, at: string): void {
  const state = readWatchState(root);
  if (state.kind === 'running' && (state.pid !== process.pid || state.method === method)) return;
  if (state.kind === 'unreadable' && state.fault !== 'is not understood') return;
  const folder = path.dirname(watchStatePath(root));
  // A repository can bring a link along; nothing is written through it.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true) return;
  try {
    if (!existsSync(folder)) {
      mkdirSync(folder, { mode: 0o700 });
      writeFileSync(path.join(folder, '.gitignore'), '*\n');
    }
    replacePrivateFile(watchStatePath(root), `${JSON.stringify({ ...ownIdentity(), method, at })}\n`);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

/** Takes the word back if it is this process's. */
export function withdrawWatch(root: string): void {
  const file = readPrivateFile(watchStatePath(root));
  const state = file.kind === 'text' ? parseState(file.text) : null;
  const own = ownIdentity();
  if (state === null || state.pid !== own.pid || state.begun !== own.begun) return;
  try {
    removeIfThere(watchStatePath(root));
  } catch (error) {
    // The folder was closed to us meanwhile; what stays is recognised as a leftover when this process has ended.
    if (errnoOf(error) === undefined) throw error;
  }
}

function parseState(text: string): z.infer<typeof stateSchema> | null {
  try {
    const parsed = stateSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    // Not JSON: nothing that a watcher of ours wrote.
    return null;
  }
}
