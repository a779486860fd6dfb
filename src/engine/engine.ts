/** Opens what the product remembers, and closes it in reverse. Rows of the table reach memory through this alone. */
import type { Clock } from '../base/clock.ts';
import type { Notebook } from '../memory/notebook/notebook.ts';

export interface Engine {
  readonly clock: Clock;
  readonly notebook: Notebook;
  /** Waits for running writes. Idempotent. */
  close(): Promise<void>;
}
