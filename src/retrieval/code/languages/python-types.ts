/** What values of Python are: by their annotations, and by checks. */
import { collectionOf, functionOf, type Keyed, tupleOf, unionOf } from '../composite.ts';
import { builtin, instanceOf, isBuiltin, unknown } from '../expression.ts';
import { giverOf } from '../giver.ts';
import type { Expression } from '../symbol.ts';
import { field, type SyntaxNode } from '../syntax-tree.ts';
import type { Walk } from './walk.ts';

/** Names that modules rarely give a meaning of their own; other functions of the language are looked up first. */
export const builtins: ReadonlySet<string> = new Set(
  (
    'super True False None NotImplemented Ellipsis __name__ __file__ __debug__ int str float bool bytes bytearray complex dict list set ' +
    'frozenset tuple object type range slice memoryview property staticmethod classmethod print len isinstance ' +
    'issubclass hasattr getattr setattr delattr repr sorted reversed enumerate zip map min max sum any ' +
    'all abs round divmod pow id callable locals globals ord chr hex oct bin'
  ).split(' '),
);
/** Generic containers: what they hold is not what they are. */
const wrappers: ReadonlySet<string> = new Set([
  'Optional',
  'Annotated',
  'Final',
  'ClassVar',
  'Required',
  'NotRequired',
]);

/** Generic types whose values give their last argument. */
const givers: ReadonlySet<string> = new Set(['ContextVar', 'ReferenceType']);
/** Types of many values: which of their arguments is that of the values, and what iterating gives. */
const collections: ReadonlyMap<string, readonly [argument: number, keyed: Keyed]> = new Map([
  ...'list List set Set frozenset FrozenSet Sequence MutableSequence Iterable Iterator Collection deque Deque AsyncIterator Generator'
    .split(' ')
    .map((name): [string, [number, Keyed]] => [name, [0, 'no']]),
  ...'dict Dict Mapping MutableMapping defaultdict DefaultDict OrderedDict'
    .split(' ')
    .map((name): [string, [number, Keyed]] => [name, [1, 'keys']]),
]);
const plain: ReadonlySet<string> = new Set('str int float bool bytes bytearray complex'.split(' '));

export function typeFromText(text: string): Expression | null {
  const options = splitAtTop(text, '|').filter((option) => option !== 'None');
  const [only] = options;
  if (only === undefined) return null;
  if (options.length > 1) return unionOf(options.map(typeFromText));
  const generic = /^([\w.]+)\[(.*)\]$/.exec(only);
  const name = generic?.[1] ?? only;
  if (plain.has(name)) return builtin;
  const last = name.split('.').at(-1) ?? name;
  const inner = generic === null ? [] : splitAtTop(generic[2] ?? '', ',');
  const collection = collections.get(last);
  if (collection !== undefined) {
    const held = inner[collection[0]];
    return held === undefined ? null : collectionOf(typeFromText(unquoted(held)), collection[1]);
  }
  if (last === 'tuple' || last === 'Tuple') {
    if (inner[1] === '...') return collectionOf(typeFromText(unquoted(inner[0] ?? '')));
    return tupleOf(inner.map((part) => typeFromText(unquoted(part))));
  }
  if (last === 'Callable') {
    const [parameters = '', gives = ''] = inner;
    const types = /^\[(.*)\]$/.exec(parameters)?.[1];
    const parts = types === undefined || types === '' ? [] : splitAtTop(types, ',');
    return functionOf(
      typeFromText(unquoted(gives)),
      parts.map((part) => typeFromText(unquoted(part))),
    );
  }
  if (!/^[A-Za-z_][\w.]*$/.test(name) || (builtins.has(name) && name !== 'type')) return null;
  if (generic !== null && wrappers.has(last)) return typeFromText(generic[2]?.split(',')[0] ?? '');
  if (generic !== null && givers.has(last)) {
    const given = splitAtTop(generic[2] ?? '', ',').at(-1);
    const type = given === undefined ? null : typeFromText(unquoted(given));
    return type === null ? null : giverOf(type);
  }
  if (last === 'Type' || last === 'type') {
    const inner = generic?.[2];
    return inner !== undefined && /^[A-Za-z_][\w.]*$/.test(inner) ? inner : null;
  }
  if (last === 'Self') return 'this';
  if (last === 'Any') return null;
  return instanceOf(name);
}

function unquoted(text: string): string {
  return text.replace(/^["']|["']$/g, '');
}

function splitAtTop(text: string, separator: string): readonly string[] {
  const options: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '[' || sign === '(') depth += 1;
    else if (sign === ']' || sign === ')') depth -= 1;
    else if (sign === separator && depth === 0) {
      options.push(text.slice(from, at));
      from = at + 1;
    }
  }
  options.push(text.slice(from));
  return options;
}

/** `isinstance(x, A)` says what `x` is where it holds. */
export function narrowedBy(condition: SyntaxNode | undefined, walk: Walk): ReadonlyMap<string, Expression> {
  const types = new Map<string, Expression>();
  const isBoth = condition?.type === 'boolean_operator' && /\sand\s/.test(walk.text(condition));
  for (const call of isBoth ? condition.children : [condition]) {
    if (call?.type !== 'call' || walk.text(field(call, 'function') ?? call) !== 'isinstance') continue;
    const [value, type] = field(call, 'arguments')?.children ?? [];
    const name = walk.expression(type);
    if (value?.type === 'identifier' && name !== unknown && !isBuiltin(name)) {
      types.set(walk.text(value), instanceOf(name));
    }
  }
  return types;
}
