/** Java: packages, types with their members, Javadoc, imports of types and of static members. */
import { called, instanceOf, known, member, unknown } from '../expression.ts';
import type { Expression, SymbolKind } from '../symbol.ts';
import { childOf, childrenOf, field, fields, type SyntaxNode } from '../syntax-tree.ts';
import { block, declareComponents, declareWithBody, typeReferences } from './shared-rules.ts';
import type { LanguageRules, Walk } from './walk.ts';

const langNames: ReadonlySet<string> = new Set(
  (
    'Object String Integer Long Short Byte Double Float Boolean Character Number Math System Thread Runnable Exception ' +
    'RuntimeException Error Throwable Iterable Comparable CharSequence StringBuilder Override Deprecated SuppressWarnings ' +
    'FunctionalInterface SafeVarargs Class Enum Record Void var'
  ).split(' '),
);

const referTypes = typeReferences(new Set(['type_identifier', 'scoped_type_identifier']), nameOfType);

export const java: LanguageRules = {
  language: 'java',
  grammar: 'java',
  handlers: {
    package_declaration: (node, walk) => {
      const name = childOf(node, 'scoped_identifier', 'identifier');
      if (name !== undefined) walk.facts.module = walk.text(name);
    },
    import_declaration: importDeclaration,
    class_declaration: (node, walk) => declareType(node, 'class', walk),
    interface_declaration: (node, walk) => declareType(node, 'interface', walk),
    annotation_type_declaration: (node, walk) => declareType(node, 'interface', walk),
    enum_declaration: (node, walk) => declareType(node, 'enum', walk),
    record_declaration: (node, walk) => declareType(node, 'class', walk),
    method_declaration: (node, walk) => declareMethod(node, 'method', walk),
    annotation_type_element_declaration: (node, walk) => declareMethod(node, 'method', walk),
    constructor_declaration: (node, walk) => declareMethod(node, 'constructor', walk),
    compact_constructor_declaration: (node, walk) => declareMethod(node, 'constructor', walk),
    field_declaration: (node, walk) => declareFields(node, walk),
    constant_declaration: (node, walk) => declareFields(node, walk),
    enum_constant: (node, walk) => {
      const name = field(node, 'name');
      if (name === undefined) return;
      const owner = walk.facts.current;
      const index = walk.facts.declare({
        name: walk.text(name),
        kind: 'enum-member',
        span: node,
        documentation: walk.comment(node),
        type: owner === null ? null : instanceOf(walk.facts.symbol(owner).name),
      });
      walk.visit(field(node, 'arguments'));
      const body = field(node, 'body');
      if (body !== undefined) walk.facts.insideMembers(index, () => walk.visitChildren(body));
    },
    modifiers: (node, walk) => decorate(node, walk.facts.current, walk),
    local_variable_declaration: (node, walk) => {
      referTypes(field(node, 'type'), walk);
      for (const declarator of fields(node, 'declarator')) {
        const value = field(declarator, 'value');
        const name = field(declarator, 'name');
        walk.visit(value);
        if (name !== undefined)
          walk.facts.bind(walk.text(name), typeExpression(field(node, 'type'), walk) ?? known(walk.expression(value)));
      }
    },
    enhanced_for_statement: (node, walk) => {
      walk.visit(field(node, 'value'));
      walk.facts.insideBody(walk.facts.current, () => {
        const name = field(node, 'name');
        referTypes(field(node, 'type'), walk);
        if (name !== undefined) walk.facts.bind(walk.text(name), typeExpression(field(node, 'type'), walk));
        walk.visit(field(node, 'body'));
      });
    },
    catch_formal_parameter: (node, walk) => {
      const name = field(node, 'name');
      referTypes(childOf(node, 'catch_type'), walk);
      if (name !== undefined)
        walk.facts.bind(walk.text(name), typeExpression(childOf(node, 'catch_type')?.children[0], walk));
    },
    resource: (node, walk) => {
      const name = field(node, 'name');
      walk.visit(field(node, 'value'));
      referTypes(field(node, 'type'), walk);
      if (name !== undefined)
        walk.facts.bind(
          walk.text(name),
          typeExpression(field(node, 'type'), walk) ?? known(walk.expression(field(node, 'value'))),
        );
    },
    instanceof_expression: (node, walk) => {
      walk.visit(field(node, 'left'));
      referTypes(field(node, 'right'), walk);
      const name = field(node, 'name');
      if (name !== undefined) walk.facts.bind(walk.text(name), typeExpression(field(node, 'right'), walk));
    },
    lambda_expression: (node, walk) => {
      walk.facts.insideBody(walk.facts.current, () => {
        const parameters = field(node, 'parameters');
        if (parameters?.type === 'identifier') walk.facts.bind(walk.text(parameters), null);
        else if (parameters?.type === 'inferred_parameters')
          for (const one of parameters.children) walk.facts.bind(walk.text(one), null);
        else bindParameters(parameters, walk);
        walk.visit(field(node, 'body'));
      });
    },
    method_invocation: (node, walk) => {
      walk.facts.refer('call', walk.expression(node).slice(0, -2), node.start);
      const object = field(node, 'object');
      if (object !== undefined && object.type !== 'identifier' && object.type !== 'this') walk.visit(object);
      walk.visit(field(node, 'arguments'));
    },
    object_creation_expression: (node, walk) => {
      const type = field(node, 'type');
      const name = type === undefined ? null : nameOfType(type, walk);
      if (name !== null) walk.facts.refer('call', name, node.start);
      walk.visit(field(node, 'arguments'));
      const body = childOf(node, 'class_body');
      // An anonymous class overrides members of the type; what its methods do is done by the method around it.
      for (const child of body?.children ?? []) {
        walk.facts.insideBody(walk.facts.current, () => {
          bindParameters(field(child, 'parameters'), walk);
          walk.visit(field(child, 'body'));
        });
      }
    },
    explicit_constructor_invocation: (node, walk) => walk.visit(field(node, 'arguments')),
    method_reference: (node, walk) => {
      const [object, name] = node.children;
      if (object !== undefined && name !== undefined)
        walk.facts.refer('reference', member(walk.expression(object), walk.text(name)), node.start);
    },
    block,
    type_arguments: (node, walk) => referTypes(node, walk),
    type_identifier: (node, walk) => referTypes(node, walk),
    cast_expression: (node, walk) => {
      referTypes(field(node, 'type'), walk);
      walk.visit(field(node, 'value'));
    },
    labeled_statement: (node, walk) => walk.visit(node.children[1]),
    break_statement: () => undefined,
    continue_statement: () => undefined,
  },
  identifiers: new Set(['identifier', 'this', 'super']),
  members: { field_access: ['object', 'field'], scoped_identifier: ['scope', 'name'] },
  calls: {},
  expressions: {
    method_invocation: (node, walk) => {
      const name = field(node, 'name');
      if (name === undefined) return null;
      const object = field(node, 'object');
      if (object === undefined) return called(walk.text(name));
      return called(member(walk.expression(object), walk.text(name)));
    },
    object_creation_expression: (node, walk) => typeExpression(field(node, 'type'), walk),
    parenthesized_expression: (node, walk) => walk.expression(node.children[0]),
    cast_expression: (node, walk) => typeExpression(field(node, 'type'), walk),
    type_identifier: (node, walk) => walk.text(node),
  },
  comments: new Set(['line_comment', 'block_comment']),
  wrappers: new Set(),
  annotations: new Set(),
  isReserved: (name) => langNames.has(name),
};

function importDeclaration(node: SyntaxNode, walk: Walk): void {
  const path = childOf(node, 'scoped_identifier', 'identifier');
  if (path === undefined) return;
  const specifier = walk.text(path).replace(/\s+/g, '');
  if (childOf(node, 'asterisk') !== undefined) {
    walk.facts.import({ specifier, imported: '*', local: null }, node.start);
    return;
  }
  const at = specifier.lastIndexOf('.');
  const name = specifier.slice(at + 1);
  walk.facts.import({ specifier: specifier.slice(0, Math.max(at, 0)), imported: name, local: name }, node.start);
}

function declareType(node: SyntaxNode, kind: SymbolKind, walk: Walk): void {
  const declared = declareWithBody(node, kind, walk, { exported: isVisible(node, walk) });
  if (declared === null) return;
  const { facts } = walk;
  const { index, body } = declared;
  decorate(childOf(node, 'modifiers'), index, walk);
  referBases(field(node, 'superclass'), 'inherit', index, walk);
  referBases(field(node, 'interfaces'), 'implement', index, walk);
  referBases(childOf(node, 'extends_interfaces'), 'inherit', index, walk);
  facts.insideMembers(index, () => {
    if (node.type === 'record_declaration')
      declareComponents(field(node, 'parameters')?.children ?? [], typeExpression, walk);
    if (body !== undefined)
      for (const child of body.children) {
        if (child.type === 'enum_body_declarations') walk.visitChildren(child);
        else walk.visit(child);
      }
  });
}

function isVisible(node: SyntaxNode, walk: Walk): boolean {
  const modifiers = childOf(node, 'modifiers');
  return modifiers === undefined || !/\bprivate\b/.test(walk.text(modifiers));
}

function referBases(node: SyntaxNode | undefined, kind: 'inherit' | 'implement', index: number, walk: Walk): void {
  for (const type of node?.children.flatMap((child) => (child.type === 'type_list' ? child.children : [child])) ?? []) {
    const name = nameOfType(type, walk);
    if (name !== null) walk.facts.refer(kind, name, type.start, index);
    if (type.type === 'generic_type') referTypes(childOf(type, 'type_arguments'), walk, index);
  }
}

function declareMethod(node: SyntaxNode, kind: SymbolKind, walk: Walk): void {
  const type = typeExpression(field(node, 'type'), walk);
  const declared = declareWithBody(node, kind, walk, { exported: isVisible(node, walk), type });
  if (declared === null) return;
  const { facts } = walk;
  const { index, body } = declared;
  decorate(childOf(node, 'modifiers'), index, walk);
  facts.insideBody(index, () => {
    for (const parameter of childOf(node, 'type_parameters')?.children ?? []) {
      const typeName = childOf(parameter, 'type_identifier');
      if (typeName !== undefined) facts.bind(walk.text(typeName), null);
    }
    referTypes(field(node, 'type'), walk);
    bindParameters(field(node, 'parameters'), walk);
    walk.visit(body);
  });
}

function declareFields(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const type = field(node, 'type');
  for (const declarator of fields(node, 'declarator')) {
    const name = field(declarator, 'name');
    if (name === undefined) continue;
    const text = walk.text(name);
    const value = field(declarator, 'value');
    const index = facts.declare({
      name: text,
      kind: /^[A-Z][A-Z0-9_]*$/.test(text) ? 'constant' : 'field',
      span: node,
      documentation: walk.comment(node),
      exported: isVisible(node, walk),
      type: typeExpression(type, walk),
    });
    decorate(childOf(node, 'modifiers'), index, walk);
    referTypes(type, walk, index);
    if (value !== undefined) facts.insideBody(index, () => walk.visit(value));
  }
}

function bindParameters(node: SyntaxNode | undefined, walk: Walk): void {
  for (const parameter of node?.children ?? []) {
    const isSpread = parameter.type === 'spread_parameter';
    const declarator = childOf(parameter, 'variable_declarator');
    const name = field(parameter, 'name') ?? (declarator === undefined ? undefined : field(declarator, 'name'));
    const type =
      field(parameter, 'type') ??
      (isSpread ? parameter.children.find((child) => child.type !== 'modifiers') : undefined);
    decorate(childOf(parameter, 'modifiers'), walk.facts.current, walk);
    referTypes(type, walk);
    if (name !== undefined) walk.facts.bind(walk.text(name), isSpread ? null : typeExpression(type, walk));
  }
}

function decorate(modifiers: SyntaxNode | undefined, index: number | null, walk: Walk): void {
  for (const annotation of modifiers === undefined ? [] : childrenOf(modifiers, 'annotation', 'marker_annotation')) {
    const name = field(annotation, 'name');
    if (name !== undefined) walk.facts.refer('decorate', walk.expression(name), annotation.start, index);
    walk.visit(field(annotation, 'arguments'));
  }
}

function nameOfType(node: SyntaxNode, walk: Walk): Expression | null {
  switch (node.type) {
    case 'type_identifier':
    case 'identifier': {
      const name = walk.text(node);
      if (langNames.has(name)) return null;
      return walk.facts.local(name) === unknown ? null : name;
    }
    case 'scoped_type_identifier':
      return walk.text(node).replace(/<[^>]*>|\s+/g, '');
    case 'generic_type':
    case 'annotated_type':
      return node.children[0] === undefined
        ? null
        : nameOfType(node.type === 'annotated_type' ? (node.children.at(-1) ?? node) : node.children[0], walk);
    default:
      return null;
  }
}

function typeExpression(node: SyntaxNode | undefined, walk: Walk): Expression | null {
  const name = node === undefined ? null : nameOfType(node, walk);
  return name === null ? null : instanceOf(name);
}
