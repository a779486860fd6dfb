/**
 * JavaScript, JSX, TypeScript and TSX: one set of handlers, since the grammars share their shapes.
 *
 * Modules of both kinds (`import`, `require`), members of object literals that are named, fields that a constructor
 * assigns, and `prototype` methods count as declarations.
 */
import { called, instanceOf, member, unknown } from '../expression.ts';
import type { Expression, ImportFact, SymbolKind } from '../symbol.ts';
import { childOf, childrenOf, field, type SyntaxNode } from '../syntax-tree.ts';
import type { Handler, LanguageRules, Walk } from './walk.ts';

const globals: ReadonlySet<string> = new Set(
  (
    'undefined NaN Infinity globalThis window document console Object Array String Number Boolean Symbol BigInt Math JSON ' +
    'Promise Proxy Reflect Intl parseInt parseFloat isNaN isFinite arguments eval setTimeout clearTimeout setInterval ' +
    'clearInterval queueMicrotask structuredClone exports module require process Buffer __dirname __filename'
  ).split(' '),
);
const functionTypes: ReadonlySet<string> = new Set([
  'arrow_function',
  'function_expression',
  'function',
  'generator_function',
]);
/** Types whose first argument is what a use of the value sees after `await` or a check. */
const transparentTypes: ReadonlySet<string> = new Set([
  'Promise',
  'Readonly',
  'Partial',
  'Required',
  'NonNullable',
  'Awaited',
]);

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

function stringOf(node: SyntaxNode | undefined, walk: Walk): string | null {
  if (node?.type === 'string') return walk.text(node).slice(1, -1);
  if (node?.type === 'template_string' && node.children.every((child) => child.type !== 'template_substitution')) {
    return walk.text(node).slice(1, -1);
  }
  return null;
}

function importStatement(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const requirement = childOf(node, 'import_require_clause');
  if (requirement !== undefined) {
    const specifier = stringOf(field(requirement, 'source'), walk);
    const name = childOf(requirement, 'identifier');
    if (specifier !== null && name !== undefined) {
      facts.import({ specifier, imported: null, local: walk.text(name) }, node.start);
    }
    return;
  }
  const specifier = stringOf(field(node, 'source'), walk);
  if (specifier === null) return;
  const form: ImportFact['form'] = /^import\s+type\b/.test(walk.text(node)) ? 'type' : 'module';
  const clause = childOf(node, 'import_clause');
  if (clause === undefined) {
    facts.import({ specifier, imported: null, local: null, form }, node.start);
    return;
  }
  for (const child of clause.children) {
    if (child.type === 'identifier') {
      facts.import({ specifier, imported: 'default', local: walk.text(child), form }, node.start);
    } else if (child.type === 'namespace_import') {
      const name = child.children[0];
      if (name !== undefined) facts.import({ specifier, imported: null, local: walk.text(name), form }, node.start);
    } else if (child.type === 'named_imports') {
      if (child.children.length === 0) facts.import({ specifier, imported: null, local: null, form }, node.start);
      for (const one of childrenOf(child, 'import_specifier')) {
        const name = field(one, 'name');
        const local = field(one, 'alias') ?? name;
        if (name === undefined || local === undefined) continue;
        facts.import({ specifier, imported: unquoted(walk.text(name)), local: walk.text(local), form }, one.start);
      }
    }
  }
}

function exportStatement(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const specifier = stringOf(field(node, 'source'), walk);
  const clause = childOf(node, 'export_clause');
  const text = facts.text.slice(node.start, Math.min(node.end, node.start + 40));
  const form: ImportFact['form'] = /^export\s+type\b/.test(text) ? 'type' : 'module';
  for (const one of clause?.children ?? []) {
    if (one.type !== 'export_specifier') continue;
    const name = field(one, 'name');
    const alias = field(one, 'alias') ?? name;
    if (name === undefined || alias === undefined) continue;
    const exported = unquoted(walk.text(alias));
    if (specifier === null) facts.export(unquoted(walk.text(name)), exported);
    else facts.import({ specifier, imported: unquoted(walk.text(name)), local: null, exported, form }, one.start);
  }
  if (specifier !== null) {
    const namespace = childOf(node, 'namespace_export');
    const name = namespace?.children[0];
    if (name !== undefined) {
      facts.import({ specifier, imported: null, local: null, exported: unquoted(walk.text(name)), form }, node.start);
    } else if (clause === undefined) {
      facts.import({ specifier, imported: '*', local: null, exported: '*', form }, node.start);
    } else if (clause.children.length === 0) facts.import({ specifier, imported: null, local: null, form }, node.start);
    return;
  }
  if (clause !== undefined) return;
  const isDefault = /^export\s+default\b/.test(text);
  decorate(childrenOf(node, 'decorator'), null, walk, true);
  const declaration =
    field(node, 'declaration') ??
    field(node, 'value') ??
    node.children.find((child) => child.type !== 'decorator' && child.type !== 'comment');
  if (declaration === undefined) return;
  if (isDefault) {
    const name = field(declaration, 'name');
    if (name !== undefined && declaration.type !== 'member_expression') {
      walk.visit(declaration);
      facts.export(walk.text(name), 'default');
    } else if (
      functionTypes.has(declaration.type) ||
      declaration.type.endsWith('_declaration') ||
      declaration.type === 'class'
    ) {
      declareAnonymousDefault(declaration, walk);
    } else {
      walk.visit(declaration);
      const value = walk.expression(declaration);
      if (value !== unknown) facts.export(value, 'default');
      else if (declaration.type === 'object') {
        const index = facts.declare({
          name: 'default',
          kind: 'variable',
          span: declaration,
          documentation: walk.comment(node),
        });
        objectMembers(declaration, index, walk);
      }
    }
    return;
  }
  walk.visit(declaration);
}

function declareAnonymousDefault(node: SyntaxNode, walk: Walk): void {
  if (node.type.includes('class')) declareClass(node, 'default', walk);
  else declareFunction(node, node, 'default', 'function', walk);
}

function isExported(node: SyntaxNode): boolean {
  let at: SyntaxNode | null = node.parent;
  while (
    at !== null &&
    ['lexical_declaration', 'variable_declaration', 'ambient_declaration', 'expression_statement'].includes(at.type)
  )
    at = at.parent;
  return at?.type === 'export_statement';
}

function functionDeclaration(node: SyntaxNode, walk: Walk): void {
  const name = field(node, 'name');
  if (name === undefined) return;
  // Overload signatures stand before the function that they describe; a declaration file has nothing else.
  if (node.type === 'function_signature' && hasTwinAfter(node, name, walk)) return;
  declareFunction(node, node, walk.text(name), 'function', walk);
}

function hasTwinAfter(node: SyntaxNode, name: SyntaxNode, walk: Walk): boolean {
  const wrapper = node.parent?.type === 'export_statement' ? node.parent : node;
  const next = wrapper.parent?.children
    .slice(wrapper.index + 1)
    .find((child) => child.type !== 'comment' && child.type !== 'decorator');
  const declaration = next?.type === 'export_statement' ? field(next, 'declaration') : next;
  const twin = declaration === undefined ? undefined : field(declaration, 'name');
  return twin !== undefined && walk.text(twin) === walk.text(name);
}

function declareFunction(
  node: SyntaxNode,
  span: SyntaxNode,
  name: string,
  kind: SymbolKind,
  walk: Walk,
  owner?: string,
): number {
  const { facts } = walk;
  const body = field(node, 'body');
  const outer = span.parent?.type === 'export_statement' ? span.parent : span;
  const result = field(node, 'return_type');
  const index = facts.declare({
    name,
    kind,
    span: { start: outer.start, end: span.end },
    bodyStart: body?.start ?? null,
    documentation: walk.comment(span),
    exported: kind !== 'function' || isExported(span) || owner !== undefined,
    type: typeExpression(result, walk),
    ...(owner === undefined ? {} : { owner }),
  });
  walkFunction(node, index, walk);
  return index;
}

function walkFunction(node: SyntaxNode, index: number | null, walk: Walk): void {
  walk.facts.insideBody(index, () => {
    bindTypeParameters(node, walk);
    referTypes(field(node, 'return_type'), walk);
    const single = field(node, 'parameter');
    if (single !== undefined) walk.facts.bind(walk.text(single), null);
    bindParameters(field(node, 'parameters'), walk);
    const body = field(node, 'body');
    if (body?.type === 'statement_block') walk.visitChildren(body);
    else walk.visit(body);
  });
}

function anonymousFunction(node: SyntaxNode, walk: Walk): void {
  walkFunction(node, walk.facts.current, walk);
}

function bindTypeParameters(node: SyntaxNode, walk: Walk): void {
  for (const parameter of field(node, 'type_parameters')?.children ?? []) {
    const name = field(parameter, 'name');
    if (name !== undefined) walk.facts.bind(walk.text(name), null);
    for (const child of parameter.children) if (child.field !== 'name') referTypes(child, walk);
  }
}

function bindParameters(node: SyntaxNode | undefined, walk: Walk): void {
  for (const parameter of node?.children ?? []) {
    const pattern =
      field(parameter, 'pattern') ?? (parameter.type === 'assignment_pattern' ? field(parameter, 'left') : parameter);
    const annotation = field(parameter, 'type');
    const value =
      field(parameter, 'value') ?? (parameter.type === 'assignment_pattern' ? field(parameter, 'right') : undefined);
    referTypes(annotation, walk);
    walk.visit(value);
    for (const decorator of childrenOf(parameter, 'decorator')) walk.visit(decorator);
    const type = typeExpression(annotation, walk) ?? (value === undefined ? null : walk.expression(value));
    if (childOf(parameter, 'accessibility_modifier') !== undefined && pattern?.type === 'identifier') {
      const owner = walk.facts.enclosing('class');
      if (owner !== null) {
        walk.facts.declare({ name: walk.text(pattern), kind: 'field', span: parameter, type, parent: owner });
      }
    }
    bindPattern(pattern, walk, type);
  }
}

function bindPattern(node: SyntaxNode | undefined, walk: Walk, type: Expression | null): void {
  if (node === undefined) return;
  const { facts } = walk;
  if (node.type === 'identifier' || node.type === 'shorthand_property_identifier_pattern') {
    facts.bind(walk.text(node), type);
  } else if (node.type === 'object_pattern') {
    for (const part of node.children) {
      if (part.type === 'shorthand_property_identifier_pattern')
        facts.bind(walk.text(part), partOf(type, walk.text(part)));
      else if (part.type === 'pair_pattern') {
        const key = field(part, 'key');
        bindPattern(field(part, 'value'), walk, key === undefined ? null : partOf(type, walk.text(key)));
      } else if (part.type === 'object_assignment_pattern') {
        walk.visit(field(part, 'right'));
        const left = field(part, 'left');
        bindPattern(left, walk, left === undefined ? null : partOf(type, walk.text(left)));
      } else bindPattern(part, walk, null);
    }
  } else if (node.type === 'assignment_pattern') {
    walk.visit(field(node, 'right'));
    bindPattern(field(node, 'left'), walk, null);
  } else if (node.type === 'array_pattern' || node.type === 'rest_pattern') {
    for (const part of node.children) bindPattern(part, walk, null);
  }
}

function partOf(type: Expression | null, name: string): Expression | null {
  return type === null || type === unknown || !/^[\w$]+$/.test(name) ? null : member(type, name);
}

function classDeclaration(node: SyntaxNode, walk: Walk): void {
  const name = field(node, 'name');
  if (name !== undefined) declareClass(node, walk.text(name), walk);
  else walkClass(node, walk.facts.current, walk);
}

function declareClass(node: SyntaxNode, name: string, walk: Walk, span: SyntaxNode = node): number {
  const outer = span.parent?.type === 'export_statement' ? span.parent : span;
  const index = walk.facts.declare({
    name,
    kind: 'class',
    span: { start: outer.start, end: span.end },
    bodyStart: field(node, 'body')?.start ?? null,
    documentation: walk.comment(span),
    exported: isExported(span),
  });
  const outside = span.parent?.type === 'export_statement' ? childrenOf(span.parent, 'decorator') : [];
  decorate([...outside, ...childrenOf(node, 'decorator')], index, walk);
  walkClass(node, index, walk);
  return index;
}

function walkClass(node: SyntaxNode, index: number | null, walk: Walk): void {
  const { facts } = walk;
  const heritage = childOf(node, 'class_heritage');
  for (const part of heritage?.children ?? []) {
    if (part.type === 'implements_clause') referBases(part.children, 'implement', index, walk);
    else if (part.type === 'extends_clause') {
      const value = field(part, 'value');
      if (value !== undefined) referBase(value, 'inherit', index, walk);
      referTypes(field(part, 'type_arguments'), walk, index);
    } else referBase(part, 'inherit', index, walk);
  }
  facts.insideMembers(index, () => {
    let pending: SyntaxNode[] = [];
    for (const child of field(node, 'body')?.children ?? []) {
      if (child.type === 'decorator') pending.push(child);
      else {
        const before = facts.current;
        walk.visit(child);
        if (pending.length > 0) {
          const name = field(child, 'name') ?? field(child, 'property');
          const owner = before === null ? '' : `${facts.symbol(before).qualifiedName}.`;
          decorate(pending, name === undefined ? before : (facts.find(owner + walk.text(name)) ?? before), walk);
          pending = [];
        }
      }
    }
  });
}

function referBase(node: SyntaxNode, kind: 'inherit' | 'implement', index: number | null, walk: Walk): void {
  const base = node.type === 'generic_type' ? (field(node, 'name') ?? node) : node;
  const target = nameOfType(base, walk) ?? walk.expression(base);
  walk.facts.refer(kind, target, node.start, index);
  if (base !== node) referTypes(field(node, 'type_arguments'), walk, index);
  if (base.type === 'call_expression') walk.visit(base);
}

function referBases(
  nodes: readonly SyntaxNode[],
  kind: 'inherit' | 'implement',
  index: number | null,
  walk: Walk,
): void {
  for (const node of nodes) referBase(node, kind, index, walk);
}

function interfaceDeclaration(node: SyntaxNode, walk: Walk): void {
  const name = field(node, 'name');
  if (name === undefined) return;
  const body = field(node, 'body');
  const outer = node.parent?.type === 'export_statement' ? node.parent : node;
  const index = walk.facts.declare({
    name: walk.text(name),
    kind: 'interface',
    span: { start: outer.start, end: node.end },
    bodyStart: body?.start ?? null,
    documentation: walk.comment(node),
    exported: isExported(node),
  });
  referBases(childOf(node, 'extends_type_clause', 'extends_clause')?.children ?? [], 'inherit', index, walk);
  walk.facts.insideMembers(index, () => {
    for (const child of body?.children ?? []) {
      if (child.type === 'call_signature' || child.type === 'construct_signature' || child.type === 'index_signature')
        referTypes(child, walk, index);
      else walk.visit(child);
    }
  });
}

function typeAlias(node: SyntaxNode, walk: Walk): void {
  const name = field(node, 'name');
  const value = field(node, 'value');
  if (name === undefined) return;
  const outer = node.parent?.type === 'export_statement' ? node.parent : node;
  const index = walk.facts.declare({
    name: walk.text(name),
    kind: 'type',
    span: { start: outer.start, end: node.end },
    documentation: walk.comment(node),
    exported: isExported(node),
    type: value === undefined ? null : typeExpression(value, walk),
  });
  if (value?.type === 'object_type') walk.facts.insideMembers(index, () => walk.visitChildren(value));
  else referTypes(value, walk, index);
}

function enumDeclaration(node: SyntaxNode, walk: Walk): void {
  const name = field(node, 'name');
  const body = field(node, 'body');
  if (name === undefined) return;
  const outer = node.parent?.type === 'export_statement' ? node.parent : node;
  const index = walk.facts.declare({
    name: walk.text(name),
    kind: 'enum',
    span: { start: outer.start, end: node.end },
    bodyStart: body?.start ?? null,
    documentation: walk.comment(node),
    exported: isExported(node),
  });
  walk.facts.insideMembers(index, () => {
    for (const child of body?.children ?? []) {
      const key = child.type === 'enum_assignment' ? field(child, 'name') : child;
      if (key?.type === 'property_identifier')
        walk.facts.declare({
          name: walk.text(key),
          kind: 'enum-member',
          span: child,
          documentation: walk.comment(child),
        });
    }
  });
}

function namespaceDeclaration(node: SyntaxNode, walk: Walk): void {
  const name = field(node, 'name');
  const body = field(node, 'body');
  // A module named by a string describes another package; what is in it is still worth finding.
  if (name === undefined || name.type === 'string') {
    walk.visit(body);
    return;
  }
  const index = walk.facts.declare({
    name: walk.text(name),
    kind: 'namespace',
    span: node,
    bodyStart: body?.start ?? null,
    documentation: walk.comment(node),
    exported: isExported(node),
  });
  walk.facts.insideMembers(index, () => walk.visit(body));
}

function methodDefinition(node: SyntaxNode, walk: Walk): void {
  const name = field(node, 'name');
  if (name === undefined) return;
  if (node.type !== 'method_definition' && hasTwinAfter(node, name, walk)) return;
  const text = walk.text(name);
  if (name.type === 'computed_property_name') walk.visit(name);
  const head = walk.facts.text.slice(node.start, name.start);
  const isAccessor = /\b(get|set)\s*$/.test(head);
  declareFunction(node, node, text, text === 'constructor' ? 'constructor' : isAccessor ? 'property' : 'method', walk);
}

function fieldDefinition(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const name = field(node, 'name') ?? field(node, 'property');
  const value = field(node, 'value');
  if (name === undefined) return;
  if (value !== undefined && functionTypes.has(value.type)) {
    declareFunction(value, node, walk.text(name), 'method', walk);
    return;
  }
  const annotation = field(node, 'type');
  const type = typeExpression(annotation, walk) ?? known(value === undefined ? unknown : walk.expression(value));
  const index = facts.declare({
    name: walk.text(name),
    kind: 'field',
    span: node,
    documentation: walk.comment(node),
    type,
  });
  for (const decorator of childrenOf(node, 'decorator')) decorate([decorator], index, walk);
  referTypes(annotation, walk, index);
  if (value !== undefined) facts.insideBody(index, () => walk.visit(value));
}

function known(expression: Expression): Expression | null {
  return expression === unknown ? null : expression;
}

function variableDeclarator(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const name = field(node, 'name');
  const value = field(node, 'value');
  if (name === undefined) return;
  const annotation = field(node, 'type');
  const specifier = value === undefined ? null : requiredModule(value, walk);
  if (specifier !== null) {
    importRequired(name, specifier, value, walk);
    return;
  }
  // `var app = exports = module.exports = {}`: the variable is the module.
  if (
    name.type === 'identifier' &&
    value?.type === 'assignment_expression' &&
    /^(exports\s*=\s*)?module\.exports\s*=/.test(walk.text(value))
  ) {
    facts.export(walk.text(name), 'default');
  }
  if (name.type === 'identifier' && value !== undefined) {
    const inner = unwrapped(value);
    const span = node.parent !== null && node.parent.children.length === 1 ? node.parent : node;
    if (functionTypes.has(inner.type)) {
      declareFunction(inner, span, walk.text(name), 'function', walk);
      referTypes(annotation, walk);
      return;
    }
    if (inner.type === 'class') {
      declareClass(inner, walk.text(name), walk, span);
      return;
    }
  }
  const type = typeExpression(annotation, walk) ?? known(value === undefined ? unknown : walk.expression(value));
  if (!facts.atMemberLevel) {
    referTypes(annotation, walk);
    walk.visit(value);
    bindPattern(name, walk, type);
    return;
  }
  if (name.type !== 'identifier') {
    walk.visit(value);
    for (const part of patternNames(name)) {
      facts.declare({
        name: walk.text(part),
        kind: 'variable',
        span: node,
        exported: isExported(node),
        type: partOf(type, walk.text(part)),
      });
    }
    return;
  }
  const outer = node.parent?.parent?.type === 'export_statement' ? node.parent.parent : node;
  const span = node.parent !== null && node.parent.children.length === 1 ? outer : node;
  const index = facts.declare({
    name: walk.text(name),
    kind: /^[A-Z][A-Z0-9_]*$/.test(walk.text(name)) ? 'constant' : 'variable',
    span: { start: span.start, end: node.end },
    documentation: walk.comment(node),
    exported: isExported(node),
    type,
  });
  referTypes(annotation, walk, index);
  const literal = value === undefined ? undefined : unwrapped(value);
  if (literal?.type === 'object') objectMembers(literal, index, walk);
  else facts.insideMembers(index, () => walk.visit(value));
}

function patternNames(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === 'identifier' || node.type === 'shorthand_property_identifier_pattern') return [node];
  return node.children.filter((child) => child.field !== 'key' && child.field !== 'right').flatMap(patternNames);
}

function unwrapped(node: SyntaxNode): SyntaxNode {
  let at = node;
  while (
    ['parenthesized_expression', 'as_expression', 'satisfies_expression', 'non_null_expression'].includes(at.type)
  ) {
    const [inner] = at.children;
    if (inner === undefined) break;
    at = inner;
  }
  return at;
}

/** Functions of an object that has a name are its members. */
function objectMembers(node: SyntaxNode, owner: number, walk: Walk): void {
  walk.facts.insideMembers(owner, () => {
    for (const child of node.children) {
      const key = child.type === 'pair' ? field(child, 'key') : undefined;
      const value = child.type === 'pair' ? field(child, 'value') : undefined;
      if (key?.type === 'property_identifier' && value !== undefined && functionTypes.has(value.type)) {
        declareFunction(value, child, walk.text(key), 'method', walk);
      } else walk.visit(child);
    }
  });
}

function requiredModule(node: SyntaxNode, walk: Walk): string | null {
  const call = node.type === 'await_expression' ? node.children[0] : node;
  if (call?.type !== 'call_expression') return null;
  const callee = field(call, 'function');
  if (callee === undefined) return null;
  const isImport =
    callee.type === 'import' ||
    (callee.type === 'identifier' && walk.text(callee) === 'require' && walk.facts.local('require') === undefined);
  return isImport ? stringOf(field(call, 'arguments')?.children[0], walk) : null;
}

function importRequired(name: SyntaxNode, specifier: string, value: SyntaxNode | undefined, walk: Walk): void {
  const form: ImportFact['form'] = value?.type === 'await_expression' ? 'dynamic' : 'module';
  if (name.type === 'identifier') {
    walk.facts.import({ specifier, imported: null, local: walk.text(name), form }, name.start);
    return;
  }
  for (const part of name.children) {
    const key =
      part.type === 'pair_pattern'
        ? field(part, 'key')
        : part.type === 'object_assignment_pattern'
          ? field(part, 'left')
          : part;
    const local = part.type === 'pair_pattern' ? field(part, 'value') : key;
    if (key === undefined || local === undefined) continue;
    walk.facts.import({ specifier, imported: walk.text(key), local: walk.text(local), form }, part.start);
  }
}

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

function assignmentExpression(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const left = field(node, 'left');
  const right = field(node, 'right');
  if (left === undefined || right === undefined) return;
  const path = walk.text(left).replace(/\s+/g, '');
  const commonJs = /^(?:module\.)?exports(?:\.([\w$]+))?$/.exec(path);
  if (commonJs !== null && path !== 'exports') {
    exportCommonJs(commonJs[1] ?? null, node, right, walk);
    return;
  }
  if (left.type === 'member_expression' && facts.current === null) {
    const attached = /^([\w$]+)(?:\.prototype)?\.([\w$]+)$/.exec(path);
    const [, owner, name] = attached ?? [];
    if (owner !== undefined && name !== undefined && owner !== 'this' && functionTypes.has(right.type)) {
      declareFunction(right, node, name, 'method', walk, owner);
      return;
    }
  }
  walk.visit(right);
  if (left.type === 'identifier') {
    // A second assignment: what the name holds is known only if both agree.
    const before = facts.local(walk.text(left));
    if (before === unknown) facts.bind(walk.text(left), walk.expression(right));
    return;
  }
  const fieldName = /^this\.([\w$#]+)$/.exec(path)?.[1];
  const owner = fieldName === undefined ? null : facts.enclosing('class');
  if (fieldName !== undefined && owner !== null) {
    const qualified = `${facts.symbol(owner).qualifiedName}.${fieldName}`;
    const index = facts.find(qualified);
    if (index !== null) facts.learnType(index, walk.expression(right));
    else {
      facts.declare({
        name: fieldName,
        kind: 'field',
        span: node,
        documentation: walk.comment(node),
        type: known(walk.expression(right)),
        parent: owner,
      });
      return;
    }
  }
  walk.visit(left);
}

function exportCommonJs(name: string | null, node: SyntaxNode, right: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const specifier = requiredModule(right, walk);
  if (specifier !== null) {
    facts.import({ specifier, imported: name === null ? '*' : null, local: null, exported: name ?? '*' }, node.start);
    return;
  }
  if (functionTypes.has(right.type)) {
    const inner = field(right, 'name');
    const declared = name ?? (inner === undefined ? 'default' : walk.text(inner));
    declareFunction(right, node, declared, 'function', walk);
    facts.export(declared, name ?? 'default');
    return;
  }
  if (name === null && right.type === 'object') {
    for (const child of right.children) {
      if (child.type === 'shorthand_property_identifier') facts.export(walk.text(child), walk.text(child));
      else if (child.type === 'pair') {
        const key = field(child, 'key');
        const value = field(child, 'value');
        if (key === undefined || value === undefined) continue;
        const inner = requiredModule(value, walk);
        if (inner !== null)
          facts.import({ specifier: inner, imported: null, local: null, exported: walk.text(key) }, child.start);
        else if (functionTypes.has(value.type)) {
          declareFunction(value, child, walk.text(key), 'function', walk);
          facts.export(walk.text(key), walk.text(key));
        } else {
          const local = walk.expression(value);
          if (local !== unknown) facts.export(local, walk.text(key));
          walk.visit(value);
        }
      } else walk.visit(child);
    }
    return;
  }
  walk.visit(right);
  const value = walk.expression(right);
  if (value !== unknown) facts.export(value, name ?? 'default');
}

function decorate(decorators: readonly SyntaxNode[], index: number | null, walk: Walk, argumentsOnly = false): void {
  for (const decorator of decorators) {
    const [expression] = decorator.children;
    if (expression === undefined) continue;
    const callee = expression.type === 'call_expression' ? field(expression, 'function') : expression;
    if (!argumentsOnly) walk.facts.refer('decorate', walk.expression(callee), decorator.start, index);
    if (expression.type === 'call_expression' && !argumentsOnly) walk.visit(field(expression, 'arguments'));
  }
}

function nameOfType(node: SyntaxNode, walk: Walk): Expression | null {
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

/** What a value of a written type is, or null when one name does not say it. */
function typeExpression(node: SyntaxNode | undefined, walk: Walk): Expression | null {
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
    case 'type_query':
      return nameOfType(node.children[0] ?? node, walk);
    default: {
      const name = nameOfType(node, walk);
      return name === null || name === unknown ? null : instanceOf(name);
    }
  }
}

function unionOptions(node: SyntaxNode): readonly SyntaxNode[] {
  return node.children.flatMap((child) => (child.type === 'union_type' ? unionOptions(child) : [child]));
}

function referTypes(node: SyntaxNode | undefined, walk: Walk, from: number | null = walk.facts.current): void {
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

function unquoted(name: string): string {
  return name.replace(/^["']|["']$/g, '');
}
