/** Types as they are written: what a value of them is, and the names they mention. */
import { collectionOf, functionOf, type Keyed, restOf, tupleOf, unionOf } from '../composite.ts';
import { builtin, instanceOf, unknown } from '../expression.ts';
import type { Expression } from '../symbol.ts';
import { field, type SyntaxNode } from '../syntax-tree.ts';
import type { Walk } from './walk.ts';

/** Types whose first argument is what a use of the value sees after `await` or a check. */
const transparentTypes: ReadonlySet<string> = new Set([
  'Promise',
  'Readonly',
  'Partial',
  'Required',
  'NonNullable',
  'Awaited',
]);

/** Types of many values: which of their arguments is that of the values, and what iterating gives. */
const collections: Readonly<Record<string, readonly [argument: number, keyed: Keyed]>> = {
  Array: [0, 'no'],
  ReadonlyArray: [0, 'no'],
  Set: [0, 'no'],
  ReadonlySet: [0, 'no'],
  Iterable: [0, 'no'],
  Iterator: [0, 'no'],
  IterableIterator: [0, 'no'],
  Generator: [0, 'no'],
  AsyncIterable: [0, 'no'],
  AsyncGenerator: [0, 'no'],
  Map: [1, 'pairs'],
  ReadonlyMap: [1, 'pairs'],
  WeakMap: [1, 'pairs'],
  Record: [1, 'names'],
};

export const globals: ReadonlySet<string> = new Set(
  (
    'undefined NaN Infinity globalThis window document console Object Array String Number Boolean Symbol BigInt Math JSON ' +
    'Promise Proxy Reflect Intl parseInt parseFloat isNaN isFinite arguments eval setTimeout clearTimeout setInterval ' +
    'clearInterval queueMicrotask structuredClone exports module require process Buffer __dirname __filename'
  ).split(' '),
);

/** What a value of a written type is, or null when one name does not say it. */
export function typeExpression(node: SyntaxNode | undefined, walk: Walk): Expression | null {
  if (node === undefined) return null;
  switch (node.type) {
    case 'type_annotation':
    case 'parenthesized_type':
    case 'readonly_type':
      return typeExpression(node.children[0], walk);
    case 'this_type':
      return 'this';
    case 'generic_type': {
      const name = field(node, 'name');
      if (name === undefined) return null;
      return collection(node, name, walk) ?? typeExpression(name, walk);
    }
    case 'union_type': {
      const options = unionOptions(node).filter((option) => !/^(undefined|null)$/.test(walk.text(option)));
      // A function of which nothing is known has no methods of the project.
      return unionOf(options.map((option) => typeExpression(option, walk) ?? (isFunction(option) ? builtin : null)));
    }
    case 'intersection_type': {
      const parts = node.children.map((part) => typeExpression(part, walk));
      return unionOf(parts.filter((part) => part !== null));
    }
    case 'function_type':
      return functionOf(typeExpression(field(node, 'return_type'), walk), parameterTypes(node, walk));
    case 'array_type':
      return collectionOf(typeExpression(node.children[0], walk));
    case 'tuple_type':
      return tupleOf(node.children.map((part) => typeExpression(part, walk)));
    case 'object_type': {
      const [only] = node.children;
      const isIndexed = node.children.length === 1 && only?.type === 'index_signature';
      return isIndexed ? collectionOf(typeExpression(field(only, 'type'), walk), 'names') : null;
    }
    case 'literal_type':
      return /^(undefined|null)$/.test(walk.text(node)) ? null : builtin;
    case 'predefined_type':
      return /^(string|number|boolean|bigint|symbol|void|never)$/.test(walk.text(node)) ? builtin : null;
    case 'type_query':
      return nameOfType(node.children[0] ?? node, walk);
    default: {
      const name = nameOfType(node, walk);
      return name === null || name === unknown ? null : instanceOf(name);
    }
  }
}

/** A collection of the values that the arguments of a generic type name, or what a transparent one holds. */
export function collection(node: SyntaxNode, name: SyntaxNode, walk: Walk): Expression | null {
  const text = walk.text(name);
  const types = field(node, 'type_arguments')?.children ?? [];
  if (transparentTypes.has(text)) return typeExpression(types[0], walk);
  const known = Object.hasOwn(collections, text) ? collections[text] : undefined;
  return known === undefined ? null : collectionOf(typeExpression(types[known[0]], walk), known[1]);
}

/** What the parameters of a function are, as far as it is written. */
export function parameterTypes(node: SyntaxNode, walk: Walk): readonly (Expression | null)[] {
  const types: (Expression | null)[] = [];
  for (const parameter of field(node, 'parameters')?.children ?? []) {
    const pattern = field(parameter, 'pattern');
    if (pattern?.type === 'this') continue;
    const type = typeExpression(field(parameter, 'type'), walk);
    types.push(pattern?.type === 'rest_pattern' ? restOf(type) : type);
  }
  return types;
}

export function referTypes(node: SyntaxNode | undefined, walk: Walk, from: number | null = walk.facts.current): void {
  if (node === undefined) return;
  const name = node.field === 'name' && node.parent?.type !== 'generic_type' ? null : nameOfType(node, walk);
  if (name !== null) {
    if (node.type !== 'identifier' || node.parent?.type === 'type_query')
      walk.facts.refer('type', name, node.start, from);
    return;
  }
  if (node.type === 'type_query') {
    for (const child of node.children) walk.facts.refer('type', walk.expression(child), child.start, from);
    return;
  }
  for (const child of node.children) referTypes(child, walk, from);
}

export function nameOfType(node: SyntaxNode, walk: Walk): Expression | null {
  if (node.type === 'type_identifier' || node.type === 'identifier') {
    const name = walk.text(node);
    return globals.has(name) ? null : (walk.facts.local(name) ?? name);
  }
  if (
    node.type === 'nested_type_identifier' ||
    node.type === 'nested_identifier' ||
    node.type === 'member_expression'
  ) {
    return walk.text(node).replace(/\s+/g, '');
  }
  return null;
}

function isFunction(node: SyntaxNode): boolean {
  const [only] = node.children;
  return (
    node.type === 'function_type' || (node.type === 'parenthesized_type' && only !== undefined && isFunction(only))
  );
}

function unionOptions(node: SyntaxNode): readonly SyntaxNode[] {
  return node.children.flatMap((child) => (child.type === 'union_type' ? unionOptions(child) : [child]));
}
