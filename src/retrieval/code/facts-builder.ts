/**
 * Collects the facts of one file while its tree is walked: declarations, imports, references, and which names are
 * local at each place. A local name never leaves as a reference; what was assigned to it takes its place.
 */
import { hash } from 'node:crypto';
import { codeLimits } from '../../base/limits.ts';
import { chunkText } from './chunks.ts';
import { groupEnd, instanceOf, isBuiltin, isUnknown, unknown } from './expression.ts';
import { LineTable } from './line-table.ts';
import { isCommonMethod } from './resolve/common-methods.ts';
import {
  type ExportFact,
  type Expression,
  type FileFacts,
  type ImportFact,
  type Language,
  type ReferenceFact,
  type ReferenceKind,
  referenceKinds,
  type SymbolFact,
  type SymbolKind,
} from './symbol.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Declaration {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly span: Span;
  /** Where the signature ends: the start of the body, or null when the whole span is the signature. */
  readonly bodyStart?: number | null;
  readonly documentation?: string;
  readonly exported?: boolean;
  readonly type?: Expression | null;
  readonly shape?: string | null;
  /** The symbol it belongs to when that is not the one whose text it stands in (methods of Go, `impl` of Rust). */
  readonly parent?: number | null;
  /** The qualified name of an owner that may be declared in another file. */
  readonly owner?: string;
}

type MutableSymbol = { -readonly [Key in keyof SymbolFact]: SymbolFact[Key] };

interface Frame {
  readonly symbol: number | null;
  /** Null for frames whose names are members, not locals. */
  readonly locals: Map<string, Expression> | null;
}

export class FactsBuilder {
  readonly path: string;
  readonly language: Language;
  readonly text: string;
  module: string | null = null;
  syntaxErrors = 0;
  readonly lines: LineTable;
  readonly #symbols: MutableSymbol[] = [];
  readonly #imports: ImportFact[] = [];
  readonly #exports: ExportFact[] = [];
  readonly #references: ReferenceFact[] = [];
  /** By target: what was referred to from where, as `from * kinds + kind`. Most targets are met from few places. */
  readonly #seenReferences = new Map<Expression, number[]>();
  readonly #occurrences = new Map<string, number>();
  readonly #frames: Frame[] = [{ symbol: null, locals: null }];
  readonly #members = new Map<string, number>();

  constructor(path: string, language: Language, text: string) {
    this.path = path;
    this.language = language;
    this.text = text;
    this.lines = new LineTable(text);
  }

  textOf(span: Span): string {
    return this.text.slice(span.start, span.end);
  }

  /** The symbol in whose text the walk is, or null. */
  get current(): number | null {
    return this.#frames.at(-1)?.symbol ?? null;
  }

  symbol(index: number): Readonly<SymbolFact> {
    const symbol = this.#symbols[index];
    if (symbol === undefined) throw new RangeError(`There is no symbol ${index} in ${this.path}.`);
    return symbol;
  }

  /** The first symbol with this qualified name, or null. */
  find(qualifiedName: string): number | null {
    return this.#members.get(qualifiedName) ?? null;
  }

  /** Whether the names declared here are members or belong to the file, rather than to a function's body. */
  get atMemberLevel(): boolean {
    return this.#frames.at(-1)?.locals === null;
  }

  /** The nearest enclosing symbol of one of these kinds. */
  enclosing(...kinds: readonly SymbolKind[]): number | null {
    let at = this.current;
    while (at !== null) {
      const symbol = this.symbol(at);
      if (kinds.includes(symbol.kind)) return at;
      at = symbol.parent;
    }
    return null;
  }

  declare(declaration: Declaration): number {
    const parent = declaration.parent === undefined ? this.current : declaration.parent;
    const owner = declaration.owner ?? (parent === null ? null : this.symbol(parent).qualifiedName);
    const qualifiedName = owner === null ? declaration.name : `${owner}.${declaration.name}`;
    const occurrence = (this.#occurrences.get(qualifiedName) ?? 0) + 1;
    this.#occurrences.set(qualifiedName, occurrence);
    const { start, end } = declaration.span;
    const index = this.#symbols.length;
    if (occurrence === 1) this.#members.set(qualifiedName, index);
    this.#symbols.push({
      name: declaration.name,
      qualifiedName,
      occurrence,
      kind: declaration.kind,
      parent,
      exported: declaration.exported ?? true,
      signature: oneLine(this.text.slice(start, declaration.bodyStart ?? end), codeLimits.signatureCharsMax),
      documentation: declaration.documentation ?? '',
      startLine: this.lines.lineAt(start),
      endLine: this.lines.lineAt(Math.max(start, end - 1)),
      start,
      end,
      contentHash: hash('sha256', this.text.slice(start, end), 'hex'),
      type: declaration.type ?? null,
      shape: declaration.shape ?? null,
    });
    return index;
  }

  /** Tells what a variable or field holds, where that is learned after its declaration. */
  learnType(index: number, type: Expression): void {
    const symbol = this.#symbols[index];
    if (symbol !== undefined && symbol.type === null && !isUnknown(type)) symbol.type = type;
  }

  markExported(index: number): void {
    const symbol = this.#symbols[index];
    if (symbol !== undefined) symbol.exported = true;
  }

  /** Walks the members of a symbol: what is declared inside belongs to it. */
  insideMembers(symbol: number | null, walk: () => void): void {
    this.#within({ symbol, locals: null }, walk);
  }

  /** Walks a body: what is bound inside is local to it. */
  insideBody(symbol: number | null, walk: () => void): void {
    this.#within({ symbol, locals: new Map() }, walk);
  }

  /** Walks where more is known of local names; what is bound inside stays bound. */
  narrowed(types: ReadonlyMap<string, Expression>, walk: () => void): void {
    const before: (() => void)[] = [];
    for (const [name, type] of types) {
      const locals = this.#frames.findLast((frame) => frame.locals?.has(name))?.locals;
      const held = locals?.get(name);
      if (locals === null || locals === undefined || held === undefined) continue;
      locals.set(name, type);
      before.push(() => {
        if (locals.get(name) === type) locals.set(name, held);
      });
    }
    walk();
    for (const restore of before) restore();
  }

  /** Makes a name local; `type` is what it holds, null when that is unknown. At member level it does nothing. */
  bind(name: string, type: Expression | null): void {
    this.#frames.at(-1)?.locals?.set(name, type ?? unknown);
  }

  bindInstance(name: string, type: Expression | null): void {
    this.bind(name, type === null ? null : instanceOf(type));
  }

  /** What a local name holds, or undefined when the name is not local here. */
  local(name: string): Expression | undefined {
    for (let at = this.#frames.length - 1; at >= 0; at -= 1) {
      const held = this.#frames[at]?.locals?.get(name);
      if (held !== undefined) return held;
    }
    return undefined;
  }

  refer(kind: ReferenceKind, target: Expression, at: number, from: number | null = this.current): void {
    if (target === unknown || isBuiltin(target) || target.endsWith(groupEnd) || (isUnknown(target) && kind !== 'call'))
      return;
    // A call of `append` on something unknown would never be linked.
    if (isUnknown(target) && isCommonMethod(target.slice(target.lastIndexOf('.') + 1))) return;
    const place = ((from ?? -1) + 1) * referenceKinds.length + referenceKinds.indexOf(kind);
    const places = this.#seenReferences.get(target);
    if (places === undefined) this.#seenReferences.set(target, [place]);
    else if (places.includes(place)) return;
    else places.push(place);
    this.#references.push({ kind, target, from, line: this.lines.lineAt(at) });
  }

  import(fact: Omit<ImportFact, 'scope' | 'line' | 'exported' | 'form'> & Partial<ImportFact>, at: number): void {
    this.#imports.push({
      exported: null,
      form: 'module',
      scope: this.current,
      line: this.lines.lineAt(at),
      ...fact,
    });
    // A name that is imported hides a local one of an outer body.
    if (fact.local !== null) this.#frames.at(-1)?.locals?.delete(fact.local);
  }

  export(local: Expression, exported: string): void {
    this.#exports.push({ local, exported });
  }

  finish(contentHash: string): FileFacts {
    return {
      path: this.path,
      language: this.language,
      module: this.module,
      lines: this.lines.count,
      syntaxErrors: this.syntaxErrors,
      contentHash,
      interfaceHash: this.#interfaceHash(),
      symbols: this.#symbols,
      imports: this.#imports,
      exports: this.#exports,
      references: this.#references,
      chunks: chunkText(this.text, this.lines, this.#symbols),
    };
  }

  #within(frame: Frame, walk: () => void): void {
    this.#frames.push(frame);
    walk();
    this.#frames.pop();
  }

  #interfaceHash(): string {
    const visible = {
      language: this.language,
      module: this.module,
      symbols: this.#symbols.map((symbol) => [
        symbol.qualifiedName,
        symbol.occurrence,
        symbol.kind,
        symbol.parent,
        symbol.exported,
        symbol.type,
        symbol.shape,
        // A prototype can be told from a definition by it.
        symbol.signature.endsWith(';'),
      ]),
      imports: this.#imports.map(({ line: _, ...rest }) => rest),
      exports: this.#exports,
      bases: this.#references
        .filter((reference) => reference.kind === 'inherit' || reference.kind === 'implement')
        .map(({ line: _, ...rest }) => rest),
    };
    return hash('sha256', JSON.stringify(visible), 'hex');
  }
}

export function oneLine(text: string, charsMax: number): string {
  // A declaration can be followed by megabytes; four times the limit leaves room for indentation.
  const collapsed = text
    .slice(0, charsMax * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return collapsed.length <= charsMax ? collapsed : `${collapsed.slice(0, charsMax - 1)}…`;
}
