/**
 * Understands expressions: what a path of names stands for at a place of a file.
 *
 * Names are looked up as the language does it: enclosing bodies, members of the enclosing type where they need no
 * `this`, the file, its imports, and what needs no import. A name that an import binds to something outside the
 * project is external for good: it is never matched with a symbol that happens to be called the same.
 */
import { codeLimits } from '../../../base/limits.ts';
import { collectionMade, parseGroup, type Taken, taken } from '../composite.ts';
import { builtin, groupStart, parseExpression, type Step, unknown } from '../expression.ts';
import { givenBy, stepsWithoutGivers } from '../giver.ts';
import type { Expression, FileFacts, ImportFact, SymbolFact } from '../symbol.ts';
import { ambient } from './ambient.ts';
import { callingBack, compositeStep, functionGiving, ofTheLanguage, takenFrom, unionStep } from './composites.ts';
import { indexOf } from './fact-index.ts';
import { familyOf, implicitMembers, isCallable, isType } from './families.ts';
import { packageName } from './go-packages.ts';
import { basesOf, enclosingType, member, memberOfReopened } from './members.ts';
import type { Module } from './module.ts';
import { imported, memberOfModule, memberOfModuleValue, resolveModule } from './modules.ts';
import { directoryOf } from './paths.ts';
import { type ProjectView, type SymbolRef, sameRef, symbolAt, symbolsByName } from './project-view.ts';
import { rustHead } from './rust-names.ts';
import {
  type Composite,
  type Held,
  isComposite,
  moduleValue,
  simple,
  type Value,
  weaker,
  weakerOrNull,
} from './value.ts';

/** Evaluates against one view; keeps what it found, so make one for each file that is linked. */
export class Evaluator {
  readonly view: ProjectView;
  readonly #known = new Map<FileFacts, Map<string, Held | null>>();
  readonly #modules = new Map<string, Module | null>();
  readonly #included = new Map<ImportFact, Module | null>();
  readonly #running = new Set<string>();
  readonly #missing = new Set<string>();
  /** What the search that is under way did not find so far; null between searches. */
  #passed: Set<string> | null = null;

  constructor(view: ProjectView) {
    this.view = view;
  }

  /** What an expression stands for in a file, inside `scope`, or null when it is not known or made of others. */
  evaluate(facts: FileFacts, scope: number | null, expression: Expression): Value | null {
    return simple(this.held(facts, scope, expression));
  }

  held(facts: FileFacts, scope: number | null, expression: Expression): Held | null {
    let ofFile = this.#known.get(facts);
    if (ofFile === undefined) {
      ofFile = new Map();
      this.#known.set(facts, ofFile);
    }
    const place = `${scope ?? ''} ${expression}`;
    const known = ofFile.get(place);
    if (known !== undefined) return known;
    const key = `${facts.path}\n${place}`;
    // Types can be defined by each other, and by themselves.
    if (this.#running.has(key) || this.#running.size > codeLimits.linksDepthMax * 4) return null;
    this.#running.add(key);
    const parsed = parseExpression(expression);
    const head = this.#head(facts, scope, parsed.head, parsed.steps);
    const steps = stepsWithoutGivers(head.steps);
    let value: Held | null = steps === null ? null : head.value;
    for (const step of steps ?? []) {
      // Only the class that declares a private name can use it, whatever the object is.
      if (step.kind === 'member' && step.name.startsWith('#')) {
        const owner = enclosingType(this, facts, scope);
        value = owner === null ? null : member(this, owner, step.name);
        continue;
      }
      if (value === null) break;
      value = this.#stepInto(value, step);
    }
    this.#running.delete(key);
    ofFile.set(place, value);
    return value;
  }

  /** The module an import means; null when it should be in the project and is not. */
  moduleOf(facts: FileFacts, fact: ImportFact): Module | null {
    // These families look at the folder of the importing file alone.
    const family = familyOf(facts.language);
    const isByFolder = family === 'ecmascript' || family === 'python' || family === 'go';
    if (!isByFolder) {
      let module = this.#included.get(fact);
      if (module === undefined) {
        module = resolveModule(this, facts, fact);
        this.#included.set(fact, module);
      }
      return module;
    }
    const key = `${family} ${directoryOf(facts.path)}\n${fact.specifier}`;
    const known = this.#modules.get(key);
    if (known !== undefined) return known;
    const module = resolveModule(this, facts, fact);
    this.#modules.set(key, module);
    return module;
  }

  /** Does something that may come back to itself; null when it does. */
  once(key: string, work: () => Value | null): Value | null {
    if (this.#running.has(key)) return null;
    this.#running.add(key);
    const value = work();
    this.#running.delete(key);
    return value;
  }

  /**
   * Looks through files that include one another, each of them once for a name: headers reach each other in many ways.
   * What a whole search did not find is remembered; after a find it is not, since a circle may have hidden another way.
   */
  onceThroughIncludes(key: string, work: () => Value | null): Value | null {
    if (this.#missing.has(key) || this.#passed?.has(key) === true) return null;
    const isOutermost = this.#passed === null;
    this.#passed ??= new Set();
    const passed = this.#passed;
    const value = this.once(key, work);
    if (value === null) passed.add(key);
    if (isOutermost) {
      this.#passed = null;
      if (value === null) for (const one of passed) this.#missing.add(one);
    }
    return value;
  }

  /** What a name stands for at a place. */
  lookUp(facts: FileFacts, scope: number | null, name: string): Value | null {
    const family = familyOf(facts.language);
    const plain = family === 'php' || family === 'ruby' ? name.replace(/^(\\|::)/, '') : name;
    const isRooted = plain !== name;
    const names = symbolsByName(facts);
    const index = indexOf(facts);
    let at = isRooted ? null : scope;
    while (at !== null) {
      const symbol: SymbolFact | undefined = facts.symbols[at];
      if (symbol === undefined) break;
      const bound = index.imported(at, plain);
      if (bound !== undefined) return imported(this, facts, bound);
      const fromAll = isCallable(symbol) || symbol.kind === 'namespace' ? this.#throughStars(facts, at, plain) : null;
      if (fromAll !== null) return fromAll;
      if (
        isCallable(symbol) ||
        symbol.kind === 'namespace' ||
        symbol.kind === 'variable' ||
        implicitMembers.has(family)
      ) {
        const inner = names.get(`${symbol.qualifiedName}.${plain}`)?.[0];
        if (inner !== undefined) return { kind: 'symbol', ref: { path: facts.path, index: inner }, confidence: 1 };
      }
      if (implicitMembers.has(family)) {
        const owner = isType(symbol)
          ? { path: facts.path, index: at }
          : symbol.parent === null
            ? enclosingType(this, facts, at)
            : null;
        const found = owner === null ? null : member(this, owner, plain);
        if (found?.kind === 'symbol') return found;
      }
      at = symbol.parent;
    }
    const own = names.get(plain)?.[0];
    if (own !== undefined && !isRooted) return { kind: 'symbol', ref: { path: facts.path, index: own }, confidence: 1 };
    const bound = isRooted ? undefined : index.imported(null, plain);
    if (bound !== undefined) return imported(this, facts, bound);
    if (family === 'go') {
      const match = index.unnamed.find(
        (fact) => packageName(this.view, this.moduleOf(facts, fact), fact.specifier) === plain,
      );
      if (match !== undefined) return imported(this, facts, match);
    }
    return (isRooted ? null : this.#throughStars(facts, null, plain)) ?? ambient(this, facts, scope, plain, family);
  }

  #throughStars(facts: FileFacts, scope: number | null, name: string): Value | null {
    for (const fact of indexOf(facts).stars(scope)) {
      const module = this.moduleOf(facts, fact);
      if (module === null || module.kind === 'external') continue;
      const value = memberOfModule(this, module, name, 1);
      if (value !== null && value.kind !== 'external') return weaker(value, 0.95);
    }
    return null;
  }

  #head(
    facts: FileFacts,
    scope: number | null,
    head: string,
    steps: readonly Step[],
  ): { value: Held | null; steps: readonly Step[] } {
    const family = familyOf(facts.language);
    if (head.startsWith(groupStart)) return { value: this.#group(facts, scope, head), steps };
    if (head === 'this' || head === 'Self') {
      const type = enclosingType(this, facts, scope);
      if (type === null) return { value: null, steps: [] };
      const isInstance = head === 'this' && !(steps.length > 0 && steps[0]?.kind === 'instance');
      return { value: { kind: isInstance ? 'instance' : 'symbol', ref: type, confidence: 1 }, steps };
    }
    if (head === 'super' && family !== 'rust') return this.#super(facts, scope, steps);
    if (family === 'rust' && (head === 'crate' || head === 'self' || head === 'super')) {
      return { value: moduleValue(rustHead(this, facts, scope, head), head, 1), steps };
    }
    if (head === builtin) return { value: ofTheLanguage, steps: [] };
    if (head === unknown) return { value: null, steps };
    return { value: this.lookUp(facts, scope, head), steps };
  }

  #super(
    facts: FileFacts,
    scope: number | null,
    steps: readonly Step[],
  ): { value: Value | null; steps: readonly Step[] } {
    const type = enclosingType(this, facts, scope);
    const [first, ...rest] = steps;
    if (type === null) return { value: null, steps: [] };
    let outside: Value | null = null;
    for (const base of basesOf(this, type)) {
      if (base.kind === 'external') outside ??= base;
      if (base.kind !== 'symbol') continue;
      if (first === undefined) return { value: base, steps };
      if (first.kind !== 'member') return { value: base, steps: rest };
      const found = member(this, base.ref, first.name);
      if (found?.kind === 'symbol') return { value: found, steps: rest };
      if (found !== null) outside ??= found;
    }
    return { value: outside, steps: outside === null ? [] : rest };
  }

  step(value: Value, step: Step): Value | null {
    return simple(this.#stepInto(value, step));
  }

  #group(facts: FileFacts, scope: number | null, written: Expression): Held {
    const { kind, gives, parts, rest } = parseGroup(written);
    const heldParts = parts.map((part) => this.held(facts, scope, part));
    switch (kind) {
      case 'tuple':
        return { kind, parts: heldParts };
      case 'union':
        return { kind, options: heldParts };
      case 'function': {
        const heldRest = rest === null ? null : this.held(facts, scope, rest);
        return { kind, gives: this.held(facts, scope, gives), parameters: heldParts, rest: heldRest };
      }
    }
  }

  #stepInto(held: Held, step: Step): Held | null {
    if (step.kind === 'member' && step.name.startsWith('[')) {
      const keyed = collectionMade(step);
      if (keyed !== null) return { kind: 'collection', of: held, keyed };
      const place = taken(step);
      if (place !== null) return this.#taken(held, place);
    }
    if (held.kind === 'union') return unionStep(held, (option) => this.#stepInto(option, step));
    return isComposite(held) ? compositeStep(held, step) : this.#stepIntoValue(held, step);
  }

  #taken(held: Held, place: Taken): Held | null {
    if (held.kind === 'union') return unionStep(held, (option) => this.#taken(option, place));
    if (isComposite(held)) return takenFrom(held, place);
    if (held.kind === 'external') return held;
    if (held.kind === 'module') return null;
    const facts = this.view.facts(held.ref.path);
    const symbol = facts?.symbols[held.ref.index];
    if (facts === undefined || symbol === undefined) return null;
    if (held.kind === 'symbol' && isCallable(symbol)) {
      // A function with its type arguments (Go).
      if (place.kind === 'element') return held;
      return place.kind === 'parameter' ? this.#parameter(held.ref.index, facts, symbol, place.at) : null;
    }
    if (held.kind === 'symbol' && isType(symbol)) {
      if (place.kind !== 'parameter') return null;
      const made = member(this, held.ref, familyOf(facts.language) === 'python' ? '__init__' : 'constructor');
      const makes = made?.kind === 'symbol' ? symbolAt(this.view, made.ref) : undefined;
      return made?.kind === 'symbol' && makes !== undefined && isCallable(makes) ? this.#taken(made, place) : null;
    }
    const inner =
      held.kind === 'symbol' ? this.#typeOf(held, facts, symbol) : this.#underlying(held.ref, facts, symbol);
    if (inner === null || (inner.kind === 'symbol' && held.kind !== 'symbol')) return null;
    return this.#taken(inner, place);
  }

  #parameter(index: number, facts: FileFacts, symbol: SymbolFact, at: number): Held | null {
    if (symbol.shape?.startsWith(groupStart) !== true) return null;
    const { parts, rest } = parseGroup(symbol.shape);
    const written = parts[at] ?? rest;
    return written === null ? null : this.held(facts, index, written);
  }

  /** What a named type is another name for, when that is made of others. */
  #underlying(ref: SymbolRef, facts: FileFacts, symbol: SymbolFact): Composite | null {
    if (symbol.type === null || (symbol.kind !== 'type' && symbol.kind !== 'interface')) return null;
    const inner = this.held(facts, ref.index, symbol.type);
    return inner !== null && isComposite(inner) ? inner : null;
  }

  #stepIntoValue(value: Value, step: Step): Held | null {
    if (value.kind === 'external') {
      if (step.kind !== 'member' || value === ofTheLanguage) return value;
      return { kind: 'external', name: `${value.name}.${step.name}` };
    }
    if (value.kind === 'module') {
      if (step.kind === 'member') return memberOfModuleValue(this, value, step.name);
      const inner = value.module.kind === 'files' ? memberOfModule(this, value.module, 'default', 0) : null;
      return inner === null || inner.kind === 'module' ? null : this.#stepIntoValue(inner, step);
    }
    const facts = this.view.facts(value.ref.path);
    const symbol = facts?.symbols[value.ref.index];
    if (facts === undefined || symbol === undefined) return null;
    if (step.kind === 'instance') return this.#instance(value, facts, symbol);
    const given = value.kind === 'symbol' ? givenBy(symbol.type) : null;
    if (given !== null && !isCallable(symbol)) {
      if (step.kind === 'call') return weakerOrNull(this.held(facts, symbol.parent, given), 0.97);
      return step.name === 'get' ? value : null;
    }
    if (step.kind === 'call') return this.#called(value, facts, symbol);
    if (value.kind === 'symbol' && !isType(symbol)) {
      const attached = symbolsByName(facts).get(`${symbol.qualifiedName}.${step.name}`)?.[0];
      if (attached !== undefined)
        return { kind: 'symbol', ref: { path: value.ref.path, index: attached }, confidence: value.confidence };
      if (symbol.kind === 'namespace') return memberOfReopened(this, facts, symbol, step.name);
      const family = familyOf(facts.language);
      if (isCallable(symbol) && family === 'ecmascript') return methodOfFunction(value, step.name);
      if (isCallable(symbol) && family !== 'ruby') return null;
      const held = this.#typeOf(value, facts, symbol);
      return held === null ? null : this.#stepInto(held, step);
    }
    const found = member(this, value.ref, step.name);
    if (found?.kind === 'symbol') return { ...found, confidence: Math.min(found.confidence, value.confidence) };
    if (found !== null || value.kind !== 'instance') return found;
    const underlying = this.#underlying(value.ref, facts, symbol);
    if (underlying !== null) return this.#stepInto(underlying, step);
    // A promise is written as what it holds.
    return step.name === 'then' && familyOf(facts.language) === 'ecmascript' ? callingBack(value) : null;
  }

  #instance(value: Extract<Value, { kind: 'symbol' | 'instance' }>, facts: FileFacts, symbol: SymbolFact): Held | null {
    if (value.kind === 'instance') return value;
    if (symbol.kind === 'type' && symbol.type !== null) {
      const aliased = this.evaluate(facts, symbol.parent, symbol.type);
      if (aliased !== null && aliased.kind !== 'symbol') return aliased;
    }
    if (isType(symbol) || symbol.kind === 'namespace')
      return { kind: 'instance', ref: value.ref, confidence: value.confidence };
    return isCallable(symbol) ? null : this.#typeOf(value, facts, symbol);
  }

  #called(value: Extract<Value, { kind: 'symbol' | 'instance' }>, facts: FileFacts, symbol: SymbolFact): Held | null {
    if (value.kind === 'instance') {
      const underlying = this.#underlying(value.ref, facts, symbol);
      return underlying?.kind === 'function' ? underlying.gives : null;
    }
    if (isType(symbol)) return { kind: 'instance', ref: value.ref, confidence: value.confidence };
    if (isCallable(symbol)) return this.#typeOf(value, facts, symbol);
    const held = this.#typeOf(value, facts, symbol);
    if (familyOf(facts.language) === 'ruby') return held;
    const isFunction = held?.kind === 'function' || held?.kind === 'symbol' || held?.kind === 'external';
    return isFunction || (held?.kind === 'instance' && !sameRef(held.ref, value.ref))
      ? this.#stepInto(held, { kind: 'call' })
      : null;
  }

  /** What a variable holds, or a function gives: one step of inference, a little less certain. */
  #typeOf(value: Extract<Value, { kind: 'symbol' | 'instance' }>, facts: FileFacts, symbol: SymbolFact): Held | null {
    if (symbol.type === null) return null;
    // The value of a variable is written where the variable is; the names of a function's result are around it.
    const scope = isCallable(symbol) || symbol.kind === 'property' ? value.ref.index : symbol.parent;
    const held = this.held(facts, symbol.type.startsWith('this') ? value.ref.index : scope, symbol.type);
    if (held?.kind === 'symbol') {
      const inner = symbolAt(this.view, held.ref);
      const innerFacts = this.view.facts(held.ref.path);
      if (inner === undefined || innerFacts === undefined) return null;
      // A variable that holds a type or a function is another name of it.
      if (isType(inner) || isCallable(inner)) return held;
      return sameRef(held.ref, value.ref) ? null : weakerOrNull(this.#typeOf(held, innerFacts, inner), 0.97);
    }
    return weakerOrNull(held, 0.97);
  }
}

/** `call` and `apply` call the function, `bind` gives it. */
function methodOfFunction(value: Value, name: string): Held | null {
  if (name === 'call' || name === 'apply') return value;
  return name === 'bind' ? functionGiving(value) : null;
}
