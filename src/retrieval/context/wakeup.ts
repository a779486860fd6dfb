/** What an agent reads when it begins to work on a project: what it is and how it is divided. L0 and L1 only. */
import { contextLimits } from '../../base/limits.ts';
import { composeContext, type LayerName, reductionRatio } from './compose.ts';
import { type Freshness, freshnessLine } from './freshness-words.ts';
import { identityLayer, type ProjectIdentity } from './identity.ts';
import { emptyLayer } from './layer.ts';
import { type Group, summaryLayer } from './summary.ts';

export interface Wakeup {
  readonly context: string;
  readonly tokens: number;
  readonly layersUsed: readonly LayerName[];
  readonly reductionRatio: number;
}

export function wakeup(input: {
  readonly identity: ProjectIdentity;
  readonly groups: readonly Group[];
  readonly freshness: Freshness | null;
  /** Of all indexed files together. */
  readonly indexedTokens: number;
}): Wakeup {
  const notice = input.freshness === null ? null : freshnessLine(input.freshness);
  const { context, tokens, layersUsed } = composeContext({
    layers: {
      L0: identityLayer(input.identity, notice, contextLimits.identityTokensMax),
      L1: summaryLayer(input.groups, 'whole', contextLimits.summaryTokensMax),
      L2: emptyLayer,
      L3: emptyLayer,
    },
    budget: contextLimits.wakeupTokensMax,
  });
  return {
    context,
    tokens: tokens.total,
    layersUsed,
    reductionRatio: reductionRatio(input.indexedTokens, tokens.total),
  };
}
