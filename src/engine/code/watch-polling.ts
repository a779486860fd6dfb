/** Following files by listing them again and again, where the system gives no events. */
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchLimits } from '../../base/limits.ts';
import { scanProject } from '../../retrieval/code/scan.ts';

export interface PollingOptions {
  readonly root: string;
  readonly userHome: string;
  /** Of our own data, absolute; asked for on each listing. */
  readonly ownFolders: () => readonly string[];
  readonly pollMs: number;
  /** Must not throw. */
  readonly changed: () => void;
}

export class WatchPolling {
  readonly #options: PollingOptions;
  readonly #ending = new AbortController();
  #running: Promise<void> = Promise.resolve();

  /** Resolves after the first listing: what changes from then on is told. */
  static async begin(options: PollingOptions): Promise<WatchPolling> {
    const polling = new WatchPolling(options);
    const first = await polling.#state();
    polling.#running = polling.#run(first);
    return polling;
  }

  private constructor(options: PollingOptions) {
    this.#options = options;
  }

  /** Waits for a listing that has begun. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #run(first: State): Promise<void> {
    const { changed, pollMs } = this.#options;
    const { signal } = this.#ending;
    let known = first;
    for (;;) {
      const restMs = Math.max(pollMs, known.tookMs * watchLimits.pollRestFactor);
      // Waiting for less than the whole rest means that this was closed.
      await sleep(restMs, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      const now = await this.#state();
      if (signal.aborted) return;
      if (now.text !== known.text) changed();
      known = now;
    }
  }

  async #state(): Promise<State> {
    const { root, userHome, ownFolders } = this.#options;
    const begunMs = performance.now();
    const scanned = await scanProject(root, userHome, ownFolders());
    const tookMs = performance.now() - begunMs;
    if (scanned.kind === 'refused') return { text: scanned.reason, tookMs };
    const files = scanned.files.map((file) => [file.path, file.bytes, file.modifiedMs, file.changedMs, file.inode]);
    const configured = scanned.configFiles.map((file) => {
      const found = statSync(path.join(root, file), { throwIfNoEntry: false });
      return [file, found?.size, found?.mtimeMs, found?.ino];
    });
    return { text: hash('sha256', JSON.stringify([files, configured, scanned.skipped]), 'hex'), tookMs };
  }
}

interface State {
  /** Equal exactly while no listed file is another one. */
  readonly text: string;
  readonly tookMs: number;
}
