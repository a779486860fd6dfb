/**
 * C and C++, both read by the C++ grammar.
 *
 * A prototype is a declaration like any other; a definition outside its class (`int A::run()`) belongs to the class by
 * name. Macros with parameters are symbols; what they expand to is not looked at.
 */
import { known, unknown } from '../expression.ts';
import type { SymbolKind } from '../symbol.ts';
import { childOf, childrenOf, field, fields, type SyntaxNode } from '../syntax-tree.ts';
import {
  functionDeclaratorOf,
  nameOfDeclarator,
  nameOfType,
  pathOf,
  referTypes,
  typeExpression,
} from './c-family-types.ts';
import { block, declareNamed } from './shared-rules.ts';
import type { LanguageRules, Walk } from './walk.ts';

const shared = {
  grammar: 'cpp',
  handlers: {
    preproc_include: (node, walk) => {
      const path = field(node, 'path');
      if (path === undefined) return;
      const text = walk.text(path);
      const form = text.startsWith('<') ? ('module' as const) : ('include' as const);
      walk.facts.import({ specifier: text.slice(1, -1), imported: '*', local: null, exported: '*', form }, node.start);
    },
    preproc_def: (node, walk) => declareMacro(node, walk),
    preproc_function_def: (node, walk) => declareMacro(node, walk),
    namespace_definition: (node, walk) => {
      const name = field(node, 'name');
      const body = field(node, 'body');
      if (name === undefined) {
        walk.visit(body);
        return;
      }
      const index = walk.facts.declare({
        name: walk.text(name).replace(/\s*::\s*/g, '.'),
        kind: 'namespace',
        span: node,
        bodyStart: body?.start ?? null,
        documentation: walk.comment(node),
      });
      walk.facts.insideMembers(index, () => walk.visit(body));
    },
    class_specifier: (node, walk) => declareRecord(node, 'class', walk),
    struct_specifier: (node, walk) => declareRecord(node, 'struct', walk),
    union_specifier: (node, walk) => declareRecord(node, 'struct', walk),
    enum_specifier: declareEnum,
    alias_declaration: (node, walk) => {
      const name = field(node, 'name');
      const type = field(node, 'type');
      if (name !== undefined)
        walk.facts.declare({
          name: walk.text(name),
          kind: 'type',
          span: node,
          documentation: walk.comment(node),
          type: typeExpression(type, walk),
        });
      referTypes(type, walk);
    },
    type_definition: typeDefinition,
    function_definition: functionDefinition,
    declaration: declaration,
    field_declaration: declaration,
    template_parameter_list: () => undefined,
    lambda_expression: (node, walk) => {
      walk.facts.insideBody(walk.facts.current, () => {
        bindParameters(childOf(field(node, 'declarator') ?? node, 'parameter_list'), walk);
        walk.visit(field(node, 'body'));
      });
    },
    for_range_loop: (node, walk) => {
      walk.visit(field(node, 'right'));
      walk.facts.insideBody(walk.facts.current, () => {
        const name = nameOfDeclarator(field(node, 'declarator'));
        if (name !== undefined) walk.facts.bind(walk.text(name), typeExpression(field(node, 'type'), walk));
        walk.visit(field(node, 'body'));
      });
    },
    new_expression: (node, walk) => {
      const name = nameOfType(field(node, 'type'), walk);
      if (name !== null) walk.facts.refer('call', name, node.start);
      walk.visit(field(node, 'arguments'));
    },
    compound_statement: block,
    for_statement: block,
    using_declaration: (node, walk) => {
      const name = node.children[0];
      if (name === undefined) return;
      const path = pathOf(name, walk);
      if (/^using\s+namespace\b/.test(walk.text(node)))
        walk.facts.import({ specifier: path, imported: '*', local: null, form: 'type' }, node.start);
      else
        walk.facts.import(
          { specifier: path, imported: null, local: path.split('.').at(-1) ?? path, form: 'type' },
          node.start,
        );
    },
    type_descriptor: (node, walk) => referTypes(node, walk),
    template_argument_list: (node, walk) => referTypes(node, walk),
    type_identifier: (node, walk) => referTypes(node, walk),
    field_designator: () => undefined,
    labeled_statement: (node, walk) => {
      for (const child of node.children) if (child.field !== 'label') walk.visit(child);
    },
    goto_statement: () => undefined,
    statement_identifier: () => undefined,
  },
  identifiers: new Set(['identifier', 'this']),
  members: { field_expression: ['argument', 'field'], qualified_identifier: ['scope', 'name'] },
  calls: { call_expression: 'function' },
  expressions: {
    qualified_identifier: (node, walk) => pathOf(node, walk),
    template_function: (node, walk) => {
      const name = field(node, 'name');
      const target = name === undefined ? unknown : walk.expression(name);
      if (name !== undefined && /^make_(unique|shared)$/.test(walk.text(name)))
        return typeExpression(field(node, 'arguments')?.children[0], walk);
      return target;
    },
    template_method: (node, walk) => walk.expression(field(node, 'name')),
    new_expression: (node, walk) => typeExpression(field(node, 'type'), walk),
    pointer_expression: (node, walk) => walk.expression(field(node, 'argument')),
    parenthesized_expression: (node, walk) => walk.expression(node.children[0]),
    cast_expression: (node, walk) => typeExpression(field(node, 'type'), walk),
    compound_literal_expression: (node, walk) => typeExpression(field(node, 'type'), walk),
    subscript_expression: () => null,
  },
  comments: new Set(['comment']),
  wrappers: new Set(['template_declaration', 'linkage_specification']),
  annotations: new Set(['access_specifier']),
  isReserved: (name) => name === 'NULL' || name === 'std' || name === 'sizeof' || name === 'true' || name === 'false',
} as const satisfies Omit<LanguageRules, 'language'>;

export const c: LanguageRules = { ...shared, language: 'c' };
export const cpp: LanguageRules = { ...shared, language: 'cpp' };

function declareMacro(node: SyntaxNode, walk: Walk): void {
  const name = field(node, 'name');
  const value = field(node, 'value');
  // A macro without a value guards a header or switches something on.
  if (name === undefined || value === undefined) return;
  walk.facts.declare({
    name: walk.text(name),
    kind: 'macro',
    span: { start: node.start, end: trimmedEnd(node, walk) },
    documentation: walk.comment(node),
  });
}

/** Directives take their line end with them. */
function trimmedEnd(node: SyntaxNode, walk: Walk): number {
  return node.start + walk.text(node).trimEnd().length;
}

function declareRecord(node: SyntaxNode, kind: SymbolKind, walk: Walk): void {
  const { facts } = walk;
  const name = field(node, 'name');
  const body = field(node, 'body');
  if (body === undefined) {
    if (name !== undefined) referTypes(name, walk);
    return;
  }
  const typedefName = node.parent?.type === 'type_definition' ? field(node.parent, 'declarator') : undefined;
  const nameText =
    name === undefined ? (typedefName === undefined ? null : walk.text(typedefName)) : pathOf(name, walk);
  if (nameText === null) {
    // The members of an anonymous record are used as members of what is around it.
    for (const child of body.children) walk.visit(child);
    return;
  }
  const wrapper =
    node.parent?.type === 'template_declaration' || node.parent?.type === 'type_definition' ? node.parent : node;
  const index = facts.declare({
    name: nameText,
    kind,
    span: wrapper,
    bodyStart: body.start,
    documentation: walk.comment(wrapper),
  });
  for (const base of childOf(node, 'base_class_clause')?.children ?? []) {
    if (base.type === 'access_specifier' || base.type === 'comment') continue;
    facts.refer('inherit', pathOf(base, walk), base.start, index);
    for (const argument of childrenOf(base, 'template_argument_list')) referTypes(argument, walk, index);
  }
  facts.insideMembers(index, () => walk.visitChildren(body));
}

function declareEnum(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const body = field(node, 'body');
  if (body === undefined) return;
  const typedefName = node.parent?.type === 'type_definition' ? field(node.parent, 'declarator') : undefined;
  const name = field(node, 'name') ?? typedefName;
  const index =
    name === undefined
      ? facts.current
      : facts.declare({
          name: walk.text(name),
          kind: 'enum',
          span: node.parent?.type === 'type_definition' ? node.parent : node,
          bodyStart: body.start,
          documentation: walk.comment(node.parent?.type === 'type_definition' ? node.parent : node),
        });
  // Members of a plain enum belong to the scope around it; they are kept under its name and found by their own.
  facts.insideMembers(index, () => {
    for (const one of childrenOf(body, 'enumerator')) declareNamed(one, 'enum-member', walk);
  });
}

function typeDefinition(node: SyntaxNode, walk: Walk): void {
  const type = field(node, 'type');
  const isBody = type !== undefined && field(type, 'body') !== undefined;
  if (isBody) walk.visit(type);
  else referTypes(type, walk);
  for (const declarator of fields(node, 'declarator')) {
    const name = nameOfDeclarator(declarator);
    if (name === undefined || name.type === 'qualified_identifier') continue;
    const tag = type === undefined ? undefined : field(type, 'name');
    if (isBody && (tag === undefined || walk.text(tag) === walk.text(name))) continue;
    walk.facts.declare({
      name: walk.text(name),
      kind: 'type',
      span: isBody ? { start: name.start, end: name.end } : node,
      documentation: walk.comment(node),
      type: typeExpression(type, walk),
    });
  }
}

function functionDefinition(node: SyntaxNode, walk: Walk): void {
  const declarator = functionDeclaratorOf(field(node, 'declarator'));
  const nameNode = declarator === undefined ? undefined : field(declarator, 'declarator');
  const body = field(node, 'body') ?? childOf(node, 'try_statement');
  if (nameNode === undefined || declarator === undefined) {
    walk.visit(body);
    return;
  }
  declareFunction(node, nameNode, declarator, body, walk);
}

function declareFunction(
  node: SyntaxNode,
  nameNode: SyntaxNode,
  declarator: SyntaxNode,
  body: SyntaxNode | undefined,
  walk: Walk,
): void {
  const { facts } = walk;
  const path = pathOf(nameNode, walk).split('.');
  const name = path.at(-1) ?? '';
  if (name === '' || name === unknown) return;
  const scope = path.slice(0, -1).join('.');
  const around = facts.current === null ? '' : `${facts.symbol(facts.current).qualifiedName}.`;
  const wrapper = node.parent?.type === 'template_declaration' ? node.parent : node;
  const inRecord = facts.current !== null && ['class', 'struct'].includes(facts.symbol(facts.current).kind);
  const ownerName =
    scope === '' ? (inRecord && facts.current !== null ? facts.symbol(facts.current).name : '') : (path.at(-2) ?? '');
  const isMember = inRecord || scope !== '';
  const type = field(node, 'type');
  const index = facts.declare({
    name,
    kind: isMember && name === ownerName ? 'constructor' : isMember ? 'method' : 'function',
    span: wrapper,
    bodyStart: body?.start ?? null,
    documentation: walk.comment(node),
    exported: !childrenOf(node, 'storage_class_specifier').some((one) => walk.text(one) === 'static') || isMember,
    type: typeExpression(type, walk),
    ...(scope === '' ? {} : { owner: around + scope, parent: facts.find(around + scope) ?? facts.current }),
  });
  referTypes(type, walk, index);
  facts.insideBody(index, () => {
    bindParameters(field(declarator, 'parameters'), walk);
    for (const initializer of childOf(node, 'field_initializer_list')?.children ?? [])
      walk.visit(childOf(initializer, 'argument_list', 'initializer_list'));
    walk.visit(body);
  });
}

/** Variables, fields and prototypes. */
function declaration(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const type = field(node, 'type');
  if (type !== undefined && field(type, 'body') !== undefined) walk.visit(type);
  else referTypes(type, walk);
  const declared = fields(node, 'declarator');
  for (const declarator of declared) {
    const initial = declarator.type === 'init_declarator' ? field(declarator, 'value') : field(node, 'default_value');
    const inner = declarator.type === 'init_declarator' ? field(declarator, 'declarator') : declarator;
    const asFunction = functionDeclaratorOf(inner);
    const functionName = asFunction === undefined ? undefined : field(asFunction, 'declarator');
    if (asFunction !== undefined && functionName !== undefined && functionName.type !== 'parenthesized_declarator') {
      if (facts.atMemberLevel) declareFunction(node, functionName, asFunction, undefined, walk);
      else {
        const name = nameOfDeclarator(inner);
        if (name !== undefined) facts.bind(walk.text(name), typeExpression(type, walk));
      }
      continue;
    }
    const name = nameOfDeclarator(inner);
    if (name === undefined) {
      walk.visit(initial);
      continue;
    }
    const held = typeExpression(type, walk) ?? (initial === undefined ? null : known(walk.expression(initial)));
    if (!facts.atMemberLevel) {
      walk.visit(initial);
      facts.bind(walk.text(name), held);
      continue;
    }
    if (name.type === 'qualified_identifier') {
      walk.visit(initial);
      continue;
    }
    const inRecord = facts.current !== null && ['class', 'struct'].includes(facts.symbol(facts.current).kind);
    const isConstant = /\b(const|constexpr)\b/.test(facts.text.slice(node.start, declarator.start));
    const isStatic = childrenOf(node, 'storage_class_specifier').some((one) => walk.text(one) === 'static');
    const index = facts.declare({
      name: walk.text(name),
      kind: inRecord ? 'field' : isConstant ? 'constant' : 'variable',
      span: node,
      documentation: walk.comment(node),
      exported: inRecord || !isStatic,
      type: held,
    });
    if (initial !== undefined) facts.insideBody(index, () => walk.visit(initial));
  }
}

function bindParameters(node: SyntaxNode | undefined, walk: Walk): void {
  for (const parameter of node?.children ?? []) {
    const type = field(parameter, 'type');
    referTypes(type, walk);
    walk.visit(field(parameter, 'default_value'));
    const name = nameOfDeclarator(field(parameter, 'declarator'));
    if (name !== undefined) walk.facts.bind(walk.text(name), typeExpression(type, walk));
  }
}
