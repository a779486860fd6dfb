/** C#: namespaces, types and their members, attributes, `using` with and without a name. */
import { instanceOf, known, member, unknown } from '../expression.ts';
import type { Expression, SymbolKind } from '../symbol.ts';
import { childOf, childrenOf, field, type SyntaxNode } from '../syntax-tree.ts';
import { insideNamespace } from './namespaces.ts';
import { block, declareComponents, declareNamed, declareWithBody, typeReferences } from './shared-rules.ts';
import type { LanguageRules, Walk } from './walk.ts';

const wrapping: ReadonlySet<string> = new Set(['Task', 'ValueTask', 'Lazy', 'Nullable']);

const referTypes = typeReferences(new Set(['identifier', 'qualified_name']), nameOfType);

export const csharp: LanguageRules = {
  language: 'csharp',
  grammar: 'c-sharp',
  handlers: {
    using_directive: usingDirective,
    namespace_declaration: namespaceDeclaration,
    file_scoped_namespace_declaration: namespaceDeclaration,
    class_declaration: (node, walk) => declareType(node, 'class', walk),
    record_declaration: (node, walk) => declareType(node, 'class', walk),
    struct_declaration: (node, walk) => declareType(node, 'struct', walk),
    record_struct_declaration: (node, walk) => declareType(node, 'struct', walk),
    interface_declaration: (node, walk) => declareType(node, 'interface', walk),
    enum_declaration: (node, walk) => declareType(node, 'enum', walk),
    enum_member_declaration: (node, walk) => declareNamed(node, 'enum-member', walk),
    delegate_declaration: (node, walk) => declareNamed(node, 'type', walk),
    method_declaration: (node, walk) => declareMethod(node, 'method', walk),
    local_function_statement: (node, walk) => declareMethod(node, 'function', walk),
    constructor_declaration: (node, walk) => declareMethod(node, 'constructor', walk),
    destructor_declaration: () => undefined,
    operator_declaration: (node, walk) => walkBody(node, walk.facts.current, walk),
    conversion_operator_declaration: (node, walk) => walkBody(node, walk.facts.current, walk),
    property_declaration: declareProperty,
    indexer_declaration: (node, walk) => walkBody(node, walk.facts.current, walk),
    event_declaration: declareProperty,
    field_declaration: (node, walk) => declareFields(node, walk),
    event_field_declaration: (node, walk) => declareFields(node, walk),
    local_declaration_statement: (node, walk) => bindVariables(childOf(node, 'variable_declaration'), walk),
    variable_declaration: (node, walk) => bindVariables(node, walk),
    foreach_statement: (node, walk) => {
      walk.visit(field(node, 'right'));
      walk.facts.insideBody(walk.facts.current, () => {
        const name = field(node, 'left');
        referTypes(field(node, 'type'), walk);
        if (name?.type === 'identifier') walk.facts.bind(walk.text(name), typeExpression(field(node, 'type'), walk));
        walk.visit(field(node, 'body'));
      });
    },
    catch_declaration: (node, walk) => {
      const name = field(node, 'name');
      referTypes(field(node, 'type'), walk);
      if (name !== undefined) walk.facts.bind(walk.text(name), typeExpression(field(node, 'type'), walk));
    },
    declaration_pattern: (node, walk) => {
      const name = field(node, 'name');
      referTypes(field(node, 'type'), walk);
      if (name !== undefined) walk.facts.bind(walk.text(name), typeExpression(field(node, 'type'), walk));
    },
    declaration_expression: (node, walk) => {
      const name = field(node, 'name');
      if (name !== undefined) walk.facts.bind(walk.text(name), typeExpression(field(node, 'type'), walk));
    },
    lambda_expression: (node, walk) => {
      walk.facts.insideBody(walk.facts.current, () => {
        const parameters = field(node, 'parameters');
        if (parameters?.type === 'implicit_parameter' || parameters?.type === 'identifier')
          walk.facts.bind(walk.text(parameters), null);
        else bindParameters(parameters, walk);
        walk.visit(field(node, 'body'));
      });
    },
    object_creation_expression: (node, walk) => {
      const name = nameOfType(field(node, 'type'), walk);
      if (name !== null) walk.facts.refer('call', name, node.start);
      walk.visit(field(node, 'arguments'));
      // The left sides of an initialiser are members of the new object.
      for (const child of field(node, 'initializer')?.children ?? [])
        walk.visit(child.type === 'assignment_expression' ? field(child, 'right') : child);
    },
    argument: (node, walk) => {
      for (const child of node.children) if (child.field !== 'name') walk.visit(child);
    },
    attribute_list: (node, walk) => decorate([node], walk.facts.current, walk),
    block,
    type_argument_list: (node, walk) => referTypes(node, walk),
    cast_expression: (node, walk) => {
      referTypes(field(node, 'type'), walk);
      walk.visit(field(node, 'value'));
    },
    modifier: () => undefined,
  },
  identifiers: new Set(['identifier']),
  members: { member_access_expression: ['expression', 'name'], qualified_name: ['qualifier', 'name'] },
  calls: { invocation_expression: 'function' },
  expressions: {
    // `this` and `base` have no node of their own in a member access.
    member_access_expression: (node, walk) => {
      const name = field(node, 'name');
      if (name === undefined) return null;
      const object = field(node, 'expression');
      const head =
        object === undefined ? (walk.text(node).startsWith('base') ? 'super' : 'this') : walk.expression(object);
      return member(head, plainName(name, walk));
    },
    conditional_access_expression: (node, walk) => {
      const binding = node.children.find((child) => child.type === 'member_binding_expression');
      const name = binding === undefined ? undefined : field(binding, 'name');
      return name === undefined ? null : member(walk.expression(field(node, 'condition')), plainName(name, walk));
    },
    generic_name: (node, walk) => walk.expression(node.children[0]),
    object_creation_expression: (node, walk) => typeExpression(field(node, 'type'), walk),
    await_expression: (node, walk) => walk.expression(node.children[0]),
    parenthesized_expression: (node, walk) => walk.expression(node.children[0]),
    cast_expression: (node, walk) => typeExpression(field(node, 'type'), walk),
    as_expression: (node, walk) => typeExpression(field(node, 'right'), walk),
    this_expression: () => 'this',
    base_expression: () => 'super',
  },
  comments: new Set(['comment']),
  wrappers: new Set(),
  annotations: new Set(),
  isReserved: (name) => name === 'nameof' || name === 'value' || name === 'var' || name === '_',
};

function plainName(node: SyntaxNode, walk: Walk): string {
  return walk.text(node.type === 'generic_name' ? (node.children[0] ?? node) : node);
}

function usingDirective(node: SyntaxNode, walk: Walk): void {
  const alias = field(node, 'name');
  const target = node.children.find((child) => child !== alias);
  if (target === undefined) return;
  const specifier = walk.text(target).replace(/\s+/g, '');
  if (alias === undefined) {
    walk.facts.import({ specifier, imported: '*', local: null }, node.start);
    return;
  }
  const at = specifier.lastIndexOf('.');
  walk.facts.import(
    { specifier: specifier.slice(0, Math.max(at, 0)), imported: specifier.slice(at + 1), local: walk.text(alias) },
    node.start,
  );
}

function namespaceDeclaration(node: SyntaxNode, walk: Walk): void {
  const name = field(node, 'name');
  const body = field(node, 'body');
  if (name !== undefined) insideNamespace(walk.text(name).replace(/\s+/g, ''), '.', node, body, walk);
}

function declareType(node: SyntaxNode, kind: SymbolKind, walk: Walk): void {
  const declared = declareWithBody(node, kind, walk, { exported: isVisible(node, walk) });
  if (declared === null) return;
  const { facts } = walk;
  const { index, body } = declared;
  decorate(childrenOf(node, 'attribute_list'), index, walk);
  const bases = childOf(node, 'base_list')?.children.filter((child) => child.type !== 'argument_list') ?? [];
  for (const base of bases) {
    const inner = base.type === 'primary_constructor_base_type' ? base.children[0] : base;
    const baseName = nameOfType(inner, walk);
    if (baseName === null) continue;
    // Nothing in the text tells a class from an interface but the custom of the language.
    const last = baseName.split('.').at(-1) ?? '';
    const isInterface = kind !== 'interface' && /^I\p{Lu}/u.test(last);
    facts.refer(isInterface ? 'implement' : 'inherit', baseName, base.start, index);
    if (inner?.type === 'generic_name') referTypes(childOf(inner, 'type_argument_list'), walk, index);
  }
  facts.insideMembers(index, () => {
    declareComponents(childOf(node, 'parameter_list')?.children ?? [], typeExpression, walk);
    if (body !== undefined) walk.visitChildren(body);
  });
}

function isVisible(node: SyntaxNode, walk: Walk): boolean {
  return !childrenOf(node, 'modifier').some((one) => walk.text(one) === 'private');
}

function declareMethod(node: SyntaxNode, kind: SymbolKind, walk: Walk): void {
  const result = field(node, 'returns') ?? field(node, 'type');
  const type = typeExpression(result, walk);
  const declared = declareWithBody(node, kind, walk, { exported: isVisible(node, walk), type });
  if (declared === null) return;
  const { index } = declared;
  decorate(childrenOf(node, 'attribute_list'), index, walk);
  referTypes(result, walk, index);
  walkBody(node, index, walk);
}

function walkBody(node: SyntaxNode, index: number | null, walk: Walk): void {
  walk.facts.insideBody(index, () => {
    for (const parameter of childOf(node, 'type_parameter_list')?.children ?? []) {
      const name = field(parameter, 'name');
      if (name !== undefined) walk.facts.bind(walk.text(name), null);
    }
    bindParameters(field(node, 'parameters'), walk);
    const initializer = childOf(node, 'constructor_initializer');
    if (initializer !== undefined) walk.visitChildren(initializer);
    walk.visit(field(node, 'body') ?? field(node, 'accessors') ?? field(node, 'value'));
  });
}

function declareProperty(node: SyntaxNode, walk: Walk): void {
  const name = field(node, 'name');
  if (name === undefined) return;
  const type = field(node, 'type');
  const index = walk.facts.declare({
    name: walk.text(name),
    kind: 'property',
    span: node,
    bodyStart: field(node, 'accessors')?.start ?? field(node, 'value')?.start ?? null,
    documentation: walk.comment(node),
    exported: isVisible(node, walk),
    type: typeExpression(type, walk),
  });
  decorate(childrenOf(node, 'attribute_list'), index, walk);
  referTypes(type, walk, index);
  walk.facts.insideBody(index, () => {
    walk.visit(field(node, 'accessors'));
    walk.visit(field(node, 'value'));
  });
}

function declareFields(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const declaration = childOf(node, 'variable_declaration');
  if (declaration === undefined) return;
  const type = field(declaration, 'type');
  const isConstant = childrenOf(node, 'modifier').some((one) => walk.text(one) === 'const');
  for (const declarator of childrenOf(declaration, 'variable_declarator')) {
    const name = field(declarator, 'name');
    if (name === undefined) continue;
    const index = facts.declare({
      name: walk.text(name),
      kind: isConstant ? 'constant' : 'field',
      span: node,
      documentation: walk.comment(node),
      exported: isVisible(node, walk),
      type: typeExpression(type, walk),
    });
    decorate(childrenOf(node, 'attribute_list'), index, walk);
    referTypes(type, walk, index);
    for (const value of declarator.children) if (value !== name) facts.insideBody(index, () => walk.visit(value));
  }
}

function bindVariables(declaration: SyntaxNode | undefined, walk: Walk): void {
  if (declaration === undefined) return;
  const type = field(declaration, 'type');
  referTypes(type, walk);
  for (const declarator of childrenOf(declaration, 'variable_declarator')) {
    const name = field(declarator, 'name');
    const value = declarator.children.find((child) => child !== name);
    walk.visit(value);
    if (name !== undefined)
      walk.facts.bind(walk.text(name), typeExpression(type, walk) ?? known(walk.expression(value)));
  }
}

function bindParameters(node: SyntaxNode | undefined, walk: Walk): void {
  for (const parameter of node?.children ?? []) {
    if (parameter.field === 'name') walk.facts.bind(walk.text(parameter), null);
    const name = field(parameter, 'name');
    const type = field(parameter, 'type');
    referTypes(type, walk);
    if (name !== undefined) walk.facts.bind(walk.text(name), typeExpression(type, walk));
  }
}

function decorate(lists: readonly SyntaxNode[], index: number | null, walk: Walk): void {
  for (const attribute of lists.flatMap((list) => childrenOf(list, 'attribute'))) {
    const name = field(attribute, 'name');
    if (name !== undefined) walk.facts.refer('decorate', walk.expression(name), attribute.start, index);
    walk.visit(childOf(attribute, 'attribute_argument_list'));
  }
}

function nameOfType(node: SyntaxNode | undefined, walk: Walk): Expression | null {
  if (node === undefined) return null;
  switch (node.type) {
    case 'identifier': {
      const name = walk.text(node);
      return walk.facts.local(name) === unknown || name === 'var' ? null : name;
    }
    case 'qualified_name':
      return walk.text(node).replace(/<[^>]*>|\s+/g, '');
    case 'generic_name':
      return nameOfType(node.children[0], walk);
    case 'nullable_type':
      return nameOfType(field(node, 'type') ?? node.children[0], walk);
    default:
      return null;
  }
}

function typeExpression(node: SyntaxNode | undefined, walk: Walk): Expression | null {
  if (node === undefined) return null;
  if (node.type === 'generic_name' && wrapping.has(walk.text(node.children[0] ?? node))) {
    return typeExpression(childOf(node, 'type_argument_list')?.children[0], walk);
  }
  const name = nameOfType(node, walk);
  return name === null ? null : instanceOf(name);
}
