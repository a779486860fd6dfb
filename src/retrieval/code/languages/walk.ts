/**
 * The walk that all programming languages share.
 *
 * A language gives its names for the shapes that every language has (identifier, member access, call) and a handler
 * for each node that declares, imports or binds something. A handler owns its node: it walks what is inside it. All
 * other nodes are passed through, and what they use becomes references.
 */
import { codeLimits } from '../../../base/limits.ts';
import { builtin, called, isBuiltin, isUnknown, member, unknown } from '../expression.ts';
import type { FactsBuilder } from '../facts-builder.ts';
import type { Expression, Language } from '../symbol.ts';
import { field, type GrammarName, type SyntaxNode } from '../syntax-tree.ts';

export interface Walk {
  readonly facts: FactsBuilder;
  text(node: SyntaxNode): string;
  /** Walks one node: its handler, or all that is in it. */
  visit(node: SyntaxNode | undefined): void;
  visitChildren(node: SyntaxNode): void;
  /** What an expression stands for. */
  expression(node: SyntaxNode | undefined): Expression;
  /** The leading comment of a declaration, without its marks. */
  comment(node: SyntaxNode): string;
}

export type Handler = (node: SyntaxNode, walk: Walk) => void;

export interface LanguageRules {
  readonly language: Language;
  readonly grammar: GrammarName;
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Nodes that are a name in an expression. */
  readonly identifiers: ReadonlySet<string>;
  /** Member access: the fields of the object and of the name. */
  readonly members: Readonly<Record<string, readonly [object: string, name: string]>>;
  /** Calls whose callee is one expression: its field. */
  readonly calls: Readonly<Record<string, string>>;
  /** Nodes with a meaning of their own in an expression; null when it is unknown. */
  readonly expressions: Readonly<Record<string, (node: SyntaxNode, walk: Walk) => Expression | null>>;
  readonly comments: ReadonlySet<string>;
  /** Nodes around a declaration before which its comment stands. */
  readonly wrappers: ReadonlySet<string>;
  /** Nodes between a comment and its declaration that do not part them. */
  readonly annotations: ReadonlySet<string>;
  readonly isReserved: (name: string) => boolean;
}

export function walkTree(rules: LanguageRules, root: SyntaxNode, facts: FactsBuilder): void {
  const walk: Walk = {
    facts,
    text: (node) => facts.text.slice(node.start, node.end),
    visit(node) {
      if (node === undefined) return;
      const handler = rules.handlers[node.type];
      if (handler !== undefined) handler(node, walk);
      else visitUse(node);
    },
    visitChildren(node) {
      for (const child of node.children) walk.visit(child);
    },
    expression,
    comment: (node) => leadingComment(rules, node, facts),
  };

  function visitUse(node: SyntaxNode): void {
    if (rules.comments.has(node.type)) return;
    const callee = rules.calls[node.type];
    if (callee !== undefined) {
      facts.refer('call', expression(field(node, callee)), node.start);
      for (const child of node.children) {
        if (child.field === callee) visitInside(child);
        else walk.visit(child);
      }
      return;
    }
    if (rules.identifiers.has(node.type) || rules.members[node.type] !== undefined) {
      const target = expression(node);
      if (!isUnknown(target) && !isBuiltin(target) && !isLocalAlone(node)) facts.refer('reference', target, node.start);
      visitInside(node);
      return;
    }
    walk.visitChildren(node);
  }

  /** A local name used alone says nothing new about what it was assigned. */
  function isLocalAlone(node: SyntaxNode): boolean {
    return rules.identifiers.has(node.type) && facts.local(walk.text(node)) !== undefined;
  }

  /** What stands inside a callee or an object is walked; the names themselves were just read. */
  function visitInside(node: SyntaxNode): void {
    const parts = rules.members[node.type];
    if (rules.identifiers.has(node.type)) return;
    if (parts === undefined) {
      walk.visit(node);
      return;
    }
    for (const child of node.children) {
      if (child.field === parts[0]) visitInside(child);
      else if (child.field !== parts[1]) walk.visit(child);
    }
  }

  function expression(node: SyntaxNode | undefined): Expression {
    if (node === undefined) return unknown;
    const special = rules.expressions[node.type];
    if (special !== undefined) return special(node, walk) ?? unknown;
    if (rules.identifiers.has(node.type)) {
      const name = walk.text(node);
      if (rules.isReserved(name)) return builtin;
      return facts.local(name) ?? name;
    }
    const parts = rules.members[node.type];
    if (parts !== undefined) {
      const name = field(node, parts[1]);
      return name === undefined ? unknown : member(expression(field(node, parts[0])), walk.text(name));
    }
    const callee = rules.calls[node.type];
    if (callee !== undefined) return called(expression(field(node, callee)));
    return unknown;
  }

  walk.visit(root);
}

function leadingComment(rules: LanguageRules, node: SyntaxNode, facts: FactsBuilder): string {
  let at = node;
  while (at.parent !== null && rules.wrappers.has(at.parent.type)) at = at.parent;
  const siblings = at.parent?.children ?? [];
  const comments: string[] = [];
  let below = facts.lines.lineAt(at.start);
  for (let index = at.index - 1; index >= 0; index -= 1) {
    const sibling = siblings[index];
    if (sibling === undefined) break;
    // Some grammars let a line comment take its line end with it.
    const lastLine = facts.lines.lineAt(
      Math.max(sibling.start, facts.text.slice(sibling.start, sibling.end).trimEnd().length + sibling.start - 1),
    );
    if (below - lastLine > 1) break;
    if (rules.comments.has(sibling.type)) {
      if (facts.text.startsWith('#!', sibling.start)) break;
      // A comment at the end of a line of code belongs to that line.
      const before = siblings[index - 1];
      const firstLine = facts.lines.lineAt(sibling.start);
      if (
        before !== undefined &&
        !rules.comments.has(before.type) &&
        facts.lines.lineAt(before.end) === firstLine &&
        before.end <= sibling.start &&
        facts.text.slice(facts.lines.startOf(firstLine), sibling.start).trim() !== ''
      )
        break;
      comments.unshift(facts.text.slice(sibling.start, sibling.end));
    } else if (!rules.annotations.has(sibling.type)) break;
    below = facts.lines.lineAt(sibling.start);
  }
  return cleanComment(comments.join('\n'));
}

/** A comment without its marks, at most `documentationCharsMax` long. */
export function cleanComment(comment: string): string {
  return comment
    .slice(0, codeLimits.documentationCharsMax * 2)
    .split(/\r\n?|\n/)
    .map((line) =>
      line.replace(/^\s*(\/\*\*?|\/\/[/!]?|\*\/|\*|#[!:]?|--+|"""|''')?\s?/, '').replace(/\s*(\*\/|"""|''')?\s*$/, ''),
    )
    .join('\n')
    .trim()
    .slice(0, codeLimits.documentationCharsMax);
}

/** A documentation string without quotes and common indentation. */
export function cleanDocstring(text: string): string {
  const inner = text.replace(/^[a-zA-Z]*("""|'''|"|')/, '').replace(/("""|'''|"|')$/, '');
  return inner
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .join('\n')
    .trim()
    .slice(0, codeLimits.documentationCharsMax);
}
