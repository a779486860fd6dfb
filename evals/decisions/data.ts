/** The decisions and queries of this evaluation, read and checked. Refuses data that is not the frozen set. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface EvalDecision {
  readonly id: string;
  readonly title: string;
  readonly rationale: string;
}

export const queryClasses = ['question', 'paraphrase', 'symptom', 'identifier', 'title', 'unanswerable'] as const;
export type QueryClass = (typeof queryClasses)[number];

export const halves = ['tune', 'held-out'] as const;
export type Half = (typeof halves)[number];

export interface EvalQuery {
  readonly id: string;
  readonly class: QueryClass;
  readonly half: Half;
  readonly text: string;
  /** The decision that answers it, or null when none does. */
  readonly answer: string | null;
}

/** Changing the data means measuring anew: update these together with `README.md` and a kept run. */
export const frozen = {
  'decisions.json': 'ffd289385980f36ac44af3cf4f4e48a6b576379724a22f7635c4a9ed9238b237',
  'queries.json': '889265def2ed5b5e0054e9b56c8dec01375cacaf8525af7acb1e3df0b7314438',
} as const;

export function sha256OfFile(name: keyof typeof frozen): string {
  return createHash('sha256')
    .update(readFileSync(fileOf(name)))
    .digest('hex');
}

export function readDecisions(): readonly EvalDecision[] {
  return readRows('decisions.json').map((row) => ({
    id: text(row, 'id'),
    title: text(row, 'title'),
    rationale: text(row, 'rationale'),
  }));
}

export function readQueries(): readonly EvalQuery[] {
  return readRows('queries.json').map((row) => ({
    id: text(row, 'id'),
    class: oneOf(queryClasses, text(row, 'class')),
    half: oneOf(halves, text(row, 'half')),
    text: text(row, 'text'),
    answer: row['answer'] === null ? null : text(row, 'answer'),
  }));
}

/** All queries of one decision are in one half, chosen by the hash of its id and by nobody. */
export function halfOf(query: Pick<EvalQuery, 'id' | 'answer'>): Half {
  const first = createHash('sha256')
    .update(query.answer ?? query.id)
    .digest()[0];
  return first !== undefined && first % 2 === 0 ? 'tune' : 'held-out';
}

function readRows(name: keyof typeof frozen): readonly Record<string, unknown>[] {
  const sum = sha256OfFile(name);
  if (sum !== frozen[name]) throw new Error(`${name} is not the frozen set: its SHA-256 is ${sum}.`);
  const rows: unknown = JSON.parse(readFileSync(fileOf(name), 'utf8'));
  if (!Array.isArray(rows) || !rows.every(isRow)) throw new Error(`${name} is not a list of objects.`);
  return rows;
}

function fileOf(name: keyof typeof frozen): URL {
  return new URL(name, import.meta.url);
}

function isRow(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(row: Record<string, unknown>, key: string): string {
  const value = row[key];
  if (typeof value !== 'string' || value === '') throw new Error(`A row lacks the text ${key}.`);
  return value;
}

function oneOf<T extends string>(known: readonly T[], value: string): T {
  const found = known.find((item) => item === value);
  if (found === undefined) throw new Error(`${value} is none of ${known.join(', ')}.`);
  return found;
}
