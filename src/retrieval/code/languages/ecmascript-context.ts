/**
 * What a function that is written as a value is expected to be: the type of its variable, the parameter it is passed
 * for, the result it is returned as. Its parameters without a type of their own have that of the expected function.
 */
import { elementOf, parameterAt } from '../composite.ts';
import { called, known, member } from '../expression.ts';
import type { Expression } from '../symbol.ts';
import { field, type SyntaxNode } from '../syntax-tree.ts';
import { typeExpression } from './ecmascript-types.ts';
import type { Walk } from './walk.ts';

const functionNodes: ReadonlySet<string> = new Set([
  'arrow_function',
  'function_expression',
  'function',
  'generator_function',
  'function_declaration',
  'method_definition',
]);

/** The expected value of a node, or null when its surroundings do not say it. */
export function expectedOf(node: SyntaxNode, walk: Walk): Expression | null {
  const { parent } = node;
  if (parent === null) return null;
  switch (parent.type) {
    case 'parenthesized_expression':
    case 'ternary_expression':
    case 'binary_expression':
    case 'await_expression':
      return expectedOf(parent, walk);
    case 'as_expression':
    case 'satisfies_expression':
      return typeExpression(parent.children[1], walk) ?? expectedOf(parent, walk);
    case 'arguments':
      return argumentOf(parent, node, walk);
    case 'variable_declarator':
    case 'public_field_definition':
      return typeExpression(field(parent, 'type'), walk);
    case 'assignment_expression':
      return node.field === 'right' ? known(walk.expression(field(parent, 'left'))) : null;
    case 'return_statement':
      return resultOf(parent, walk);
    case 'arrow_function':
      return node.field === 'body' ? resultOfFunction(parent, walk) : null;
    case 'pair':
      return node.field === 'value' && parent.parent !== null
        ? memberOf(parent.parent, field(parent, 'key'), walk)
        : null;
    case 'object':
      return node.type === 'method_definition' ? memberOf(parent, field(node, 'name'), walk) : null;
    case 'array': {
      const list = expectedOf(parent, walk);
      return list === null ? null : known(elementOf(list));
    }
    default:
      return null;
  }
}

function argumentOf(list: SyntaxNode, node: SyntaxNode, walk: Walk): Expression | null {
  const call = list.parent;
  const callee = call === null ? undefined : (field(call, 'function') ?? field(call, 'constructor'));
  if (callee === undefined) return null;
  const at = list.children.filter((child) => child.type !== 'comment').indexOf(node);
  return at === -1 ? null : known(parameterAt(walk.expression(callee), at));
}

function memberOf(object: SyntaxNode, key: SyntaxNode | undefined, walk: Walk): Expression | null {
  if (key?.type !== 'property_identifier') return null;
  const whole = expectedOf(object, walk);
  return whole === null ? null : known(member(whole, walk.text(key)));
}

function resultOf(node: SyntaxNode, walk: Walk): Expression | null {
  let at = node.parent;
  while (at !== null && !functionNodes.has(at.type)) at = at.parent;
  return at === null ? null : resultOfFunction(at, walk);
}

function resultOfFunction(node: SyntaxNode, walk: Walk): Expression | null {
  const written = field(node, 'return_type');
  if (written !== undefined) return typeExpression(written, walk);
  const whole = node.type === 'function_declaration' ? null : expectedOf(node, walk);
  return whole === null ? null : known(called(whole));
}
