/**
 * One line on a terminal that is drawn again and again while a build runs:
 *
 *   Reading  [##########..............]  1,204 of 3,000 files
 *
 * It goes to standard error, and nowhere when that is no terminal.
 */

import { counted, grouped } from '../../base/numbers.ts';
import type { JobProgress } from '../../engine/jobs.ts';
import { safeLine, widthOf } from '../screen/text-width.ts';
import type { Terminal } from '../terminal.ts';

export interface ProgressBar {
  show(progress: JobProgress): void;
  /** Removes the line. */
  clear(): void;
}

/** Not more often than an eye can follow. */
const redrawMsMin = 80;
const barColumns = 24;

/** Of a build. What else a newer daemon says stands there as it is. */
const verbs: ReadonlyMap<string, string> = new Map([
  ['list', 'Listing'],
  ['read', 'Reading'],
  ['link', 'Linking'],
]);

export function progressBar(terminal: Terminal, clock: () => number = () => performance.now()): ProgressBar {
  const { statusLine } = terminal;
  if (statusLine === undefined) return { show: () => {}, clear: () => {} };
  let drawnAt: number | null = null;
  let phase: string | null = null;
  return {
    show(progress) {
      const now = clock();
      if (drawnAt !== null && now - drawnAt < redrawMsMin && phase === progress.phase) return;
      drawnAt = now;
      phase = progress.phase;
      terminal.writeError(`\r\u001b[K${barLine(progress, statusLine.columns)}`);
    },
    clear() {
      if (drawnAt !== null) terminal.writeError('\r\u001b[K');
      drawnAt = null;
    },
  };
}

/** Never wider than the terminal, which would break into a second line. */
export function barLine({ phase, done, total }: JobProgress, columns: number): string {
  const verb = (verbs.get(phase) ?? safeLine(phase)).padEnd(7);
  const counts =
    total === 0 ? (done === 0 ? '…' : counted(done, 'file')) : `${grouped(done)} of ${counted(total, 'file')}`;
  const filled = total === 0 ? 0 : Math.floor((Math.min(done, total) / total) * barColumns);
  const line = `${verb}  [${'#'.repeat(filled)}${'.'.repeat(barColumns - filled)}]  ${counts}`;
  if (widthOf(line) < columns) return line;
  return `${verb} ${counts}`.slice(0, Math.max(columns - 1, 0));
}
