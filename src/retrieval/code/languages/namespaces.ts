/**
 * Files with several namespaces (C#, PHP): the first is the module of the file, any other one is a symbol around what
 * it holds, with its full name.
 */
import type { SyntaxNode } from '../syntax-tree.ts';
import type { Walk } from './walk.ts';

export function insideNamespace(
  name: string,
  separator: '.' | '\\',
  node: SyntaxNode,
  body: SyntaxNode | undefined,
  walk: Walk,
): void {
  const { facts } = walk;
  if (facts.module === null) {
    facts.module = name;
    walk.visit(body);
    return;
  }
  const around = facts.current === null ? null : facts.symbol(facts.current);
  const isNested = hasAncestor(node, node.type);
  const full = isNested ? `${around?.name ?? facts.module}${separator}${name}` : name;
  if (full === facts.module) {
    walk.visit(body);
    return;
  }
  const known = facts.find(full);
  const index =
    known ?? facts.declare({ name: full, kind: 'namespace', span: node, bodyStart: body?.start ?? null, parent: null });
  facts.insideMembers(index, () => walk.visit(body));
}

function hasAncestor(node: SyntaxNode, type: string): boolean {
  for (let at = node.parent; at !== null; at = at.parent) if (at.type === type) return true;
  return false;
}
