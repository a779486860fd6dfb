/**
 * Copies a syntax tree out of the memory of the parser.
 *
 * Through the cursor of `web-tree-sitter` each node costs half a dozen calls into WebAssembly, which together take
 * half as long as parsing. The tree is therefore read where it lies. How it lies there is private to tree-sitter
 * (`lib/src/subtree.h`, `language.h` and `parser.h` of its source, for 32-bit addresses), so the version of the
 * package is fixed, and a test compares copies with what the cursor says, in every language.
 */
import type { Language, Tree } from 'web-tree-sitter';
import { codeLimits } from '../../base/limits.ts';

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
  readonly children: readonly SyntaxNode[];
}

export interface SyntaxTree {
  readonly root: SyntaxNode;
  readonly errors: number;
}

/** The memory of the parser. The views are new whenever it has grown: never keep one over a call. */
export interface ParserMemory {
  readonly HEAPU8: Uint8Array;
  readonly HEAPU16: Uint16Array;
  readonly HEAPU32: Uint32Array;
}

/** What a grammar says about its nodes. Productions and places are numbered by the grammar. */
export interface NodeTable {
  /** By symbol, as aliased symbols share a type. */
  readonly types: readonly string[];
  readonly named: readonly boolean[];
  /** The symbol that takes the place of a child's own, or 0; by `production * places + place`. */
  readonly aliases: Uint16Array;
  /** The field of a child, or 0, likewise. */
  readonly fields: Uint16Array;
  readonly fieldNames: readonly (string | null)[];
  readonly places: number;
}

const errorSymbol = 0xffff;

/** Offsets in `TSLanguage`, in bytes. */
const language = {
  symbolCount: 4,
  aliasCount: 8,
  productionCount: 28,
  aliasSequenceLength: 36,
  fieldSlices: 64,
  fieldEntries: 68,
  publicSymbols: 76,
  aliasSequences: 84,
} as const;

export function readNodeTable(grammar: Language, memory: ParserMemory): NodeTable {
  const { HEAPU8: bytes, HEAPU16: shorts, HEAPU32: words } = memory;
  const base = addressOf(grammar);
  const word = (offset: number): number => words[(base + offset) >> 2] ?? 0;
  const short = (address: number): number => shorts[address >> 1] ?? 0;
  const productions = word(language.productionCount);
  const sequenceLength = short(base + language.aliasSequenceLength);
  const fieldsOf = (production: number): readonly { field: number; place: number }[] => {
    if (grammar.fieldCount === 0) return [];
    const slice = word(language.fieldSlices) + production * 4;
    const entries = Array.from({ length: short(slice + 2) }, (_, at) => {
      const entry = word(language.fieldEntries) + (short(slice) + at) * 4;
      return { field: short(entry), place: bytes[entry + 2] ?? 0, isInherited: bytes[entry + 3] !== 0 };
    });
    return entries.filter((entry) => !entry.isInherited);
  };
  const all = Array.from({ length: productions }, (_, production) => fieldsOf(production));
  const places = Math.max(sequenceLength, ...all.flat().map(({ place }) => place + 1));
  const aliases = new Uint16Array(productions * places);
  const fields = new Uint16Array(productions * places);
  for (const [production, entries] of all.entries()) {
    // The first entry of a place counts.
    for (const { field, place } of entries) fields[production * places + place] ||= field;
    // Production 0 stands for all that alias nothing.
    for (let place = 0; place < sequenceLength && production > 0; place += 1) {
      const address = word(language.aliasSequences) + (production * sequenceLength + place) * 2;
      aliases[production * places + place] = short(address);
    }
  }
  const symbols = Array.from({ length: word(language.symbolCount) + word(language.aliasCount) }, (_, symbol) =>
    short(word(language.publicSymbols) + symbol * 2),
  );
  return {
    types: symbols.map((symbol) => grammar.nodeTypeForId(symbol) ?? 'ERROR'),
    named: symbols.map((symbol) => grammar.nodeTypeIsNamed(symbol)),
    aliases,
    fields,
    fieldNames: [null, ...Array.from({ length: grammar.fieldCount }, (_, id) => grammar.fieldNameForId(id + 1))],
    places,
  };
}

interface CopiedNode extends SyntaxNode {
  children: CopiedNode[];
}

/** Children that are being copied. Nodes that are not named have no copy: their children join the node above. */
interface Level {
  readonly node: CopiedNode;
  /** Nodes above that are visible in the grammar. */
  readonly depth: number;
  /** The field that a hidden node hands down to its children, or 0. */
  readonly field: number;
  /** Where the next child lies, and where the last one ends. */
  next: number;
  readonly end: number;
  /** Into the tables of aliases and fields, for the next child that the production names, and behind its last. */
  place: number;
  readonly placesEnd: number;
  /** Bytes of text before the next child and the space that leads to it. */
  position: number;
  isFirst: boolean;
}

/** What the eight bytes of a subtree say, themselves or by what they point to. */
interface Subtree {
  symbol: number;
  isVisible: boolean;
  /** Not named by the production: comments, errors. */
  isExtra: boolean;
  /** In bytes of UTF-16. */
  padding: number;
  size: number;
  /** The address of what has children, and their count; small leaves have neither. */
  address: number;
  children: number;
  production: number;
}

/** Shared by all nodes without children, which are most of them. */
const none: CopiedNode[] = [];
Object.freeze(none);

/** Named nodes only, depth first without recursion: generated code nests thousands of levels deep. */
export function copyTree(tree: Tree, table: NodeTable, memory: ParserMemory): SyntaxTree {
  const { types, named, aliases, fields, fieldNames, places } = table;
  // One object for all: a new one for each node would be half of all that is allocated here.
  const subtree = emptySubtree();
  readSubtree(addressOf(tree), memory, subtree);
  const root: CopiedNode = {
    type: types[subtree.symbol] ?? 'ERROR',
    field: null,
    start: subtree.padding >> 1,
    end: (subtree.padding + subtree.size) >> 1,
    parent: null,
    index: 0,
    children: none,
  };
  let errors = subtree.symbol === errorSymbol ? 1 : 0;
  const levels: Level[] = [levelOf(subtree, places, root, 1, 0, subtree.padding)];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    if (level.next === level.end) {
      levels.pop();
      continue;
    }
    readSubtree(level.next, memory, subtree);
    level.next += 8;
    // The space that leads to the first child leads to its parent, and lies before it.
    const start = level.isFirst ? level.position : level.position + subtree.padding;
    level.isFirst = false;
    level.position = start + subtree.size;
    let alias = 0;
    let field = 0;
    // Errors hold more children than any production.
    if (!subtree.isExtra && level.place < level.placesEnd) {
      alias = aliases[level.place] ?? 0;
      field = fields[level.place] || level.field;
      level.place += 1;
    } else if (!subtree.isExtra) field = level.field;
    if (!subtree.isVisible && alias === 0) {
      if (subtree.children > 0) levels.push(levelOf(subtree, places, level.node, level.depth, field, start));
      continue;
    }
    const symbol = alias === 0 ? subtree.symbol : alias;
    if (symbol === errorSymbol) errors += 1;
    let { node } = level;
    // Errors have no entry in the table; they are named and keep what was read inside them.
    if (named[symbol] !== false) {
      const parent = node;
      node = {
        type: types[symbol] ?? 'ERROR',
        field: fieldNames[field] ?? null,
        start: start >> 1,
        end: level.position >> 1,
        parent,
        index: parent.children.length,
        children: none,
      };
      if (parent.children === none) parent.children = [node];
      else parent.children.push(node);
    }
    if (subtree.children > 0 && level.depth < codeLimits.syntaxDepthMax) {
      levels.push(levelOf(subtree, places, node, level.depth + 1, 0, start));
    }
  }
  return { root, errors };
}

function levelOf(
  subtree: Subtree,
  places: number,
  node: CopiedNode,
  depth: number,
  field: number,
  start: number,
): Level {
  return {
    node,
    depth,
    field,
    next: subtree.address - subtree.children * 8,
    end: subtree.address,
    place: subtree.production * places,
    placesEnd: (subtree.production + 1) * places,
    position: start,
    isFirst: true,
  };
}

/** `Subtree` in `subtree.h`: a pointer to `SubtreeHeapData`, or `SubtreeInlineData` with its lowest bit set. */
function readSubtree(at: number, { HEAPU8: bytes, HEAPU32: words }: ParserMemory, subtree: Subtree): void {
  const first = words[at >> 2] ?? 0;
  if ((first & 1) === 1) {
    const second = words[(at >> 2) + 1] ?? 0;
    subtree.symbol = (first >>> 8) & 0xff;
    subtree.isVisible = (first & 2) !== 0;
    subtree.isExtra = (first & 8) !== 0;
    subtree.padding = (second >>> 16) & 0xff;
    subtree.size = second >>> 24;
    subtree.children = 0;
    return;
  }
  const word = first >> 2;
  const flags = bytes[first + 44] ?? 0;
  subtree.symbol = (words[word + 10] ?? 0) & 0xffff;
  subtree.isVisible = (flags & 1) !== 0;
  subtree.isExtra = (flags & 4) !== 0;
  subtree.padding = words[word + 1] ?? 0;
  subtree.size = words[word + 4] ?? 0;
  subtree.address = first;
  subtree.children = words[word + 9] ?? 0;
  // Leaves keep something else there.
  subtree.production = (words[word + 16] ?? 0) >>> 16;
}

function emptySubtree(): Subtree {
  return { symbol: 0, isVisible: false, isExtra: false, padding: 0, size: 0, address: 0, children: 0, production: 0 };
}

/** Objects of `web-tree-sitter` keep their address under 0. */
function addressOf(object: Language | Tree): number {
  const address: unknown = Reflect.get(object, 0);
  if (typeof address !== 'number' || address === 0) throw new Error('An object of web-tree-sitter has no address.');
  return address;
}

/** The memory in a module after `Parser.init`. */
export function parserMemory(module: object): ParserMemory {
  const { HEAPU8, HEAPU16, HEAPU32 } = module as Partial<ParserMemory>;
  if (HEAPU8 === undefined || HEAPU16 === undefined || HEAPU32 === undefined) {
    throw new Error('The module of web-tree-sitter shows no memory.');
  }
  return { HEAPU8, HEAPU16, HEAPU32 };
}
