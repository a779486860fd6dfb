/**
 * Understands expressions: what a path of names stands for at a place of a file.
 *
 * Names are looked up as the language does it: enclosing bodies, members of the enclosing type where they need no
 * `this`, the file, its imports, and what needs no import. A name that an import binds to something outside the
 * project is external for good: it is never matched with a symbol that happens to be called the same.
 */
import { codeLimits } from '../../../base/limits.ts';
import { builtin, parseExpression, type Step, unknown } from '../expression.ts';
import { givenBy, stepsWithoutGivers } from '../giver.ts';
import type { Expression, FileFacts, ImportFact, SymbolFact } from '../symbol.ts';
import { ambient } from './ambient.ts';
import { indexOf } from './fact-index.ts';
import { familyOf, implicitMembers, isCallable, isType } from './families.ts';
import { packageName } from './go-packages.ts';
import { basesOf, enclosingType, member, memberOfReopened } from './members.ts';
import type { Module } from './module.ts';
import { imported, memberOfModule, memberOfModuleValue, resolveModule } from './modules.ts';
import { directoryOf } from './paths.ts';
import { type ProjectView, symbolAt, symbolsByName } from './project-view.ts';
import { rustHead } from './rust-names.ts';
import { moduleValue, type Value, weaker, weakerOrNull } from './value.ts';

/** Evaluates against one view; keeps what it found, so make one for each file that is linked. */
export class Evaluator {
  readonly view: ProjectView;
  readonly #known = new Map<FileFacts, Map<string, Value | null>>();
  readonly #modules = new Map<string, Module | null>();
  readonly #included = new Map<ImportFact, Module | null>();
  readonly #running = new Set<string>();
  readonly #missing = new Set<string>();
  /** What the search that is under way did not find so far; null between searches. */
  #passed: Set<string> | null = null;

  constructor(view: ProjectView) {
    this.view = view;
  }

  /** What an expression stands for in a file, inside `scope`, or null when it is not known. */
  evaluate(facts: FileFacts, scope: number | null, expression: Expression): Value | null {
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
    let value = steps === null ? null : head.value;
    for (const step of steps ?? []) {
      // Only the class that declares a private name can use it, whatever the object is.
      if (step.kind === 'member' && step.name.startsWith('#')) {
        const owner = enclosingType(this, facts, scope);
        value = owner === null ? null : member(this, owner, step.name);
        continue;
      }
      if (value === null) break;
      value = this.step(value, step);
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
  ): { value: Value | null; steps: readonly Step[] } {
    const family = familyOf(facts.language);
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
    if (head === builtin) return { value: { kind: 'external', name: 'the language' }, steps: [] };
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
    if (value.kind === 'external')
      return { kind: 'external', name: step.kind === 'member' ? `${value.name}.${step.name}` : value.name };
    if (value.kind === 'module') {
      if (step.kind === 'member') return memberOfModuleValue(this, value, step.name);
      const inner = value.module.kind === 'files' ? memberOfModule(this, value.module, 'default', 0) : null;
      return inner === null || inner.kind === 'module' ? null : this.step(inner, step);
    }
    const facts = this.view.facts(value.ref.path);
    const symbol = facts?.symbols[value.ref.index];
    if (facts === undefined || symbol === undefined) return null;
    if (step.kind === 'instance') return this.#instance(value, facts, symbol);
    const given = value.kind === 'symbol' ? givenBy(symbol.type) : null;
    if (given !== null && !isCallable(symbol)) {
      if (step.kind === 'call') return weakerOrNull(this.evaluate(facts, symbol.parent, given), 0.97);
      return step.name === 'get' ? value : null;
    }
    if (step.kind === 'call') return value.kind === 'instance' ? null : this.#called(value, facts, symbol);
    if (value.kind === 'symbol' && !isType(symbol)) {
      const attached = symbolsByName(facts).get(`${symbol.qualifiedName}.${step.name}`)?.[0];
      if (attached !== undefined)
        return { kind: 'symbol', ref: { path: value.ref.path, index: attached }, confidence: value.confidence };
      if (symbol.kind === 'namespace') return memberOfReopened(this, facts, symbol, step.name);
      if (isCallable(symbol) && familyOf(facts.language) !== 'ruby') return null;
      const held = this.#typeOf(value, facts, symbol);
      return held === null ? null : this.step(held, step);
    }
    const found = member(this, value.ref, step.name);
    return found?.kind === 'symbol' ? { ...found, confidence: Math.min(found.confidence, value.confidence) } : found;
  }

  #instance(
    value: Extract<Value, { kind: 'symbol' | 'instance' }>,
    facts: FileFacts,
    symbol: SymbolFact,
  ): Value | null {
    if (value.kind === 'instance') return value;
    if (symbol.kind === 'type' && symbol.type !== null) {
      const aliased = this.evaluate(facts, symbol.parent, symbol.type);
      if (aliased !== null && aliased.kind !== 'symbol') return aliased;
    }
    if (isType(symbol) || symbol.kind === 'namespace')
      return { kind: 'instance', ref: value.ref, confidence: value.confidence };
    return isCallable(symbol) ? null : this.#typeOf(value, facts, symbol);
  }

  #called(value: Extract<Value, { kind: 'symbol' | 'instance' }>, facts: FileFacts, symbol: SymbolFact): Value | null {
    if (isType(symbol)) return { kind: 'instance', ref: value.ref, confidence: value.confidence };
    if (isCallable(symbol)) return this.#typeOf(value, facts, symbol);
    return familyOf(facts.language) === 'ruby' ? this.#typeOf(value, facts, symbol) : null;
  }

  /** What a variable holds, or a function gives: one step of inference, a little less certain. */
  #typeOf(value: Extract<Value, { kind: 'symbol' | 'instance' }>, facts: FileFacts, symbol: SymbolFact): Value | null {
    if (symbol.type === null) return null;
    // The value of a variable is written where the variable is; the names of a function's result are around it.
    const scope = isCallable(symbol) || symbol.kind === 'property' ? value.ref.index : symbol.parent;
    const held = this.evaluate(facts, symbol.type.startsWith('this') ? value.ref.index : scope, symbol.type);
    if (held?.kind === 'symbol') {
      const inner = symbolAt(this.view, held.ref);
      const innerFacts = this.view.facts(held.ref.path);
      if (inner === undefined || innerFacts === undefined) return null;
      // A variable that holds a type or a function is another name of it.
      if (isType(inner) || isCallable(inner)) return held;
      return held.ref.path === value.ref.path && held.ref.index === value.ref.index
        ? null
        : weakerOrNull(this.#typeOf(held, innerFacts, inner), 0.97);
    }
    return weakerOrNull(held, 0.97);
  }
}
