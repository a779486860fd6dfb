/**
 * Expressions as facts keep them: a leading name and steps, in one string.
 *
 *   app.route          member `route` of `app`
 *   Flask().run        member of the result of calling `Flask`
 *   Context{}.Next     member of a value of type `Context`
 *   this, super        the enclosing type and its base
 *   ?.close            a member of something unknown
 *   !                  what the language itself gives, never something of the project
 *
 * `composite.ts` adds tuples, functions and collections.
 *
 * Local variables never appear: when a file is read they are replaced by what was assigned to them, or by `?`. So an
 * expression can be understood from the top of its file, with imports and declarations alone.
 */
import { codeLimits } from '../../base/limits.ts';
import type { Expression } from './symbol.ts';

export const unknown = '?';
export const builtin = '!';
/** What encloses a group of expressions, see `composite.ts`. */
export const groupStart = '⟨';
export const groupEnd = '⟩';

const parts = /\(\)|\{\}|\.?[^.(){}]+/g;

export type Step =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'call' }
  | { readonly kind: 'instance' };

export interface ParsedExpression {
  readonly head: string;
  readonly steps: readonly Step[];
}

export function member(base: Expression, name: string): Expression {
  return bounded(`${base}.${name}`, `${unknown}.${name}`);
}

export function called(base: Expression): Expression {
  return base === unknown ? unknown : bounded(`${base}()`, unknown);
}

export function instanceOf(base: Expression): Expression {
  return base === unknown ? unknown : bounded(`${base}{}`, unknown);
}

/** What a value is said to be, for a name that is bound to it: null where nothing is known. */
export function known(expression: Expression): Expression | null {
  return expression === unknown ? null : expression;
}

/** Whether it is about something that the language gives. */
export function isBuiltin(expression: Expression): boolean {
  return expression.startsWith(builtin);
}

/** Whether nothing but the last name is known. */
export function isUnknown(expression: Expression): boolean {
  return expression.startsWith(unknown);
}

export function parseExpression(expression: Expression): ParsedExpression {
  if (expression.startsWith(groupStart)) {
    const end = groupLength(expression);
    return { head: expression.slice(0, end), steps: (expression.slice(end).match(parts) ?? []).map(stepOf) };
  }
  const [head = unknown, ...rest] = expression.match(parts) ?? [];
  return { head, steps: rest.map(stepOf) };
}

/** The length of the group that an expression starts with. */
function groupLength(expression: Expression): number {
  let depth = 0;
  for (let at = 0; at < expression.length; at += 1) {
    if (expression[at] === groupStart) depth += 1;
    else if (expression[at] === groupEnd) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return expression.length;
}

function stepOf(part: string): Step {
  if (part === '()') return { kind: 'call' };
  if (part === '{}') return { kind: 'instance' };
  return { kind: 'member', name: part.startsWith('.') ? part.slice(1) : part };
}

function bounded(expression: Expression, otherwise: Expression): Expression {
  return expression.length > codeLimits.expressionCharsMax ? otherwise : expression;
}
