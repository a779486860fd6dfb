/** Go: packages, methods with their receivers, embedded types, interfaces with the shapes of their methods. */
import { collectionOf, elementOf, partAt } from '../composite.ts';
import { builtin, called, instanceOf, known, unknown } from '../expression.ts';
import type { Expression } from '../symbol.ts';
import { childOf, childrenOf, field, fields, type SyntaxNode } from '../syntax-tree.ts';
import { builtins, functionType, nameOfType, referTypes, resultType, shapeOf, typeExpression } from './go-types.ts';
import { block } from './shared-rules.ts';
import type { LanguageRules, Walk } from './walk.ts';

export const go: LanguageRules = {
  language: 'go',
  grammar: 'go',
  handlers: {
    package_clause: (node, walk) => {
      const name = node.children[0];
      if (name !== undefined) walk.facts.module = walk.text(name);
    },
    import_spec: importSpec,
    function_declaration: (node, walk) => declareFunction(node, walk, null),
    method_declaration: (node, walk) => declareFunction(node, walk, receiverOf(node, walk)),
    type_spec: typeSpec,
    type_alias: typeSpec,
    const_spec: valueSpec,
    var_spec: valueSpec,
    short_var_declaration: (node, walk) => {
      walk.visit(field(node, 'right'));
      bindAll(field(node, 'left')?.children ?? [], field(node, 'right')?.children ?? [], walk);
    },
    range_clause: (node, walk) => {
      const right = field(node, 'right');
      walk.visit(right);
      const [key, value] = field(node, 'left')?.children ?? [];
      bindName(key, null, walk);
      bindName(value, known(elementOf(walk.expression(right))), walk);
    },
    receive_statement: (node, walk) => {
      walk.visit(field(node, 'right'));
      bindAll(field(node, 'left')?.children ?? [], [], walk);
    },
    type_switch_statement: (node, walk) => {
      walk.visit(field(node, 'value'));
      bindAll(field(node, 'alias')?.children ?? [], [], walk);
      for (const child of node.children) if (child.field !== 'value' && child.field !== 'alias') walk.visit(child);
    },
    func_literal: (node, walk) => {
      walk.facts.insideBody(walk.facts.current, () => {
        bindParameters(field(node, 'parameters'), walk);
        bindParameters(field(node, 'result'), walk);
        walk.visit(field(node, 'body'));
      });
    },
    composite_literal: (node, walk) => {
      referTypes(field(node, 'type'), walk);
      walk.visit(field(node, 'body'));
    },
    keyed_element: (node, walk) => {
      // The key of a struct literal is a field, not a name of the package.
      const [key, value] = node.children;
      const inner = key?.type === 'literal_element' ? key.children[0] : key;
      if (inner !== undefined && inner.type !== 'identifier') walk.visit(inner);
      walk.visit(value);
    },
    type_identifier: (node, walk) => referTypes(node, walk),
    qualified_type: (node, walk) => referTypes(node, walk),
    labeled_statement: (node, walk) => {
      for (const child of node.children) if (child.field !== 'label') walk.visit(child);
    },
    label_name: () => undefined,
    field_declaration: () => undefined,
    block,
    if_statement: scoped,
    for_statement: scoped,
    expression_switch_statement: scoped,
    expression_case: scoped,
    type_case: scoped,
    default_case: scoped,
    communication_case: scoped,
  },
  identifiers: new Set(['identifier']),
  members: { selector_expression: ['operand', 'field'] },
  calls: { call_expression: 'function' },
  expressions: {
    identifier: (node, walk) => {
      const name = walk.text(node);
      return walk.facts.local(name) ?? (builtins.has(name) ? builtin : name);
    },
    call_expression: (node, walk) => {
      const callee = field(node, 'function');
      const name = callee?.type === 'identifier' ? walk.text(callee) : '';
      const given = field(node, 'arguments')?.children[0];
      if (name === 'new' || name === 'make') return typeExpression(given, walk);
      if (name === 'append') return walk.expression(given);
      return called(walk.expression(callee));
    },
    composite_literal: (node, walk) => typeExpression(field(node, 'type'), walk),
    unary_expression: (node, walk) => {
      const held = walk.expression(field(node, 'operand'));
      return walk.text(node).startsWith('<-') ? elementOf(held) : held;
    },
    index_expression: (node, walk) => elementOf(walk.expression(field(node, 'operand'))),
    slice_expression: (node, walk) => walk.expression(field(node, 'operand')),
    func_literal: (node, walk) => functionType(node, walk),
    parenthesized_expression: (node, walk) => walk.expression(node.children[0]),
    type_assertion_expression: (node, walk) => typeExpression(field(node, 'type'), walk),
    type_conversion_expression: (node, walk) => typeExpression(field(node, 'type'), walk),
    type_instantiation_expression: (node, walk) => walk.expression(field(node, 'type')),
    type_identifier: (node, walk) => walk.text(node),
    qualified_type: (node, walk) => nameOfType(node, walk),
  },
  comments: new Set(['comment']),
  wrappers: new Set(['type_declaration', 'const_declaration', 'var_declaration']),
  annotations: new Set(),
  isReserved: (name) => builtins.has(name),
};

function scoped(node: SyntaxNode, walk: Walk): void {
  walk.facts.insideBody(walk.facts.current, () => walk.visitChildren(node));
}

function importSpec(node: SyntaxNode, walk: Walk): void {
  const pathNode = field(node, 'path');
  if (pathNode === undefined) return;
  const specifier = walk.text(pathNode).slice(1, -1);
  const nameNode = field(node, 'name');
  const name = nameNode === undefined ? null : walk.text(nameNode);
  // Without a name the package's own name is used, which only the package knows: `local` stays open as `.`.
  if (name === '.') walk.facts.import({ specifier, imported: '*', local: null }, node.start);
  else walk.facts.import({ specifier, imported: null, local: name === '_' ? null : (name ?? '.') }, node.start);
}

function receiverOf(node: SyntaxNode, walk: Walk): string | null {
  const parameter = field(node, 'receiver')?.children[0];
  const type = parameter === undefined ? undefined : field(parameter, 'type');
  return type === undefined ? null : nameOfType(type, walk);
}

function declareFunction(node: SyntaxNode, walk: Walk, receiver: string | null): void {
  const { facts } = walk;
  const name = field(node, 'name');
  if (name === undefined) return;
  const text = walk.text(name);
  const body = field(node, 'body');
  const result = field(node, 'result');
  const index = facts.declare({
    name: text,
    kind: receiver === null ? 'function' : 'method',
    span: node,
    bodyStart: body?.start ?? null,
    documentation: walk.comment(node),
    exported: isExported(text),
    type: resultType(result, walk),
    shape: shapeOf(node, walk),
    ...(receiver === null ? {} : { owner: receiver, parent: facts.find(receiver) }),
  });
  facts.insideBody(index, () => {
    for (const parameter of field(node, 'type_parameters')?.children ?? []) {
      for (const one of fields(parameter, 'name')) facts.bind(walk.text(one), null);
    }
    bindParameters(field(node, 'receiver'), walk);
    bindParameters(field(node, 'parameters'), walk);
    if (result?.type === 'parameter_list') bindParameters(result, walk);
    else referTypes(result, walk);
    walk.visit(body);
  });
}

function typeSpec(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const name = field(node, 'name');
  const type = field(node, 'type');
  if (name === undefined || type === undefined) return;
  const text = walk.text(name);
  const isStruct = type.type === 'struct_type';
  const isInterface = type.type === 'interface_type';
  const span = node.parent?.type === 'type_declaration' && node.parent.children.length === 1 ? node.parent : node;
  const index = facts.declare({
    name: text,
    kind: isStruct ? 'struct' : isInterface ? 'interface' : 'type',
    span,
    bodyStart: isStruct || isInterface ? type.start : null,
    documentation: walk.comment(node),
    exported: isExported(text),
    type: isStruct || isInterface ? null : typeExpression(type, walk),
  });
  facts.insideMembers(index, () => {
    if (isStruct) structFields(type, walk, index);
    else if (isInterface) interfaceMethods(type, walk, index);
    else referTypes(type, walk, index);
  });
}

function structFields(type: SyntaxNode, walk: Walk, owner: number): void {
  const { facts } = walk;
  const list = childOf(type, 'field_declaration_list');
  for (const declaration of childrenOf(list ?? type, 'field_declaration')) {
    const fieldType = field(declaration, 'type');
    const names = fields(declaration, 'name');
    if (names.length === 0) {
      const base = fieldType === undefined ? null : nameOfType(fieldType, walk);
      if (base === null) continue;
      facts.refer('inherit', base, declaration.start, owner);
      const last = base.split('.').at(-1) ?? base;
      facts.declare({
        name: last,
        kind: 'field',
        span: declaration,
        documentation: walk.comment(declaration),
        exported: isExported(last),
        type: instanceOf(base),
      });
      continue;
    }
    for (const name of names) {
      facts.declare({
        name: walk.text(name),
        kind: 'field',
        span: declaration,
        documentation: walk.comment(declaration),
        exported: isExported(walk.text(name)),
        type: typeExpression(fieldType, walk),
      });
    }
    referTypes(fieldType, walk, owner);
  }
}

function interfaceMethods(type: SyntaxNode, walk: Walk, owner: number): void {
  for (const element of type.children) {
    const name = field(element, 'name');
    if (name !== undefined) {
      walk.facts.declare({
        name: walk.text(name),
        kind: 'method',
        span: element,
        documentation: walk.comment(element),
        exported: isExported(walk.text(name)),
        type: resultType(field(element, 'result'), walk),
        shape: shapeOf(element, walk),
      });
      referTypes(field(element, 'parameters'), walk, owner);
      referTypes(field(element, 'result'), walk, owner);
    } else if (element.type !== 'comment') {
      const [base] = element.children;
      const isPlain = element.children.length === 1 && base !== undefined && !walk.text(element).startsWith('~');
      const target = isPlain ? nameOfType(base, walk) : null;
      if (target !== null) walk.facts.refer('inherit', target, element.start, owner);
      else referTypes(element, walk, owner);
    }
  }
}

function valueSpec(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const type = field(node, 'type');
  const values = field(node, 'value')?.children ?? [];
  const names = fields(node, 'name');
  referTypes(type, walk);
  if (!facts.atMemberLevel) {
    walk.visit(field(node, 'value'));
    names.forEach((name, at) => {
      facts.bind(walk.text(name), typeExpression(type, walk) ?? valueAt(values, names.length, at, walk));
    });
    return;
  }
  const span =
    node.parent !== null && node.parent.children.length === 1 && node.parent.type !== 'var_spec_list'
      ? node.parent
      : node;
  names.forEach((name, at) => {
    const text = walk.text(name);
    if (text === '_') {
      const value = values[at];
      walk.visit(value);
      return;
    }
    const index = facts.declare({
      name: text,
      kind: node.type === 'const_spec' ? 'constant' : 'variable',
      span,
      documentation: walk.comment(node),
      exported: isExported(text),
      type: typeExpression(type, walk) ?? valueAt(values, names.length, at, walk),
    });
    facts.insideMembers(index, () => walk.visit(values[at]));
  });
}

function valueAt(values: readonly SyntaxNode[], names: number, at: number, walk: Walk): Expression | null {
  const [only] = values;
  if (only !== undefined && values.length === 1 && names > 1) {
    // A call gives several values; with a type, a key or a channel the second says whether there is one.
    if (only.type === 'call_expression') return known(partAt(walk.expression(only), at));
    return at > 0 ? builtin : known(walk.expression(only));
  }
  const value = values[at];
  const found = value === undefined ? unknown : walk.expression(value);
  return known(found);
}

function bindAll(names: readonly SyntaxNode[], values: readonly SyntaxNode[], walk: Walk): void {
  const held = names.map((_, at) => valueAt(values, names.length, at, walk));
  names.forEach((name, at) => {
    bindName(name, held[at] ?? null, walk);
  });
}

function bindName(name: SyntaxNode | undefined, held: Expression | null, walk: Walk): void {
  if (name?.type === 'identifier') walk.facts.bind(walk.text(name), held);
  else walk.visit(name);
}

function bindParameters(node: SyntaxNode | undefined, walk: Walk): void {
  for (const parameter of node?.children ?? []) {
    const type = field(parameter, 'type');
    if (type !== undefined) referTypes(type, walk);
    const one = typeExpression(type, walk);
    const held = parameter.type === 'variadic_parameter_declaration' ? collectionOf(one) : one;
    for (const name of fields(parameter, 'name')) walk.facts.bind(walk.text(name), held);
  }
}

function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}
