/**
 * How the layers share a budget.
 *
 * The hits are worth most, then further candidates, then the summary, but a context that is too large loses its hits
 * first (`composeContext`). So the budget is dealt out in the order of worth before any layer is made: who this is, in
 * a line or three, then all that the hits take, then the candidates, and what is left to the summary. Without a budget the answer is small: what an
 * agent needs to choose the files to open. A summary of three names and sizes is enough there, and the wake-up shows
 * it whole.
 */
import { contextLimits } from '../../base/limits.ts';
import type { Layers } from './compose.ts';
import { type Freshness, freshnessLine } from './freshness-words.ts';
import type { ContextHit } from './hit.ts';
import { hitsLayer } from './hits.ts';
import { identityLayer, nameLine, type ProjectIdentity } from './identity.ts';
import { emptyLayer, fitLayer, type Layer, line, renderLines } from './layer.ts';
import { onDemandLayer } from './on-demand.ts';
import { type Group, summaryLayer } from './summary.ts';
import { measureTokens } from './tokens.ts';

export interface LayerSources {
  readonly identity: ProjectIdentity;
  /** Null when it is not known. */
  readonly freshness: Freshness | null;
  readonly groups: readonly Group[];
  /** In the order of rank. Those beyond `contextLimits.hitsMax` are candidates. */
  readonly hits: readonly ContextHit[];
  /** The best candidates in the order of rank; the hits may be among them. */
  readonly pool: readonly ContextHit[];
}

/** Layers for an answer for which the caller gave no budget. */
export function defaultLayers(sources: LayerSources): Layers {
  const notice = sources.freshness === null ? null : freshnessLine(sources.freshness);
  return {
    L0: identityLayer(sources.identity, notice, contextLimits.answerIdentityTokens),
    L1: summaryLayer(sources.groups, 'brief', contextLimits.answerSummaryTokens),
    L2: furtherLayer(sources, contextLimits.answerOnDemandTokens),
    L3: hitsLayer(sources.hits, 'whole', contextLimits.answerHitTokens),
  };
}

/** Layers that together have about `budget` tokens at most, each within its own limit. */
export function budgetedLayers(sources: LayerSources, budget: number): Layers {
  if (budget < contextLimits.wholeIdentityTokensLeast) return fewLines(sources, budget);
  const room = budget - contextLimits.noteTokens;
  const notice = sources.freshness === null ? null : freshnessLine(sources.freshness);
  const L0 = identityLayer(sources.identity, notice, contextLimits.identityTokensMax);
  const L3 = hitsLayer(sources.hits, 'whole', Math.min(contextLimits.hitTokensMax, room - sizeOf(L0)));
  const afterHits = room - sizeOf(L0) - sizeOf(L3);
  const L2 = furtherLayer(sources, Math.min(contextLimits.onDemandTokensMax, afterHits));
  const rest = Math.min(contextLimits.summaryTokensMax, afterHits - sizeOf(L2));
  const form = rest < contextLimits.wholeSummaryTokensLeast ? 'brief' : 'whole';
  return { L0, L1: summaryLayer(sources.groups, form, rest), L2, L3 };
}

/** The name of the project, places to look at, and if there is room further ones. */
function fewLines(sources: LayerSources, budget: number): Layers {
  const notice = sources.freshness?.state === 'stale' ? [line('Index is stale.')] : [];
  const L0 = fitLayer([...notice, nameLine(sources.identity)], budget);
  const form = budget < contextLimits.wholeHitTokensLeast ? 'brief' : 'whole';
  const room = budget - sizeOf(L0) - (form === 'whole' ? contextLimits.noteTokens : 1);
  const L3 = hitsLayer(sources.hits, form, room);
  // A candidate is worth less than any hit that had no room.
  const L2 = L3.left > 0 ? emptyLayer : furtherLayer(sources, room - sizeOf(L3));
  return { L0, L1: emptyLayer, L2, L3 };
}

function furtherLayer({ pool, hits, groups }: LayerSources, tokensMax: number): Layer {
  return onDemandLayer(pool, hits.slice(0, contextLimits.hitsMax), groups, tokensMax);
}

function sizeOf(layer: Layer): number {
  return measureTokens(renderLines(layer.lines));
}
