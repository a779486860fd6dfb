/** The notebook: nine calls' worth of governed personal memory, free of any transport. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { type CursorSecret, createCursorSecret } from './cursor.ts';
import type { NotebookStore } from './store.ts';

/** What every notebook call works with. */
export interface Notebook {
  readonly store: NotebookStore;
  readonly clock: Clock;
  /** Signs the cursors of listings. Made anew with each process and never written down, so a restart ends them all. */
  readonly cursorSecret: CursorSecret;
  /** A memory id nobody has used: `mem_` and 32 lower-case hex digits. */
  newId(): string;
}

export interface NotebookParts {
  readonly store: NotebookStore;
  readonly clock: Clock;
  /** Replaces the random ids; must keep their form. */
  readonly newId?: () => string;
}

export function createNotebook({ store, clock, newId = randomMemoryId }: NotebookParts): Notebook {
  return { store, clock, newId, cursorSecret: createCursorSecret() };
}

function randomMemoryId(): string {
  return `mem_${randomUUID().replaceAll('-', '')}`;
}
