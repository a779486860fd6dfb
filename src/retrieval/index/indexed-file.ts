/**
 * All that the text of one file gives to an index: a function of its path and bytes alone, so that it can be kept
 * under their hash and used again.
 */
import { hash } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { codeLimits } from '../../base/limits.ts';
import type { TextOnlyReason } from '../code/classify-file.ts';
import { decodeText } from '../code/decode-text.ts';
import { factsVersion, parseFile } from '../code/parse-file.ts';
import type { FileFacts } from '../code/symbol.ts';
import { lazyStatic } from '../embeddings/static.ts';
import { staticModel } from '../embeddings/static-table.ts';
import { fileTerms } from '../search/file-terms.ts';
import { firstSentence } from '../search/first-sentence.ts';
import { termsVersion } from '../search/terms.ts';
import { vectorTexts } from '../search/vector-texts.ts';
import { writePlaces, writeTerms, writeVectors } from './codec.ts';

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
export const partsVersion = `${factsVersion}.${termsVersion}.${staticModel.id}.2`;

/** The name under which the parts of a file are kept. */
export function partsKey(path: string, contentHash: string): string {
  return hash('sha256', `${partsVersion}\n${path}\n${contentHash}`, 'hex');
}

const embedder = lazyStatic();
/** Quality 0 is twice as fast as the fastest deflate, at the same size. */
const fastest = { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } };

export async function indexFile(path: string, bytes: Uint8Array): Promise<IndexedOutcome> {
  const parsed = await parseFile(path, bytes);
  if (parsed.kind === 'skipped') return { ...parsed, contentHash: hash('sha256', bytes, 'hex') };
  const decoded = decodeText(bytes);
  const text = decoded.kind === 'binary' ? '' : decoded.text;
  return indexFacts(parsed.facts, text, parsed.textOnly);
}

/** The same from facts that were read elsewhere, as those of documents are. */
export async function indexFacts(
  facts: FileFacts,
  text: string,
  textOnly: TextOnlyReason | null,
  options: { readonly keepText: boolean } = { keepText: false },
): Promise<Extract<IndexedOutcome, { readonly kind: 'indexed' }>> {
  const terms = fileTerms(facts, text);
  const kept = options.keepText ? { text } : {};
  const stored: StoredFacts = { facts, textOnly, tokens: estimatedTokens(text), ...kept };
  return {
    kind: 'indexed',
    outline: Buffer.from(JSON.stringify(outlineOf(stored))),
    parts: {
      facts: brotliCompressSync(JSON.stringify(stored), fastest),
      places: writePlaces(terms.places),
      terms: writeTerms(terms),
      vectors: await vectorsOf(facts, text),
    },
  };
}

export function readFacts(bytes: Uint8Array): StoredFacts {
  // Written by `indexFile` of the same version, which the key says; the table is not read otherwise.
  const stored: StoredFacts = JSON.parse(brotliDecompressSync(bytes).toString('utf8'));
  return stored;
}

/** Facts without what neither links nor nodes look at, so that those of a whole project fit into memory. */
export function outlineOf(stored: StoredFacts): StoredFacts {
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

async function vectorsOf(facts: FileFacts, text: string): Promise<Uint8Array> {
  const wanted = vectorTexts(facts, text);
  const vectors = await embedder.embed(wanted.map((one) => one.text));
  const rows = new Int8Array(vectors.length * embedder.dimensions);
  vectors.forEach((vector, index) => {
    quantise(vector, rows, index * embedder.dimensions);
  });
  return writeVectors(
    Uint32Array.from(wanted, (one) => one.chunk),
    rows,
  );
}

/** Scales a vector so that its greatest part is 127; the length is lost, the direction stays within half a step. */
export function quantise(vector: Float32Array, rows: Int8Array, at: number): void {
  let greatest = 0;
  for (const part of vector) greatest = Math.max(greatest, Math.abs(part));
  const factor = greatest === 0 ? 0 : 127 / greatest;
  for (let index = 0; index < vector.length; index += 1) rows[at + index] = Math.round((vector[index] ?? 0) * factor);
}
