/**
 * What an index keeps of one file, apart from making it: the parts as they are stored, their name, and their reading.
 * Light to load, since every question does.
 */
import { hash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { codeLimits } from '../../base/limits.ts';
import type { TextOnlyReason } from '../code/classify-file.ts';
import { factsVersion } from '../code/facts-version.ts';
import type { FileFacts } from '../code/symbol.ts';
import { staticModel } from '../embeddings/static-table.ts';
import { firstSentence } from '../search/first-sentence.ts';
import { termsVersion } from '../search/terms.ts';

/** What is stored of it. The parts are opaque to the tables: `codec.ts` reads them. */
export interface IndexedParts {
  /** `FileFacts` and how they came about, as compressed JSON. */
  readonly facts: Uint8Array;
  readonly places: Uint8Array;
  readonly terms: Uint8Array;
  readonly vectors: Uint8Array;
}

export type IndexedOutcome =
  | {
      readonly kind: 'indexed';
      readonly parts: IndexedParts;
      /** What linking and the node table need of the facts, as JSON of `StoredFacts`. */
      readonly outline: Uint8Array;
    }
  | { readonly kind: 'skipped'; readonly reason: 'binary' | 'unknown-language'; readonly contentHash: string };

export interface StoredFacts {
  readonly facts: FileFacts;
  readonly textOnly: TextOnlyReason | null;
  /** Of the text, in tokens of a model, estimated from its characters. */
  readonly tokens: number;
  /** What a document holds, where the file itself shows it to nobody: the lines of its facts count in this. */
  readonly text?: string;
}

/** Changes whenever the same path and bytes could give other parts. */
export const partsVersion = `${factsVersion}.${termsVersion}.${staticModel.id}.3`;

/** The name under which the parts of a file are kept. */
export function partsKey(path: string, contentHash: string): string {
  return hash('sha256', `${partsVersion}\n${path}\n${contentHash}`, 'hex');
}

/** As they are stored before they are compressed: the outline on one line, and what it lacks on the next. */
export function writeFacts(stored: StoredFacts): { readonly outline: string; readonly lines: string } {
  const outline = JSON.stringify(outlineOf(stored));
  const rest: RestOfFacts = {
    chunks: stored.facts.chunks,
    symbols: stored.facts.symbols.map(({ contentHash, documentation, signature }) => [
      contentHash,
      documentation,
      signature,
    ]),
    ...(stored.text === undefined ? {} : { text: stored.text }),
  };
  return { outline, lines: `${outline}\n${JSON.stringify(rest)}` };
}

export function readFacts(bytes: Uint8Array): StoredFacts {
  const [first = '', second = ''] = brotliDecompressSync(bytes).toString('utf8').split('\n', 2);
  // Written by `writeFacts` of the same version, which the key says; the table is not read otherwise.
  const outline: StoredFacts = JSON.parse(first);
  const rest: RestOfFacts = JSON.parse(second);
  const symbols = outline.facts.symbols.map((symbol, index) => {
    const [contentHash, documentation, signature] = rest.symbols[index] ?? ['', '', ''];
    return { ...symbol, contentHash, documentation, signature };
  });
  const text = rest.text === undefined ? {} : { text: rest.text };
  return { ...outline, facts: { ...outline.facts, symbols, chunks: rest.chunks }, ...text };
}

/** The outline alone, which is all that linking needs. */
export function readOutline(bytes: Uint8Array): StoredFacts {
  const text = brotliDecompressSync(bytes).toString('utf8');
  const outline: StoredFacts = JSON.parse(text.slice(0, text.indexOf('\n')));
  return outline;
}

interface RestOfFacts {
  readonly chunks: FileFacts['chunks'];
  /** Content hash, documentation and signature of each symbol. */
  readonly symbols: readonly (readonly [string, string, string])[];
  readonly text?: string;
}

/** Facts without what neither links nor nodes look at, so that those of a whole project fit into memory. */
function outlineOf(stored: StoredFacts): StoredFacts {
  const { facts, textOnly, tokens } = stored;
  return {
    textOnly,
    tokens,
    facts: {
      ...facts,
      chunks: [],
      symbols: facts.symbols.map((symbol) => ({
        ...symbol,
        contentHash: '',
        documentation: firstSentence(symbol.documentation),
        signature: shortSignature(symbol.signature),
      })),
    },
  };
}

/** Cut, but never losing the end by which a prototype is told from a definition. */
function shortSignature(signature: string): string {
  if (signature.length <= codeLimits.shownSignatureCharsMax) return signature;
  const cut = `${signature.slice(0, codeLimits.shownSignatureCharsMax - 2)}…`;
  return signature.endsWith(';') ? `${cut};` : cut;
}

/** Four characters to the token, as the contract estimates where no tokenizer is at hand. */
export function estimatedTokens(text: string): number {
  return Math.floor(text.length / 4);
}
