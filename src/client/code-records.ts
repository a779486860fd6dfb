/** What the code mind answers, as the client gives it: names in camelCase, frozen, the complete answer in `raw`. */
import {
  boolean,
  deepFreeze,
  isObject,
  listOf,
  number,
  numberOrNull,
  type Open,
  object,
  type RawObject,
  text,
  textOrNull,
  texts,
} from './raw.ts';

/** How far the index is behind the files. */
export interface Freshness {
  readonly state: Open<'fresh' | 'stale'>;
  readonly changed: number;
  readonly added: number;
  readonly removed: number;
  /** Some of the files. */
  readonly files: readonly string[];
  readonly indexedAt: string;
}

export interface CodeHit {
  readonly id: string;
  readonly label: string;
  readonly fileType: Open<'code' | 'document'>;
  /** From the root of the project. */
  readonly sourceFile: string;
  /** 0 to 1, comparable within one answer. */
  readonly score: number;
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly signature: string;
  readonly summary: string;
  /** The words it holds, how near its meaning is, which better hits it hangs together with. */
  readonly why: RawObject;
  readonly raw: RawObject;
}

export interface LayerCounts {
  readonly l0: number;
  readonly l1: number;
  readonly l2: number;
  readonly l3: number;
}

export interface QueryAnswer {
  readonly question: string;
  /** For an agent to read: places, one a line, the best first. */
  readonly context: string;
  readonly tokens: LayerCounts & { readonly total: number };
  readonly budget: number;
  readonly layersUsed: readonly string[];
  /** Tokens of all files for each token of the context. */
  readonly reductionRatio: number;
  /** How many hits the context shows. */
  readonly searchHits: number;
  readonly topSearchHits: readonly CodeHit[];
  /** Lines that the budget left out. */
  readonly cut: LayerCounts;
  /** Null while the index is as the files are. */
  readonly freshness: Freshness | null;
  readonly trace: RawObject | null;
  readonly raw: RawObject;
}

/** Iterable in the order of relevance. */
export interface CodeSearchAnswer extends Iterable<CodeHit> {
  readonly query: string;
  readonly results: readonly CodeHit[];
  readonly freshness: Freshness | null;
  readonly raw: RawObject;
}

export interface Wakeup {
  readonly context: string;
  readonly tokens: number;
  readonly reductionRatio: number;
  readonly layersUsed: readonly string[];
  readonly freshness: Freshness | null;
  readonly raw: RawObject;
}

export type IndexStats =
  | { readonly built: false; readonly project: string; readonly raw: RawObject }
  | {
      readonly built: true;
      readonly project: string;
      readonly nodes: number;
      readonly edges: number;
      readonly communities: number;
      readonly files: number;
      readonly symbols: number;
      readonly lines: number;
      /** Of all indexed files. */
      readonly tokens: number;
      /** Files of each language. */
      readonly languages: RawObject;
      /** Files that are not read, by reason. */
      readonly skipped: RawObject;
      readonly builtAt: string;
      readonly freshness: Freshness;
      readonly raw: RawObject;
    };

export interface IndexHealth {
  readonly state: Open<'ok' | 'stale' | 'missing' | 'unusable'>;
  readonly message: string;
  readonly freshness: Freshness | null;
  readonly watching: boolean;
  readonly building: boolean;
  readonly raw: RawObject;
}

export interface Savings {
  readonly totalQueries: number;
  readonly totalWakeups: number;
  readonly totalTokensUsed: number;
  readonly totalTokensSaved: number;
  readonly avgReductionRatio: number;
  /** What the comparison assumes. */
  readonly baselineDisclosure: string;
  /** When the cost was asked for. */
  readonly dollarSavings: RawObject | null;
  readonly raw: RawObject;
}

export interface Validation {
  readonly ok: boolean;
  /** The first of them. */
  readonly errors: readonly { readonly code: string; readonly message: string }[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly raw: RawObject;
}

export interface AddedDocument {
  readonly filePath: string;
  readonly contentType: Open<'markdown' | 'text' | 'pdf'>;
  /** Pieces that it was cut into. */
  readonly nodeCount: number;
  readonly alreadyIndexed: boolean;
  readonly raw: RawObject;
}

export interface ListedDocument {
  readonly filePath: string;
  /** As it was said when it was added. */
  readonly contentType: Open<'auto' | 'markdown' | 'text' | 'pdf'>;
  /** `markdown`, `text` or `pdf`, or the language of a file that is read as code; null when it is not indexed. */
  readonly kind: string | null;
  /** Its first heading; null when it is not indexed, has none, or is a PDF. */
  readonly title: string | null;
  /** Of what is indexed. */
  readonly bytes: number | null;
  /** Pieces that it was cut into. */
  readonly nodeCount: number;
  readonly addedAt: string;
  /** `changed`: the index does not hold it as it is. `gone`: there is no such file. */
  readonly state: Open<'fresh' | 'changed' | 'gone'>;
  /** Why it was left out when it was read; null when it was not. */
  readonly skipReason: string | null;
  readonly raw: RawObject;
}

export function readQueryAnswer(raw: RawObject): QueryAnswer {
  const tokens = object(raw, 'tokens');
  return deepFreeze({
    question: text(raw, 'question'),
    context: text(raw, 'context'),
    tokens: { total: number(tokens, 'total'), ...layerCounts(tokens) },
    budget: number(raw, 'budget'),
    layersUsed: texts(raw, 'layers_used'),
    reductionRatio: number(raw, 'reduction_ratio'),
    searchHits: number(raw, 'search_hits'),
    topSearchHits: listOf(raw, 'top_search_hits', codeHit),
    cut: layerCounts(object(raw, 'cut')),
    freshness: freshnessOrNull(raw),
    trace: objectOrNull(raw, 'trace'),
    raw,
  });
}

export function readCodeSearchAnswer(raw: RawObject): CodeSearchAnswer {
  const results = deepFreeze(listOf(raw, 'results', codeHit));
  return Object.freeze({
    query: text(raw, 'query'),
    results,
    freshness: deepFreeze(freshnessOrNull(raw)),
    raw,
    [Symbol.iterator]: () => results[Symbol.iterator](),
  });
}

export function readWakeup(raw: RawObject): Wakeup {
  return deepFreeze({
    context: text(raw, 'context'),
    tokens: number(raw, 'tokens'),
    reductionRatio: number(raw, 'reduction_ratio'),
    layersUsed: texts(raw, 'layers_used'),
    freshness: freshnessOrNull(raw),
    raw,
  });
}

export function readStats(raw: RawObject): IndexStats {
  const project = text(raw, 'project');
  if (!boolean(raw, 'built')) return deepFreeze({ built: false as const, project, raw });
  return deepFreeze({
    built: true as const,
    project,
    nodes: number(raw, 'nodes'),
    edges: number(raw, 'edges'),
    communities: number(raw, 'communities'),
    files: number(raw, 'files'),
    symbols: number(raw, 'symbols'),
    lines: number(raw, 'lines'),
    tokens: number(raw, 'tokens'),
    languages: object(raw, 'languages'),
    skipped: object(raw, 'skipped'),
    builtAt: text(object(raw, 'build_stats'), 'built_at'),
    freshness: freshnessOf(object(raw, 'freshness')),
    raw,
  });
}

export function readHealth(raw: RawObject): IndexHealth {
  return deepFreeze({
    state: text(raw, 'state'),
    message: text(raw, 'message'),
    freshness: freshnessOrNull(raw),
    watching: boolean(raw, 'watching'),
    building: boolean(raw, 'building'),
    raw,
  });
}

export function readSavings(raw: RawObject): Savings {
  return deepFreeze({
    totalQueries: number(raw, 'total_queries'),
    totalWakeups: number(raw, 'total_wakeups'),
    totalTokensUsed: number(raw, 'total_tokens_used'),
    totalTokensSaved: number(raw, 'total_tokens_saved'),
    avgReductionRatio: number(raw, 'avg_reduction_ratio'),
    baselineDisclosure: text(raw, 'baseline_disclosure'),
    dollarSavings: objectOrNull(raw, 'dollar_savings'),
    raw,
  });
}

export function readValidation(raw: RawObject): Validation {
  const validation = object(raw, 'validation');
  const issue = (one: RawObject) => ({ code: text(one, 'code'), message: text(one, 'message') });
  return deepFreeze({
    ok: boolean(validation, 'ok'),
    errors: listOf(validation, 'errors', issue),
    warnings: listOf(validation, 'warnings', issue),
    raw,
  });
}

export function readAddedDocument(raw: RawObject): AddedDocument {
  return deepFreeze({
    filePath: text(raw, 'file_path'),
    contentType: text(raw, 'content_type'),
    nodeCount: number(raw, 'node_count'),
    alreadyIndexed: boolean(raw, 'already_indexed'),
    raw,
  });
}

export function readListedDocuments(raw: RawObject): readonly ListedDocument[] {
  return deepFreeze(
    listOf(raw, 'items', (one) => ({
      filePath: text(one, 'file_path'),
      contentType: text(one, 'content_type'),
      kind: textOrNull(one, 'kind'),
      title: textOrNull(one, 'title'),
      bytes: numberOrNull(one, 'bytes'),
      nodeCount: number(one, 'node_count'),
      addedAt: text(one, 'added_at'),
      state: text(one, 'state'),
      skipReason: textOrNull(one, 'skip_reason'),
      raw: one,
    })),
  );
}

function codeHit(raw: RawObject): CodeHit {
  return {
    id: text(raw, 'id'),
    label: text(raw, 'label'),
    fileType: text(raw, 'file_type'),
    sourceFile: text(raw, 'source_file'),
    score: number(raw, 'score'),
    kind: text(raw, 'kind'),
    startLine: number(raw, 'start_line'),
    endLine: number(raw, 'end_line'),
    signature: text(raw, 'signature'),
    summary: text(raw, 'summary'),
    why: object(raw, 'why'),
    raw,
  };
}

export function freshnessOrNull(raw: RawObject): Freshness | null {
  const freshness = objectOrNull(raw, 'freshness');
  return freshness === null ? null : freshnessOf(freshness);
}

function freshnessOf(raw: RawObject): Freshness {
  return {
    state: text(raw, 'state'),
    changed: number(raw, 'changed'),
    added: number(raw, 'added'),
    removed: number(raw, 'removed'),
    files: texts(raw, 'files'),
    indexedAt: text(raw, 'indexed_at'),
  };
}

function layerCounts(raw: RawObject): LayerCounts {
  return { l0: number(raw, 'l0'), l1: number(raw, 'l1'), l2: number(raw, 'l2'), l3: number(raw, 'l3') };
}

/** Null when the member is no object. */
export function objectOrNull(raw: RawObject, key: string): RawObject | null {
  const value = raw[key];
  return isObject(value) ? value : null;
}
