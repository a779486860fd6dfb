/** The paraphrase pairs of this evaluation, read and checked. Refuses data that is not the frozen set. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface Pair {
  readonly id: string;
  readonly class: PairClass;
  readonly half: Half;
  readonly query: string;
  /** Says the same in other words. */
  readonly text: string;
}

/** `phrase`: both sides use the words of developers. `riddle`: a plain sentence and the term of art that answers it. */
export const pairClasses = ['phrase', 'riddle'] as const;
export type PairClass = (typeof pairClasses)[number];

export const halves = ['tune', 'held-out'] as const;
export type Half = (typeof halves)[number];

/** Changing the pairs means measuring anew: update this together with `README.md` and a kept run. */
export const frozenSha256 = '53c8668d782eed1e9d032df5183c7773fb50bfebd3fece2fc7b4222f74d892be';

export function readPairs(): readonly Pair[] {
  const bytes = readFileSync(new URL('pairs.json', import.meta.url));
  const sum = createHash('sha256').update(bytes).digest('hex');
  if (sum !== frozenSha256) throw new Error(`pairs.json is not the frozen set: its SHA-256 is ${sum}.`);
  const rows: unknown = JSON.parse(bytes.toString('utf8'));
  if (!Array.isArray(rows)) throw new Error('pairs.json is not a list.');
  return rows.map((row) => {
    const id = textOf(row, 'id');
    const kind = pairClasses.find((known) => known === textOf(row, 'class'));
    if (kind === undefined) throw new Error(`The pair ${id} is of no known class.`);
    return { id, class: kind, half: halfOf(id), query: textOf(row, 'query'), text: textOf(row, 'text') };
  });
}

/** The half is chosen by the hash of the id and by nobody. */
export function halfOf(id: string): Half {
  const first = createHash('sha256').update(id).digest()[0];
  return first !== undefined && first % 2 === 0 ? 'tune' : 'held-out';
}

function textOf(row: unknown, key: string): string {
  const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, key) : undefined;
  if (typeof value !== 'string' || value === '') throw new Error(`A pair lacks the text ${key}.`);
  return value;
}
