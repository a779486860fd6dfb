/** What JavaScript and TypeScript declare: functions, classes, interfaces, types, enums, namespaces and their members. */
import { functionOf, isRest, parameterAt, tupleOf } from '../composite.ts';
import { known, unknown } from '../expression.ts';
import type { Expression, SymbolKind } from '../symbol.ts';
import { childOf, childrenOf, field, type SyntaxNode } from '../syntax-tree.ts';
import { bindParameters } from './ecmascript-bindings.ts';
import { expectedOf } from './ecmascript-context.ts';
import { unquoted } from './ecmascript-imports.ts';
import { nameOfType, parameterTypes, referTypes, typeExpression } from './ecmascript-types.ts';
import type { Walk } from './walk.ts';

export const functionTypes: ReadonlySet<string> = new Set([
  'arrow_function',
  'function_expression',
  'function',
  'generator_function',
]);

export function functionDeclaration(node: SyntaxNode, walk: Walk): void {
  const name = field(node, 'name');
  if (name === undefined) return;
  // Overload signatures stand before the function that they describe; a declaration file has nothing else.
  if (node.type === 'function_signature' && hasTwinAfter(node, name, walk)) return;
  declareFunction(node, node, walk.text(name), 'function', walk);
}

export function declareFunction(
  node: SyntaxNode,
  span: SyntaxNode,
  name: string,
  kind: SymbolKind,
  walk: Walk,
  owner?: string,
): number {
  const index = declareFunctionName(node, span, name, kind, walk, owner);
  walkFunction(node, index, walk);
  return index;
}

/** Without what is in it: of a function with several names, each is a definition, and one has the body. */
export function declareFunctionName(
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
  return facts.declare({
    name,
    kind,
    span: { start: outer.start, end: span.end },
    bodyStart: body?.start ?? null,
    documentation: walk.comment(span),
    exported: kind !== 'function' || isExported(span) || owner !== undefined,
    type: typeExpression(result, walk),
    shape: tupleOf(parameterTypes(node, walk)),
    ...(owner === undefined ? {} : { owner }),
  });
}

export function anonymousFunction(node: SyntaxNode, walk: Walk): void {
  walkFunction(node, walk.facts.current, walk);
}

export function isExported(node: SyntaxNode): boolean {
  let at: SyntaxNode | null = node.parent;
  while (
    at !== null &&
    ['lexical_declaration', 'variable_declaration', 'ambient_declaration', 'expression_statement'].includes(at.type)
  )
    at = at.parent;
  return at?.type === 'export_statement';
}

export function classDeclaration(node: SyntaxNode, walk: Walk): void {
  const name = field(node, 'name');
  if (name !== undefined) declareClass(node, walk.text(name), walk);
  else walkClass(node, walk.facts.current, walk);
}

export function declareClass(node: SyntaxNode, name: string, walk: Walk, span: SyntaxNode = node): number {
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

export function interfaceDeclaration(node: SyntaxNode, walk: Walk): void {
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
    type: callSignature(body, walk),
  });
  referBases(childOf(node, 'extends_type_clause', 'extends_clause')?.children ?? [], 'inherit', index, walk);
  insideType(node, index, walk, () => {
    for (const child of body?.children ?? []) {
      if (child.type === 'call_signature' || child.type === 'construct_signature' || child.type === 'index_signature')
        referTypes(child, walk, index);
      else walk.visit(child);
    }
  });
}

/** An interface that can be called is a function; of several signatures each place has the first type that is known. */
function callSignature(body: SyntaxNode | undefined, walk: Walk): Expression | null {
  const signatures = body === undefined ? [] : childrenOf(body, 'call_signature');
  const [first] = signatures;
  if (first === undefined) return null;
  const rests: Expression[] = [];
  const places: (Expression | null)[] = [];
  for (const signature of signatures) {
    for (const [at, type] of parameterTypes(signature, walk).entries()) {
      if (type !== null && isRest(type)) rests.push(type);
      else places[at] = places[at] ?? type;
    }
  }
  const gives = typeExpression(field(first, 'return_type'), walk);
  return functionOf(gives, [...Array.from(places, (type) => type ?? null), ...rests.slice(0, 1)]);
}

export function typeAlias(node: SyntaxNode, walk: Walk): void {
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

export function enumDeclaration(node: SyntaxNode, walk: Walk): void {
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

export function namespaceDeclaration(node: SyntaxNode, walk: Walk): void {
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

export function methodDefinition(node: SyntaxNode, walk: Walk): void {
  const name = field(node, 'name');
  if (name === undefined) return;
  if (node.type !== 'method_definition' && hasTwinAfter(node, name, walk)) return;
  const text = unquoted(walk.text(name));
  if (name.type === 'computed_property_name') walk.visit(name);
  const head = walk.facts.text.slice(node.start, name.start);
  const isAccessor = /\b(get|set)\s*$/.test(head);
  declareFunction(node, node, text, text === 'constructor' ? 'constructor' : isAccessor ? 'property' : 'method', walk);
}

export function fieldDefinition(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const name = field(node, 'name') ?? field(node, 'property');
  const value = field(node, 'value');
  if (name === undefined) return;
  if (value !== undefined && functionTypes.has(value.type)) {
    declareFunction(value, node, unquoted(walk.text(name)), 'method', walk);
    return;
  }
  const annotation = field(node, 'type');
  const type = typeExpression(annotation, walk) ?? known(value === undefined ? unknown : walk.expression(value));
  const index = facts.declare({
    name: unquoted(walk.text(name)),
    kind: 'field',
    span: node,
    documentation: walk.comment(node),
    type,
  });
  for (const decorator of childrenOf(node, 'decorator')) decorate([decorator], index, walk);
  referTypes(annotation, walk, index);
  if (value !== undefined) facts.insideBody(index, () => walk.visit(value));
}

export function decorate(
  decorators: readonly SyntaxNode[],
  index: number | null,
  walk: Walk,
  argumentsOnly = false,
): void {
  for (const decorator of decorators) {
    const [expression] = decorator.children;
    if (expression === undefined) continue;
    const callee = expression.type === 'call_expression' ? field(expression, 'function') : expression;
    if (!argumentsOnly) walk.facts.refer('decorate', walk.expression(callee), decorator.start, index);
    if (expression.type === 'call_expression' && !argumentsOnly) walk.visit(field(expression, 'arguments'));
  }
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

function walkFunction(node: SyntaxNode, index: number | null, walk: Walk): void {
  const expected = expectedOf(node, walk);
  walk.facts.insideBody(index, () => {
    bindTypeParameters(node, walk);
    referTypes(field(node, 'return_type'), walk);
    const single = field(node, 'parameter');
    if (single !== undefined) walk.facts.bind(walk.text(single), expected === null ? null : parameterAt(expected, 0));
    bindParameters(field(node, 'parameters'), walk, expected);
    const body = field(node, 'body');
    if (body?.type === 'statement_block') walk.visitChildren(body);
    else walk.visit(body);
  });
}

/** A type parameter has the members of what it extends. */
function constraintOf(parameter: SyntaxNode, walk: Walk): Expression | null {
  const type = typeExpression(field(parameter, 'constraint')?.children[0], walk);
  return type?.endsWith('{}') === true ? type.slice(0, -'{}'.length) : null;
}

/** Walks the members of a type, in which its type parameters are names of their own. */
function insideType(node: SyntaxNode, index: number | null, walk: Walk, members: () => void): void {
  walk.facts.insideBody(index, () => {
    bindTypeParameters(node, walk);
    walk.facts.insideMembers(index, members);
  });
}

function bindTypeParameters(node: SyntaxNode, walk: Walk): void {
  for (const parameter of field(node, 'type_parameters')?.children ?? []) {
    const name = field(parameter, 'name');
    if (name !== undefined) walk.facts.bind(walk.text(name), constraintOf(parameter, walk));
    for (const child of parameter.children) if (child.field !== 'name') referTypes(child, walk);
  }
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
  insideType(node, index, walk, () => {
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
