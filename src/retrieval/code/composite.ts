/**
 * Expressions for values that are made of others, and for what is taken out of them.
 *
 *   ⟨A{}¦B{}⟩       both of them: a tuple, the results of a function of Go, the parameters of a function
 *   ⟨=R{}¦A{}¦*B{}⟩  a function of an A and any number of Bs that gives an R
 *   ⟨|A{}¦B{}⟩       one of them: a union
 *   X{}.[]          a list of X; `X{}.[keys]` is iterated by key (Python, Go), `X{}.[pairs]` by pair;
 *                   the values of `X{}.[names]` have names (both JavaScript)
 *   x.[i]           the value at a place of x
 *   x.[~]           what iterating over x gives
 *   x.[1]           the second part of x
 *   x.[$0]          the first parameter of x
 *
 * Parts that are not known are `?`.
 */
import { codeLimits } from '../../base/limits.ts';
import { groupEnd, groupStart, isUnknown, member, type Step, unknown } from './expression.ts';
import type { Expression } from './symbol.ts';

const separator = '¦';
const functionMark = '=';
const unionMark = '|';
const restMark = '*';

export type Keyed = 'no' | 'keys' | 'pairs' | 'names';

const collectionMarks: Readonly<Record<Keyed, string>> = {
  no: '[]',
  keys: '[keys]',
  pairs: '[pairs]',
  names: '[names]',
};

/** What is taken out of a value by its place rather than by its name. */
export type Taken =
  | { readonly kind: 'element' }
  | { readonly kind: 'iterated' }
  | { readonly kind: 'part'; readonly at: number }
  | { readonly kind: 'parameter'; readonly at: number };

export function collectionOf(element: Expression | null, keyed: Keyed = 'no'): Expression | null {
  return element === null || element === unknown ? null : member(element, collectionMarks[keyed]);
}

export function elementOf(base: Expression): Expression {
  return take(base, '[i]');
}

export function iterated(base: Expression): Expression {
  return take(base, '[~]');
}

export function partAt(base: Expression, at: number): Expression {
  return take(base, `[${at}]`);
}

export function parameterAt(base: Expression, at: number): Expression {
  return take(base, `[$${at}]`);
}

/** Null when nothing is known of any part, or when it would be too long. */
export function tupleOf(parts: readonly (Expression | null)[]): Expression | null {
  const written = parts.map((part) => part ?? unknown);
  if (written.every((part) => part.endsWith(unknown))) return null;
  const group = `${groupStart}${written.join(separator)}${groupEnd}`;
  return group.length > codeLimits.expressionCharsMax ? null : group;
}

export function functionOf(gives: Expression | null, parameters: readonly (Expression | null)[]): Expression | null {
  return tupleOf([`${functionMark}${gives ?? unknown}`, ...parameters]);
}

/** One of several; those of which nothing is known make it unknown. */
export function unionOf(options: readonly (Expression | null)[]): Expression | null {
  const known = [...new Set(options)];
  const [only] = known;
  if (only === undefined || known.some((option) => option === null || option === unknown)) return null;
  return known.length === 1 ? only : tupleOf([`${unionMark}${only}`, ...known.slice(1)]);
}

/** A parameter that stands for any number of them; `list` is what the body sees. */
export function restOf(list: Expression | null): Expression | null {
  const mark = `.${collectionMarks.no}`;
  return list?.endsWith(mark) === true ? `${restMark}${list.slice(0, -mark.length)}` : null;
}

export function isRest(parameter: Expression): boolean {
  return parameter.startsWith(restMark);
}

export interface Group {
  readonly kind: 'tuple' | 'function' | 'union';
  /** What a function gives. */
  readonly gives: Expression;
  readonly parts: readonly Expression[];
  /** What each further parameter is, or null. */
  readonly rest: Expression | null;
}

export function parseGroup(group: Expression): Group {
  const parts: Expression[] = [];
  let depth = 0;
  let from = 1;
  for (let at = 1; at < group.length; at += 1) {
    const sign = group[at];
    if ((sign === separator && depth === 0) || at === group.length - 1) {
      parts.push(group.slice(from, at));
      from = at + 1;
    } else if (sign === groupStart) depth += 1;
    else if (sign === groupEnd) depth -= 1;
  }
  const first = parts[0] ?? unknown;
  const kind = first.startsWith(functionMark) ? 'function' : first.startsWith(unionMark) ? 'union' : 'tuple';
  if (kind === 'union') parts[0] = first.slice(unionMark.length);
  const last = parts.at(-1);
  const rest = last?.startsWith(restMark) === true ? last.slice(restMark.length) : null;
  return {
    kind,
    gives: kind === 'function' ? first.slice(functionMark.length) : unknown,
    parts: parts.slice(kind === 'function' ? 1 : 0, rest === null ? undefined : -1),
    rest,
  };
}

/** Whether a step makes a collection of what stands before it. */
export function collectionMade(step: Step): Keyed | null {
  if (step.kind !== 'member' || !step.name.startsWith('[')) return null;
  for (const keyed of ['no', 'keys', 'pairs', 'names'] as const) if (step.name === collectionMarks[keyed]) return keyed;
  return null;
}

export function taken(step: Step): Taken | null {
  if (step.kind !== 'member' || !step.name.startsWith('[')) return null;
  if (step.name === '[i]') return { kind: 'element' };
  if (step.name === '[~]') return { kind: 'iterated' };
  const at = /^\[(\$?)(\d+)\]$/.exec(step.name);
  return at === null ? null : { kind: at[1] === '$' ? 'parameter' : 'part', at: Number(at[2]) };
}

/** Whether an expression has a composite or a place in it: when that leads nowhere, nothing is known. */
export function takesByPlace(expression: Expression): boolean {
  return expression.includes('.[') || expression.startsWith(groupStart);
}

function take(base: Expression, step: string): Expression {
  return isUnknown(base) ? unknown : member(base, step);
}
