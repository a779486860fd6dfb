/** Types as they are written: what a value of them is, and the names they mention. */
import { instanceOf, unknown } from '../expression.ts';
import { giverOf } from '../giver.ts';
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
      if (transparentTypes.has(walk.text(name)))
        return typeExpression(field(node, 'type_arguments')?.children[0], walk);
      return typeExpression(name, walk);
    }
    case 'union_type': {
      const options = unionOptions(node).filter((option) => !/^(undefined|null)$/.test(walk.text(option)));
      return options.length === 1 ? typeExpression(options[0], walk) : null;
    }
    case 'function_type': {
      const given = typeExpression(field(node, 'return_type'), walk);
      return given === null ? null : giverOf(given);
    }
    case 'type_query':
      return nameOfType(node.children[0] ?? node, walk);
    default: {
      const name = nameOfType(node, walk);
      return name === null || name === unknown ? null : instanceOf(name);
    }
  }
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

function unionOptions(node: SyntaxNode): readonly SyntaxNode[] {
  return node.children.flatMap((child) => (child.type === 'union_type' ? unionOptions(child) : [child]));
}
