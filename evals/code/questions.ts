/**
 * The questions, and the halves they fall into. Questions with an odd number are for tuning; those with an even number
 * and all of the held-out set are frozen: only their totals are ever looked at, and the sum below changes when one of
 * them does.
 */
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { heldOutCorpora } from './corpora.ts';

export const halves = ['tuning', 'frozen'] as const;
export type Half = (typeof halves)[number];

export interface Question {
  /** `corpus-07`. */
  readonly id: string;
  readonly question: string;
  /** Any of these files answers it, by path from the root of the corpus. */
  readonly gold: readonly string[];
  /** Files that help and do not count. */
  readonly alternatives: readonly string[];
  readonly kind: string;
  /** Whether it has words that stand in the file. */
  readonly sharesWords: boolean;
}

export function readQuestions(corpus: string): readonly Question[] {
  const read: { readonly corpus: string; readonly questions: readonly Question[] } = JSON.parse(
    readFileSync(new URL(`questions/${corpus}.json`, import.meta.url), 'utf8'),
  );
  if (read.corpus !== corpus) throw new Error(`The questions of ${corpus} are about ${read.corpus}.`);
  for (const { id, question, gold } of read.questions) {
    if (!/^[a-z]+-\d+$/.test(id) || question === '' || gold.length === 0) throw new Error(`${id} is not complete.`);
  }
  return read.questions;
}

export function halfOf({ id }: Pick<Question, 'id'>): Half {
  const at = id.lastIndexOf('-');
  if (heldOutCorpora.some(({ name }) => name === id.slice(0, at))) return 'frozen';
  return Number(id.slice(at + 1)) % 2 === 1 ? 'tuning' : 'frozen';
}

/** What is wrong with the questions of a corpus: ids that are not their own, and files that the corpus does not have. */
export function faultsOf(corpus: string, questions: readonly Question[], root: string): readonly string[] {
  const ids = questions.map(({ id }) => id);
  return questions.flatMap(({ id, gold, alternatives }, index) => [
    ...(id.startsWith(`${corpus}-`) ? [] : [`${id} is not about ${corpus}.`]),
    ...(ids.indexOf(id) === index ? [] : [`${id} is there twice.`]),
    ...gold
      .filter((file) => alternatives.includes(file))
      .map((file) => `${id} has ${file} as gold and as alternative.`),
    ...[...gold, ...alternatives]
      .filter((file) => !existsSync(path.join(root, file)))
      .map((file) => `${id} names ${file}, which is not in ${corpus}.`),
  ]);
}

/** Of all questions of the frozen half, with their right files, in their order. */
export function frozenSha256(questions: readonly Question[]): string {
  const frozen = questions.filter((question) => halfOf(question) === 'frozen');
  return hash('sha256', frozen.map(({ id, question, gold }) => JSON.stringify([id, question, gold])).join('\n'), 'hex');
}
