/**
 * Which chunks have a vector, and from which short text: what a symbol is called, where it is, and what is said of it.
 * Bodies are left out: in a sum of word vectors they drown the rest.
 */
import { searchLimits } from '../../base/limits.ts';
import type { FileFacts, SymbolFact } from '../code/symbol.ts';
import { leadingDocumentation } from './leading-documentation.ts';

export interface VectorText {
  /** Position of the chunk in the file, as in `FileTerms`. */
  readonly chunk: number;
  readonly text: string;
}

/** The file itself, and the first chunk of every symbol. Positions ascend. */
export function vectorTexts(facts: FileFacts, text: string): readonly VectorText[] {
  const where = words(facts.path.replace(/\.\w+$/, ''));
  const texts: VectorText[] = [{ chunk: 0, text: short([...where, ...words(leadingDocumentation(facts, text))]) }];
  const begun = new Set<number>();
  facts.chunks.forEach((chunk, index) => {
    const symbol = chunk.symbol === null ? undefined : facts.symbols[chunk.symbol];
    if (symbol === undefined || chunk.symbol === null || begun.has(chunk.symbol)) return;
    begun.add(chunk.symbol);
    texts.push({ chunk: index + 1, text: symbolText(symbol, where, text.slice(chunk.start, chunk.end)) });
  });
  return texts;
}

function symbolText(symbol: SymbolFact, where: readonly string[], body: string): string {
  const named = words(symbol.qualifiedName);
  const module = where.slice(-2);
  // A section of a document is known by its text, which nothing else sums up.
  const said = symbol.kind === 'section' ? body : symbol.documentation;
  return short([...named, 'in', 'module', ...module, ...words(said).slice(0, 24), ...words(symbol.signature)]);
}

function short(list: readonly string[]): string {
  return list.slice(0, searchLimits.vectorWordsMax).join(' ');
}

/** Words as the embedder takes them apart, without marks. */
function words(text: string): readonly string[] {
  return text.slice(0, 2_000).match(/[\p{L}\p{N}]+/gu) ?? [];
}
