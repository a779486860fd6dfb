/** What an answer says about what it does not hold. Nothing found is never told as nothing there. */
import type { Resolution } from './resolve-name.ts';
import { resolvedNodes } from './shown-node.ts';
import type { GraphSource } from './source.ts';

export const noneFoundNote =
  'Nothing was found, which is no proof that there is nothing: uses by reflection, by configuration, through names ' +
  'that could not be resolved or from outside the project leave no edge.';
export const unresolvedNote =
  'Some references with this name could not be resolved: there may be more uses than those listed.';
export const ambiguousNote = 'The name stands for several things, so nothing was looked up: ask with the id of one.';
export const unknownNote = 'Nothing in the index has this name.';

/** References that nothing was found for and that end in the name asked for. */
export function unresolvedUses(source: GraphSource, resolution: Resolution): number {
  const [node] = resolvedNodes(resolution);
  return node === undefined ? 0 : (source.unresolvedNamed?.(node.name) ?? 0);
}

/** A fixed sentence, or null when the answer holds all that could be looked for. */
export function certaintyNote(resolution: Resolution, isEmpty: boolean, unresolved: number): string | null {
  if (resolution.kind === 'candidates') return ambiguousNote;
  if (resolution.kind === 'none') return unknownNote;
  if (isEmpty) return noneFoundNote;
  return unresolved > 0 ? unresolvedNote : null;
}
