/**
 * What the words of each file add up to, whichever way they are read: from the lists of all words, or from what is kept
 * of the file. Both are the same unless a list, a file's words or the numbers of its chunks are not as they were written.
 */
export interface NumberedFile {
  readonly first_chunk: number;
  readonly chunk_count: number;
}

export class PostingSums {
  /** Position of the file that has a chunk plus one, by chunk number; 0 for none. */
  readonly #fileOf: Uint32Array;
  readonly #files: readonly NumberedFile[];
  readonly #sums: Int32Array;

  /** Chunks of `files` are all below `nextChunk`. */
  constructor(files: readonly NumberedFile[], nextChunk: number) {
    this.#files = files;
    this.#sums = new Int32Array(files.length);
    this.#fileOf = new Uint32Array(nextChunk);
    files.forEach(({ first_chunk, chunk_count }, at) => {
      this.#fileOf.fill(at + 1, first_chunk, first_chunk + chunk_count);
    });
  }

  /** The list of one word; chunks that no file has any more count for nothing. */
  add(term: string, chunks: Uint32Array, counts: Uint16Array): void {
    const hash = hashOf(term);
    for (let at = 0; at < chunks.length; at += 1) {
      const chunk = chunks[at] ?? 0;
      const file = (this.#fileOf[chunk] ?? 0) - 1;
      if (file === -1) continue;
      const offset = chunk - (this.#files[file]?.first_chunk ?? 0);
      this.#sums[file] = (this.#sums[file] ?? 0) + mixed(hash, offset, counts[at] ?? 0);
    }
  }

  /** Of the file at this position. */
  sumOf(file: number): number {
    return this.#sums[file] ?? 0;
  }
}

/** The same of the words of one file. */
export function sumOfTerms(
  terms: readonly string[],
  eachPosting: (visit: (term: number, chunk: number, counts: number) => void) => void,
): number {
  const hashes = terms.map(hashOf);
  let sum = 0;
  eachPosting((term, chunk, counts) => {
    sum = (sum + mixed(hashes[term] ?? 0, chunk, counts)) | 0;
  });
  return sum;
}

/** FNV-1a over UTF-16 units (Fowler, Noll, Vo). */
function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), 0x0100_0193);
  return hash;
}

/** The last step of MurmurHash3 (Austin Appleby), so that no two errors add up to none. */
function mixed(hash: number, chunk: number, counts: number): number {
  let value = hash ^ Math.imul(chunk + 1, 0x85ebca6b) ^ Math.imul(counts, 0xc2b2ae35);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}
