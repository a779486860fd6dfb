/**
 * Whether a decision helped. Helpful lifts its confidence by 0.05 up to 1, unhelpful lowers it by 0.10 down to 0.10;
 * a confidence that was set below the floor stays where it is. The signal is kept even when nothing moves.
 */
import type { Decision } from './decision.ts';
import { ok, type Result } from './outcome.ts';
import type { FeedbackRequest } from './parse-write.ts';
import { existing, saveChange, type WriteContext } from './write.ts';

const step = { helpful: 0.05, unhelpful: 0.1 } as const;
const floor = 0.1;

/** Fails: `memory_not_found`. */
export function giveFeedback(context: WriteContext, id: string, request: FeedbackRequest): Result<Decision> {
  const found = existing(context, id);
  if (!found.ok) return found;
  const note = request.note?.trim() ? `${request.signal}: ${request.note.trim()}` : request.signal;
  const confidence = confidenceAfter(found.value.confidence, request.signal);
  return ok(saveChange(context, found.value, { confidence }, 'feedback', note));
}

export function confidenceAfter(confidence: number, signal: FeedbackRequest['signal']): number {
  const moved =
    signal === 'helpful'
      ? Math.min(1, confidence + step.helpful)
      : Math.min(confidence, Math.max(floor, confidence - step.unhelpful));
  // Without this, 0.1 + 0.2 shows.
  return Math.round(moved * 1e9) / 1e9;
}
