/**
 * Answers to a question, best first: the files that fit, each by the places in it that fit best.
 *
 * The first hit of a file has the score of the file; every further one keeps half of what the one before would have, so
 * that one file does not fill an answer. Pieces of one definition, and definitions with the same name and signature in
 * one file, are one hit. Equal scores go by path and line, so an index built in another order answers the same.
 */

import type { Language, SymbolKind } from '../code/symbol.ts';
import { DistinctPlaces } from './copies.ts';
import { chunkAt } from './definitions.ts';
import type { FileRole } from './file-role.ts';
import { defaultLayers, fuse, type Layers, type QueryType, type Scores } from './fusion.ts';
import { matchedWords } from './lexical.ts';
import { namesApart } from './name-apart.ts';
import { namesWith, shareOfName } from './name-parts.ts';
import { keyOf, Lane, type Place } from './places.ts';
import { parseQuery, type Query } from './query.ts';
import { withRelatives } from './related-words.ts';
import type { IndexedFile, IndexedSymbol, NamedSymbol, SearchSource } from './source.ts';
import { wholeTerm } from './terms.ts';

export interface RankedHit {
  readonly chunk: number;
  /** Of `IndexedFile`. */
  readonly file: number;
  readonly path: string;
  readonly language: Language;
  readonly role: FileRole;
  /** Both from 1, the last one included. */
  readonly startLine: number;
  readonly endLine: number;
  /** `text` is a part of a file that is of no definition. */
  readonly kind: SymbolKind | 'file' | 'text';
  /** The qualified name of the definition, or the name of the file. */
  readonly label: string;
  readonly symbol: IndexedSymbol | null;
  /** Above 0; the best hit of an answer has 1. */
  readonly score: number;
  /** How many other files hold a copy of it that is no hit of its own. */
  readonly copies: number;
  readonly why: HitReason;
}

export interface HitReason {
  /** The words of the question that it has, as they stand there; `word → meaning` for what was found by a meaning. */
  readonly lexical: readonly string[];
  /** Cosine with the question, 0 when it has no share. */
  readonly vector: number;
  /** Paths of better files whose neighbour it is, best first. */
  readonly graph: readonly string[];
}

export interface RankOptions {
  readonly queryType?: QueryType;
  /** Hits at most; 8 when it is not said. */
  readonly count?: number;
  readonly layers?: Layers;
}

const countDefault = 8;
const furtherHitFactor = 0.5;
/** Cosines below say nothing: two texts of one trade are about this near. */
const toldCosineMin = 0.25;
const supportersTold = 3;
/** A search of fewer words is for a name or a part of one. */
const descriptionWordsMin = 3;

/** `questionVector` is of the embedder that made the vectors of the source, or null to go without. */
export function rank(
  source: SearchSource,
  question: string,
  questionVector: Float32Array | null,
  options: RankOptions = {},
): readonly RankedHit[] {
  const { queryType = 'auto', count = countDefault, layers = defaultLayers } = options;
  const query = queryFor(source, question, layers.meanings);
  if (asksNothing(source, query)) return [];
  const scores = fuse(source, query, questionVector, queryType, layers);
  const distinct = new DistinctPlaces(source, scores.census, scores.chunks);
  for (const place of inTurn(source, scores, furtherHitFactor)) {
    if (distinct.length === count) break;
    distinct.add(place);
  }
  const places = best(distinct.places(), count);
  const top = places[0]?.score ?? 1;
  return places.map((place) => hitOf(source, query, scores, place, place.score / top)).filter(hasReason);
}

/** `What is this` has words that every file has; an answer to it would be noise. `Is in` may be the name `isIn`. */
function asksNothing(source: SearchSource, query: Query): boolean {
  return query.onlyStopWords && !query.names.some((name) => source.symbolsNamed(name).length > 0);
}

/** What nothing speaks for is no answer: some text is always nearest. */
function hasReason({ why }: RankedHit): boolean {
  return why.lexical.length > 0 || why.vector > 0 || why.graph.length > 0;
}

/**
 * Definitions and files by name or description, best first. What is called exactly like the query, in any case and with
 * or without its separators, comes before everything else, in the order of how well it fits otherwise. A description of
 * several words is answered as a question is.
 */
export function searchEntities(
  source: SearchSource,
  text: string,
  queryVector: Float32Array | null,
  count: number,
): readonly RankedHit[] {
  return entitySearch(source, text, queryVector)(count);
}

/** The same for who does not know yet how many it takes: scores are computed once. */
export function entitySearch(
  source: SearchSource,
  text: string,
  queryVector: Float32Array | null,
): (count: number) => readonly RankedHit[] {
  const isDescription = wordsIn(text) >= descriptionWordsMin;
  const query = queryFor(source, text, isDescription);
  const scores = fuse(source, query, queryVector, 'auto', defaultLayers);
  const named = namedPlaces(source, scores, text);
  if (named.length === 0 && asksNothing(source, query)) return () => [];
  const isNamed = new Set(named.map(({ key }) => key));
  const partly = partlyNamedPlaces(source, scores, text.trim()).filter(({ key }) => !isNamed.has(key));
  const isPartly = new Set(partly.map(({ key }) => key));
  const furtherFactor = isDescription ? furtherHitFactor : 1;
  const [namedInOrder, partlyInOrder] = [best(named, named.length), best(partly, partly.length)];
  return (count) => {
    const distinct = new DistinctPlaces(source, scores.census, scores.chunks);
    const lengthWith = (places: Iterable<Place>): number => {
      for (const place of places) {
        if (distinct.length === count) break;
        distinct.add(place);
      }
      return distinct.length;
    };
    const namedEnd = lengthWith(namedInOrder);
    const partlyEnd = lengthWith(partlyInOrder);
    lengthWith(inTurn(source, scores, furtherFactor, ({ key }) => isNamed.has(key) || isPartly.has(key)));
    const found = distinct.places();
    const others = best(found.slice(partlyEnd), count);
    const top = others[0]?.score ?? Number.MIN_VALUE;
    const bands = [
      { places: best(found.slice(0, namedEnd), count), top, from: 0.9, to: 1 },
      {
        places: best(found.slice(namedEnd, partlyEnd), count),
        top: 0,
        from: namedEnd > 0 ? 0.85 : 0.9,
        to: namedEnd > 0 ? 0.9 : 1,
      },
      { places: others, top, from: 0, to: partlyEnd > 0 ? 0.85 : 1 },
    ];
    // Names fill the upper part, so that the score keeps the order.
    const hits = bands.flatMap(({ places, top: given, from, to }) =>
      places.map((place) => {
        const share = Math.min(1, place.score / (given === 0 ? (places[0]?.score ?? 1) : given));
        return hitOf(source, query, scores, place, from + (to - from) * share);
      }),
    );
    return hits.filter((hit, at) => at < partlyEnd || hasReason(hit));
  };
}

/** Words as they are written, whatever marks stand between them; a name with its owner (`Flask.run`) is one. */
function wordsIn(text: string): number {
  const joined = text.replace(/(?<=[\p{L}\p{N}_])(?:\.|::|->|#)(?=[\p{L}\p{N}_])/gu, '_');
  return joined.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0;
}

function queryFor(source: SearchSource, text: string, meanings: boolean): Query {
  const query = parseQuery(text, { meanings });
  return meanings ? withRelatives(query, source) : query;
}

function best(places: readonly Place[], count: number): readonly Place[] {
  return [...places].sort(inOrder).slice(0, count);
}

function inOrder(a: Place, b: Place): number {
  return (
    b.score - a.score || comparePaths(a.file.path, b.file.path) || a.startLine - b.startLine || a.endLine - b.endLine
  );
}

function comparePaths(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Places best first, file after file as they are needed: a file that is not begun has nothing better than its score.
 * Within a file each further place counts `furtherFactor` times the one before, and a place that says the same is passed
 * over. Files are merged place by place, so symbols are read only of places that may be chosen.
 */
function* inTurn(
  source: SearchSource,
  scores: Scores,
  furtherFactor: number,
  isLeftOut: (place: Place) => boolean = () => false,
): Generator<Place> {
  const { census, files } = scores;
  const ordinals = [...files.keys()]
    .filter((ordinal) => (files[ordinal] ?? 0) > 0)
    .sort((a, b) => (files[b] ?? 0) - (files[a] ?? 0) || a - b);
  const lanes: Lane[] = [];
  let begun = 0;
  for (;;) {
    let next: Lane | null = null;
    for (const lane of lanes) if (lane.peek !== null && (next === null || comesFirst(lane, next))) next = lane;
    const ordinal = ordinals[begun];
    const file = census.files[ordinal ?? -1];
    if (ordinal !== undefined && file !== undefined && (files[ordinal] ?? 0) >= (next?.peek?.score ?? 0)) {
      lanes.push(new Lane(source, scores, file, files[ordinal] ?? 0, furtherFactor));
      begun += 1;
      continue;
    }
    if (next === null) return;
    const place = next.take();
    if (place !== null && !isLeftOut(place)) yield place;
  }
}

function comesFirst(lane: Lane, other: Lane): boolean {
  const [a, b] = [lane.peek, other.peek];
  if (a === null || b === null) return a !== null;
  return (b.score - a.score || comparePaths(lane.file.path, other.file.path) || a.startLine - b.startLine) < 0;
}

/** What is called like the text: `Class.method` and `Class::method` name a method of that class alone, `a b` is `a_b`. */
function namedPlaces(source: SearchSource, scores: Scores, text: string): readonly Place[] {
  const parts = text
    .trim()
    .replace(/\(\)$/, '')
    .split(/[.#]|::|->/)
    .filter((part) => part !== '');
  const name = parts.at(-1);
  const apart = text.trim().split(/\s+/);
  if (name === undefined || apart.length > 1) {
    const symbols = namesApart(apart).flatMap((one) => source.symbolsNamed(one));
    return [...symbolPlaces(source, scores, symbols, null), ...namedFiles(scores, text)];
  }
  const holder = wholeTerm(parts.slice(0, -1).join(''));
  const symbols = source.symbolsNamed(name).filter(({ symbol }) => {
    return wholeTerm(symbol.qualifiedName).endsWith(holder + wholeTerm(symbol.name));
  });
  return [...symbolPlaces(source, scores, symbols, name), ...namedFiles(scores, text)];
}

/** One place of each definition; those that are called `name` in this very case come first. */
function symbolPlaces(
  source: SearchSource,
  scores: Scores,
  symbols: readonly NamedSymbol[],
  name: string | null,
): readonly Place[] {
  const places = symbols.flatMap(({ file: id, symbol }) => {
    const file = source.files.get(id);
    if (file === undefined) return [];
    const { startLine, endLine } = symbol;
    const chunk = chunkAt(source, file, startLine);
    const key = keyOf(file, symbol, startLine);
    const isExact = name === null || symbol.name === name ? 1 : 0.5;
    const score = isExact * roleOf(scores, file) * (1 + (scores.chunks[chunk] ?? 0));
    return [{ chunk, file, symbol, startLine, endLine, score, key }];
  });
  return [...new Map(places.map((place) => [place.key, place])).values()];
}

/** What has the text in its name, best where there is little beside it. */
function partlyNamedPlaces(source: SearchSource, scores: Scores, text: string): readonly Place[] {
  return symbolPlaces(source, scores, namesWith(source, text), null).map((place) => {
    return { ...place, score: place.score * shareOfName(text, place.symbol?.name ?? text) };
  });
}

/** A definition of the product comes before its double in a test. */
function roleOf(scores: Scores, file: IndexedFile): number {
  const role = scores.census.roles[scores.census.ordinalOf.get(file.id) ?? -1];
  return role === 'product' ? 1 : 0.5;
}

/** Files whose path is the text or ends in it: `app.ts`, `src/app.ts`. */
function namedFiles(scores: Scores, text: string): readonly Place[] {
  const wanted = text.trim().replace(/^\.\//, '').toLowerCase();
  if (wanted === '') return [];
  return scores.census.files
    .filter(({ path }) => {
      const lower = path.toLowerCase();
      return lower === wanted || lower.endsWith(`/${wanted}`);
    })
    .map((file) => {
      const startLine = 1;
      const endLine = Math.max(1, file.lines);
      const key = keyOf(file, null, startLine);
      return { chunk: file.firstChunk, file, symbol: null, startLine, endLine, score: 1, key };
    });
}

function hitOf(source: SearchSource, query: Query, scores: Scores, place: Place, score: number): RankedHit {
  const { chunk, file, symbol, startLine, endLine } = place;
  const { census } = scores;
  const ordinal = census.ordinalOf.get(file.id) ?? -1;
  const own = matchedWords(source, query, chunk, chunk + 1);
  const cosine = scores.vectors?.[chunk] ?? 0;
  const graph = (scores.supporters.get(ordinal) ?? [])
    .filter((other) => (scores.files[other] ?? 0) > (scores.files[ordinal] ?? 0))
    .slice(0, supportersTold)
    .map((other) => census.files[other]?.path ?? '');
  const inFile = (): readonly string[] =>
    matchedWords(source, query, file.firstChunk, file.firstChunk + file.chunkCount);
  const [name = ''] = query.names.length === 1 ? query.names : [];
  const part = wholeTerm(name);
  const isPart = part !== '' && symbol !== null && wholeTerm(symbol.name).includes(part);
  const isWholeFile = chunk === file.firstChunk && symbol === null;
  return {
    chunk,
    file: file.id,
    path: file.path,
    language: file.language,
    role: census.roles[ordinal] ?? 'product',
    startLine,
    endLine,
    kind: symbol?.kind ?? (isWholeFile ? 'file' : 'text'),
    label: symbol?.qualifiedName ?? file.path.slice(file.path.lastIndexOf('/') + 1),
    symbol,
    score,
    copies: place.copies ?? 0,
    why: {
      // A file is found by its words all over, where none of its places has any.
      lexical: own.length > 0 ? own : isPart ? [`${name} → ${symbol.name}`] : inFile(),
      vector: cosine < toldCosineMin ? 0 : cosine,
      graph,
    },
  };
}
