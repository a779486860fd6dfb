/**
 * Copies of one definition: what a build writes beside its source, and files that were copied whole. A reader needs one.
 *
 * A name says nothing: a copy has the qualified name, and words as well. What is compared are counts of terms, as the
 * sum of the lesser counts by the smaller text (by the larger, where it is said to be most). Where two files have
 *
 *   the layout of one build         half of the words are enough where one is an output, since types and comments come
 *                                   and go; a quarter where one is a declaration, which has no body; most where both
 *                                   may be sources, as `lib/` and `src/` of one program
 *   a bundle on one side            most of them, and so many that it is no chance
 *   the same name, the same text    half of the words, when the files as a whole have nearly all of them
 */
import type { Census } from './census.ts';
import { isBundle, isOutput, layoutKey } from './layouts.ts';
import { foundPlace, type Place } from './places.ts';
import type { SearchSource } from './source.ts';

const besideMin = 0.5;
const declarationMin = 0.25;
const sourcesMin = 0.9;
const bundleMin = 0.8;
const wholeFileMin = 0.95;
/** Words that both must have before likeness says something: of a definition, and of a file. */
const bundleWordsMin = 8;
const fileWordsMin = 20;
/** A larger file is not looked through for copies. */
const siblingChunksMax = 400;

const script = /\.[cm]?[jt]sx?$/;
const declaration = /\.d\.[cm]?ts$/;
/** Nothing that a build leaves of these has their name. */
const typesAlone: ReadonlySet<string> = new Set(['interface', 'type']);

/** How often a text has each term, and all of them. */
interface Counts {
  readonly of: ReadonlyMap<string, number>;
  readonly size: number;
}

interface Posting {
  readonly term: string;
  readonly position: number;
  readonly count: number;
}

/** Places that are no copies of each other, in the order they were added. */
export class DistinctPlaces {
  readonly #copies: Copies;
  readonly #groups: Place[][] = [];
  readonly #known = new Set<string>();

  constructor(source: SearchSource, census: Census, chunkScores: Float64Array) {
    this.#copies = new Copies(source, census, chunkScores);
  }

  get length(): number {
    return this.#groups.length;
  }

  /** A place that is there already, or a copy of one, adds none. */
  add(place: Place): void {
    if (this.#known.has(place.key)) return;
    this.#known.add(place.key);
    const group = this.#groups.find((one) => one.some((member) => this.#copies.areCopies(member, place)));
    if (group !== undefined) {
      group.push(place);
      return;
    }
    const beside = this.#copies.beside(place).filter(({ key }) => !this.#known.has(key));
    for (const { key } of beside) this.#known.add(key);
    this.#groups.push([place, ...beside]);
  }

  /** Of each group what a reader needs, with the score of the one that came first. */
  places(): readonly Place[] {
    return this.#groups.map((group) => {
      const [first = null] = group;
      const kept = group.reduce((best, one) => (compareForms(one, best) < 0 ? one : best));
      const copies = new Set(group.map(({ file }) => file.id)).size - 1;
      return { ...kept, score: first?.score ?? kept.score, copies };
    });
  }
}

/**
 * Source before output, and the product before what is about it; of outputs the one that documents it, then code before
 * its declaration, then the shallowest.
 */
function compareForms(a: Place, b: Place): number {
  const orders: readonly ((place: Place) => number)[] = [
    ({ file }) => Number(isOutput(file.path)),
    ({ file }) => Number(isBundle(file.path)),
    ({ symbol }) => Number(symbol === null || symbol.summary === ''),
    ({ file }) => Number(declaration.test(file.path)),
    ({ file }) => file.path.split('/').length,
  ];
  for (const order of orders) {
    const difference = order(a) - order(b);
    if (difference !== 0) return difference;
  }
  return 0;
}

class Copies {
  readonly #source: SearchSource;
  readonly #census: Census;
  readonly #chunkScores: Float64Array;
  readonly #postings = new Map<number, readonly Posting[]>();
  readonly #ofPlaces = new Map<string, Counts>();
  readonly #ofFiles = new Map<number, Counts>();

  constructor(source: SearchSource, census: Census, chunkScores: Float64Array) {
    this.#source = source;
    this.#census = census;
    this.#chunkScores = chunkScores;
  }

  /** The copies of a place in the other files of its layout, of each file the best. */
  beside(place: Place): readonly Place[] {
    const siblings = this.#census.siblings.get(this.#census.ordinalOf.get(place.file.id) ?? -1) ?? [];
    return siblings.flatMap((ordinal) => this.#copyIn(ordinal, place) ?? []);
  }

  #copyIn(ordinal: number, place: Place): Place | null {
    const file = this.#census.files[ordinal];
    if (file === undefined || file.chunkCount > siblingChunksMax) return null;
    const { nameLength } = this.#source.places;
    const chunks = Array.from({ length: file.chunkCount }, (_, at) => file.firstChunk + at)
      // Most definitions of a file are told apart without reading them.
      .filter((chunk) => place.symbol === null || nameLength[chunk] === nameLength[place.chunk])
      .sort((a, b) => (this.#chunkScores[b] ?? 0) - (this.#chunkScores[a] ?? 0) || a - b);
    for (const chunk of chunks) {
      const other = foundPlace(this.#source, file, chunk, place.score);
      if (this.areCopies(place, other)) return other;
    }
    return null;
  }

  areCopies(a: Place, b: Place): boolean {
    const [path, other] = [a.file.path, b.file.path];
    if (a.file.id === b.file.id || !areCalledAlike(a, b) || script.test(path) !== script.test(other)) return false;
    if (layoutKey(path) === layoutKey(other)) {
      const isDeclared = declaration.test(path) !== declaration.test(other);
      if (isDeclared) return this.#likeness(a, b) >= declarationMin;
      if (isOutput(path) || isOutput(other)) return this.#likeness(a, b) >= besideMin;
      return likeness(this.#countsOf(a), this.#countsOf(b), 0, 'larger') >= sourcesMin;
    }
    if (isBundle(path) !== isBundle(other)) return this.#likeness(a, b, bundleWordsMin) >= bundleMin;
    if (nameOf(path) !== nameOf(other) || this.#likeness(a, b) < besideMin) return false;
    return likeness(this.#countsOfFile(a), this.#countsOfFile(b), fileWordsMin, 'larger') >= wholeFileMin;
  }

  #likeness(a: Place, b: Place, atLeast = 0): number {
    return likeness(this.#countsOf(a), this.#countsOf(b), atLeast, 'smaller');
  }

  /** Of all chunks of the definition; of the chunk alone where it is of none, of all for the file itself. */
  #countsOf(place: Place): Counts {
    const known = this.#ofPlaces.get(place.key);
    if (known !== undefined) return known;
    const { chunk, symbol, file } = place;
    const { startLine, endLine } = this.#source.places;
    const made = this.#countsWhere(file.id, (position) => {
      const own = file.firstChunk + position;
      if (own === chunk) return true;
      if (symbol === null) return chunk === file.firstChunk;
      return position > 0 && (startLine[own] ?? 0) >= symbol.startLine && (endLine[own] ?? 0) <= symbol.endLine;
    });
    this.#ofPlaces.set(place.key, made);
    return made;
  }

  #countsOfFile({ file }: Place): Counts {
    const known = this.#ofFiles.get(file.id);
    if (known !== undefined) return known;
    const made = this.#countsWhere(file.id, () => true);
    this.#ofFiles.set(file.id, made);
    return made;
  }

  #countsWhere(file: number, isInside: (position: number) => boolean): Counts {
    const counts = new Map<string, number>();
    let size = 0;
    for (const { term, position, count } of this.#postingsOf(file)) {
      if (!isInside(position)) continue;
      counts.set(term, (counts.get(term) ?? 0) + count);
      size += count;
    }
    return { of: counts, size };
  }

  #postingsOf(file: number): readonly Posting[] {
    const known = this.#postings.get(file);
    if (known !== undefined) return known;
    const postings: Posting[] = [];
    // The body has what the head and the name have, but for comments that stand before it.
    this.#source.eachTerm(file, (term, position, counts) => {
      const count = counts & 255;
      if (count > 0) postings.push({ term, position, count });
    });
    this.#postings.set(file, postings);
    return postings;
  }
}

function areCalledAlike(a: Place, b: Place): boolean {
  if (a.symbol === null || b.symbol === null) {
    return a.symbol === b.symbol && (a.chunk === a.file.firstChunk) === (b.chunk === b.file.firstChunk);
  }
  if (nameIn(a.symbol.qualifiedName) !== nameIn(b.symbol.qualifiedName)) return false;
  const [kind, other] = [a.symbol.kind, b.symbol.kind];
  // A function of the source may be a constant of the output; a type is nothing there.
  return kind === other || (!typesAlone.has(kind) && !typesAlone.has(other));
}

/** A class becomes a function of its name inside of a variable of its name, where there are no classes. */
function nameIn(qualifiedName: string): string {
  const parts = qualifiedName.split('.');
  return parts.length > 1 && parts.at(-1) === parts.at(-2) ? parts.slice(0, -1).join('.') : qualifiedName;
}

function likeness(a: Counts, b: Counts, atLeast: number, by: 'smaller' | 'larger'): number {
  if (Math.min(a.size, b.size) < Math.max(1, atLeast)) return 0;
  let shared = 0;
  for (const [term, count] of a.of) shared += Math.min(count, b.of.get(term) ?? 0);
  return shared / (by === 'smaller' ? Math.min(a.size, b.size) : Math.max(a.size, b.size));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
