/** Modules of JavaScript and TypeScript as they are written: `import`, `export`, `require` and `module.exports`. */
import { unknown } from '../expression.ts';
import type { ImportFact } from '../symbol.ts';
import { childOf, childrenOf, field, type SyntaxNode } from '../syntax-tree.ts';
import { objectMembers } from './ecmascript-bindings.ts';
import { declareClass, declareFunction, decorate, functionTypes } from './ecmascript-declarations.ts';
import type { Walk } from './walk.ts';

export function importStatement(node: SyntaxNode, walk: Walk): void {
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

export function exportStatement(node: SyntaxNode, walk: Walk): void {
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

export function requiredModule(node: SyntaxNode, walk: Walk): string | null {
  const call = node.type === 'await_expression' ? node.children[0] : node;
  if (call?.type !== 'call_expression') return null;
  const callee = field(call, 'function');
  if (callee === undefined) return null;
  const isImport =
    callee.type === 'import' ||
    (callee.type === 'identifier' && walk.text(callee) === 'require' && walk.facts.local('require') === undefined);
  return isImport ? stringOf(field(call, 'arguments')?.children[0], walk) : null;
}

export function importRequired(name: SyntaxNode, specifier: string, value: SyntaxNode | undefined, walk: Walk): void {
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

export function exportCommonJs(name: string | null, node: SyntaxNode, right: SyntaxNode, walk: Walk): void {
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

function stringOf(node: SyntaxNode | undefined, walk: Walk): string | null {
  if (node?.type === 'string') return walk.text(node).slice(1, -1);
  if (node?.type === 'template_string' && node.children.every((child) => child.type !== 'template_substitution')) {
    return walk.text(node).slice(1, -1);
  }
  return null;
}

function declareAnonymousDefault(node: SyntaxNode, walk: Walk): void {
  if (node.type.includes('class')) declareClass(node, 'default', walk);
  else declareFunction(node, node, 'default', 'function', walk);
}

export function unquoted(name: string): string {
  return name.replace(/^["']|["']$/g, '');
}
