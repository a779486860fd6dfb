/**
 * Vectors by text in two files that only grow, so that an interruption loses no more than the texts in hand.
 *
 *   vectors.f32   `dimensions` numbers for each text, as this machine writes float32
 *   texts.txt     one text a line, in the order of the vectors
 *
 * Vectors are written before their texts. What an interrupted write left in one file only is cut off when the files are
 * opened again.
 */
import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync, truncateSync } from 'node:fs';
import path from 'node:path';

export interface VectorFile {
  readonly size: number;
  has(text: string): boolean;
  /** Throws for a text that is not there. */
  get(text: string): Float32Array;
  /** Texts hold no line breaks. */
  append(texts: readonly string[], vectors: readonly Float32Array[]): void;
}

export function openVectorFile(folder: string, dimensions: number): VectorFile {
  const textsFile = path.join(folder, 'texts.txt');
  const vectorsFile = path.join(folder, 'vectors.f32');
  const rowBytes = dimensions * Float32Array.BYTES_PER_ELEMENT;
  mkdirSync(folder, { recursive: true });
  for (const file of [textsFile, vectorsFile]) closeSync(openSync(file, 'a'));

  const bytes = readFileSync(vectorsFile);
  // The part after the last line break is empty, or a line that was not written to its end.
  const lines = readFileSync(textsFile, 'utf8').split('\n').slice(0, -1);
  const texts = lines.slice(0, Math.floor(bytes.length / rowBytes));
  truncateSync(textsFile, Buffer.byteLength(asLines(texts)));
  truncateSync(vectorsFile, texts.length * rowBytes);

  const vectors = new Map<string, Float32Array>();
  texts.forEach((text, row) => {
    const copy = Uint8Array.from(bytes.subarray(row * rowBytes, (row + 1) * rowBytes));
    vectors.set(text, new Float32Array(copy.buffer));
  });

  return {
    get size() {
      return vectors.size;
    },
    has: (text) => vectors.has(text),
    get(text) {
      const vector = vectors.get(text);
      if (vector === undefined) throw new Error(`There is no vector for ${JSON.stringify(text)}. Run step 1 first.`);
      return vector;
    },
    append(added, of) {
      const packed = new Float32Array(added.length * dimensions);
      of.forEach((vector, row) => void packed.set(vector, row * dimensions));
      appendFileSync(vectorsFile, new Uint8Array(packed.buffer));
      appendFileSync(textsFile, asLines(added));
      added.forEach((text, row) => void vectors.set(text, packed.slice(row * dimensions, (row + 1) * dimensions)));
    },
  };
}

function asLines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
