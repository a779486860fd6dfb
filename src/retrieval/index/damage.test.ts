/** Bytes of an index that are cut, flipped or forged: reading them ends quickly, in what they say or as damaged. */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { languages, referenceKinds } from '../code/symbol.ts';
import type { FileTerms } from '../search/source.ts';
import { leadingDimensions } from '../search/vector-rows.ts';
import {
  forEachPosting,
  PostingWriter,
  readPlaces,
  readPostings,
  readSearched,
  readVectors,
  termNames,
  writeSearched,
  writeTerms,
} from './codec.ts';
import { DamagedIndex } from './damaged-index.ts';
import { readFacts, readOutline } from './facts-codec.ts';
import { indexFile } from './index-text.ts';
import { unpackFacts, unpackOutline } from './indexed-parts.ts';

/** Numbers from 0 to below 1, the same for one seed. Mulberry32 (Tommy Ettinger, public domain). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const forged = [0, 1, 2, 0x7f, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff];

/** The bytes with one to three things done to them. */
function damaged(bytes: Uint8Array, random: () => number): Uint8Array {
  const below = (count: number): number => Math.floor(random() * count);
  let made = Uint8Array.from(bytes);
  for (let left = 1 + below(3); left > 0; left -= 1) {
    if (made.length === 0) return made;
    switch (below(5)) {
      case 0:
        made = made.slice(0, below(made.length));
        break;
      case 1:
        made = made.slice(below(made.length));
        break;
      case 2:
        made[below(made.length)] = below(256);
        break;
      case 3: {
        // Counts stand at the beginning.
        const at = Math.min(below(4) * 4, made.length - 4);
        if (at >= 0) new DataView(made.buffer).setUint32(at, forged[below(forged.length)] ?? 0, true);
        break;
      }
      default: {
        const at = below(made.length);
        made = Uint8Array.from([...made.subarray(0, at), 255, 255, 255, 255, 255, 127, ...made.subarray(at)]);
      }
    }
  }
  return made;
}

const text = `/** Ships are moored. */
import { berth } from './berth.ts';
export class Harbour {
  /** Takes one in. */
  moor(ship: string): number {
    return berth(ship, this.left());
  }
  left(): number {
    return 3;
  }
}
export { Harbour as default };
`;
const indexed = await indexFile('src/harbour.ts', Buffer.from(text));
if (indexed.kind !== 'indexed') throw new Error(indexed.kind);
const { parts } = indexed;
const lines = brotliDecompressSync(parts.facts);

const terms: FileTerms = {
  terms: ['ship', 'moor', 'berth'],
  starts: Uint32Array.of(0, 2, 3, 5),
  chunks: Uint32Array.of(0, 3, 1, 1, 300),
  counts: Uint16Array.of(1, 4096, 256, 1, 300),
  places: readPlaces(parts.places),
};
const list = new PostingWriter();
for (const chunk of [1, 5, 900, 70_000]) list.add(chunk, 4097);

const whole = z.int().min(0);
const textOrNull = z.string().nullable();
/** The form of facts, asked slowly of every value. */
const factsForm = z.object({
  textOnly: z.enum(['generated', 'minified', 'too-long-to-parse', 'parser-gave-up']).nullable(),
  tokens: whole,
  text: z.string().optional(),
  facts: z.object({
    path: z.string(),
    language: z.enum(languages),
    module: textOrNull,
    lines: whole,
    syntaxErrors: whole,
    contentHash: z.string(),
    interfaceHash: z.string(),
    symbols: z.array(
      z.object({
        name: z.string(),
        qualifiedName: z.string(),
        occurrence: whole,
        kind: z.string().regex(/^[a-z-]+$/),
        parent: whole.nullable(),
        exported: z.boolean(),
        signature: z.string(),
        documentation: z.string(),
        startLine: whole,
        endLine: whole,
        start: whole,
        end: whole,
        contentHash: z.string(),
        type: textOrNull,
        shape: textOrNull,
      }),
    ),
    imports: z.array(
      z.object({
        specifier: z.string(),
        imported: textOrNull,
        local: textOrNull,
        exported: textOrNull,
        scope: whole.nullable(),
        line: whole,
        form: z.enum(['module', 'include', 'dynamic', 'type']),
      }),
    ),
    exports: z.array(z.object({ local: z.string(), exported: z.string() })),
    references: z.array(
      z.object({ kind: z.enum(referenceKinds), target: z.string(), from: whole.nullable(), line: whole }),
    ),
    chunks: z.array(z.object({ symbol: whole.nullable(), start: whole, end: whole, startLine: whole, endLine: whole })),
  }),
});

function expectFacts(value: unknown): void {
  const { facts } = factsForm.parse(value);
  facts.symbols.forEach(({ parent }, at) => {
    expect(parent ?? -1).toBeLessThan(at);
  });
  const symbols = [facts.imports.map((one) => one.scope), facts.references.map((one) => one.from)].flat();
  for (const symbol of [...symbols, ...facts.chunks.map((one) => one.symbol)]) {
    expect(symbol ?? -1).toBeLessThan(facts.symbols.length);
  }
}

/** Each reader with what was written for it, and what holds of any value it gives. */
const readers: Readonly<Record<string, { readonly written: Uint8Array; readonly read: (bytes: Uint8Array) => void }>> =
  {
    termNames: {
      written: writeTerms(terms),
      read(bytes) {
        expect(termNames(bytes).length).toBeLessThanOrEqual(bytes.length);
      },
    },
    forEachPosting: {
      written: writeTerms(terms),
      read(bytes) {
        let visits = 0;
        forEachPosting(bytes, () => {
          visits += 1;
        });
        expect(visits).toBeLessThanOrEqual(bytes.length);
      },
    },
    readPostings: {
      written: list.take().slice(),
      read(bytes) {
        const { chunks, counts } = readPostings(bytes);
        expect(chunks.length).toBe(counts.length);
        expect(chunks.length).toBeLessThanOrEqual(bytes.length);
      },
    },
    readPlaces: {
      written: parts.places,
      read(bytes) {
        for (const part of Object.values(readPlaces(bytes))) expect(part.length).toBeLessThanOrEqual(bytes.length);
      },
    },
    readVectors: {
      written: parts.vectors,
      read(bytes) {
        const { chunks, leading } = readVectors(bytes);
        expect(leading.length).toBe(chunks.length * leadingDimensions);
      },
    },
    readSearched: {
      written: writeSearched(parts.places, parts.vectors),
      read(bytes) {
        const { places, vectors } = readSearched(bytes);
        readPlaces(places);
        readVectors(vectors);
      },
    },
    unpackFacts: { written: parts.facts, read: (bytes) => expectFacts(unpackFacts(bytes)) },
    unpackOutline: { written: parts.facts, read: (bytes) => expectFacts(unpackOutline(bytes)) },
    readFacts: { written: lines, read: (bytes) => expectFacts(readFacts(Buffer.from(bytes).toString('utf8'))) },
    readOutline: {
      written: indexed.outline,
      read: (bytes) => expectFacts(readOutline(Buffer.from(bytes).toString('utf8'))),
    },
  };

test.each(Object.entries(readers))(
  'IX17: %s ends on any bytes in a value of its form or as damaged (seed 11)',
  (_, { written, read }) => {
    const random = randomFrom(11);
    read(written);
    let refused = 0;
    const begun = performance.now();
    for (let run = 0; run < 1_500; run += 1) {
      // At an odd place in memory too.
      const bytes = damaged(written, random);
      const moved = run % 2 === 0 ? bytes : Buffer.concat([Buffer.from([0]), bytes]).subarray(1);
      try {
        read(moved);
      } catch (error) {
        if (!(error instanceof DamagedIndex)) throw new Error(Buffer.from(bytes).toString('hex'), { cause: error });
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(100);
    expect(performance.now() - begun).toBeLessThan(15_000);
  },
);

test('IX17: every number, text and list of stored facts in the place of every other one is a value or damage', () => {
  const [outline = '', rest = ''] = lines.toString('utf8').split('\n');
  const others = [-1, 0, 1.5, 1e300, 2 ** 40, 'x', '', null, true, [], [1], {}, [[]]];
  let refused = 0;
  for (const [line, rebuilt] of [
    [outline, (changed: string) => `${changed}\n${rest}`],
    [rest, (changed: string) => `${outline}\n${changed}`],
  ] as const) {
    for (const changed of withEachChanged(JSON.parse(line), others)) {
      try {
        expectFacts(readFacts(rebuilt(JSON.stringify(changed))));
      } catch (error) {
        if (!(error instanceof DamagedIndex)) throw new Error(JSON.stringify(changed), { cause: error });
        refused += 1;
      }
    }
  }
  expect(refused).toBeGreaterThan(1_000);
});

/** The value over and over, each time with another one of its parts replaced by one of `others`. */
function* withEachChanged(value: unknown, others: readonly unknown[]): Generator<unknown> {
  yield* others;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    for (const changed of withEachChanged(part, others)) {
      yield Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
    }
  }
}

test('IX17: facts that unpack to more than any build writes are damaged, and what is no blob is', () => {
  const bomb = brotliCompressSync(Buffer.alloc(260 * 1024 * 1024, 0x20), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 0 },
  });
  expect(bomb.length).toBeLessThan(1024 * 1024);
  expect(() => unpackFacts(bomb)).toThrow(DamagedIndex);
  const column: unknown[] = ['text', 7, null];
  for (const value of column) {
    for (const { read } of Object.values(readers).slice(0, -2)) {
      // What SQLite gives for a column that somebody wrote to.
      expect(() => read(value as Uint8Array)).toThrow(DamagedIndex);
    }
  }
});
