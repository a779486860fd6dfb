/**
 * Grammars, and their trees as plain objects.
 *
 * The parser lives in WebAssembly, where every look at a node is a call across the border. A tree is therefore copied
 * once, named nodes only, with a cursor; the original is freed at once.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { Language, Parser, type TreeCursor } from 'web-tree-sitter';
import { codeLimits } from '../../base/limits.ts';

export type GrammarName =
  | 'bash'
  | 'c-sharp'
  | 'cpp'
  | 'go'
  | 'java'
  | 'javascript'
  | 'php'
  | 'python'
  | 'ruby'
  | 'rust'
  | 'tsx'
  | 'typescript';

export interface SyntaxNode {
  readonly type: string;
  /** The role the node plays in its parent, or null. */
  readonly field: string | null;
  /** Offsets in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly parent: SyntaxNode | null;
  /** Position among the named children of the parent. */
  readonly index: number;
  readonly children: SyntaxNode[];
}

export interface SyntaxTree {
  readonly root: SyntaxNode;
  readonly errors: number;
}

interface Grammar {
  readonly language: Language;
  readonly typeNames: readonly (string | null)[];
  readonly named: readonly boolean[];
  readonly fieldNames: readonly (string | null)[];
}

const require = createRequire(import.meta.url);
const grammars = new Map<GrammarName, Promise<Grammar>>();
let parser: Promise<Parser> | undefined;

/** Loads a grammar once per thread; fails when the package is not installed whole. */
export async function loadGrammar(name: GrammarName): Promise<void> {
  await grammarOf(name);
}

/** The tree of a text, or null when the parser gave up (`parseMsMax`). Broken code gives a tree with errors in it. */
export async function parseSyntax(name: GrammarName, text: string): Promise<SyntaxTree | null> {
  const grammar = await grammarOf(name);
  parser ??= Parser.init().then(() => new Parser());
  const engine = await parser;
  engine.setLanguage(grammar.language);
  const stopAt = performance.now() + codeLimits.parseMsMax;
  const tree = engine.parse(text, null, { progressCallback: () => performance.now() > stopAt });
  if (tree === null) {
    engine.reset();
    return null;
  }
  const cursor = tree.walk();
  try {
    return copyTree(cursor, grammar);
  } finally {
    cursor.delete();
    tree.delete();
  }
}

/** The first child in that role. */
export function field(node: SyntaxNode, name: string): SyntaxNode | undefined {
  return node.children.find((child) => child.field === name);
}

export function fields(node: SyntaxNode, name: string): readonly SyntaxNode[] {
  return node.children.filter((child) => child.field === name);
}

/** The first child of one of these types. */
export function childOf(node: SyntaxNode, ...types: readonly string[]): SyntaxNode | undefined {
  return node.children.find((child) => types.includes(child.type));
}

export function childrenOf(node: SyntaxNode, ...types: readonly string[]): readonly SyntaxNode[] {
  return node.children.filter((child) => types.includes(child.type));
}

function grammarOf(name: GrammarName): Promise<Grammar> {
  let grammar = grammars.get(name);
  if (grammar === undefined) {
    grammar = readGrammar(name);
    grammars.set(name, grammar);
  }
  return grammar;
}

async function readGrammar(name: GrammarName): Promise<Grammar> {
  parser ??= Parser.init().then(() => new Parser());
  await parser;
  const folder = path.dirname(require.resolve('@vscode/tree-sitter-wasm/package.json'));
  const language = await Language.load(path.join(folder, 'wasm', `tree-sitter-${name}.wasm`));
  const typeIds = Array.from({ length: language.nodeTypeCount }, (_, id) => id);
  return {
    language,
    typeNames: typeIds.map((id) => language.nodeTypeForId(id)),
    named: typeIds.map((id) => language.nodeTypeIsNamed(id)),
    fieldNames: [null, ...Array.from({ length: language.fieldCount }, (_, id) => language.fieldNameForId(id + 1))],
  };
}

/** Depth first without recursion: generated code nests thousands of levels deep. */
function copyTree(cursor: TreeCursor, grammar: Grammar): SyntaxTree {
  let errors = 0;
  const copy = (parent: SyntaxNode | null): SyntaxNode | null => {
    const id = cursor.nodeTypeId;
    const isNamed = grammar.named[id];
    // Errors have an id outside the table; they are named and keep what was read inside them.
    if (isNamed === undefined) errors += 1;
    if (isNamed === false) return null;
    const node: SyntaxNode = {
      type: grammar.typeNames[id] ?? 'ERROR',
      field: grammar.fieldNames[cursor.currentFieldId] ?? null,
      start: cursor.startIndex,
      end: cursor.endIndex,
      parent,
      index: parent === null ? 0 : parent.children.length,
      children: [],
    };
    parent?.children.push(node);
    return node;
  };
  const root = copy(null);
  if (root === null) throw new Error('The root of a syntax tree is not a named node.');
  let parent = root;
  /** Anonymous nodes with children do not occur in these grammars' trees that matter: their children join the parent. */
  const parents: SyntaxNode[] = [];
  if (!cursor.gotoFirstChild()) return { root, errors };
  parents.push(parent);
  for (;;) {
    const node = copy(parent);
    if (parents.length < codeLimits.syntaxDepthMax && cursor.gotoFirstChild()) {
      parents.push(parent);
      parent = node ?? parent;
      continue;
    }
    while (!cursor.gotoNextSibling()) {
      const above = parents.pop();
      if (above === undefined || !cursor.gotoParent() || parents.length === 0) return { root, errors };
      parent = above;
    }
  }
}
