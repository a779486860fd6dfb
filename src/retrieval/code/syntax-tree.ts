/**
 * Grammars, and their trees as plain objects.
 *
 * The parser lives in WebAssembly, where every look at a node is a call across the border. A tree is therefore copied
 * once, named nodes only; the original is freed at once.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { Language, Parser } from 'web-tree-sitter';
import { codeLimits } from '../../base/limits.ts';
import {
  copyTree,
  type NodeTable,
  parserMemory,
  readNodeTable,
  type SyntaxNode,
  type SyntaxTree,
} from './tree-copy.ts';

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

export type { SyntaxNode, SyntaxTree } from './tree-copy.ts';

interface Grammar {
  readonly language: Language;
  readonly table: NodeTable;
}

interface Engine {
  readonly parser: Parser;
  /** What the parser hangs its memory on. */
  readonly module: object;
}

const require = createRequire(import.meta.url);
const grammars = new Map<GrammarName, Promise<Grammar>>();
let engine: Promise<Engine> | undefined;

/** Loads a grammar once per thread; fails when the package is not installed whole. */
export async function loadGrammar(name: GrammarName): Promise<void> {
  await grammarOf(name);
}

/** The tree of a text, or null when the parser gave up (`parseMsMax`). Broken code gives a tree with errors in it. */
export async function parseSyntax(name: GrammarName, text: string): Promise<SyntaxTree | null> {
  const grammar = await grammarOf(name);
  const { parser, module } = await startedEngine();
  parser.setLanguage(grammar.language);
  const stopAt = performance.now() + codeLimits.parseMsMax;
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > stopAt });
  if (tree === null) {
    parser.reset();
    return null;
  }
  try {
    return copyTree(tree, grammar.table, parserMemory(module));
  } finally {
    tree.delete();
  }
}

/** The first child in that role. */
export function field(node: SyntaxNode, name: string): SyntaxNode | undefined {
  // Asked for every node several times: a loop is twice as fast as a search with a function.
  for (const child of node.children) if (child.field === name) return child;
  return undefined;
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
  const { module } = await startedEngine();
  const folder = path.dirname(require.resolve('@vscode/tree-sitter-wasm/package.json'));
  const language = await Language.load(path.join(folder, 'wasm', `tree-sitter-${name}.wasm`));
  return { language, table: readNodeTable(language, parserMemory(module)) };
}

function startedEngine(): Promise<Engine> {
  engine ??= startEngine();
  return engine;
}

async function startEngine(): Promise<Engine> {
  const module = {};
  await Parser.init(module);
  return { parser: new Parser(), module };
}
