/** The structural facts of the set: questions with their exact answers, taken from the sources by reading. */
import { readFileSync } from 'node:fs';

export const corpora = ['flask', 'gin', 'rxjs', 'zod'] as const;
export type Corpus = (typeof corpora)[number];

/** SHA-256 of the files of facts. */
export const frozen: Readonly<Record<Corpus, string>> = {
  flask: 'ae6701793de9cea1478ef381814b7fe82d3d472e9c88a8e13bfdcacb3f5e34cc',
  gin: '88b750de727de5561c020a88716a9d6541a7fa75fef9ea1d4c4549f7e53245c8',
  rxjs: 'ea758f23852c653c814eae35fc0b214439369f18ec17e3f69c484f21ba56c444',
  zod: 'd67ec1686e299c7c47a4892b7d207251069dac4e39cf281a781ce6c9d5fb714d',
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
