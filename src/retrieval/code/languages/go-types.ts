/** Types of Go as they are written: what a value of them is, the names they mention, the shapes of methods. */
import { collectionOf, functionOf, tupleOf } from '../composite.ts';
import { builtin, instanceOf, member, unknown } from '../expression.ts';
import type { Expression } from '../symbol.ts';
import { field, fields, type SyntaxNode } from '../syntax-tree.ts';
import type { Walk } from './walk.ts';

/** Types of the language whose values have no methods of a package. */
const plainTypes: ReadonlySet<string> = new Set(
  (
    'bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 ' +
    'uint64 uintptr'
  ).split(' '),
);

/** Names that no package gives a meaning of its own; other functions of the language are looked up first. */
export const builtins: ReadonlySet<string> = new Set([
  ...'append len make new panic recover true false nil iota any comparable _'.split(' '),
  ...plainTypes,
]);

export function nameOfType(node: SyntaxNode, walk: Walk): string | null {
  switch (node.type) {
    case 'type_identifier':
    case 'identifier': {
      const name = walk.text(node);
      return builtins.has(name) ? null : name;
    }
    case 'qualified_type': {
      const name = field(node, 'name');
      const owner = field(node, 'package');
      return name === undefined || owner === undefined ? null : member(walk.text(owner), walk.text(name));
    }
    case 'selector_expression':
      return walk.text(node).replace(/\s+/g, '');
    case 'pointer_type':
    case 'parenthesized_type':
    case 'negated_type':
      return node.children[0] === undefined ? null : nameOfType(node.children[0], walk);
    case 'generic_type':
      return nameOfType(field(node, 'type') ?? node.children[0] ?? node, walk);
    default:
      return null;
  }
}

export function typeExpression(node: SyntaxNode | undefined, walk: Walk): Expression | null {
  if (node === undefined) return null;
  switch (node.type) {
    case 'function_type':
      return functionType(node, walk);
    case 'slice_type':
    case 'array_type':
    case 'implicit_length_array_type':
      return collectionOf(typeExpression(field(node, 'element'), walk));
    case 'channel_type':
      return collectionOf(typeExpression(field(node, 'value'), walk));
    case 'map_type':
      return collectionOf(typeExpression(field(node, 'value'), walk), 'keys');
    case 'pointer_type':
    case 'parenthesized_type':
      return typeExpression(node.children[0], walk);
    case 'type_identifier':
      if (plainTypes.has(walk.text(node))) return builtin;
  }
  const name = nameOfType(node, walk);
  if (name === null || walk.facts.local(name) === unknown) return null;
  return instanceOf(name);
}

export function functionType(node: SyntaxNode, walk: Walk): Expression | null {
  return functionOf(resultType(field(node, 'result'), walk), parameterTypes(field(node, 'parameters'), walk));
}

function parameterTypes(list: SyntaxNode | undefined, walk: Walk): readonly (Expression | null)[] {
  return (list?.children ?? []).flatMap((parameter) => {
    const names = Math.max(1, fields(parameter, 'name').length);
    const type = typeExpression(field(parameter, 'type'), walk);
    return Array.from({ length: names }, () => (parameter.type === 'variadic_parameter_declaration' ? null : type));
  });
}

/** The type of the result; several are a tuple. */
export function resultType(result: SyntaxNode | undefined, walk: Walk): Expression | null {
  if (result?.type !== 'parameter_list') return typeExpression(result, walk);
  const types = parameterTypes(result, walk);
  return types.length === 1 ? (types[0] ?? null) : tupleOf(types);
}

/** The types of parameters and results, without names and packages: methods that agree in it can implement each other. */
export function shapeOf(node: SyntaxNode, walk: Walk): string {
  const result = field(node, 'result');
  const results =
    result === undefined ? [] : result.type === 'parameter_list' ? typesOf(result, walk) : [typeText(result, walk)];
  return `(${typesOf(field(node, 'parameters'), walk).join(',')})(${results.join(',')})`;
}

function typesOf(list: SyntaxNode | undefined, walk: Walk): readonly string[] {
  return (list?.children ?? []).flatMap((parameter) => {
    const type = field(parameter, 'type');
    if (type === undefined) return [];
    const text = (parameter.type === 'variadic_parameter_declaration' ? '...' : '') + typeText(type, walk);
    return Array.from({ length: Math.max(1, fields(parameter, 'name').length) }, () => text);
  });
}

function typeText(node: SyntaxNode, walk: Walk): string {
  return walk
    .text(node)
    .replace(/\s+/g, ' ')
    .replace(/\b\w+\.(?=\w)/g, '')
    .replace(/\binterface\s*\{\s*\}/g, 'any');
}

export function referTypes(node: SyntaxNode | undefined, walk: Walk, from: number | null = walk.facts.current): void {
  if (node === undefined) return;
  if (node.type === 'type_identifier' || node.type === 'qualified_type') {
    const name = nameOfType(node, walk);
    if (name !== null && walk.facts.local(name) === undefined) walk.facts.refer('type', name, node.start, from);
    return;
  }
  for (const child of node.children) if (child.field !== 'name') referTypes(child, walk, from);
}
