/**
 * The facts of a file as compact JSON: rows of values without their names, one after the other, and every text that
 * comes again only once. Half as long as the objects would be, and read in half the time.
 *
 * The first line is the outline: all that linking and the table of nodes look at. The second is what it lacks. Any other
 * lines end in `DamagedIndex`.
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
  TextChunk,
} from '../code/symbol.ts';
import { firstSentence } from '../search/first-sentence.ts';
import {
  type Cell,
  cellsIn,
  countIn,
  damagedFacts,
  exportsIn,
  importFormIn,
  languageIn,
  numbersIn,
  objectIn,
  parsedObject,
  referenceKindIn,
  symbolKindIn,
  textIn,
  textOnlyIn,
  textOrNullIn,
  textsIn,
  wordsIn,
} from './facts-shape.ts';

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
  /** Eight numbers for each symbol, see `writeSymbols`. */
  readonly symbols: readonly number[];
  /** Name, qualified name when it is not that of the parent and the name, first sentence, signature, type, shape. */
  readonly words: readonly (string | null)[];
  readonly imports: readonly Cell[];
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
  const outline = parsedObject(line);
  const texts = textsIn(outline['texts']);
  const symbols = readSymbols(numbersIn(outline['symbols'], 8), wordsIn(outline['words'], 6), texts);
  const references = numbersIn(outline['references'], 4);
  const facts: FileFacts = {
    ...readHead(objectIn(outline['head'])),
    symbols,
    imports: readImports(cellsIn(outline['imports'], 7), texts, symbols.length),
    exports: exportsIn(outline['exports']),
    // Made when they are asked for: only linking looks at them, at one file after the other, and they are many.
    get references() {
      return readReferences(references, texts, symbols.length);
    },
    chunks: [],
  };
  return { facts, textOnly: textOnlyIn(outline['textOnly']), tokens: countIn(outline['tokens']) };
}

/** Both lines. */
export function readFacts(lines: string): StoredFacts {
  const end = lines.indexOf('\n');
  const outline = readOutline(lines.slice(0, Math.max(0, end)));
  const rest = parsedObject(lines.slice(end + 1));
  const words = textsIn(rest['symbols'], 3);
  if (words.length !== outline.facts.symbols.length * 3) throw damagedFacts();
  const symbols = outline.facts.symbols.map((symbol, index) => ({
    ...symbol,
    contentHash: words[index * 3] ?? '',
    documentation: words[index * 3 + 1] ?? '',
    signature: words[index * 3 + 2] ?? '',
  }));
  const text = rest['text'] === undefined ? {} : { text: textIn(rest['text']) };
  const chunks = readChunks(numbersIn(rest['chunks'], 5), symbols.length);
  return { ...outline, facts: { ...outline.facts, symbols, chunks }, ...text };
}

function readHead(head: Readonly<Record<string, unknown>>): Outline['head'] {
  return {
    path: textIn(head['path']),
    language: languageIn(head['language']),
    module: textOrNullIn(head['module']),
    lines: countIn(head['lines']),
    syntaxErrors: countIn(head['syntaxErrors']),
    contentHash: textIn(head['contentHash']),
    interfaceHash: textIn(head['interfaceHash']),
  };
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

function readSymbols(
  rows: readonly number[],
  words: readonly (string | null)[],
  texts: readonly string[],
): readonly SymbolFact[] {
  if (words.length * 8 !== rows.length * 6) throw damagedFacts();
  const symbols: SymbolFact[] = [];
  for (let at = 0, word = 0; at < rows.length; at += 8, word += 6) {
    const name = words[word] ?? '';
    // A parent stands before its members: who climbs from one to the next comes to an end.
    const parent = symbolAt(rows[at + 2], symbols.length);
    const startLine = countIn(rows[at + 4]);
    const start = countIn(rows[at + 6]);
    symbols.push({
      name,
      qualifiedName: words[word + 1] ?? qualified(symbols, { parent, name }),
      occurrence: countIn(rows[at + 1]),
      kind: symbolKindIn(textAt(texts, rows[at])),
      parent,
      exported: rows[at + 3] === 1,
      signature: words[word + 3] ?? '',
      documentation: words[word + 2] ?? '',
      startLine,
      endLine: startLine + countIn(rows[at + 5]),
      start,
      end: start + countIn(rows[at + 7]),
      contentHash: '',
      type: words[word + 4] ?? null,
      shape: words[word + 5] ?? null,
    });
  }
  return symbols;
}

function readImports(rows: readonly Cell[], texts: readonly string[], symbolCount: number): readonly ImportFact[] {
  const imports: ImportFact[] = [];
  for (let at = 0; at < rows.length; at += 7) {
    imports.push({
      specifier: textAt(texts, rows[at]),
      imported: wordAt(rows[at + 1]),
      local: wordAt(rows[at + 2]),
      exported: wordAt(rows[at + 3]),
      scope: symbolAt(rows[at + 4], symbolCount),
      line: countIn(rows[at + 5]),
      form: importFormIn(textAt(texts, rows[at + 6])),
    });
  }
  return imports;
}

function readReferences(
  rows: readonly number[],
  texts: readonly string[],
  symbolCount: number,
): readonly ReferenceFact[] {
  const references: ReferenceFact[] = [];
  // Few kinds stand for many references.
  const kinds: ReferenceKind[] = [];
  for (let at = 0; at < rows.length; at += 4) {
    const position = rows[at] ?? none;
    const kind = kinds[position] ?? referenceKindIn(textAt(texts, position));
    kinds[position] = kind;
    references.push({
      kind,
      target: textAt(texts, rows[at + 1]),
      from: symbolAt(rows[at + 2], symbolCount),
      line: countIn(rows[at + 3]),
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

function readChunks(rows: readonly number[], symbolCount: number): readonly TextChunk[] {
  const chunks: TextChunk[] = [];
  for (let at = 0; at < rows.length; at += 5) {
    const start = countIn(rows[at + 1]);
    const startLine = countIn(rows[at + 3]);
    chunks.push({
      symbol: symbolAt(rows[at], symbolCount),
      start,
      end: start + countIn(rows[at + 2]),
      startLine,
      endLine: startLine + countIn(rows[at + 4]),
    });
  }
  return chunks;
}

/** One of the first `count` symbols, or none. */
function symbolAt(cell: Cell, count: number): number | null {
  if (cell === none) return null;
  const symbol = countIn(cell);
  if (symbol >= count) throw damagedFacts();
  return symbol;
}

function wordAt(cell: Cell): string | null {
  if (typeof cell === 'number') throw damagedFacts();
  return cell ?? null;
}

function textAt(texts: readonly string[], cell: Cell): string {
  const text = typeof cell === 'number' ? texts[cell] : undefined;
  if (text === undefined) throw damagedFacts();
  return text;
}

/** Cut, but never losing the end by which a prototype is told from a definition. */
function shortSignature(signature: string): string {
  if (signature.length <= codeLimits.shownSignatureCharsMax) return signature;
  const cut = `${signature.slice(0, codeLimits.shownSignatureCharsMax - 2)}…`;
  return signature.endsWith(';') ? `${cut};` : cut;
}
