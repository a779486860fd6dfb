/**
 * The definitions of what a question names: who writes `get_absolute_url` wants to see that rather than the many places
 * that call it, which have the word more often.
 */
import { searchLimits } from '../../base/limits.ts';
import type { IndexedFile, IndexedSymbol, SearchSource } from './source.ts';

export interface NamedDefinition {
  /** Of `IndexedFile`. */
  readonly file: number;
  readonly chunk: number;
  /** What is defined there; a chunk is often of something larger that holds it. */
  readonly symbol: IndexedSymbol;
  /** Above 0, at most 1: less where a name has several files, and where only its case differs. */
  readonly share: number;
}

const otherCaseFactor = 0.5;

/** Of each name the best definition of each file. A name with very many definitions gives none. */
export function definitionsOf(source: SearchSource, names: readonly string[]): readonly NamedDefinition[] {
  return names.flatMap((name) => {
    const symbols = source.symbolsNamed(name);
    if (symbols.length > searchLimits.namedDefinitionsMax) return [];
    const best = new Map<number, NamedDefinition>();
    const fileCount = new Set(symbols.map(({ file }) => file)).size;
    for (const { file: id, symbol } of symbols) {
      const file = source.files.get(id);
      if (file === undefined) continue;
      const share = (symbol.name === name ? 1 : otherCaseFactor) / Math.sqrt(fileCount);
      if (share <= (best.get(id)?.share ?? 0)) continue;
      best.set(id, { file: id, chunk: chunkAt(source, file, symbol.startLine), symbol, share });
    }
    return [...best.values()];
  });
}

/** The chunk with a line, or the one of the whole file. */
export function chunkAt(source: SearchSource, file: IndexedFile, line: number): number {
  for (let chunk = file.firstChunk + 1; chunk < file.firstChunk + file.chunkCount; chunk++) {
    if ((source.places.startLine[chunk] ?? 0) <= line && line <= (source.places.endLine[chunk] ?? 0)) return chunk;
  }
  return file.firstChunk;
}
