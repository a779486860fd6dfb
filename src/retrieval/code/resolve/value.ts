/** What an expression stands for. */
import type { InnerModule, Module } from './module.ts';
import type { SymbolRef } from './project-view.ts';

export type Value =
  | { readonly kind: 'symbol'; readonly ref: SymbolRef; readonly confidence: number }
  /** A value of a type. */
  | { readonly kind: 'instance'; readonly ref: SymbolRef; readonly confidence: number }
  | { readonly kind: 'module'; readonly module: InnerModule; readonly confidence: number }
  | { readonly kind: 'external'; readonly name: string };

export function moduleValue(module: Module | null, name: string, confidence: number): Value | null {
  if (module === null) return null;
  if (module.kind === 'external') return { kind: 'external', name: module.name === '' ? name : module.name };
  return { kind: 'module', module, confidence };
}

export function weaker(value: Value, factor: number): Value {
  return value.kind === 'external' ? value : { ...value, confidence: value.confidence * factor };
}

export function weakerOrNull(value: Value | null, factor: number): Value | null {
  return value === null ? null : weaker(value, factor);
}
