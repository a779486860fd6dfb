/** Layer L2: what else this question brought up, by group. */
import { contextLimits } from '../../base/limits.ts';
import { type ContextHit, placeOf } from './hit.ts';
import { placeLine } from './hits.ts';
import { fitLayer, heading, type Layer, type LayerLine, line } from './layer.ts';
import { distinctPlaces, type Group } from './summary.ts';

/**
 * The candidates that are not `shown` in L3, at most `contextLimits.candidatesMax`. Groups come in the order of their
 * best candidate, those with one candidate last and together: a name pays only above several lines.
 */
export function onDemandLayer(
  pool: readonly ContextHit[],
  shown: readonly ContextHit[],
  groups: readonly Group[],
  tokensMax: number,
): Layer {
  const found = candidateGroups(pool, shown);
  if (found.length === 0) return fitLayer([], tokensMax);
  const places = distinctPlaces(groups.filter(({ id }) => found.some(({ community }) => community === id)));
  const lines: LayerLine[] = [heading('Also related:')];
  for (const [index, { community, hits }] of found.entries()) {
    const several = hits.length > 1;
    if (several && found.length > 1) lines.push(heading(`${places.get(community) ?? 'elsewhere'}:`));
    else if (!several && (found[index - 1]?.hits.length ?? 0) > 1) lines.push(heading('elsewhere:'));
    lines.push(...hits.map(candidateLine));
  }
  return fitLayer(lines, tokensMax);
}

export interface CandidateGroup {
  readonly community: number;
  readonly hits: readonly ContextHit[];
}

/** The candidates of L2 in the order in which it shows them. */
export function candidateGroups(pool: readonly ContextHit[], shown: readonly ContextHit[]): readonly CandidateGroup[] {
  const byGroup = new Map<number, ContextHit[]>();
  for (const hit of furtherCandidates(pool, shown)) {
    const members = byGroup.get(hit.community);
    if (members === undefined) byGroup.set(hit.community, [hit]);
    else members.push(hit);
  }
  const found = [...byGroup].map(([community, hits]) => ({ community, hits }));
  return [...found.filter(({ hits }) => hits.length > 1), ...found.filter(({ hits }) => hits.length === 1)];
}

function candidateLine(hit: ContextHit): LayerLine {
  return line(`- ${placeLine(hit)}`);
}

function furtherCandidates(pool: readonly ContextHit[], shown: readonly ContextHit[]): readonly ContextHit[] {
  const seen = new Set(shown.map(placeOf));
  const further: ContextHit[] = [];
  for (const hit of pool.slice(0, contextLimits.poolMax)) {
    if (seen.has(placeOf(hit)) || further.length === contextLimits.candidatesMax) continue;
    seen.add(placeOf(hit));
    further.push(hit);
  }
  return further;
}
