/** Bash: functions, variables at the top, sourced files, commands as calls. */
import { unknown } from '../expression.ts';
import { field, type SyntaxNode } from '../syntax-tree.ts';
import { declareWithBody } from './shared-rules.ts';
import type { LanguageRules, Walk } from './walk.ts';

export const bash: LanguageRules = {
  language: 'bash',
  grammar: 'bash',
  handlers: {
    function_definition: (node, walk) => {
      const declared = declareWithBody(node, 'function', walk);
      if (declared !== null) walk.facts.insideBody(declared.index, () => walk.visit(declared.body));
    },
    command,
    variable_assignment: (node, walk) => {
      const name = field(node, 'name');
      walk.visit(field(node, 'value'));
      if (name?.type !== 'variable_name' || !walk.facts.atMemberLevel || walk.facts.find(walk.text(name)) !== null)
        return;
      walk.facts.declare({ name: walk.text(name), kind: 'variable', span: node, documentation: walk.comment(node) });
    },
  },
  identifiers: new Set(),
  members: {},
  calls: {},
  expressions: {},
  comments: new Set(['comment']),
  wrappers: new Set(['declaration_command']),
  annotations: new Set(),
  isReserved: () => false,
};

function command(node: SyntaxNode, walk: Walk): void {
  const name = field(node, 'name');
  const text = name === undefined ? unknown : walk.text(name);
  const [first] = node.children.filter((child) => child.field === 'argument');
  if ((text === 'source' || text === '.') && first !== undefined) {
    // What stands before the last literal part is a folder that only a run knows: `"$DIR/lib.sh"`.
    const literal = walk
      .text(first)
      .replace(/^["']|["']$/g, '')
      .replace(/^.*[})]|^\$\w+/, '');
    if (/^[\w./-]+$/.test(literal)) {
      walk.facts.import(
        { specifier: literal.replace(/^\/+/, ''), imported: '*', local: null, exported: '*', form: 'include' },
        node.start,
      );
    }
    return;
  }
  // Functions passed by name to `trap`, `xargs` and the like.
  for (const child of node.children) {
    if (child.type === 'word' && child.field === 'argument' && /^[A-Za-z_][\w-]*$/.test(walk.text(child)))
      walk.facts.refer('reference', walk.text(child), child.start);
    else if (child !== name) walk.visit(child);
  }
  if (/^[A-Za-z_][\w:-]*$/.test(text)) walk.facts.refer('call', text, node.start);
  else if (name !== undefined) walk.visitChildren(name);
}
