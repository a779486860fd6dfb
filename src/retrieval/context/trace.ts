/** What happened to a question, step by step, for the one who asks to see it. Paths are those of the project. */

import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { contextLimits } from '../../base/limits.ts';
import type { ComposedContext, LayerName } from './compose.ts';
import type { ContextHit } from './hit.ts';
import type { Intent } from './intent.ts';

export type TraceLayer = 'intent' | 'candidates' | 'synapse' | 'compose' | LayerName;

export interface TraceEvent {
  readonly layer: TraceLayer;
  /** What the data is: `search`, `cluster_scores`, `hits`, `budget` … */
  readonly kind: string;
  readonly summary: string;
  readonly data: JsonObject;
}

export interface Trace {
  readonly query: string;
  readonly verbose: boolean;
  readonly events: readonly TraceEvent[];
}

export class TraceRecorder {
  private readonly events: TraceEvent[] = [];
  private readonly query: string;
  private readonly verbose: boolean;

  constructor(query: string, verbose: boolean) {
    this.query = query;
    this.verbose = verbose;
  }

  /** Lists at any depth of `data` are cut to 10 entries, or 25 when verbose. */
  add(event: TraceEvent): void {
    const listMax = this.verbose ? contextLimits.traceVerboseListMax : contextLimits.traceListMax;
    this.events.push({ ...event, data: cappedObject(event.data, listMax) });
  }

  trace(): Trace {
    return { query: this.query, verbose: this.verbose, events: [...this.events] };
  }
}

export function intentEvent(requested: string, intent: Intent): TraceEvent {
  const { detected, codeScore, docsScore } = intent;
  return {
    layer: 'intent',
    kind: 'query_type',
    summary:
      requested === 'auto' ? `looks like ${detected}; ranking is the same for all` : `${requested} was asked for`,
    data: { requested, detected, code_score: codeScore, docs_score: docsScore },
  };
}

/** The pool from which the hits are chosen. */
export function candidatesEvent(pool: readonly ContextHit[]): TraceEvent {
  return {
    layer: 'candidates',
    kind: 'search',
    summary: `${pool.length} candidates`,
    data: { candidates: pool.map(hitData) },
  };
}

export interface ClusterScore {
  readonly cluster: number;
  readonly name: string;
  readonly candidates: number;
  /** The best score of its candidates. */
  readonly score: number;
  readonly selected: boolean;
}

export function clusterScoresEvent(scores: readonly ClusterScore[]): TraceEvent {
  return {
    layer: 'L2',
    kind: 'cluster_scores',
    summary: `${scores.filter(({ selected }) => selected).length} of ${scores.length} groups are shown`,
    data: { clusters: scores.map((score) => ({ ...score, score: rounded(score.score) })) },
  };
}

export function hitsEvent(hits: readonly ContextHit[]): TraceEvent {
  return { layer: 'L3', kind: 'hits', summary: `${hits.length} hits`, data: { hits: hits.map(hitData) } };
}

/** `layers` are named with what is in them: `L2:OnDemand(3 clusters)`. */
export function budgetEvent(
  composed: ComposedContext,
  { budget, ratio, layers }: { budget: number; ratio: number; layers: readonly string[] },
): TraceEvent {
  return {
    layer: 'compose',
    kind: 'budget',
    summary: `${composed.tokens.total} of ${budget} tokens`,
    data: { budget, layers, tokens: { ...composed.tokens }, cut: { ...composed.cut }, reduction_ratio: ratio },
  };
}

function hitData(hit: ContextHit): JsonObject {
  return {
    label: hit.label,
    source_file: hit.path,
    start_line: hit.startLine,
    end_line: hit.endLine,
    kind: hit.kind,
    score: rounded(hit.score),
    why: hit.why,
    community: hit.community,
    test: hit.isTest,
  };
}

function rounded(score: number): number {
  return Math.round(score * 1000) / 1000;
}

function cappedObject(object: JsonObject, listMax: number): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, capped(value, listMax)]));
}

function capped(value: JsonValue, listMax: number): JsonValue {
  if (Array.isArray(value)) return value.slice(0, listMax).map((each: JsonValue) => capped(each, listMax));
  return isJsonObject(value) ? cappedObject(value, listMax) : value;
}
