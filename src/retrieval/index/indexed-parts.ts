/**
 * What an index keeps of one file, apart from making it: the parts as they are stored, their name, and their reading.
 * Light to load, since every question does.
 */
import { hash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { damageLimits } from '../../base/limits.ts';
import type { PackagedFault } from '../../base/packaged-file.ts';
import { factsVersion } from '../code/facts-version.ts';
import { staticModel } from '../embeddings/static-table.ts';
import { termsVersion } from '../search/terms.ts';
import { readFacts, readOutline, type StoredFacts } from './facts-codec.ts';
import { damagedFacts } from './facts-shape.ts';

/** What is stored of it. The parts are opaque to the tables: `codec.ts` reads them. */
export interface IndexedParts {
  /** Both lines of `facts-codec.ts`, compressed. */
  readonly facts: Uint8Array;
  readonly places: Uint8Array;
  readonly terms: Uint8Array;
  /** Of every chunk that has one, what all questions read. */
  readonly vectors: Uint8Array;
  /** The dimensions of those vectors that few questions read. */
  readonly rests: Uint8Array;
}

export type IndexedOutcome =
  | {
      readonly kind: 'indexed';
      readonly parts: IndexedParts;
      /** What linking and the node table need of the facts, for `readOutline`. */
      readonly outline: Uint8Array;
    }
  | { readonly kind: 'skipped'; readonly reason: 'binary' | 'unknown-language'; readonly contentHash: string }
  /** A table of the package cannot be used: that says nothing of the file, and no file can be read. */
  | { readonly kind: 'no-table'; readonly reason: PackagedFault | null; readonly message: string };

/** Changes whenever the same path and bytes could give other parts. */
export const partsVersion = `${factsVersion}.${termsVersion}.${staticModel.id}.5`;

/** The name under which the parts of a file are kept. */
export function partsKey(path: string, contentHash: string): string {
  return hash('sha256', `${partsVersion}\n${path}\n${contentHash}`, 'hex');
}

/** All that is known of a file. Throws `DamagedIndex` for what was never packed. */
export function unpackFacts(bytes: Uint8Array): StoredFacts {
  return readFacts(unpacked(bytes).toString('utf8'));
}

/** The outline alone, which is all that linking needs. */
export function unpackOutline(bytes: Uint8Array): StoredFacts {
  const text = unpacked(bytes);
  return readOutline(text.toString('utf8', 0, Math.max(0, text.indexOf(newline))));
}

const newline = 10;
/** In bytes: most facts fit, and large ones take fewer pieces. */
const unpackedAtOnce = 65_536;

/** A few bytes that changed could unpack to any amount of them. */
function unpacked(bytes: Uint8Array): Buffer {
  try {
    return brotliDecompressSync(bytes, { maxOutputLength: damageLimits.factsBytesMax, chunkSize: unpackedAtOnce });
  } catch (error) {
    throw damagedFacts(error);
  }
}

/** Four characters to the token, as the contract estimates where no tokenizer is at hand. */
export function estimatedTokens(text: string): number {
  return Math.floor(text.length / 4);
}
