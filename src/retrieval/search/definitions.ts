/**
 * The definitions of what a question names: who writes `get_absolute_url` wants to see that rather than the many places
 * that call it, which have the word more often.
 */
import { searchLimits } from '../../base/limits.ts';
import type { SymbolKind } from '../code/symbol.ts';
import type { Phrase } from './name-apart.ts';
import { namesWith, shareOfName } from './name-parts.ts';
import type { IndexedFile, IndexedSymbol, NamedSymbol, SearchSource } from './source.ts';

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
/** One or two words are often said without a name in mind; three or four that are a name by chance are rare. */
const shortFactor = 0.3;
const phraseFactor = 0.5;
const withBody: ReadonlySet<SymbolKind> = new Set([
  'class',
  'interface',
  'struct',
  'enum',
  'trait',
  'type',
  'function',
  'method',
]);

/**
 * The definitions of the names of a question. Where it has one, and nothing has that name, those that have it in theirs.
 */
export function definitionsFor(source: SearchSource, names: readonly string[]): readonly NamedDefinition[] {
  const named = definitionsOf(source, names);
  const [name] = names;
  if (named.length > 0 || names.length !== 1 || name === undefined) return named;
  return bestByFile(source, namesWith(source, name), (symbol) => shareOfName(name, symbol.name));
}

/** Of each name the best definition of each file. A name with very many definitions gives none. */
function definitionsOf(source: SearchSource, names: readonly string[]): readonly NamedDefinition[] {
  return names.flatMap((name) =>
    definitionsOfName(source, name, (symbol) => (symbol.name === name ? 1 : otherCaseFactor)),
  );
}

/** The same of names written as their words, once for each chunk. One or two words name only what has a body. */
export function definitionsOfPhrases(source: SearchSource, phrases: readonly Phrase[]): readonly NamedDefinition[] {
  const best = new Map<number, NamedDefinition>();
  const known = new Set(source.knownNames(phrases.flatMap(({ names }) => names)));
  for (const { words, names } of phrases) {
    const factorOf = ({ kind }: IndexedSymbol): number => {
      if (words > 2) return phraseFactor;
      return withBody.has(kind) ? shortFactor : 0;
    };
    for (const name of names.filter((one) => known.has(one))) {
      for (const found of definitionsOfName(source, name, factorOf)) {
        if (found.share > (best.get(found.chunk)?.share ?? 0)) best.set(found.chunk, found);
      }
    }
  }
  return [...best.values()];
}

/** `factorOf` is at least 0, at most 1; what has 0 is left out. */
function definitionsOfName(
  source: SearchSource,
  name: string,
  factorOf: (symbol: IndexedSymbol) => number,
): readonly NamedDefinition[] {
  const symbols = source.symbolsNamed(name);
  if (symbols.length > searchLimits.namedDefinitionsMax) return [];
  return bestByFile(source, symbols, factorOf);
}

function bestByFile(
  source: SearchSource,
  symbols: readonly NamedSymbol[],
  factorOf: (symbol: IndexedSymbol) => number,
): readonly NamedDefinition[] {
  const best = new Map<number, NamedDefinition>();
  const fileCount = new Set(symbols.map(({ file }) => file)).size;
  for (const { file: id, symbol } of symbols) {
    const file = source.files.get(id);
    if (file === undefined) continue;
    const share = factorOf(symbol) / Math.sqrt(fileCount);
    if (share <= (best.get(id)?.share ?? 0)) continue;
    best.set(id, { file: id, chunk: chunkAt(source, file, symbol.startLine), symbol, share });
  }
  return [...best.values()];
}

/** The chunk with a line, or the one of the whole file. */
export function chunkAt(source: SearchSource, file: IndexedFile, line: number): number {
  for (let chunk = file.firstChunk + 1; chunk < file.firstChunk + file.chunkCount; chunk++) {
    if ((source.places.startLine[chunk] ?? 0) <= line && line <= (source.places.endLine[chunk] ?? 0)) return chunk;
  }
  return file.firstChunk;
}
