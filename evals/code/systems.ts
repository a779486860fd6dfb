/**
 * What is compared: the default ranking, the same with a layer more or less, and three baselines that anybody could
 * use. All read the same files; the BM25 baselines read the same terms.
 */
import { execFileSync } from 'node:child_process';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { defaultLayers, type Layers } from '../../src/retrieval/search/fusion.ts';
import { parseQuery } from '../../src/retrieval/search/query.ts';
import { type RankedHit, rank } from '../../src/retrieval/search/rank.ts';
import type { SearchSource } from '../../src/retrieval/search/source.ts';
import { stopWords } from '../../src/retrieval/search/stop-words.ts';
import { type IndexedCorpus, queryVector } from './index-corpus.ts';

export interface Answer {
  /** Distinct, best first. */
  readonly files: readonly string[];
  /** As an agent gets it. */
  readonly text: string;
  readonly ms: number;
}

export interface System {
  readonly name: string;
  readonly isBaseline: boolean;
  answer(corpus: IndexedCorpus, question: string): Promise<Answer>;
}

const hitsShown = 8;

export const systems: readonly System[] = [
  ours('default', defaultLayers),
  ours('without vectors', { ...defaultLayers, vectors: false }),
  ours('without whole files', { ...defaultLayers, files: false }),
  ours('with graph', { ...defaultLayers, graph: true }),
  ours('without meanings', { ...defaultLayers, meanings: false }),
  plainBm25('BM25 of files', 'files'),
  plainBm25('BM25 of symbols', 'symbols'),
  ripgrep(),
];

export function tokensOf(text: string): number {
  return countTokens(text);
}

function ours(name: string, layers: Layers): System {
  return {
    name,
    isBaseline: false,
    async answer(corpus, question) {
      const vector = layers.vectors ? await queryVector(question) : null;
      const started = performance.now();
      const hits = rank(corpus.source, question, vector, { count: hitsShown, layers });
      const ms = performance.now() - started;
      return { files: [...new Set(hits.map((hit) => hit.path))], text: hits.map(lineOf).join('\n'), ms };
    },
  };
}

function lineOf({ path, startLine, endLine, kind, label, symbol }: RankedHit): string {
  const what = symbol === null ? label : `${symbol.signature}${symbol.summary === '' ? '' : `  ${symbol.summary}`}`;
  return `${path}:${startLine}-${endLine} ${kind} ${what}`;
}

/** Okapi BM25 with its usual numbers over the sums of all fields. An answer is a list of paths. */
function plainBm25(name: string, unit: 'files' | 'symbols'): System {
  return {
    name,
    isBaseline: true,
    answer(corpus, question) {
      const started = performance.now();
      const terms = parseQuery(question, { meanings: false })
        .terms.filter(({ label }) => !label.includes(' '))
        .map(({ term }) => term);
      const best = bestFiles(corpus.source, terms, unit);
      return Promise.resolve({ files: best, text: best.join('\n'), ms: performance.now() - started });
    },
  };
}

function bestFiles(source: SearchSource, terms: readonly string[], unit: 'files' | 'symbols'): readonly string[] {
  const k1 = 1.5;
  const b = 0.75;
  const unitOf = (chunk: number): number => (unit === 'files' ? (source.chunkFile[chunk] ?? 0) : chunk);
  const lengths = new Map<number, number>();
  for (let chunk = 0; chunk < source.chunkFile.length; chunk++) {
    const { nameLength, headLength, bodyLength } = source.places;
    const length = (nameLength[chunk] ?? 0) + (headLength[chunk] ?? 0) + (bodyLength[chunk] ?? 0);
    lengths.set(unitOf(chunk), (lengths.get(unitOf(chunk)) ?? 0) + length);
  }
  const average = [...lengths.values()].reduce((sum, length) => sum + length, 0) / lengths.size;
  const scores = new Map<number, number>();
  for (const term of terms) {
    const counts = new Map<number, number>();
    for (const list of source.postings(term)) {
      list.chunks.forEach((chunk, at) => {
        const packed = list.counts[at] ?? 0;
        const count = (packed >> 12) + ((packed >> 8) & 15) + (packed & 255);
        counts.set(unitOf(chunk), (counts.get(unitOf(chunk)) ?? 0) + count);
      });
    }
    const idf = Math.log(1 + (lengths.size - counts.size + 0.5) / (counts.size + 0.5));
    for (const [one, count] of counts) {
      const norm = k1 * (1 - b + (b * (lengths.get(one) ?? 0)) / average);
      scores.set(one, (scores.get(one) ?? 0) + (idf * count * (k1 + 1)) / (count + norm));
    }
  }
  const paths = [...scores]
    .sort((x, y) => y[1] - x[1] || x[0] - y[0])
    .map(([one]) => source.files.get(unit === 'files' ? one : (source.chunkFile[one] ?? 0))?.path ?? '');
  return [...new Set(paths)].slice(0, hitsShown);
}

/** Files by how many different words of the question they have, then by how often. */
function ripgrep(): System {
  return {
    name: 'ripgrep',
    isBaseline: true,
    answer(corpus, question) {
      const started = performance.now();
      const words = [...new Set(question.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [])].filter(
        (word) => !stopWords.has(word),
      );
      const found = new Map<string, { words: number; lines: number }>();
      for (const word of words) {
        for (const [file, lines] of linesWith(corpus.root, word)) {
          const known = found.get(file) ?? { words: 0, lines: 0 };
          found.set(file, { words: known.words + 1, lines: known.lines + lines });
        }
      }
      const known = new Set(corpus.files.map(({ facts }) => facts.path));
      const files = [...found]
        .filter(([file]) => known.has(file))
        .sort((a, b) => b[1].words - a[1].words || b[1].lines - a[1].lines || (a[0] < b[0] ? -1 : 1))
        .slice(0, hitsShown)
        .map(([file]) => file);
      return Promise.resolve({ files, text: files.join('\n'), ms: performance.now() - started });
    },
  };
}

function linesWith(root: string, word: string): readonly (readonly [string, number])[] {
  let printed: string;
  try {
    const args = ['--count', '--ignore-case', '--fixed-strings', '--no-ignore', '--no-messages', '--', word, '.'];
    printed = execFileSync('rg', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    // Status 1 says that no line has the word.
    if (error instanceof Error && 'status' in error && error.status === 1) return [];
    throw error;
  }
  return printed
    .trimEnd()
    .split('\n')
    .map((line) => {
      const colon = line.lastIndexOf(':');
      return [line.slice(0, colon).replace(/^\.\//, ''), Number(line.slice(colon + 1))] as const;
    });
}

export function hasRipgrep(): boolean {
  try {
    execFileSync('rg', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    // Not installed; the caller says so.
    return false;
  }
}
