/**
 * JavaScript, JSX, TypeScript and TSX: one set of handlers, since the grammars share their shapes.
 *
 * Modules of both kinds (`import`, `require`), members of object literals that are named, fields that a constructor
 * assigns, and `prototype` methods count as declarations.
 */
import { collectionOf, elementOf, functionOf, iterated, partAt } from '../composite.ts';
import { builtin, called, instanceOf, isBuiltin, known, member, unknown } from '../expression.ts';
import type { Expression } from '../symbol.ts';
import { field, type SyntaxNode } from '../syntax-tree.ts';
import { assignmentExpression, bindPattern, referImplemented, variableDeclarator } from './ecmascript-bindings.ts';
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
import { collection, globals, parameterTypes, referTypes, typeExpression } from './ecmascript-types.ts';
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
    const [left, right] = [field(node, 'left'), field(node, 'right')];
    const isOf =
      left !== undefined && right !== undefined && /\bof\b/.test(walk.facts.text.slice(left.end, right.start));
    bindPattern(left, walk, isOf ? known(iterated(walk.expression(right))) : null);
    walk.visit(right);
    walk.visit(field(node, 'body'));
  },
  if_statement: (node, walk) => {
    const condition = field(node, 'condition');
    walk.visit(condition);
    const types = new Map<string, Expression>();
    narrow(condition, types, walk);
    walk.facts.narrowed(types, () => walk.visit(field(node, 'consequence')));
    walk.visit(field(node, 'alternative'));
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
  object: (node, walk) => {
    if (walk.facts.current !== null) referImplemented(node, walk.facts.current, walk);
    walk.visitChildren(node);
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
      return valuesOf(node, walk) ?? called(walk.expression(field(node, 'function')));
    },
    new_expression: (node, walk) => {
      const made = field(node, 'constructor');
      return (made === undefined ? null : collection(node, made, walk)) ?? called(walk.expression(made));
    },
    subscript_expression: (node, walk) => {
      const base = walk.expression(field(node, 'object'));
      const index = field(node, 'index');
      const name = index?.type === 'string' ? walk.text(index).slice(1, -1) : '';
      if (/^[A-Za-z_$][\w$]*$/.test(name)) return member(base, name);
      return index?.type === 'number' && /^\d$/.test(walk.text(index))
        ? partAt(base, Number(walk.text(index)))
        : elementOf(base);
    },
    array: (node, walk) => {
      const [only] = node.children;
      if (node.children.length !== 1 || only?.type !== 'spread_element') return null;
      return collectionOf(iterated(walk.expression(only.children[0])));
    },
    ternary_expression: (node, walk) => {
      // A function that is only one of two is not called where the name of both is.
      const options = [field(node, 'consequence'), field(node, 'alternative')].filter(
        (option) => option !== undefined && !/^(identifier|member_expression)$/.test(option.type),
      );
      const held = options.map((option) => walk.expression(option));
      return held.find((one) => one !== unknown && one !== builtin) ?? null;
    },
    arrow_function: writtenFunction,
    function_expression: writtenFunction,
    string: () => builtin,
    template_string: () => builtin,
    number: () => builtin,
    true: () => builtin,
    false: () => builtin,
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

/** `x instanceof A` says what `x` is where it holds. */
function narrow(condition: SyntaxNode | undefined, types: Map<string, Expression>, walk: Walk): void {
  if (condition?.type === 'parenthesized_expression') narrow(condition.children[0], types, walk);
  if (condition?.type !== 'binary_expression') return;
  const [left, right] = [field(condition, 'left'), field(condition, 'right')];
  if (left === undefined || right === undefined) return;
  const operator = walk.facts.text.slice(left.end, right.start).trim();
  if (operator === '&&') {
    narrow(left, types, walk);
    narrow(right, types, walk);
  } else if (operator === 'instanceof' && left.type === 'identifier') {
    const type = walk.expression(right);
    if (type !== unknown && !isBuiltin(type)) types.set(walk.text(left), instanceOf(type));
  }
}

/** The values of an object, a set or a list: `Object.values(x)`, `Array.from(x)`. */
function valuesOf(call: SyntaxNode, walk: Walk): Expression | null {
  const name = walk.text(field(call, 'function') ?? call);
  const [given, ...more] = field(call, 'arguments')?.children ?? [];
  if (given === undefined || more.length > 0) return null;
  if (name === 'Array.from') return collectionOf(iterated(walk.expression(given)));
  if (name !== 'Object.values' && name !== 'Object.entries') return null;
  const held = walk.expression(given);
  return held === unknown ? null : called(member(held, name.slice('Object.'.length)));
}

function writtenFunction(node: SyntaxNode, walk: Walk): Expression | null {
  return functionOf(typeExpression(field(node, 'return_type'), walk), parameterTypes(node, walk));
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
