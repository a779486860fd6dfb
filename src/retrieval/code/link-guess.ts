/** What is called when nothing is known of the value: the only method of the project that has the name. */
import { takesByPlace } from './composite.ts';
import { isUnknown, parseExpression } from './expression.ts';
import { isCommonMethod } from './resolve/common-methods.ts';
import type { Evaluator } from './resolve/evaluate.ts';
import { familyOf, isCallable, isPrototype } from './resolve/families.ts';
import { basesOf, enclosingType } from './resolve/members.ts';
import { type ProjectView, type SymbolRef, symbolAt } from './resolve/project-view.ts';
import type { FileFacts } from './symbol.ts';

/** Whether nothing is known of what a method is called on. A name that is found nowhere is the runtime's own. */
export function mayBeGuessed(facts: FileFacts, target: string): boolean {
  const family = familyOf(facts.language);
  const isDeclared = family === 'ecmascript' || family === 'python' || family === 'go';
  return !isDeclared || isUnknown(target) || takesByPlace(target);
}

/** The only method of the project with this name, when nothing is known about what it is called on. */
export function byMethodName(
  facts: FileFacts,
  target: string,
  evaluator: Evaluator,
  view: ProjectView,
): SymbolRef | null {
  const { steps } = parseExpression(target);
  const last = steps.at(-1);
  if (last?.kind !== 'member' || isCommonMethod(last.name)) return null;
  const family = familyOf(facts.language);
  const isMeant = (ref: SymbolRef): boolean => {
    const other = view.facts(ref.path);
    const symbol = other?.symbols[ref.index];
    if (other === undefined || symbol === undefined || familyOf(other.language) !== family) return false;
    // A field of that name may hold what is called.
    if (symbol.kind === 'field' || symbol.kind === 'property') return true;
    return isCallable(symbol) && symbol.kind !== 'constructor' && !isPrototype(symbol);
  };
  let only: SymbolRef | null = null;
  for (const ref of view.definitions(last.name)) {
    if (!isMeant(ref)) continue;
    if (only !== null) return null;
    only = ref;
  }
  if (only === null || symbolAt(view, only)?.kind !== 'method') return null;
  const owner = enclosingType(evaluator, view.facts(only.path) ?? facts, only.index);
  // It may be one of many that stand in for a method of a type outside the project.
  const isOutside =
    owner !== null && basesOf(evaluator, owner).some((base) => base.kind === 'external' && !isOfTheLanguage(base.name));
  return isOutside ? null : only;
}

/** Bases that say what a class is and bring along no methods that a project names. */
function isOfTheLanguage(name: string): boolean {
  return !name.includes('.') || /^(typing|typing_extensions|abc|collections|enum)\./.test(name);
}
