/** C and C++: names behind declarators, paths and types as expressions. */
import { instanceOf, member, unknown } from '../expression.ts';
import type { Expression } from '../symbol.ts';
import { childOf, field, type SyntaxNode } from '../syntax-tree.ts';
import type { Walk } from './walk.ts';

const smart: ReadonlySet<string> = new Set(['unique_ptr', 'shared_ptr', 'weak_ptr', 'optional']);

export function nameOfDeclarator(node: SyntaxNode | undefined): SyntaxNode | undefined {
  let at = node;
  while (at !== undefined) {
    if (['identifier', 'field_identifier', 'type_identifier', 'qualified_identifier'].includes(at.type)) return at;
    at =
      field(at, 'declarator') ??
      at.children.find((child) => child.type.endsWith('declarator') || child.type.endsWith('identifier'));
  }
  return undefined;
}

export function functionDeclaratorOf(node: SyntaxNode | undefined): SyntaxNode | undefined {
  let at = node;
  while (at !== undefined && ['pointer_declarator', 'reference_declarator'].includes(at.type))
    at = field(at, 'declarator') ?? at.children.at(-1);
  return at?.type === 'function_declarator' ? at : undefined;
}

export function pathOf(node: SyntaxNode, walk: Walk): Expression {
  switch (node.type) {
    case 'qualified_identifier': {
      const scope = field(node, 'scope');
      const name = field(node, 'name');
      if (name === undefined) return unknown;
      if (scope === undefined) return pathOf(name, walk);
      return joined(pathOf(scope, walk), pathOf(name, walk));
    }
    case 'template_type':
    case 'template_function':
    case 'template_method':
    case 'dependent_name': {
      const name = field(node, 'name') ?? node.children[0];
      return name === undefined ? unknown : pathOf(name, walk);
    }
    case 'destructor_name':
      return walk.text(node).replace(/\s+/g, '');
    case 'operator_name':
    case 'operator_cast':
      return walk.text(node).replace(/[\s.(){}]+/g, '');
    case 'nested_namespace_specifier':
      return node.children.map((child) => walk.text(child)).join('.');
    default:
      return walk.text(node);
  }
}

function joined(base: Expression, rest: Expression): Expression {
  return rest.split('.').reduce((path, name) => member(path, name), base);
}

export function nameOfType(node: SyntaxNode | undefined, walk: Walk): Expression | null {
  if (node === undefined) return null;
  switch (node.type) {
    case 'type_identifier':
    case 'qualified_identifier': {
      const path = pathOf(node, walk);
      return path.startsWith('std.') || path.startsWith(unknown) ? null : path;
    }
    case 'template_type':
      return nameOfType(field(node, 'name'), walk);
    case 'struct_specifier':
    case 'class_specifier':
    case 'union_specifier':
    case 'enum_specifier':
      return nameOfType(field(node, 'name'), walk);
    case 'type_descriptor':
      return nameOfType(field(node, 'type'), walk);
    default:
      return null;
  }
}

export function typeExpression(node: SyntaxNode | undefined, walk: Walk): Expression | null {
  if (node === undefined) return null;
  const template =
    node.type === 'template_type'
      ? node
      : node.type === 'qualified_identifier'
        ? childOf(node, 'template_type')
        : undefined;
  const templateName = template === undefined ? undefined : field(template, 'name');
  if (template !== undefined && templateName !== undefined && smart.has(walk.text(templateName))) {
    return typeExpression(field(template, 'arguments')?.children[0], walk);
  }
  const name = nameOfType(node, walk);
  return name === null ? null : instanceOf(name);
}

export function referTypes(node: SyntaxNode | undefined, walk: Walk, from: number | null = walk.facts.current): void {
  if (node === undefined) return;
  if (node.type === 'qualified_identifier' || node.type === 'type_identifier') {
    const name = nameOfType(node, walk);
    if (name !== null) walk.facts.refer('type', name, node.start, from);
    for (const child of node.children)
      if (child.type === 'template_type') referTypes(childOf(child, 'template_argument_list'), walk, from);
    return;
  }
  for (const child of node.children) referTypes(child, walk, from);
}
