/**
 * The facts of a file as compact JSON: rows of values without their names, one after the other, and every text that
 * comes again only once. Half as long as the objects would be, and read in half the time.
 *
 * The first line is the outline: all that linking and the table of nodes look at. The second is what it lacks.
 */
import { codeLimits } from '../../base/limits.ts';
import type { TextOnlyReason } from '../code/classify-file.ts';
import type {
  ExportFact,
  FileFacts,
  ImportFact,
  ReferenceFact,
  ReferenceKind,
  SymbolFact,
  SymbolKind,
  TextChunk,
} from '../code/symbol.ts';
import { firstSentence } from '../search/first-sentence.ts';

export interface StoredFacts {
  readonly facts: FileFacts;
  readonly textOnly: TextOnlyReason | null;
  /** Of the text, in tokens of a model, estimated from its characters. */
  readonly tokens: number;
  /**
   * What a document holds, where the file itself shows it to nobody: the lines of its facts count in this. Only of a
   * file whose language is `text`.
   */
  readonly text?: string;
}

/** No symbol, where the index of one is meant. */
const none = -1;

interface Outline {
  readonly head: Omit<FileFacts, 'symbols' | 'imports' | 'exports' | 'references' | 'chunks'>;
  readonly textOnly: TextOnlyReason | null;
  readonly tokens: number;
  /** Every kind, target and module once; the rows name them by their position. */
  readonly texts: readonly string[];
  /** Twelve numbers for each symbol, see `writeSymbols`. */
  readonly symbols: readonly number[];
  /** Name, qualified name when it is not that of the parent and the name, first sentence, signature, type, shape. */
  readonly words: readonly (string | null)[];
  readonly imports: readonly (number | string | null)[];
  readonly exports: readonly ExportFact[];
  /** Kind, target, symbol and line for each. */
  readonly references: readonly number[];
}

interface Rest {
  /** Symbol, start, length, first line and further lines for each. */
  readonly chunks: readonly number[];
  /** Content hash, documentation and signature of each symbol. */
  readonly symbols: readonly string[];
  readonly text?: string;
}

export function writeFacts(stored: StoredFacts): { readonly outline: string; readonly lines: string } {
  const outline = JSON.stringify(outlineOf(stored));
  return { outline, lines: `${outline}\n${JSON.stringify(restOf(stored))}` };
}

/** The outline: chunks are missing, content hashes are empty, documentation and signatures are cut. */
export function readOutline(line: string): StoredFacts {
  // Written by `writeFacts` of the same version, which the key of the parts says.
  const outline: Outline = JSON.parse(line);
  const { head, textOnly, tokens, texts } = outline;
  const facts: FileFacts = {
    ...head,
    symbols: readSymbols(outline),
    imports: readImports(outline.imports, texts),
    exports: outline.exports,
    // Made when they are asked for: only linking looks at them, at one file after the other, and they are many.
    get references() {
      return readReferences(outline.references, texts);
    },
    chunks: [],
  };
  return { facts, textOnly, tokens };
}

/** Both lines. */
export function readFacts(lines: string): StoredFacts {
  const end = lines.indexOf('\n');
  const outline = readOutline(lines.slice(0, end));
  const rest: Rest = JSON.parse(lines.slice(end + 1));
  const symbols = outline.facts.symbols.map((symbol, index) => ({
    ...symbol,
    contentHash: rest.symbols[index * 3] ?? '',
    documentation: rest.symbols[index * 3 + 1] ?? '',
    signature: rest.symbols[index * 3 + 2] ?? '',
  }));
  const text = rest.text === undefined ? {} : { text: rest.text };
  return { ...outline, facts: { ...outline.facts, symbols, chunks: readChunks(rest.chunks) }, ...text };
}

/** Gives every text its position. */
class Texts {
  readonly list: string[] = [];
  readonly #positions = new Map<string, number>();

  of(text: string): number {
    const known = this.#positions.get(text);
    if (known !== undefined) return known;
    const position = this.list.length;
    this.list.push(text);
    this.#positions.set(text, position);
    return position;
  }
}

function outlineOf({ facts, textOnly, tokens }: StoredFacts): Outline {
  const { symbols, imports, exports, references, chunks: _, ...head } = facts;
  const texts = new Texts();
  const rows: number[] = [];
  for (const { kind, target, from, line } of references) {
    rows.push(texts.of(kind), texts.of(target), from ?? none, line);
  }
  return {
    head,
    textOnly,
    tokens,
    ...writeSymbols(symbols, texts),
    imports: imports.flatMap((one) => [
      texts.of(one.specifier),
      one.imported,
      one.local,
      one.exported,
      one.scope ?? none,
      one.line,
      texts.of(one.form),
    ]),
    exports,
    references: rows,
    texts: texts.list,
  };
}

function writeSymbols(symbols: readonly SymbolFact[], texts: Texts): Pick<Outline, 'symbols' | 'words'> {
  const rows: number[] = [];
  const words: (string | null)[] = [];
  for (const symbol of symbols) {
    rows.push(
      texts.of(symbol.kind),
      symbol.occurrence,
      symbol.parent ?? none,
      symbol.exported ? 1 : 0,
      symbol.startLine,
      symbol.endLine - symbol.startLine,
      symbol.start,
      symbol.end - symbol.start,
    );
    words.push(
      symbol.name,
      symbol.qualifiedName === qualified(symbols, symbol) ? null : symbol.qualifiedName,
      firstSentence(symbol.documentation),
      shortSignature(symbol.signature),
      symbol.type,
      symbol.shape,
    );
  }
  return { symbols: rows, words };
}

/** What a symbol is called when only its parent and its own name count. */
function qualified(
  symbols: readonly Pick<SymbolFact, 'qualifiedName'>[],
  { parent, name }: Pick<SymbolFact, 'parent' | 'name'>,
): string {
  const owner = parent === null ? undefined : symbols[parent];
  return owner === undefined ? name : `${owner.qualifiedName}.${name}`;
}

function readSymbols({ symbols: rows, words, texts }: Outline): readonly SymbolFact[] {
  const symbols: SymbolFact[] = [];
  for (let at = 0, word = 0; at < rows.length; at += 8, word += 6) {
    const name = words[word] ?? '';
    const parent = symbolAt(rows[at + 2]);
    const startLine = rows[at + 4] ?? 0;
    const start = rows[at + 6] ?? 0;
    symbols.push({
      name,
      qualifiedName: words[word + 1] ?? qualified(symbols, { parent, name }),
      occurrence: rows[at + 1] ?? 1,
      kind: textAt<SymbolKind>(texts, rows[at]),
      parent,
      exported: rows[at + 3] === 1,
      signature: words[word + 3] ?? '',
      documentation: words[word + 2] ?? '',
      startLine,
      endLine: startLine + (rows[at + 5] ?? 0),
      start,
      end: start + (rows[at + 7] ?? 0),
      contentHash: '',
      type: words[word + 4] ?? null,
      shape: words[word + 5] ?? null,
    });
  }
  return symbols;
}

function readImports(rows: Outline['imports'], texts: readonly string[]): readonly ImportFact[] {
  const imports: ImportFact[] = [];
  for (let at = 0; at < rows.length; at += 7) {
    imports.push({
      specifier: textAt<string>(texts, rows[at]),
      imported: wordAt(rows[at + 1]),
      local: wordAt(rows[at + 2]),
      exported: wordAt(rows[at + 3]),
      scope: symbolAt(rows[at + 4]),
      line: Number(rows[at + 5]),
      form: textAt<ImportFact['form']>(texts, rows[at + 6]),
    });
  }
  return imports;
}

function readReferences(rows: readonly number[], texts: readonly string[]): readonly ReferenceFact[] {
  const references: ReferenceFact[] = [];
  for (let at = 0; at < rows.length; at += 4) {
    references.push({
      kind: textAt<ReferenceKind>(texts, rows[at]),
      target: textAt<string>(texts, rows[at + 1]),
      from: symbolAt(rows[at + 2]),
      line: rows[at + 3] ?? 0,
    });
  }
  return references;
}

function restOf({ facts, text }: StoredFacts): Rest {
  return {
    chunks: facts.chunks.flatMap(({ symbol, start, end, startLine, endLine }) => [
      symbol ?? none,
      start,
      end - start,
      startLine,
      endLine - startLine,
    ]),
    symbols: facts.symbols.flatMap(({ contentHash, documentation, signature }) => [
      contentHash,
      documentation,
      signature,
    ]),
    ...(text === undefined ? {} : { text }),
  };
}

function readChunks(rows: readonly number[]): readonly TextChunk[] {
  const chunks: TextChunk[] = [];
  for (let at = 0; at < rows.length; at += 5) {
    const start = rows[at + 1] ?? 0;
    const startLine = rows[at + 3] ?? 0;
    chunks.push({
      symbol: symbolAt(rows[at]),
      start,
      end: start + (rows[at + 2] ?? 0),
      startLine,
      endLine: startLine + (rows[at + 4] ?? 0),
    });
  }
  return chunks;
}

type Cell = number | string | null | undefined;

function symbolAt(cell: Cell): number | null {
  return typeof cell === 'number' && cell !== none ? cell : null;
}

function wordAt(cell: Cell): string | null {
  return typeof cell === 'string' ? cell : null;
}

/** `Text` is the union that the position was written for. */
function textAt<Text extends string>(texts: readonly string[], cell: Cell): Text {
  const text = texts[Number(cell)];
  if (text === undefined) throw new Error('The facts of a file in the index name a text that they do not hold.');
  return text as Text;
}

/** Cut, but never losing the end by which a prototype is told from a definition. */
function shortSignature(signature: string): string {
  if (signature.length <= codeLimits.shownSignatureCharsMax) return signature;
  const cut = `${signature.slice(0, codeLimits.shownSignatureCharsMax - 2)}…`;
  return signature.endsWith(';') ? `${cut};` : cut;
}
