/**
 * `projects.json` of the daemon home: the registered project folders in the order of registration.
 *
 * It is private to the user, replaced whole, and read again on every call, because a command line may register a
 * project while the daemon runs. A file that is not exactly understood is reported and never rewritten: it may come
 * from a later release.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { acquireFileLock } from '../../base/file-lock.ts';
import { projectLimits } from '../../base/limits.ts';
import { errnoOf, readPrivateFile, replacePrivateFile } from '../../base/private-file.ts';

export interface StoredProject {
  readonly id: string;
  /** Absolute, links resolved when it was registered. */
  readonly path: string;
  /** ISO 8601, UTC. */
  readonly registered_at: string;
}

export type StoredProjects =
  | { readonly ok: true; readonly projects: readonly StoredProject[] }
  /** Fixed words without a path. */
  | { readonly ok: false; readonly message: string };

export class ProjectFile {
  readonly #path: string;
  #turn: Promise<unknown> = Promise.resolve();

  /** `home` is the daemon home. Nothing is made before the first registration. */
  constructor(home: string) {
    this.#path = path.join(home, 'projects.json');
  }

  read(): StoredProjects {
    const file = readPrivateFile(this.#path);
    if (file.kind === 'missing') return { ok: true, projects: [] };
    if (file.kind === 'unsafe') return unusable(`projects.json in the daemon home ${file.fault}`);
    const parsed = fileSchema.safeParse(parseJson(file.text));
    if (parsed.success) return { ok: true, projects: parsed.data.projects };
    return unusable('projects.json in the daemon home is not understood; it was not changed');
  }

  /** Adds `project` unless its folder is there. Answers whether this call added it. */
  add(project: StoredProject): Promise<{ readonly ok: true; readonly added: boolean } | ReturnType<typeof unusable>> {
    const work = this.#turn.then(() => this.#addLocked(project));
    this.#turn = work.catch(() => {});
    return work;
  }

  async #addLocked(project: StoredProject): Promise<{ ok: true; added: boolean } | ReturnType<typeof unusable>> {
    try {
      mkdirSync(path.dirname(this.#path), { recursive: true, mode: 0o700 });
      const lock = await this.#lock();
      if (lock === null) return unusable('another process holds projects.json in the daemon home');
      try {
        const stored = this.read();
        if (!stored.ok) return stored;
        if (stored.projects.some((known) => known.path === project.path)) return { ok: true, added: false };
        const content = { version: fileVersion, projects: [...stored.projects, project] };
        replacePrivateFile(this.#path, `${JSON.stringify(content, null, 2)}\n`);
        return { ok: true, added: true };
      } finally {
        lock.release();
      }
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === undefined) throw error;
      return unusable(`projects.json in the daemon home cannot be written (${errno})`);
    }
  }

  async #lock() {
    const deadline = performance.now() + projectLimits.lockWaitMsMax;
    for (;;) {
      const attempt = await acquireFileLock(`${this.#path}.lock`);
      if (attempt.kind === 'acquired') return attempt.lock;
      if (performance.now() > deadline) return null;
      await sleep(pollMs);
    }
  }
}

const pollMs = 10;
const fileVersion = 1;

/** Open for members that a later release of the same version may add; they are kept. */
const fileSchema = z.looseObject({
  version: z.literal(fileVersion),
  projects: z.array(
    z.looseObject({
      id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/),
      path: z.string().refine((text) => path.isAbsolute(text)),
      registered_at: z.string(),
    }),
  ),
});

function unusable(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON is not understood either; the schema says so.
    return undefined;
  }
}
