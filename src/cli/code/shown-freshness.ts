/** Whether an index is in step with the files. Said once, and only when it is not. */

import { counted } from '../../base/numbers.ts';
import type { Freshness } from '../../engine/code/answers.ts';
import { wrap } from '../screen/layout.ts';
import type { Screen } from '../screen/screen.ts';
import { safeLine } from '../screen/text-width.ts';

const namedMax = 3;

/** One line before an answer, or none. */
export function freshnessLines(freshness: Freshness | null, { colours, columns }: Screen): readonly string[] {
  if (freshness === null || freshness.state === 'fresh') return [];
  const line = `The index is behind: ${changeWords(freshness)}. Catch up with: mnemosyne build`;
  return (columns === null ? [line] : wrap(line, columns)).map(colours.yellow);
}

/** `2 files changed, 1 new (src/a.ts, src/b.ts, …)` */
export function changeWords({ changed, added, removed, files }: Freshness): string {
  const parts = [
    ...(changed === 0 ? [] : [`${counted(changed, 'file')} changed`]),
    ...(added === 0 ? [] : [`${added} new`]),
    ...(removed === 0 ? [] : [`${removed} gone`]),
  ];
  const named = files.slice(0, namedMax).map(safeLine);
  const more = changed + added + removed > named.length ? [...named, '…'] : named;
  return `${parts.join(', ')}${named.length === 0 ? '' : ` (${more.join(', ')})`}`;
}
