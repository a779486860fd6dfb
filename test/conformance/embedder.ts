/** What every embedder promises, as tests. Each implementation runs them in its own test file. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Embedder, EmbedderFailure } from '../../src/retrieval/embeddings/embedder.ts';
import { dot } from '../../src/retrieval/embeddings/vectors.ts';

const awkward = [
  'We use a write-ahead log so that readers do not block the writer.',
  'write ahead log',
  '',
  ' \n\t ',
  '日本語のテキスト',
  '🦆'.repeat(50),
  '\u0000\u200b',
  'lone \ud800 surrogate',
  '%s {} <b> \\ "quoted"',
  'very long '.repeat(5_000),
];

/** `open` gives a fresh embedder; the suite closes it. It is called twice only, since a model takes seconds to load. */
export function embedderConformance(name: string, open: () => Promise<Embedder>): void {
  describe(name, () => {
    let embedder: Embedder;
    beforeAll(async () => {
      embedder = await open();
    });
    afterAll(async () => {
      await embedder.close();
    });

    test('EM1 one vector of unit length and of the stated dimensions per text, in order', async () => {
      const vectors = await embedder.embed(awkward);
      expect(vectors).toHaveLength(awkward.length);
      for (const vector of vectors) {
        expect(vector).toBeInstanceOf(Float32Array);
        expect(vector).toHaveLength(embedder.dimensions);
        expect(dot(vector, vector)).toBeCloseTo(1, 5);
      }
      expect(await embedder.embed([])).toEqual([]);
      const turned = await embedder.embed([awkward[1] ?? '', awkward[0] ?? '']);
      expect(turned).toEqual([vectors[1], vectors[0]]);
    });

    test('EM2 a text has one vector: alone, in a batch of others, and in another run', async () => {
      // More than one batch, and texts of different lengths.
      const texts = Array.from({ length: 34 }, (_, index) => `Decision ${index}: ${'more '.repeat(index % 4)}`);
      const together = await embedder.embed(texts);
      for (const index of [0, 3, 31, 33]) {
        expect(await embedder.embed([texts[index] ?? ''])).toEqual([together[index]]);
      }
      const another = await open();
      try {
        expect(await another.embed(texts.slice(30, 34))).toEqual(together.slice(30, 34));
      } finally {
        await another.close();
      }
    });

    test('EM3 texts that share words are nearer than texts that share none', async () => {
      const [a, b, c] = await embedder.embed([
        'the database writes a log before the page',
        'the log is written before the database page',
        'penguins waddle over antarctic ice',
      ]);
      if (a === undefined || b === undefined || c === undefined) throw new Error('Three texts give three vectors.');
      expect(dot(a, b)).toBeGreaterThan(dot(a, c) + 0.2);
    });

    test('EM4 an aborted call rejects with the reason of its signal and leaves the embedder usable', async () => {
      const before = AbortSignal.abort(new Error('not wanted any more'));
      await expect(embedder.embed(['text'], { signal: before })).rejects.toThrow('not wanted any more');
      expect(await embedder.embed(['text'])).toHaveLength(1);
    });

    test('EM6 the model id is plain text that a store can keep', () => {
      expect(embedder.modelId).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
      expect(Number.isInteger(embedder.dimensions)).toBe(true);
    });

    // The last, since it closes the embedder of all.
    test('EM5 a closed embedder refuses to work and may be closed again', async () => {
      await embedder.close();
      await embedder.close();
      await expect(embedder.embed(['text'])).rejects.toThrow(EmbedderFailure);
      await expect(embedder.embed([])).rejects.toThrow(EmbedderFailure);
    });
  });
}
