/** Rules that several languages share: what is declared by a name, and which types a text names. */
import type { Declaration } from '../facts-builder.ts';
import type { Expression, SymbolKind } from '../symbol.ts';
import { field, type SyntaxNode } from '../syntax-tree.ts';
import type { Handler, Walk } from './walk.ts';

/** What a node says of a type; null where it says nothing about the project. */
export type TypeOf = (node: SyntaxNode | undefined, walk: Walk) => Expression | null;

/** Refers to every type that is named in `node`, by the symbol `from` or else by that around it. */
export type ReferTypes = (node: SyntaxNode | undefined, walk: Walk, from?: number | null) => void;

/** `names` are the nodes that name a type. Nothing inside of them is looked at. */
export function typeReferences(
  names: ReadonlySet<string>,
  nameOf: (node: SyntaxNode, walk: Walk) => Expression | null,
): ReferTypes {
  function refer(node: SyntaxNode | undefined, walk: Walk, from: number | null = walk.facts.current): void {
    if (node === undefined) return;
    if (names.has(node.type)) {
      const name = nameOf(node, walk);
      if (name !== null) walk.facts.refer('type', name, node.start, from);
      return;
    }
    for (const child of node.children) refer(child, walk, from);
  }
  return refer;
}

/** Declares what has a name, a comment and nothing inside, such as a member of an enum. */
export function declareNamed(node: SyntaxNode, kind: SymbolKind, walk: Walk): void {
  const name = field(node, 'name');
  if (name === undefined) return;
  walk.facts.declare({ name: walk.text(name), kind, span: node, documentation: walk.comment(node) });
}

/** The symbol and what is inside of it. */
export interface Declared {
  readonly index: number;
  readonly body: SyntaxNode | undefined;
}

/** Declares what has a name and may have a body, without walking it; null without a name. */
export function declareWithBody(
  node: SyntaxNode,
  kind: SymbolKind,
  walk: Walk,
  more: Partial<Omit<Declaration, 'name' | 'kind' | 'span' | 'bodyStart'>> = {},
): Declared | null {
  const name = field(node, 'name');
  if (name === undefined) return null;
  const body = field(node, 'body');
  const index = walk.facts.declare({
    ...more,
    name: walk.text(name),
    kind,
    span: node,
    bodyStart: body?.start ?? null,
    documentation: more.documentation ?? walk.comment(node),
  });
  return { index, body };
}

/** Declares the parameters of a record, which are its fields. */
export function declareComponents(parameters: readonly SyntaxNode[], typeOf: TypeOf, walk: Walk): void {
  for (const parameter of parameters) {
    const name = field(parameter, 'name');
    if (name === undefined) continue;
    const type = typeOf(field(parameter, 'type'), walk);
    walk.facts.declare({ name: walk.text(name), kind: 'field', span: parameter, type });
  }
}

/** Names that are bound inside end with it. */
export const block: Handler = (node, walk) => walk.facts.insideBody(walk.facts.current, () => walk.visitChildren(node));
