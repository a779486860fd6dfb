/**
 * Whether stored rows of facts have the form in which they are written. The bytes they come from carry no sum, so a
 * single one that changed can still be JSON: without looking, a wrong kind of value would be met far from here.
 */
import type { TextOnlyReason } from '../code/classify-file.ts';
import {
  type ExportFact,
  type ImportFact,
  type Language,
  languages,
  type ReferenceKind,
  referenceKinds,
  type SymbolKind,
} from '../code/symbol.ts';
import { DamagedIndex } from './damaged-index.ts';

export type Cell = number | string | null | undefined;

const factsFault = 'the facts of a file are garbled';

export function damagedFacts(cause?: unknown): DamagedIndex {
  return new DamagedIndex(factsFault, cause === undefined ? {} : { cause });
}

/** The value of a line of JSON that holds an object. */
export function parsedObject(line: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw damagedFacts(error);
  }
  return objectIn(value);
}

export function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw damagedFacts();
  // An object of JSON has nothing but members of its own.
  return value as Readonly<Record<string, unknown>>;
}

export function numbersIn(value: unknown, perRow: number): readonly number[] {
  const rows = arrayIn(value, perRow);
  for (let at = 0; at < rows.length; at += 1) if (!Number.isInteger(rows[at])) throw damagedFacts();
  return rows as readonly number[];
}

export function textsIn(value: unknown, perRow = 1): readonly string[] {
  const rows = arrayIn(value, perRow);
  for (let at = 0; at < rows.length; at += 1) if (typeof rows[at] !== 'string') throw damagedFacts();
  return rows as readonly string[];
}

export function wordsIn(value: unknown, perRow: number): readonly (string | null)[] {
  const rows = arrayIn(value, perRow);
  for (let at = 0; at < rows.length; at += 1) {
    if (rows[at] !== null && typeof rows[at] !== 'string') throw damagedFacts();
  }
  return rows as readonly (string | null)[];
}

export function cellsIn(value: unknown, perRow: number): readonly Cell[] {
  const rows = arrayIn(value, perRow);
  for (const cell of rows) {
    if (cell !== null && typeof cell !== 'string' && !Number.isInteger(cell)) throw damagedFacts();
  }
  return rows as readonly Cell[];
}

export function exportsIn(value: unknown): readonly ExportFact[] {
  return arrayIn(value, 1).map((one) => {
    const { local, exported } = objectIn(one);
    return { local: textIn(local), exported: textIn(exported) };
  });
}

function arrayIn(value: unknown, perRow: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length % perRow !== 0) throw damagedFacts();
  return value;
}

export function textIn(value: unknown): string {
  if (typeof value !== 'string') throw damagedFacts();
  return value;
}

export function textOrNullIn(value: unknown): string | null {
  return value === null ? null : textIn(value);
}

/** A number that is 0 at least. */
export function countIn(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw damagedFacts();
  return value;
}

export function languageIn(value: unknown): Language {
  const language = languages.find((one) => one === value);
  if (language === undefined) throw damagedFacts();
  return language;
}

export function textOnlyIn(value: unknown): TextOnlyReason | null {
  return value === null ? null : memberIn(textOnlyReasons, value);
}

export function symbolKindIn(value: unknown): SymbolKind {
  return memberIn(symbolKinds, value);
}

export function importFormIn(value: unknown): ImportFact['form'] {
  return memberIn(importForms, value);
}

export function referenceKindIn(value: unknown): ReferenceKind {
  const kind = referenceKinds.find((one) => one === value);
  if (kind === undefined) throw damagedFacts();
  return kind;
}

function memberIn<Member extends string>(members: Readonly<Record<Member, true>>, value: unknown): Member {
  if (typeof value !== 'string' || !isMember(members, value)) throw damagedFacts();
  return value;
}

function isMember<Member extends string>(members: Readonly<Record<Member, true>>, text: string): text is Member {
  return Object.hasOwn(members, text);
}

const symbolKinds: Readonly<Record<SymbolKind, true>> = {
  namespace: true,
  class: true,
  interface: true,
  struct: true,
  enum: true,
  trait: true,
  type: true,
  function: true,
  method: true,
  constructor: true,
  property: true,
  field: true,
  variable: true,
  constant: true,
  'enum-member': true,
  macro: true,
  section: true,
  endpoint: true,
  schema: true,
  channel: true,
  table: true,
  view: true,
  index: true,
  trigger: true,
  message: true,
  service: true,
  rpc: true,
};

const textOnlyReasons: Readonly<Record<TextOnlyReason, true>> = {
  generated: true,
  minified: true,
  'too-long-to-parse': true,
  'parser-gave-up': true,
};

const importForms: Readonly<Record<ImportFact['form'], true>> = {
  module: true,
  include: true,
  dynamic: true,
  type: true,
};
