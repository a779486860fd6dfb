/**
 * What is known of one source file, and the ids of what is in it.
 *
 * Facts are a function of the file's bytes and its path alone: nothing here knows another file, the time or the
 * machine. Lines count from 1, offsets count UTF-16 units of the decoded text, ends are exclusive.
 */

export const languages = [
  'python',
  'typescript',
  'tsx',
  'javascript',
  'go',
  'rust',
  'java',
  'c',
  'cpp',
  'csharp',
  'ruby',
  'php',
  'bash',
  'markdown',
  'openapi',
  'sql',
  'proto',
  'vue',
  'svelte',
  'notebook',
  'text',
] as const;
export type Language = (typeof languages)[number];

export type SymbolKind =
  | 'namespace'
  | 'class'
  | 'interface'
  | 'struct'
  | 'enum'
  | 'trait'
  | 'type'
  | 'function'
  | 'method'
  | 'constructor'
  | 'property'
  | 'field'
  | 'variable'
  | 'constant'
  | 'enum-member'
  | 'macro'
  | 'section'
  | 'endpoint'
  | 'schema'
  | 'channel'
  | 'table'
  | 'view'
  | 'index'
  | 'trigger'
  | 'message'
  | 'service'
  | 'rpc';

/** A path of names as written, with what is known of local variables put in: see `expression.ts`. */
export type Expression = string;

export interface SymbolFact {
  readonly name: string;
  /** Names from the outermost symbol of the file inward, joined by dots: `Flask.run`. */
  readonly qualifiedName: string;
  /** Which one of those with the same qualified name this is, from 1 in the order of the text. */
  readonly occurrence: number;
  readonly kind: SymbolKind;
  /** Index of the enclosing symbol in `symbols`, or null at the top of the file. */
  readonly parent: number | null;
  /** Whether other files can name it. */
  readonly exported: boolean;
  /** The declaration without its body, on one line. */
  readonly signature: string;
  /** Docstring or leading comment without its marks; empty when there is none. */
  readonly documentation: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly start: number;
  readonly end: number;
  /** SHA-256 of the text between `start` and `end`, in hexadecimal. */
  readonly contentHash: string;
  /** What a use gives: the value of a variable or field, the result of a call. Null when it is not written. */
  readonly type: Expression | null;
  /**
   * Parameter and result types, where a language compares methods by them (Go); else what its parameters are, as a
   * tuple of `composite.ts` (TypeScript, Python). Null when nothing is known of them.
   */
  readonly shape: string | null;
}

export interface ImportFact {
  /** As written, without quotes: `./app`, `flask.json`, `crate::net`, `stdio.h`. */
  readonly specifier: string;
  /** The name taken out of the module, `*` for all of them, null for the module itself. */
  readonly imported: string | null;
  /** The name it gets here, or null when it gets none. */
  readonly local: string | null;
  /** The name under which it is passed on, `*` for all of them, or null. */
  readonly exported: string | null;
  /** The symbol in whose body it stands, or null at the top of the file. */
  readonly scope: number | null;
  readonly line: number;
  /** How the text asks for it. `include` is resolved by file, `module` by the rules of the language. */
  readonly form: 'module' | 'include' | 'dynamic' | 'type';
}

/** A name of this file that other files know under another one: `export { a as b }`, `export default a`. */
export interface ExportFact {
  readonly local: Expression;
  readonly exported: string;
}

export const referenceKinds = ['call', 'inherit', 'implement', 'decorate', 'reference', 'type'] as const;
export type ReferenceKind = (typeof referenceKinds)[number];

export interface ReferenceFact {
  readonly kind: ReferenceKind;
  readonly target: Expression;
  /** The symbol in whose text it stands, or null for the file itself. */
  readonly from: number | null;
  readonly line: number;
}

/** A piece of the text that is searched as one: a definition, a part of a long one, or what lies between. */
export interface TextChunk {
  readonly symbol: number | null;
  readonly start: number;
  readonly end: number;
  readonly startLine: number;
  readonly endLine: number;
}

export interface FileFacts {
  readonly path: string;
  readonly language: Language;
  /** The package or namespace the file says it belongs to (Go, Java, C#, PHP, proto), or null. */
  readonly module: string | null;
  readonly lines: number;
  /** Places the grammar could not read; symbols around them are kept. */
  readonly syntaxErrors: number;
  /** Of the bytes. */
  readonly contentHash: string;
  /** Of all that links of other files can see: unchanged when only bodies, lines or comments changed. */
  readonly interfaceHash: string;
  readonly symbols: readonly SymbolFact[];
  readonly imports: readonly ImportFact[];
  readonly exports: readonly ExportFact[];
  readonly references: readonly ReferenceFact[];
  readonly chunks: readonly TextChunk[];
}

/** The id of a file: its path with `/`, from the root of the project. */
export function fileId(path: string): string {
  return `file:${path}`;
}

/** The id of a symbol: path, qualified name, and a number only where two share both. It holds no line. */
export function symbolId(path: string, symbol: Pick<SymbolFact, 'qualifiedName' | 'occurrence'>): string {
  const suffix = symbol.occurrence === 1 ? '' : `~${symbol.occurrence}`;
  return `symbol:${path}#${symbol.qualifiedName}${suffix}`;
}

/** The id of a folder that is a package (Go). The root of the project is `package:.`. */
export function packageId(directory: string): string {
  return `package:${directory === '' ? '.' : directory}`;
}

/** The id of something outside the project, as it was asked for. */
export function externalId(name: string): string {
  return `external:${name}`;
}
