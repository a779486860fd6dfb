/**
 * What a name means in the graph of a project.
 *
 * Tried in this order, first in the case as written and then in any: the id of a node, the path of a file or package,
 * `path#Qualified.name` (the path whole or its end), the whole qualified name, its end at a dot (`Flask.run`) or a
 * simple name, and last a name behind its module (`flask.app.Flask`). The first that gives anything decides.
 *
 * Symbols of code go before files and packages, those before headings of documents, and those before what is outside
 * the project: whoever asks for `Flask` means the class and not the chapter about it. What was passed over is told.
 * A name is never guessed by likeness here; a search that offers names can be passed in, and its answer says so.
 */
import { graphLimits } from '../../base/limits.ts';
import { fileId, packageId } from '../code/symbol.ts';
import type { GraphNode, GraphSource } from './source.ts';
import { oneThing, things } from './things.ts';

export type Resolution =
  | {
      readonly kind: 'exact';
      /** The definition. */
      readonly node: GraphNode;
      /** All nodes that are this one thing, the definition first: prototypes, overloads, parts. */
      readonly same: readonly GraphNode[];
      /** Others that have the name too and were passed over, at most `candidatesMax` of `count`. */
      readonly others: readonly GraphNode[];
      readonly count: number;
    }
  /** A search offered it. It is a guess, and an answer has to say so. */
  | { readonly kind: 'semantic'; readonly node: GraphNode; readonly same: readonly GraphNode[] }
  /** Several things have the name: at most `candidatesMax` of `count`. */
  | { readonly kind: 'candidates'; readonly candidates: readonly GraphNode[]; readonly count: number }
  /** `near` are names that are spelt alike, the nearest first, where the caller has looked for them. */
  | { readonly kind: 'none'; readonly near?: readonly string[] };

/** Offers names or ids for a text, the best first. Nothing it offers is trusted to exist. */
export type OfferNames = (text: string) => readonly string[];

export function resolveName(source: GraphSource, text: string): Resolution {
  const name = text.trim().replace(/\(\)$/, '');
  if (name === '') return { kind: 'none' };
  const byId = source.node(name);
  if (byId !== null) return exact(byId, oneThing(source, byId), []);
  const path = name.replaceAll('\\', '/').replace(/^(\.\/)+/, '');
  const folder = path.replace(/\/+$/, '');
  const byPath = source.node(fileId(path)) ?? (folder === '' ? null : source.node(packageId(folder)));
  if (byPath !== null) return exact(byPath, [byPath], []);
  for (const inAnyCase of [false, true]) {
    const found = namesakes(new Reader(source, inAnyCase), name, path);
    if (found.length > 0) return decided(found);
  }
  return { kind: 'none' };
}

/**
 * The same; where nothing has the name, what its last parts mean, and for a description the first offered name that
 * means one thing, if possible one of code.
 */
export function resolveOrGuess(source: GraphSource, text: string, offer: OfferNames): Resolution {
  const found = resolveName(source, text);
  if (found.kind !== 'none' || text.trim() === '') return found;
  const nearer = behindForeignModule(source, text.trim());
  if (nearer !== null) return nearer;
  // A name that nothing has is never taken for another one; a description may be.
  if (!/\s/.test(text.trim())) return found;
  const offered = offer(text).slice(0, graphLimits.guessesMax);
  const guesses = offered.map((name) => resolveName(source, name)).filter((one) => one.kind === 'exact');
  const guess = guesses.find((one) => tierOf(one.node) === 0) ?? guesses[0];
  return guess === undefined ? found : { kind: 'semantic', node: guess.node, same: guess.same };
}

const foreignPartsMax = 8;

/** `net.Pipe` where the module is known under another name, or not at all: what the rest of the name means, as a guess. */
function behindForeignModule(source: GraphSource, text: string): Resolution | null {
  const parts = text.replaceAll(/::|->|[#\\/]/g, '.').split('.');
  // Nobody writes more; each part is a search.
  if (parts.length > foreignPartsMax) return null;
  for (let cut = 1; cut < parts.length; cut += 1) {
    const rest = resolveName(source, parts.slice(cut).join('.'));
    if (rest.kind === 'exact') return { kind: 'semantic', node: rest.node, same: rest.same };
    if (rest.kind === 'candidates') return rest;
  }
  return null;
}

interface Match {
  readonly node: GraphNode;
  /** 0 for the whole qualified name, 1 for a part of it. */
  readonly rank: number;
}

/** Reads names in one case or in any. */
class Reader {
  readonly #source: GraphSource;
  readonly #inAnyCase: boolean;

  constructor(source: GraphSource, inAnyCase: boolean) {
    this.#source = source;
    this.#inAnyCase = inAnyCase;
  }

  named(name: string): readonly GraphNode[] {
    return this.#inAnyCase ? this.#source.namedInAnyCase(name) : this.#source.named(name);
  }

  fold(text: string): string {
    return this.#inAnyCase ? text.toLowerCase() : text;
  }

  isEqual(a: string, b: string): boolean {
    return this.fold(a) === this.fold(b);
  }

  /** Whether `part` is all of `whole` or its end after one of the borders. */
  isEnd(whole: string, part: string, borders: string): boolean {
    if (this.isEqual(whole, part)) return true;
    const at = whole.length - part.length;
    return at > 0 && borders.includes(whole.charAt(at - 1)) && this.isEqual(whole.slice(at), part);
  }
}

function namesakes(reader: Reader, name: string, path: string): readonly Match[] {
  // As other languages write it: `Flask#run`, `net::Socket`, `App\\Kernel`.
  const dotted = name.replaceAll(/::|->|[#\\]/g, '.');
  const steps = [
    () => (path.includes('#') ? inPath(reader, path) : []),
    () => (path.includes('/') ? byEndOfPath(reader, path) : []),
    () => qualified(reader, name),
    () => (dotted === name || !/[\p{L}\p{N}]/u.test(dotted) ? [] : qualified(reader, dotted)),
    () => inModule(reader, dotted),
  ];
  for (const step of steps) {
    const found = step();
    if (found.length > 0) return found;
  }
  return [];
}

/** `path#Qualified.name`. Both may hold `#`, so every cut is tried. */
function inPath(reader: Reader, text: string): readonly Match[] {
  for (let cut = text.indexOf('#'); cut !== -1; cut = text.indexOf('#', cut + 1)) {
    const path = text.slice(0, cut);
    const name = text.slice(cut + 1);
    const found = qualified(reader, name).filter(
      ({ node }) => node.path !== null && node.kind !== 'file' && reader.isEnd(node.path, path, '/'),
    );
    if (found.length > 0) return found;
  }
  return [];
}

function byEndOfPath(reader: Reader, path: string): readonly Match[] {
  const whole = path.replace(/\/+$/, '');
  const last = whole.slice(whole.lastIndexOf('/') + 1);
  return reader
    .named(last)
    .filter((node) => node.kind === 'file' || node.kind === 'package')
    .filter((node) => reader.isEnd(node.qualifiedName, whole, '/'))
    .map((node) => ({ node, rank: 0 }));
}

/** By qualified name, its end, or simple name. Names themselves may hold dots, as those of files and headings do. */
function qualified(reader: Reader, text: string): readonly Match[] {
  const found = new Map<string, Match>();
  for (const part of endsAtDots(text)) {
    for (const node of reader.named(part)) {
      const isWhole = reader.isEqual(node.qualifiedName, text);
      const isPart = reader.isEqual(node.name, text) || reader.isEnd(node.qualifiedName, text, './');
      if (isWhole || isPart) found.set(node.id, { node, rank: isWhole ? 0 : 1 });
    }
  }
  return [...found.values()];
}

/** A name behind the module that it is in, as code of other files writes it. */
function inModule(reader: Reader, text: string): readonly Match[] {
  const parts = text.split('.');
  const found: Match[] = [];
  for (let cut = parts.length - 1; cut > 0; cut -= 1) {
    const module = parts.slice(0, cut).join('/');
    for (const match of qualified(reader, parts.slice(cut).join('.'))) {
      const { node } = match;
      if (match.rank !== 0 || node.path === null || node.kind === 'file') continue;
      const file = node.path.replace(/\.[^./]+$/, '');
      const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '';
      if (reader.isEnd(file, module, '/') || reader.isEnd(folder, module, '/')) found.push(match);
    }
    if (found.length > 0) break;
  }
  return found;
}

function endsAtDots(text: string): readonly string[] {
  const ends = [text];
  for (let at = text.indexOf('.'); at !== -1 && at + 1 < text.length; at = text.indexOf('.', at + 1)) {
    if (ends.length <= namePartsMax) ends.push(text.slice(at + 1));
  }
  return ends;
}

const namePartsMax = 32;

function decided(matches: readonly Match[]): Resolution {
  const kept = matches.filter(({ node }) => !isConstructorOf(node, matches));
  const best = Math.min(...kept.map(orderOf));
  const chosen = kept.filter((match) => orderOf(match) === best).map(({ node }) => node);
  const found = things(chosen);
  const [only] = found;
  const [node] = only ?? [];
  if (only === undefined || node === undefined) throw new Error('Matches without a node were to be decided on.');
  if (found.length === 1) {
    const others = kept.filter((match) => orderOf(match) !== best).map((match) => match.node);
    return exact(node, only, others);
  }
  const candidates = found.flatMap((thing) => thing.slice(0, 1)).sort(byPlace);
  return { kind: 'candidates', candidates: candidates.slice(0, graphLimits.candidatesMax), count: candidates.length };
}

function exact(node: GraphNode, same: readonly GraphNode[], others: readonly GraphNode[]): Resolution {
  const listed = [...others].sort(byPlace).slice(0, graphLimits.candidatesMax);
  return { kind: 'exact', node, same, others: listed, count: others.length };
}

function orderOf(match: Match): number {
  return tierOf(match.node) * 2 + match.rank;
}

function tierOf(node: GraphNode): number {
  if (node.kind === 'external') return 3;
  if (node.kind === 'section') return 2;
  return node.kind === 'file' || node.kind === 'package' ? 1 : 0;
}

/** Languages that call a constructor like its type: whoever names one means the type. */
function isConstructorOf(node: GraphNode, matches: readonly Match[]): boolean {
  if (node.kind !== 'constructor') return false;
  return matches.some(
    ({ node: type }) => type.path === node.path && node.qualifiedName === `${type.qualifiedName}.${node.name}`,
  );
}

function byPlace(a: GraphNode, b: GraphNode): number {
  const one = a.path ?? '';
  const other = b.path ?? '';
  return one < other ? -1 : one > other ? 1 : a.startLine - b.startLine || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
