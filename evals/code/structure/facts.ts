/** The structural facts of the set: questions with their exact answers, taken from the sources by reading. */
import { readFileSync } from 'node:fs';

export const corpora = ['flask', 'gin', 'rxjs', 'zod'] as const;
export type Corpus = (typeof corpora)[number];

/** SHA-256 of the files of facts. */
export const frozen: Readonly<Record<Corpus, string>> = {
  flask: '829b0d79ed658ab68251e6b83fbca9552ac86b5d9c077695144c7d25c4930c66',
  gin: 'ffa7c0eeeafd5cdd8d53449e5026e5bf8bdf5c58a5052e9056355a71c792ed71',
  rxjs: '97c193c4910e1ad208f2a6dc8392685b16daab8be59fd9c84d4aeda0173bffc9',
  zod: 'de5ff5058c6167f836f5bd8c3da09ebf049703dc2320fc6471328e6bf5b53248',
};

export const relations = ['callers', 'subclasses', 'implementers', 'importers'] as const;
export type Relation = (typeof relations)[number];

export interface StructuralFact {
  readonly id: string;
  readonly relation: Relation;
  /** `path#Qualified.name`, a path, `package:folder` or `external:name`. */
  readonly symbol: string;
  /** What stands in the relation to it, sorted; code of tests is not asked about. */
  readonly answer: readonly string[];
}

/** Facts with odd numbers were looked at while the linker was changed; those with even numbers were not. */
export type Half = 'tune' | 'held-out';

export function halfOf(fact: StructuralFact): Half {
  return Number(fact.id.replace(/\D/g, '')) % 2 === 1 ? 'tune' : 'held-out';
}

export function readFacts(corpus: Corpus): readonly StructuralFact[] {
  const parsed: { facts: StructuralFact[] } = JSON.parse(
    readFileSync(new URL(`./${corpus}.json`, import.meta.url), 'utf8'),
  );
  return parsed.facts;
}

/** Whether a path is code of tests or measurements, which the answers leave out. */
export function isTestPath(path: string): boolean {
  return /_test\.go$|\.test\.ts$|(^|\/)(tests|benchmarks)\//.test(path);
}
