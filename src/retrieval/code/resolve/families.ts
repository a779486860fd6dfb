/** Groups of languages that resolve names alike, and the kinds of symbols that they tell apart. */
import type { Language, SymbolFact } from '../symbol.ts';

export type Family =
  | 'python'
  | 'ecmascript'
  | 'go'
  | 'rust'
  | 'java'
  | 'c'
  | 'csharp'
  | 'ruby'
  | 'php'
  | 'bash'
  | 'sql'
  | 'proto'
  | 'text';

const families: Readonly<Record<Language, Family>> = {
  python: 'python',
  notebook: 'python',
  typescript: 'ecmascript',
  tsx: 'ecmascript',
  javascript: 'ecmascript',
  vue: 'ecmascript',
  svelte: 'ecmascript',
  go: 'go',
  rust: 'rust',
  java: 'java',
  c: 'c',
  cpp: 'c',
  csharp: 'csharp',
  ruby: 'ruby',
  php: 'php',
  bash: 'bash',
  sql: 'sql',
  proto: 'proto',
  markdown: 'text',
  openapi: 'text',
  text: 'text',
};

/** Families whose methods name members of their type without `this`. */
export const implicitMembers: ReadonlySet<Family> = new Set(['java', 'c', 'csharp', 'ruby']);
/** Families in which the members of one type stand in several files. */
export const openTypes: ReadonlySet<Family> = new Set(['go', 'rust', 'c', 'csharp', 'ruby']);
const typeKinds: ReadonlySet<string> = new Set(['class', 'interface', 'struct', 'enum', 'trait', 'type']);
const callableKinds: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);

export function familyOf(language: Language): Family {
  return families[language];
}

export function isType(symbol: SymbolFact): boolean {
  return typeKinds.has(symbol.kind);
}

export function isCallable(symbol: SymbolFact): boolean {
  return callableKinds.has(symbol.kind);
}

/** Declared here and defined elsewhere: only C and its kin have that. */
export function isPrototype(symbol: SymbolFact | undefined): boolean {
  return symbol !== undefined && callableKinds.has(symbol.kind) && symbol.signature.endsWith(';');
}
