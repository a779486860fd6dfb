/**
 * Makes all that the text of one file gives to an index: a function of its path and bytes alone, so that it can be kept
 * under their hash and used again.
 */
import { hash } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import type { TextOnlyReason } from '../code/classify-file.ts';
import { decodeText } from '../code/decode-text.ts';
import { parseFile } from '../code/parse-file.ts';
import type { FileFacts } from '../code/symbol.ts';
import { EmbedderFailure } from '../embeddings/embedder.ts';
import { lazyStatic } from '../embeddings/static.ts';
import { fileTerms } from '../search/file-terms.ts';
import { splitRows } from '../search/vector-rows.ts';
import { vectorTexts } from '../search/vector-texts.ts';
import { writePlaces, writeTerms, writeVectors } from './codec.ts';
import { type StoredFacts, writeFacts } from './facts-codec.ts';
import { estimatedTokens, type IndexedOutcome, type IndexedParts } from './indexed-parts.ts';

const embedder = lazyStatic();
/** Quality 0 is twice as fast as the fastest deflate, at the same size. */
const fastest = { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } };

export async function indexFile(path: string, bytes: Uint8Array): Promise<IndexedOutcome> {
  const parsed = await parseFile(path, bytes);
  if (parsed.kind === 'skipped') return { ...parsed, contentHash: hash('sha256', bytes, 'hex') };
  const decoded = decodeText(bytes);
  const text = decoded.kind === 'binary' ? '' : decoded.text;
  try {
    return await indexFacts(parsed.facts, text, parsed.textOnly);
  } catch (error) {
    if (!(error instanceof EmbedderFailure)) throw error;
    return { kind: 'no-table', reason: error.reason, message: error.message };
  }
}

/** The same from facts that were read elsewhere, as those of documents are. */
export async function indexFacts(
  facts: FileFacts,
  text: string,
  textOnly: TextOnlyReason | null,
  options: { readonly keepText: boolean } = { keepText: false },
): Promise<Extract<IndexedOutcome, { readonly kind: 'indexed' }>> {
  if (options.keepText && facts.language !== 'text')
    throw new Error('The text of a file is looked for only where its language is text.');
  const terms = fileTerms(facts, text);
  const kept = options.keepText ? { text } : {};
  const stored: StoredFacts = { facts, textOnly, tokens: estimatedTokens(text), ...kept };
  const { outline, lines } = writeFacts(stored);
  return {
    kind: 'indexed',
    outline: Buffer.from(outline),
    parts: {
      facts: brotliCompressSync(lines, fastest),
      places: writePlaces(terms.places),
      terms: writeTerms(terms),
      ...(await vectorsOf(facts, text)),
    },
  };
}

async function vectorsOf(facts: FileFacts, text: string): Promise<Pick<IndexedParts, 'vectors' | 'rests'>> {
  const wanted = vectorTexts(facts, text);
  const vectors = await embedder.embed(wanted.map((one) => one.text));
  const rows = new Int8Array(vectors.length * embedder.dimensions);
  vectors.forEach((vector, index) => {
    quantise(vector, rows, index * embedder.dimensions);
  });
  const chunks = Uint32Array.from(wanted, (one) => one.chunk);
  const split = splitRows({ dimensions: embedder.dimensions, chunks, rows });
  const { buffer, byteOffset, byteLength } = split.rests;
  return { vectors: writeVectors(split.vectors), rests: new Uint8Array(buffer, byteOffset, byteLength) };
}

/** Scales a vector so that its greatest part is 127; the length is lost, the direction stays within half a step. */
export function quantise(vector: Float32Array, rows: Int8Array, at: number): void {
  let greatest = 0;
  // Asked for every number of every vector: an iterator would take longer than the work.
  for (let index = 0; index < vector.length; index += 1) greatest = Math.max(greatest, Math.abs(vector[index] ?? 0));
  const factor = greatest === 0 ? 0 : 127 / greatest;
  for (let index = 0; index < vector.length; index += 1) rows[at + index] = Math.round((vector[index] ?? 0) * factor);
}
