/** What a search found: iterable in the order of relevance, with how it was searched. */
import { type CompactMemory, type Memory, readCompactMemory, readMemory } from './memory.ts';
import type { SearchMode } from './memory-requests.ts';
import { deepFreeze, isObject, listOf, numberOrNull, type Open, type RawObject, text, textOrNull } from './raw.ts';

export interface Hit {
  /** Higher is better. Comparable within one answer; null when the ranking has none. */
  readonly score: number | null;
  /** Whether it answers the question or is merely the least distant. */
  readonly strength: Open<'strong' | 'weak'>;
  /** Why it is there, when asked for. */
  readonly explanation: RawObject | null;
}

export type MemoryHit = Memory & Hit;
export type CompactMemoryHit = CompactMemory & Hit;

export interface SearchAnswer<Found extends Hit> extends Iterable<Found> {
  readonly query: string;
  /** How it was searched in fact. */
  readonly mode: Open<SearchMode>;
  readonly requestedMode: Open<SearchMode>;
  /** Why `mode` is not `requestedMode`, or that nothing strong was found; else null. */
  readonly notice: string | null;
  readonly results: readonly Found[];
  /** What was looked up and what was left out, when asked for. */
  readonly explanation: RawObject | null;
  readonly raw: RawObject;
}

export function readSearchAnswer(raw: RawObject): SearchAnswer<MemoryHit> {
  return answerOf(raw, (hit) => deepFreeze({ ...readMemory(hit), ...hitFields(hit) }));
}

export function readCompactSearchAnswer(raw: RawObject): SearchAnswer<CompactMemoryHit> {
  return answerOf(raw, (hit) => deepFreeze({ ...readCompactMemory(hit), ...hitFields(hit) }));
}

function answerOf<Found extends Hit>(raw: RawObject, read: (hit: RawObject) => Found): SearchAnswer<Found> {
  const results = Object.freeze(listOf(raw, 'results', read));
  return Object.freeze({
    query: text(raw, 'query'),
    mode: text(raw, 'mode'),
    requestedMode: text(raw, 'requested_mode'),
    notice: textOrNull(raw, 'notice'),
    results,
    explanation: explanationOf(raw),
    raw,
    [Symbol.iterator]: () => results[Symbol.iterator](),
  });
}

function hitFields(raw: RawObject): Hit {
  return { score: numberOrNull(raw, 'score'), strength: text(raw, 'strength'), explanation: explanationOf(raw) };
}

function explanationOf(raw: RawObject): RawObject | null {
  const explanation = raw['explanation'];
  return isObject(explanation) ? explanation : null;
}
