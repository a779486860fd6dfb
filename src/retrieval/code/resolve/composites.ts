/** Steps into values that are made of others: elements of collections, parts of tuples, parameters of functions. */
import type { Taken } from '../composite.ts';
import type { Step } from '../expression.ts';
import { sameRef } from './project-view.ts';
import type { Composite, Held, Value } from './value.ts';

/** What the languages themselves have is nothing of the project. */
export const ofTheLanguage: Value = { kind: 'external', name: 'the language' };

type Union = Extract<Composite, { kind: 'union' }>;
type Collection = Extract<Composite, { kind: 'collection' }>;

const givingElement: ReadonlySet<string> = new Set(
  'at pop shift find findLast get popleft setdefault next peek'.split(' '),
);
const givingCollection: ReadonlySet<string> = new Set(
  'filter slice concat reverse sort toReversed toSorted splice copy values'.split(' '),
);
/** Functions that are called with an element as this parameter. */
const takingCallbacks: Readonly<Record<string, readonly number[]>> = {
  forEach: [0],
  map: [0],
  flatMap: [0],
  filter: [0],
  find: [0],
  findIndex: [0],
  findLast: [0],
  findLastIndex: [0],
  some: [0],
  every: [0],
  reduce: [1],
  reduceRight: [1],
  sort: [0, 1],
  toSorted: [0, 1],
};

export function compositeStep(held: Exclude<Composite, Union>, step: Step): Held | null {
  if (step.kind === 'instance') return held;
  if (step.kind === 'call') return held.kind === 'function' ? held.gives : null;
  switch (held.kind) {
    case 'collection':
      return methodOf(held, step.name);
    case 'tuple':
      return ofTheLanguage;
    case 'function':
      return step.name === 'bind'
        ? functionGiving(held)
        : step.name === 'call' || step.name === 'apply'
          ? held
          : ofTheLanguage;
  }
}

/** What stands at a place of a value; null when it is not known. */
export function takenFrom(held: Exclude<Composite, Union>, taken: Taken): Held | null {
  switch (taken.kind) {
    case 'element':
      return held.kind === 'collection' ? held.of : null;
    case 'iterated':
      if (held.kind !== 'collection') return null;
      return held.keyed === 'no' ? held.of : held.keyed === 'pairs' ? pair(held.of) : null;
    case 'part':
      if (held.kind === 'tuple') return held.parts[taken.at] ?? null;
      return held.kind === 'collection' && held.keyed === 'no' ? held.of : null;
    case 'parameter':
      return held.kind === 'function' ? (held.parameters[taken.at] ?? held.rest) : null;
  }
}

/**
 * What a step into each option of a union leads to. An option that lacks it was excluded before; one of which nothing
 * is known may be the one that is meant.
 */
export function unionStep(union: Union, step: (option: Held) => Held | null): Held | null {
  const found: Held[] = [];
  for (const option of union.options) {
    if (option === null) return null;
    const next = step(option);
    if (next === null || next === ofTheLanguage) continue;
    if (next.kind === 'external') return null;
    if (!found.some((one) => isSame(one, next))) found.push(next);
  }
  const [only] = found;
  return only === undefined ? null : found.length === 1 ? only : { kind: 'union', options: found };
}

function isSame(one: Held, other: Held): boolean {
  const isNamed = one.kind === 'symbol' || one.kind === 'instance';
  if (!isNamed || one.kind !== other.kind) return false;
  return sameRef(one.ref, other.ref);
}

/** A function whose only parameter is called with `value`: `then` of a promise. */
export function callingBack(value: Held): Held {
  return functionGiving(null, [functionGiving(null, [value])]);
}

export function functionGiving(gives: Held | null, parameters: readonly (Held | null)[] = []): Composite {
  return { kind: 'function', gives, parameters, rest: null };
}

function methodOf(collection: Collection, name: string): Held {
  const { of } = collection;
  const gives = givingElement.has(name)
    ? of
    : givingCollection.has(name)
      ? { ...collection, keyed: 'no' as const }
      : name === 'entries' || name === 'items'
        ? { kind: 'collection' as const, of: pair(of), keyed: 'no' as const }
        : null;
  const places = Object.hasOwn(takingCallbacks, name) ? takingCallbacks[name] : undefined;
  if (collection.keyed === 'names' && name !== 'values' && name !== 'entries') return of;
  if (gives === null && places === undefined) return ofTheLanguage;
  const callback: (Held | null)[] = [];
  for (const place of places ?? []) callback[place] = of;
  return functionGiving(
    gives,
    places === undefined
      ? []
      : [
          functionGiving(
            null,
            Array.from(callback, (one) => one ?? null),
          ),
        ],
  );
}

function pair(value: Held): Held {
  return { kind: 'tuple', parts: [null, value] };
}
