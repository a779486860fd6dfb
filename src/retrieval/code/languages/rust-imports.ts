/** Rust: `use` trees, and what is visible outside of its module. */
import { childOf, field, type SyntaxNode } from '../syntax-tree.ts';
import type { Walk } from './walk.ts';

export function isPublic(node: SyntaxNode): boolean {
  return childOf(node, 'visibility_modifier') !== undefined;
}

export function useDeclaration(node: SyntaxNode, walk: Walk): void {
  const argument = field(node, 'argument');
  if (argument !== undefined) useTree(argument, [], isPublic(node), walk);
}

function useTree(node: SyntaxNode, prefix: readonly string[], isExported: boolean, walk: Walk): void {
  const segments = (part: SyntaxNode | undefined): readonly string[] =>
    part === undefined
      ? []
      : walk
          .text(part)
          .replace(/\s+/g, '')
          .split('::')
          .filter((name) => name !== '');
  const add = (path: readonly string[], alias: string | undefined): void => {
    const last = path.at(-1);
    if (last === undefined) return;
    const names = last === 'self' ? path.slice(0, -1) : path;
    const imported = names.at(-1) ?? null;
    const local = alias ?? imported;
    const specifier = names.slice(0, -1).join('::');
    walk.facts.import(
      {
        specifier: specifier === '' ? (imported ?? '') : specifier,
        imported: specifier === '' ? null : imported,
        local: local === '_' ? null : local,
        exported: isExported ? local : null,
      },
      node.start,
    );
  };
  switch (node.type) {
    case 'use_wildcard':
      walk.facts.import(
        {
          specifier: [...prefix, ...segments(node.children[0])].join('::'),
          imported: '*',
          local: null,
          exported: isExported ? '*' : null,
        },
        node.start,
      );
      return;
    case 'use_as_clause': {
      const alias = field(node, 'alias');
      add([...prefix, ...segments(field(node, 'path'))], alias === undefined ? undefined : walk.text(alias));
      return;
    }
    case 'scoped_use_list':
    case 'use_list': {
      const list = node.type === 'use_list' ? node : field(node, 'list');
      const path = node.type === 'use_list' ? prefix : [...prefix, ...segments(field(node, 'path'))];
      for (const child of list?.children ?? []) useTree(child, path, isExported, walk);
      return;
    }
    default:
      add([...prefix, ...segments(node)], undefined);
  }
}
