/** What an answer for people is drawn on: its width, its colours, and the moment it is read. */
import pc from 'picocolors';
import type { Terminal } from '../terminal.ts';

export interface Screen {
  /** Null where nobody looks: lines are as long as they are. */
  readonly columns: number | null;
  readonly colours: ReturnType<typeof pc.createColors>;
  readonly now: Date;
}

export function screenOf({ screen }: Terminal, now: Date): Screen {
  return { columns: screen?.columns ?? null, colours: pc.createColors(screen?.colours ?? false), now };
}
