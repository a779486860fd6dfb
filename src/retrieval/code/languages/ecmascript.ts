/**
 * JavaScript, JSX, TypeScript and TSX: one set of handlers, since the grammars share their shapes.
 *
 * Modules of both kinds (`import`, `require`), members of object literals that are named, fields that a constructor
 * assigns, and `prototype` methods count as declarations.
 */
import { builtin, called, unknown } from '../expression.ts';
import { field, type SyntaxNode } from '../syntax-tree.ts';
import { assignmentExpression, bindPattern, variableDeclarator } from './ecmascript-bindings.ts';
import {
  anonymousFunction,
  classDeclaration,
  decorate,
  enumDeclaration,
  fieldDefinition,
  functionDeclaration,
  interfaceDeclaration,
  methodDefinition,
  namespaceDeclaration,
  typeAlias,
} from './ecmascript-declarations.ts';
import { exportStatement, importStatement, requiredModule } from './ecmascript-imports.ts';
import { globals, referTypes, typeExpression } from './ecmascript-types.ts';
import type { Handler, LanguageRules, Walk } from './walk.ts';

const handlers: Readonly<Record<string, Handler>> = {
  import_statement: importStatement,
  export_statement: exportStatement,
  function_declaration: functionDeclaration,
  generator_function_declaration: functionDeclaration,
  function_signature: functionDeclaration,
  class_declaration: classDeclaration,
  abstract_class_declaration: classDeclaration,
  class: classDeclaration,
  interface_declaration: interfaceDeclaration,
  type_alias_declaration: typeAlias,
  enum_declaration: enumDeclaration,
  internal_module: namespaceDeclaration,
  module: namespaceDeclaration,
  method_definition: methodDefinition,
  method_signature: methodDefinition,
  abstract_method_signature: methodDefinition,
  public_field_definition: fieldDefinition,
  field_definition: fieldDefinition,
  property_signature: fieldDefinition,
  variable_declarator: variableDeclarator,
  arrow_function: anonymousFunction,
  function_expression: anonymousFunction,
  generator_function: anonymousFunction,
  assignment_expression: assignmentExpression,
  call_expression: callExpression,
  new_expression: (node, walk) => {
    walk.facts.refer('call', walk.expression(field(node, 'constructor')), node.start);
    for (const child of node.children) if (child.field !== 'constructor') walk.visit(child);
  },
  for_in_statement: (node, walk) => {
    bindPattern(field(node, 'left'), walk, null);
    walk.visit(field(node, 'right'));
    walk.visit(field(node, 'body'));
  },
  catch_clause: (node, walk) => {
    bindPattern(field(node, 'parameter'), walk, null);
    walk.visit(field(node, 'body'));
  },
  jsx_opening_element: jsxElement,
  jsx_self_closing_element: jsxElement,
  jsx_closing_element: () => undefined,
  jsx_attribute: (node, walk) => {
    for (const child of node.children) if (child.type !== 'property_identifier') walk.visit(child);
  },
  pair: (node, walk) => walk.visit(field(node, 'value')),
  shorthand_property_identifier: (node, walk) => {
    const name = walk.text(node);
    if (walk.facts.local(name) === undefined && !globals.has(name)) walk.facts.refer('reference', name, node.start);
  },
  decorator: (node, walk) => decorate([node], walk.facts.current, walk),
  type_annotation: (node, walk) => referTypes(node, walk),
  type_arguments: (node, walk) => referTypes(node, walk),
  as_expression: (node, walk) => {
    walk.visit(node.children[0]);
    referTypes(node.children[1], walk);
  },
  satisfies_expression: (node, walk) => {
    walk.visit(node.children[0]);
    referTypes(node.children[1], walk);
  },
  type_parameters: () => undefined,
  labeled_statement: (node, walk) => walk.visit(field(node, 'body')),
  break_statement: () => undefined,
  continue_statement: () => undefined,
};

const shared = {
  handlers,
  identifiers: new Set(['identifier', 'this', 'super']),
  members: { member_expression: ['object', 'property'], nested_identifier: ['object', 'property'] },
  calls: { call_expression: 'function' },
  expressions: {
    // A local name hides the global one: `window` may hold a subject.
    identifier: (node, walk) => {
      const name = walk.text(node);
      return walk.facts.local(name) ?? (globals.has(name) ? builtin : name);
    },
    call_expression: (node, walk) => {
      const specifier = requiredModule(node, walk);
      if (specifier !== null) return unknown;
      return called(walk.expression(field(node, 'function')));
    },
    new_expression: (node, walk) => called(walk.expression(field(node, 'constructor'))),
    await_expression: (node, walk) => walk.expression(node.children[0]),
    parenthesized_expression: (node, walk) => walk.expression(node.children[0]),
    non_null_expression: (node, walk) => walk.expression(node.children[0]),
    satisfies_expression: (node, walk) => walk.expression(node.children[0]),
    as_expression: (node, walk) => typeExpression(node.children[1], walk) ?? walk.expression(node.children[0]),
    binary_expression: (node, walk) => {
      const operator = walk.facts.text.slice(
        node.children[0]?.end ?? node.start,
        node.children[1]?.start ?? node.start,
      );
      if (!/\?\?|\|\|/.test(operator)) return null;
      const left = walk.expression(node.children[0]);
      return left === unknown ? walk.expression(node.children[1]) : left;
    },
  },
  comments: new Set(['comment']),
  wrappers: new Set([
    'export_statement',
    'lexical_declaration',
    'variable_declaration',
    'ambient_declaration',
    'expression_statement',
  ]),
  annotations: new Set(['decorator']),
  isReserved: (name) => globals.has(name),
} as const satisfies Omit<LanguageRules, 'language' | 'grammar'>;

export const typescript: LanguageRules = { ...shared, language: 'typescript', grammar: 'typescript' };
export const tsx: LanguageRules = { ...shared, language: 'tsx', grammar: 'tsx' };
/** The JavaScript grammar reads JSX; Flow's annotations are not read. */
export const javascript: LanguageRules = { ...shared, language: 'javascript', grammar: 'javascript' };

function callExpression(node: SyntaxNode, walk: Walk): void {
  const specifier = requiredModule(node, walk);
  if (specifier !== null) {
    const isImport = field(node, 'function')?.type === 'import';
    walk.facts.import({ specifier, imported: null, local: null, form: isImport ? 'dynamic' : 'module' }, node.start);
    return;
  }
  const callee = field(node, 'function');
  walk.facts.refer('call', walk.expression(callee), node.start);
  visitInside(callee, walk);
  for (const child of node.children) if (child.field !== 'function') walk.visit(child);
}

function visitInside(node: SyntaxNode | undefined, walk: Walk): void {
  if (node === undefined || node.type === 'identifier' || node.type === 'this' || node.type === 'super') return;
  if (node.type === 'member_expression') visitInside(field(node, 'object'), walk);
  else walk.visit(node);
}

function jsxElement(node: SyntaxNode, walk: Walk): void {
  const name = field(node, 'name');
  if (name !== undefined && /^[A-Z]|\./.test(walk.text(name))) {
    const target = walk.expression(name);
    walk.facts.refer('call', target, node.start);
  }
  for (const child of node.children) if (child.field !== 'name') walk.visit(child);
}
