/** Names that hold values: variables, patterns, parameters, assignments and the members of named objects. */
import { parameterAt, partAt } from '../composite.ts';
import { known, member, unknown } from '../expression.ts';
import type { Expression } from '../symbol.ts';
import { childOf, childrenOf, field, type SyntaxNode } from '../syntax-tree.ts';
import { expectedOf } from './ecmascript-context.ts';
import {
  declareClass,
  declareFunction,
  declareFunctionName,
  functionTypes,
  isExported,
} from './ecmascript-declarations.ts';
import { exportCommonJs, importRequired, requiredModule } from './ecmascript-imports.ts';
import { referTypes, typeExpression } from './ecmascript-types.ts';
import type { Walk } from './walk.ts';

export function variableDeclarator(node: SyntaxNode, walk: Walk): void {
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
    // Functions in the value may use the name.
    bindPattern(name, walk, type);
    walk.visit(value);
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

/** Whether a method of the class around has this name: `this.run = this.run.bind(this)` makes no field. */
function isMethodBelow(node: SyntaxNode, name: string, walk: Walk): boolean {
  let at = node.parent;
  while (at !== null && at.type !== 'class_body') at = at.parent;
  const methods = at === null ? [] : childrenOf(at, 'method_definition');
  return methods.some((method) => walk.text(field(method, 'name') ?? method) === name);
}

/** The parts of an array pattern by their places; those that are left out are undefined. */
function patternParts(node: SyntaxNode, walk: Walk): readonly (SyntaxNode | undefined)[] {
  const parts: (SyntaxNode | undefined)[] = [];
  let from = node.start + 1;
  for (const child of node.children) {
    const skipped = walk.facts.text.slice(from, child.start).split(',').length - 1 - (parts.length > 0 ? 1 : 0);
    for (let at = 0; at < skipped; at += 1) parts.push(undefined);
    if (child.type !== 'rest_pattern') parts.push(child);
    else parts.push(undefined);
    from = child.end;
  }
  return parts;
}

const commonJsName = /^(?:module\.)?exports(?:\.([\w$]+))?$/;
const attachedName = /^([\w$]+)(?:\.prototype)?\.([\w$]+)$/;

/**
 * `req.get = req.header = function …`: each is a name of the function, and the last one has its body. False where the
 * chain ends in something else, or where this is no name that others can reach.
 */
function nameChained(node: SyntaxNode, path: string, right: SyntaxNode, walk: Walk): boolean {
  const { facts } = walk;
  let last: SyntaxNode | undefined = right;
  while (last?.type === 'assignment_expression') last = field(last, 'right');
  if (last === undefined || !functionTypes.has(last.type)) return false;
  const exported = commonJsName.exec(path)?.[1];
  if (path === 'module.exports') {
    const next = commonJsName.exec(walk.text(field(right, 'left') ?? right).replace(/\s+/g, ''))?.[1];
    if (next === undefined) return false;
    facts.export(next, 'default');
  } else if (exported !== undefined) {
    declareFunctionName(last, node, exported, 'function', walk);
    facts.export(exported, exported);
  } else {
    const [, owner, name] = facts.current === null ? (attachedName.exec(path) ?? []) : [];
    if (owner === undefined || name === undefined || owner === 'this' || commonJsName.test(path)) return false;
    declareFunctionName(last, node, name, 'method', walk, owner);
  }
  walk.visit(right);
  return true;
}

export function assignmentExpression(node: SyntaxNode, walk: Walk): void {
  const { facts } = walk;
  const left = field(node, 'left');
  const right = field(node, 'right');
  if (left === undefined || right === undefined) return;
  const path = walk.text(left).replace(/\s+/g, '');
  if (right.type === 'assignment_expression' && nameChained(node, path, right, walk)) return;
  const commonJs = commonJsName.exec(path);
  if (commonJs !== null && path !== 'exports') {
    exportCommonJs(commonJs[1] ?? null, node, right, walk);
    return;
  }
  if (left.type === 'member_expression' && facts.current === null) {
    const [, owner, name] = attachedName.exec(path) ?? [];
    if (owner !== undefined && name !== undefined && owner !== 'this' && functionTypes.has(right.type)) {
      declareFunction(right, node, name, 'method', walk, owner);
      return;
    }
  }
  walk.visit(right);
  if (left.type === 'identifier') {
    // A second assignment: what the name holds is known only if both agree.
    const before = facts.local(walk.text(left));
    if (before === unknown) facts.bind(walk.text(left), likely(right, walk));
    return;
  }
  const fieldName = /^this\.([\w$#]+)$/.exec(path)?.[1];
  const owner = fieldName === undefined ? null : facts.enclosing('class');
  if (fieldName !== undefined && owner !== null) {
    const qualified = `${facts.symbol(owner).qualifiedName}.${fieldName}`;
    const index = facts.find(qualified);
    if (index !== null) facts.learnType(index, walk.expression(right));
    else if (!isMethodBelow(node, fieldName, walk)) {
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

export function bindPattern(node: SyntaxNode | undefined, walk: Walk, type: Expression | null): void {
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
  } else if (node.type === 'array_pattern') {
    const parts = patternParts(node, walk);
    parts.forEach((part, at) => {
      bindPattern(part, walk, type === null || type === unknown ? null : known(partAt(type, at)));
    });
  } else if (node.type === 'rest_pattern') {
    for (const part of node.children) bindPattern(part, walk, part.type === 'identifier' ? type : null);
  }
}

/** `expected` is what the whole function is expected to be. */
export function bindParameters(node: SyntaxNode | undefined, walk: Walk, expected: Expression | null = null): void {
  let at = -1;
  for (const parameter of node?.children ?? []) {
    if (parameter.type === 'comment') continue;
    at += 1;
    const pattern =
      field(parameter, 'pattern') ?? (parameter.type === 'assignment_pattern' ? field(parameter, 'left') : parameter);
    const annotation = field(parameter, 'type');
    const value =
      field(parameter, 'value') ?? (parameter.type === 'assignment_pattern' ? field(parameter, 'right') : undefined);
    referTypes(annotation, walk);
    if (pattern?.type === 'this') {
      at -= 1;
      walk.facts.bind('this', typeExpression(annotation, walk));
      continue;
    }
    walk.visit(value);
    for (const decorator of childrenOf(parameter, 'decorator')) walk.visit(decorator);
    const written = typeExpression(annotation, walk) ?? (value === undefined ? null : likely(value, walk));
    const isExpected = annotation === undefined && expected !== null && pattern?.type !== 'rest_pattern';
    const type = written ?? (isExpected ? known(parameterAt(expected, at)) : null);
    if (childOf(parameter, 'accessibility_modifier') !== undefined && pattern?.type === 'identifier') {
      const owner = walk.facts.enclosing('class');
      if (owner !== null) {
        walk.facts.declare({ name: walk.text(pattern), kind: 'field', span: parameter, type, parent: owner });
      }
    }
    bindPattern(pattern, walk, type);
  }
}

/** Functions of an object that has a name are its members. */
export function objectMembers(node: SyntaxNode, owner: number, walk: Walk): void {
  referImplemented(node, owner, walk);
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

/** An object with functions stands in for the type that is written for it. */
export function referImplemented(node: SyntaxNode, owner: number, walk: Walk): void {
  const isActive = node.children.some((child) => {
    const value = child.type === 'pair' ? field(child, 'value') : undefined;
    return child.type === 'method_definition' || (value !== undefined && functionTypes.has(value.type));
  });
  const expected = isActive ? expectedOf(node, walk) : null;
  const name = expected === null ? undefined : /^([\w$.]+)\{\}$/.exec(expected)?.[1];
  if (name !== undefined) walk.facts.refer('implement', name, node.start, owner);
}

function patternNames(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === 'identifier' || node.type === 'shorthand_property_identifier_pattern') return [node];
  return node.children.filter((child) => child.field !== 'key' && child.field !== 'right').flatMap(patternNames);
}

/** What a default or a later value says of a name: one that is made here does, one that is only named is one of many. */
function likely(value: SyntaxNode, walk: Walk): Expression | null {
  return /^(identifier|member_expression)$/.test(unwrapped(value).type) ? null : walk.expression(value);
}

function partOf(type: Expression | null, name: string): Expression | null {
  return type === null || type === unknown || !/^[\w$]+$/.test(name) ? null : member(type, name);
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
