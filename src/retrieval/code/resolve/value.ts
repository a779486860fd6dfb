/** What an expression stands for. */
import type { Keyed } from '../composite.ts';
import type { InnerModule, Module } from './module.ts';
import type { SymbolRef } from './project-view.ts';

export type Value =
  | { readonly kind: 'symbol'; readonly ref: SymbolRef; readonly confidence: number }
  /** A value of a type. */
  | { readonly kind: 'instance'; readonly ref: SymbolRef; readonly confidence: number }
  | { readonly kind: 'module'; readonly module: InnerModule; readonly confidence: number }
  | { readonly kind: 'external'; readonly name: string };

/** A value that is made of others. It is nothing that can be referred to. */
export type Composite =
  /** Any number of `of`; `keyed` says how they are reached, see `composite.ts`. */
  | { readonly kind: 'collection'; readonly of: Held; readonly keyed: Keyed }
  | { readonly kind: 'tuple'; readonly parts: readonly (Held | null)[] }
  /** One of at least two. */
  | { readonly kind: 'union'; readonly options: readonly (Held | null)[] }
  | {
      readonly kind: 'function';
      readonly gives: Held | null;
      readonly parameters: readonly (Held | null)[];
      /** What each further parameter is. */
      readonly rest: Held | null;
    };

export type Held = Value | Composite;

const compositeKinds: ReadonlySet<string> = new Set<Composite['kind']>(['collection', 'tuple', 'function', 'union']);

export function isComposite(held: Held): held is Composite {
  return compositeKinds.has(held.kind);
}

/** The value itself, or null for one that is made of others. */
export function simple(held: Held | null): Value | null {
  return held === null || isComposite(held) ? null : held;
}

export function moduleValue(module: Module | null, name: string, confidence: number): Value | null {
  if (module === null) return null;
  if (module.kind === 'external') return { kind: 'external', name: module.name === '' ? name : module.name };
  return { kind: 'module', module, confidence };
}

export function weaker(value: Value, factor: number): Value {
  return value.kind === 'external' ? value : { ...value, confidence: value.confidence * factor };
}

export function weakerOrNull(held: Held | null, factor: number): Held | null {
  if (held === null) return null;
  switch (held.kind) {
    case 'collection':
      return { ...held, of: weakerOrNull(held.of, factor) ?? held.of };
    case 'tuple':
      return { ...held, parts: held.parts.map((part) => weakerOrNull(part, factor)) };
    case 'union':
      return { ...held, options: held.options.map((option) => weakerOrNull(option, factor)) };
    case 'function':
      return { ...held, gives: weakerOrNull(held.gives, factor) };
    default:
      return weaker(held, factor);
  }
}
