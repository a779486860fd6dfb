/** The notebook: nine calls' worth of governed personal memory, free of any transport. */
import type { Clock } from '../../base/clock.ts';
import type { NotebookStore } from './store.ts';

/** What every notebook call works with. */
export interface Notebook {
  readonly store: NotebookStore;
  readonly clock: Clock;
}
