/**
 * The answer to a question: what was found, put into as few tokens as an agent needs to go on.
 *
 * This decides nothing about ranking; hits and candidates come in their order. It writes nothing: the caller logs the
 * tokens (`usage-log.ts`).
 */
import { contextLimits } from '../../base/limits.ts';
import { budgetedLayers, defaultLayers, type LayerSources } from './allotment.ts';
import {
  type ComposedContext,
  type CutLines,
  composeContext,
  type LayerName,
  type Layers,
  type LayerTokens,
  reductionRatio,
} from './compose.ts';
import { contentLines } from './layer.ts';
import { type CandidateGroup, candidateGroups } from './on-demand.ts';
import { type Group, groupName } from './summary.ts';
import {
  budgetEvent,
  type ClusterScore,
  candidatesEvent,
  clusterScoresEvent,
  hitsEvent,
  type TraceRecorder,
} from './trace.ts';

export interface QueryContextInput extends LayerSources {
  /** Hard, in tokens; null for the default of 1,500, of which most answers use half. */
  readonly budget: number | null;
  /** Of all indexed files together. */
  readonly indexedTokens: number;
  /** Null when nobody asks for a trace. */
  readonly recorder: TraceRecorder | null;
}

export interface QueryContext {
  readonly context: string;
  readonly tokens: LayerTokens;
  readonly layersUsed: readonly LayerName[];
  readonly cut: CutLines;
  readonly reductionRatio: number;
  /** Hits that the context shows. */
  readonly searchHits: number;
  /** Groups that have a candidate in the context beside the hits. */
  readonly communitiesLoaded: readonly number[];
}

export function queryContext(input: QueryContextInput): QueryContext {
  const budget = input.budget ?? contextLimits.answerTokensDefault;
  const layers = input.budget === null ? defaultLayers(input) : budgetedLayers(input, budget);
  const composed = composeContext({ layers, budget });
  const ratio = reductionRatio(input.indexedTokens, composed.tokens.total);
  const searchHits = contentLines(layers.L3.lines) + layers.L3.left - composed.cut.l3;
  const shownFurther = contentLines(layers.L2.lines) + layers.L2.left - composed.cut.l2;
  const hits = input.hits.slice(0, contextLimits.hitsMax);
  const scores = clusterScores(input.groups, candidateGroups(input.pool, hits), shownFurther);
  const communitiesLoaded = scores.filter(({ selected }) => selected).map(({ cluster }) => cluster);
  if (input.recorder !== null) {
    input.recorder.add(candidatesEvent(input.pool));
    input.recorder.add(clusterScoresEvent(scores));
    input.recorder.add(hitsEvent(hits.slice(0, searchHits)));
    const names = detailedNames(composed, layers, communitiesLoaded.length, searchHits);
    input.recorder.add(budgetEvent(composed, { budget, ratio, layers: names }));
  }
  return { ...composed, reductionRatio: ratio, searchHits, communitiesLoaded };
}

/** Of the groups of L2 in the order in which it shows them; `shownLines` candidates are in the context. */
function clusterScores(
  groups: readonly Group[],
  found: readonly CandidateGroup[],
  shownLines: number,
): readonly ClusterScore[] {
  const names = new Map(groups.map((group) => [group.id, groupName(group)]));
  let before = 0;
  return found.map(({ community, hits }) => {
    const selected = before < shownLines;
    before += hits.length;
    const score = Math.max(...hits.map((hit) => hit.score));
    return { cluster: community, name: names.get(community) ?? '', candidates: hits.length, score, selected };
  });
}

/** `L2:OnDemand(3 clusters)`: the layers with what is in them, as the trace names them. */
function detailedNames(composed: ComposedContext, layers: Layers, clusters: number, hits: number): readonly string[] {
  const groups = contentLines(layers.L1.lines) + layers.L1.left - composed.cut.l1;
  const names: Readonly<Record<LayerName, string>> = {
    L0: 'L0:Identity',
    L1: `L1:Summary(${groups} clusters)`,
    L2: `L2:OnDemand(${clusters} clusters)`,
    L3: `L3:Search(${hits} results)`,
  };
  return composed.layersUsed.map((name) => names[name]);
}
