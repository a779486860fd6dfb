/**
 * Values that give another when they are called, or asked by `get`: what is written as `Callable[[], X]`,
 * `ContextVar[X]`, `() => X` or `func() X` has the type `X{}.@`.
 */
import { member, type Step } from './expression.ts';
import type { Expression } from './symbol.ts';

const mark = '@';

export function giverOf(given: Expression): Expression {
  return member(given, mark);
}

/** What a type gives, or null when it is none that gives. */
export function givenBy(type: Expression | null): Expression | null {
  return type?.endsWith(`.${mark}`) === true ? type.slice(0, -mark.length - 1) : null;
}

/** The steps of an expression with each giver and what asks it taken out; null when one is used in another way. */
export function stepsWithoutGivers(steps: readonly Step[]): readonly Step[] | null {
  if (!steps.some(isGiver)) return steps;
  const left: Step[] = [];
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at];
    if (step === undefined) break;
    if (!isGiver(step)) {
      left.push(step);
      continue;
    }
    const [next, after] = [steps[at + 1], steps[at + 2]];
    if (next?.kind === 'call') at += 1;
    else if (next?.kind === 'member' && next.name === 'get' && after?.kind === 'call') at += 2;
    else return null;
  }
  return left;
}

function isGiver(step: Step): boolean {
  return step.kind === 'member' && step.name === mark;
}
