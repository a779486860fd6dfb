import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { countTokens as oracle } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { packageRoot } from '../../base/package-root.ts';
import { packTokenTable, readTokenTable, tokenTableFile, unpackTokenTable } from './token-table.ts';
import { countTokens, measureTokens } from './tokens.ts';

/** The package's own counting, with marks of special tokens as text. */
const trueCount = (text: string): number => oracle(text, { disallowedSpecial: new Set() });

const fragment = fc.oneof(
  fc.constantFrom(
    ' ',
    '\n',
    '\r\n',
    '\t',
    '    ',
    "'s",
    "don't",
    '::',
    '</',
    '<|endoftext|>',
    '->',
    '123456',
    '。',
    '🦆',
  ),
  fc.constantFrom('getUserById', 'HTTPServer', 'snake_case_name', 'src/retrieval/context', 'électricité', 'данные'),
  fc.constantFrom('漢字仮名交じり文', 'संपादित', 'ابحث', 'aaaaaaaaaaaa', '--------', 'e\u0301', '\u200b', '\ud800'),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const text = fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join(''));
const seeded = { seed: 20, numRuns: 400 } as const;
const ownSource = readFileSync(fileURLToPath(import.meta.url), 'utf8');

test('CX2 every text counts for exactly what it is', () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(countTokens(value)).toBe(trueCount(value));
    }),
    seeded,
  );
  expect(countTokens(ownSource)).toBe(trueCount(ownSource));
  expect(countTokens('')).toBe(0);
});

test('CX2 a piece without any border is counted in less than quadratic time', () => {
  expect(countTokens('字'.repeat(1_000))).toBe(trueCount('字'.repeat(1_000)));
  const begun = performance.now();
  expect(countTokens('a'.repeat(80_000))).toBe(10_000);
  expect(performance.now() - begun).toBeLessThan(5_000);
});

test('CX1 the shipped table is made of the published list, token for token', () => {
  const list = fileURLToPath(import.meta.resolve('gpt-tokenizer/data/o200k_base.tiktoken'));
  const tokens = readFileSync(list, 'latin1')
    .trimEnd()
    .split('\n')
    .map((line) => Buffer.from(line.slice(0, line.indexOf(' ')), 'base64'));
  expect(tokens).toHaveLength(199_998);
  expect(Buffer.compare(readFileSync(new URL(tokenTableFile.path, packageRoot)), packTokenTable(tokens))).toBe(0);
});

test('CX2 a piece of one byte is one token, of none is none', () => {
  const table = readTokenTable();
  expect([table.count(new Uint8Array([0xff]), 1), table.count(new Uint8Array([0xff]), 0)]).toEqual([1, 0]);
});

test('CX4 a table that is gone, cut off or overwritten is refused with its name', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'token-table-'));
  try {
    const root = pathToFileURL(`${folder}/`);
    const file = path.join(folder, tokenTableFile.path);
    const whole = readFileSync(new URL(tokenTableFile.path, packageRoot));
    const refusal = (reason: string) =>
      expect.objectContaining({
        name: 'PackagedFileFailure',
        reason,
        message: expect.stringContaining(tokenTableFile.path),
      });
    expect(() => readTokenTable(root)).toThrow(refusal('not_installed'));
    mkdirSync(path.dirname(file), { recursive: true });
    for (const length of [0, 1_000, 1_500_000, whole.length - 1]) {
      writeFileSync(file, whole.subarray(0, length));
      expect(() => readTokenTable(root), `${length} bytes`).toThrow(refusal('checksum_mismatch'));
    }
    for (const at of [0, 2_200_000, whole.length - 1]) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(file, bytes);
      expect(() => readTokenTable(root), `byte ${at}`).toThrow(refusal('checksum_mismatch'));
    }
    rmSync(file);
    mkdirSync(file);
    expect(() => readTokenTable(root)).toThrow(refusal('not_loadable'));
    rmSync(file, { recursive: true });
    writeFileSync(file, whole);
    expect(readTokenTable(root).count(Buffer.from('function'), 8)).toBe(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('CX4 looking into a table without a free place comes to an end', () => {
  const table = unpackTokenTable(Buffer.alloc(tokenTableFile.bytes));
  expect(table.count(Buffer.from('ab'), 2)).toBe(2);
});

test('CX3 the measure of a text is the larger of its tokens and a quarter of its characters', () => {
  expect(measureTokens('')).toBe(0);
  // Ten words of eight letters: 10 tokens, 89 characters.
  expect(measureTokens(Array(10).fill('function').join(' '))).toBe(23);
  expect(measureTokens('{}()[];'.repeat(3))).toBe(countTokens('{}()[];'.repeat(3)));
  expect(countTokens('{}()[];'.repeat(3))).toBeGreaterThan(6);
});
