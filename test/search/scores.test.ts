import { describe, expect, test } from 'vitest';
import { fileTerms } from '../../src/retrieval/search/file-terms.ts';
import { lexicalScores } from '../../src/retrieval/search/lexical.ts';
import { parseQuery } from '../../src/retrieval/search/query.ts';
import type { PostingList, SearchSource } from '../../src/retrieval/search/source.ts';
import { stopWords } from '../../src/retrieval/search/stop-words.ts';
import { stemOf, termsOf } from '../../src/retrieval/search/terms.ts';
import { vectorScores } from '../../src/retrieval/search/vector.ts';
import { splitRows } from '../../src/retrieval/search/vector-rows.ts';
import { project } from './project.ts';
import { factsOf, sourceOf, vectorOf } from './sources.ts';

const source = await sourceOf(project);
const stopTerms = new Set([...stopWords].map(stemOf));

/** Numbers that are the same on every machine. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('terms of a file', () => {
  test('RK10: counts and lengths are those of a slow count, per chunk and field', async () => {
    for (const [path, text] of Object.entries(project)) {
      const facts = await factsOf(path, text);
      const terms = fileTerms(facts, text);
      expect(terms.places.symbol).toHaveLength(facts.chunks.length + 1);
      facts.chunks.forEach((chunk, index) => {
        const expected = new Map<string, number>();
        for (const term of termsOf(text.slice(chunk.start, chunk.end))) {
          if (!stopTerms.has(term)) expected.set(term, (expected.get(term) ?? 0) + 1);
        }
        const counted = new Map<string, number>();
        terms.terms.forEach((term, position) => {
          for (let at = terms.starts[position] ?? 0; at < (terms.starts[position + 1] ?? 0); at++) {
            const body = (terms.counts[at] ?? 0) & 255;
            if (terms.chunks[at] === index + 1 && body > 0) counted.set(term, body);
          }
        });
        expect(counted).toEqual(new Map([...expected].map(([term, count]) => [term, Math.min(count, 255)])));
        expect(terms.places.bodyLength[index + 1]).toBe([...expected.values()].reduce((sum, count) => sum + count, 0));
      });
    }
  });

  test('RK11: the first chunk is the file, by its path and what it says of itself', async () => {
    const facts = await factsOf('shop/cache.py', project['shop/cache.py'] ?? '');
    const terms = fileTerms(facts, project['shop/cache.py'] ?? '');
    const countOf = (term: string) => {
      const position = terms.terms.indexOf(term);
      const at = terms.starts[position] ?? 0;
      return terms.chunks[at] === 0 ? (terms.counts[at] ?? 0) : 0;
    };
    expect(countOf('shop') >> 12).toBe(1);
    expect((countOf('answer') >> 8) & 15).toBe(1);
    expect(countOf('answer') & 255).toBe(0);
    expect(terms.places.symbol[0]).toBe(-1);
  });

  test('RK11: the same file gives the same terms, whatever was read before it', async () => {
    const text = project['shop/cache.py'] ?? '';
    const facts = await factsOf('shop/cache.py', text);
    const before = fileTerms(facts, text);
    fileTerms(await factsOf('a.py', 'ttl = entries = clock = 1\n'), 'ttl = entries = clock = 1\n');
    expect(fileTerms(facts, text)).toEqual(before);
  });
});

describe('words against chunks', () => {
  test('RK12, RK32, RK33, RK36: scores are those of BM25F written out, joined within a word, and so is the coverage', () => {
    const tuning = {
      chunk: { name: 3, head: 2, body: 1, k1: 1.5, b: 0.75 },
      file: { name: 2, head: 1, body: 1, k1: 4, b: 0.5 },
    };
    const query = parseQuery('evict expired entries of the response cache, folder');
    const scores = lexicalScores(source, query, tuning);
    const files = [...source.files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    const all = Array.from(source.chunkFile.keys());
    const slow = (units: readonly (readonly number[])[], field: typeof tuning.chunk) => {
      const { nameLength, headLength, bodyLength } = source.places;
      const lengthOf = (chunk: number) =>
        field.name * (nameLength[chunk] ?? 0) +
        field.head * (headLength[chunk] ?? 0) +
        field.body * (bodyLength[chunk] ?? 0);
      const lengths = units.map((unit) => unit.reduce((sum, chunk) => sum + lengthOf(chunk), 0));
      const average = lengths.reduce((sum, length) => sum + length, 0) / units.length;
      return units.map((unit, at) => {
        const words = new Map<string, { squares: number; covered: number; coverable: number }>();
        for (const { term, weight, of } of query.terms) {
          const countIn = (chunks: readonly number[]) =>
            chunks.reduce((sum, chunk) => {
              const [list] = source.postings(term);
              const packed = list?.counts[list.chunks.indexOf(chunk)] ?? 0;
              return (
                sum + field.name * (packed >> 12) + field.head * ((packed >> 8) & 15) + field.body * (packed & 255)
              );
            }, 0);
          const having = units.filter((chunks) => countIn(chunks) > 0).length;
          const idf = weight * Math.log(1 + (units.length - having + 0.5) / (having + 0.5));
          const count = countIn(unit);
          const norm = field.k1 * (1 - field.b + (field.b * (lengths[at] ?? 0)) / average);
          const known = words.get(of) ?? { squares: 0, covered: 0, coverable: 0 };
          words.set(of, {
            squares: known.squares + ((idf * count) / (count + norm)) ** 2,
            covered: Math.max(known.covered, count > 0 ? idf : 0),
            coverable: Math.max(known.coverable, having > 0 ? idf : 0),
          });
        }
        const sum = (part: 'squares' | 'covered' | 'coverable') =>
          [...words.values()].reduce((all, word) => all + (part === 'squares' ? Math.sqrt(word[part]) : word[part]), 0);
        return { score: sum('squares'), coverage: sum('covered') / sum('coverable') };
      });
    };
    slow(
      all.map((chunk) => [chunk]),
      tuning.chunk,
    ).forEach(({ score }, chunk) => {
      expect(scores.chunks[chunk]).toBeCloseTo(score, 4);
    });
    const units = files.map((file) => Array.from({ length: file.chunkCount }, (_, at) => file.firstChunk + at));
    slow(units, tuning.file).forEach(({ score, coverage }, ordinal) => {
      expect(scores.files[ordinal]).toBeCloseTo(score, 4);
      expect(scores.coverage[ordinal]).toBeCloseTo(coverage, 4);
    });
    const { nameLength } = source.places;
    const ownersOf = (chunks: readonly number[]) => new Set(chunks.map((chunk) => source.chunkFile[chunk]));
    for (const chunk of all) {
      const words = new Map<string, { covered: number; coverable: number }>();
      let counted = 0;
      for (const { term, weight, of } of query.terms) {
        const [list] = source.postings(term);
        if (list === undefined) continue;
        const having = ownersOf([...list.chunks]).size;
        const idf = weight * Math.log(1 + (files.length - having + 0.5) / (having + 0.5));
        const inName = (list.counts[list.chunks.indexOf(chunk)] ?? 0) >> 12;
        counted += weight * inName;
        const known = words.get(of) ?? { covered: 0, coverable: 0 };
        const covered = Math.max(known.covered, inName > 0 ? idf : 0);
        words.set(of, { covered, coverable: Math.max(known.coverable, idf) });
      }
      const sum = (part: 'covered' | 'coverable') => [...words.values()].reduce((total, word) => total + word[part], 0);
      expect(scores.nameCoverage[chunk]).toBeCloseTo(sum('covered') / sum('coverable'), 4);
      expect(scores.nameShares[chunk]).toBeCloseTo(
        counted === 0 ? 0 : Math.min(1, counted / (nameLength[chunk] ?? 0)),
        4,
      );
    }
    expect(new Set(scores.nameCoverage).size).toBeGreaterThan(2);
    expect(new Set(scores.nameShares).size).toBeGreaterThan(2);
    expect(Math.max(...scores.chunks)).toBeGreaterThan(0);
    expect(query.terms.some(({ term, of }) => term !== of && source.postings(term).length > 0)).toBe(true);
    expect(new Set(scores.coverage).size).toBeGreaterThan(2);
  });

  test('RK13: dead chunks count for nothing, not even for how rare a word is', async () => {
    const dead = 3;
    const shift = ({ chunks, counts }: PostingList): PostingList => ({
      chunks: chunks.map((chunk) => chunk + dead),
      counts,
    });
    const first: PostingList = { chunks: Uint32Array.of(0, 1, 2), counts: Uint16Array.of(255, 255, 255) };
    const pad = <Numbers extends Int32Array | Uint32Array | Uint16Array>(numbers: Numbers): Numbers => {
      const longer = numbers.slice(0, 0).constructor as new (length: number) => Numbers;
      const padded = new longer(numbers.length + dead);
      padded.set(numbers, dead);
      return padded;
    };
    const { symbol, startLine, endLine, nameLength, headLength, bodyLength } = source.places;
    const withDead: SearchSource = {
      ...source,
      generation: 2,
      files: new Map([...source.files].map(([id, file]) => [id, { ...file, firstChunk: file.firstChunk + dead }])),
      chunkFile: pad(source.chunkFile),
      places: {
        symbol: pad(symbol),
        startLine: pad(startLine),
        endLine: pad(endLine),
        nameLength: pad(nameLength),
        headLength: pad(headLength),
        bodyLength: pad(bodyLength),
      },
      postings: (term) => [first, ...source.postings(term).map(shift)],
    };
    const tuning = { name: 1, head: 1, body: 1, k1: 1.5, b: 0.75 };
    const query = parseQuery('evict expired entries', { meanings: false });
    const living = lexicalScores(source, query, { chunk: tuning, file: tuning });
    const padded = lexicalScores(withDead, query, { chunk: tuning, file: tuning });
    expect([...padded.chunks]).toEqual([0, 0, 0, ...living.chunks]);
    expect([...padded.files]).toEqual([...living.files]);
    expect([...padded.coverage]).toEqual([...living.coverage]);
    expect([...padded.nameCoverage]).toEqual([0, 0, 0, ...living.nameCoverage]);
    expect([...padded.nameShares]).toEqual([0, 0, 0, ...living.nameShares]);
  });
});

describe('vectors', () => {
  test('RK14: the best rows have their cosines, the others a value near it (seed 5)', () => {
    const random = numbers(5);
    const dimensions = 256;
    const count = 3_000;
    // Dimensions that tell less and less apart, as those of the table.
    const rows = Int8Array.from(
      { length: count * dimensions },
      (_, at) => (random() - 0.5) * 254 * 0.985 ** (at % dimensions),
    );
    const question = Float32Array.from({ length: dimensions }, (_, at) => (random() - 0.5) * 0.985 ** at);
    const length = Math.hypot(...question);
    const unit = question.map((part) => part / length);
    const chunks = Uint32Array.from({ length: count }, (_, at) => at);
    const split = splitRows({ dimensions, chunks, rows });
    const vectors = { dimensions, files: new Map([[1, split.vectors]]), restsOf: () => split.rests };
    const [first] = source.files.values();
    if (first === undefined) throw new Error('The source has no file.');
    const files = new Map([[1, { ...first, firstChunk: 0, chunkCount: count }]]);
    const one: SearchSource = { ...source, files, chunkFile: new Int32Array(count), vectors: () => vectors };
    const scores = vectorScores(one, unit) ?? new Float32Array();
    const cosines = Array.from(chunks, (row) => {
      const parts = rows.subarray(row * dimensions, (row + 1) * dimensions);
      return parts.reduce((sum, part, at) => sum + part * (unit[at] ?? 0), 0) / Math.hypot(...parts);
    });
    const best = [...chunks].sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0)).slice(0, 100);
    const exact = best.filter((row) => Math.abs((scores[row] ?? 0) - (cosines[row] ?? 0)) < 1e-4);
    expect(exact.length).toBeGreaterThan(95);
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(0);
  });

  test('RK14: a source without vectors, and vectors of another model', async () => {
    expect(vectorScores({ ...source, vectors: () => null }, await vectorOf('cache'))).toBeNull();
    expect(() => vectorScores(source, new Float32Array(3))).toThrow('3 dimensions');
  });
});
