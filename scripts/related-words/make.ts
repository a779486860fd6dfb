/**
 * Makes `assets/related-words/words.txt` from the static table: for every word that a question may have, the words of
 * developers that mean the most alike.
 *
 *   node scripts/related-words/make.ts        about four minutes of processor time; the same table gives the same bytes
 *
 * Words are taken by their stems, since that is how they are looked up; a stem is as near to another as the nearest of
 * their words are. Stop words and words of two letters have no relatives and are none.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { packageRoot } from '../../src/base/package-root.ts';
import { loadStaticTable, staticModel } from '../../src/retrieval/embeddings/static-table.ts';
import { relatedWords } from '../../src/retrieval/search/related-words.ts';
import { askingWords, stopWords } from '../../src/retrieval/search/stop-words.ts';
import { stemOf } from '../../src/retrieval/search/terms.ts';

const relativesMax = 12;
const cosineMin = 0.45;

const { dimensions } = staticModel;
const outcome = await loadStaticTable();
if (outcome.kind === 'unavailable') throw new Error(outcome.message);
const { rows, numbers } = outcome.table;
const stopTerms = new Set([...stopWords, ...askingWords].map(stemOf));
const ofDevelopers = new Set(
  readFileSync(new URL('../static-table/words.tsv', import.meta.url), 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t')[0] ?? ''),
);

const words = [...rows].filter(([word]) => /^[a-z]{3,}$/.test(word) && !stopTerms.has(stemOf(word)));
const targets = words.filter(([word]) => ofDevelopers.has(word)).map(([word, row]) => ({ word, unit: unitOf(row) }));
const positions = new Map(targets.map(({ word }, position) => [word, position]));

const relatives = new Map<string, Map<string, { readonly word: string; readonly cosine: number }>>();
for (const [word, row] of words) {
  const unit = unitOf(row);
  const stem = stemOf(word);
  const known = relatives.get(stem) ?? new Map<string, { readonly word: string; readonly cosine: number }>();
  relatives.set(stem, known);
  for (const target of targets) {
    const cosine = dot(unit, target.unit);
    if (cosine < cosineMin) continue;
    const other = stemOf(target.word);
    if (other !== stem && cosine > (known.get(other)?.cosine ?? 0)) known.set(other, { word: target.word, cosine });
  }
}

const lines = [...relatives]
  .filter(([, known]) => known.size > 0)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([stem, known]) => {
    const best = [...known.values()].sort((a, b) => b.cosine - a.cosine || (a.word < b.word ? -1 : 1));
    const told = best.slice(0, relativesMax).map(({ word, cosine }) => {
      return `${(positions.get(word) ?? 0).toString(36)}:${Math.round(cosine * 35).toString(36)}`;
    });
    return `${stem} ${told.join(' ')}`;
  });
writeFileSync(
  new URL(relatedWords.path, packageRoot),
  `${targets.map(({ word }) => word).join(' ')}\n${lines.join('\n')}\n`,
);
console.log(`${targets.length} words, ${lines.length} stems`);

function unitOf(row: number): Float32Array {
  const unit = Float32Array.from(numbers.subarray(row * dimensions, (row + 1) * dimensions));
  const length = Math.sqrt(dot(unit, unit));
  return length === 0 ? unit : unit.map((value) => value / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < dimensions; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
