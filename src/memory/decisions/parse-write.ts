/** Requests that change decisions. What depends on the project or on today's date is checked later, in `settle.ts`. */
import { z } from 'zod';
import { decisionLimits as limits } from '../../base/limits.ts';
import { decisionStatuses, decisionTypes, idPattern, reservedIds } from './decision.ts';
import { isDay, parseInstant } from './instant.ts';
import type { Result } from './outcome.ts';
import { listOf, name, parseWith, text } from './parse.ts';

const item = text(limits.itemCharsMax, { blank: false });
const reason = text(limits.reasonCharsMax, { blank: true });
const confidence = z.number().min(0).max(1);
const day = z.string().refine(isDay, { error: 'must be a day, YYYY-MM-DD', params: { type: 'date_type' } });
const commit = text(limits.commitCharsMax, { blank: true });
/** Ids of older files may have any form. */
const knownId = text(512, { blank: false });

const newId = z
  .string()
  .regex(idPattern, 'must begin with a letter or digit and hold up to 128 of A-Z a-z 0-9 . _ : -')
  .refine((id) => !reservedIds.includes(id), { error: 'is a reserved word', params: { type: 'reserved' } });

const optionalFields = {
  commit_sha: commit.optional(),
  files_affected: listOf(text(4_096, { blank: false }), limits.filesMax).optional(),
  decision_type: z.enum(decisionTypes).optional(),
  confidence: confidence.optional(),
  author: name.nullable().optional(),
  tags: listOf(text(limits.tagCharsMax, { blank: false })).optional(),
  rejected_alternatives: listOf(item).optional(),
  dependency_constraints: listOf(knownId).optional(),
  evidence: listOf(item).optional(),
  agent: name.nullable().optional(),
  session_id: name.nullable().optional(),
  review_by: day.nullable().optional(),
};

export const createSchema = z.object({
  id: newId.optional(),
  title: text(limits.titleCharsMax, { blank: false }),
  rationale: text(limits.rationaleCharsMax, { blank: false }),
  status: z.enum(decisionStatuses).optional(),
  ...optionalFields,
  /** The decision that this one replaces. */
  supersedes: knownId.nullable().optional(),
});
export type CreateRequest = z.output<typeof createSchema>;

export const amendSchema = z
  .object({
    title: text(limits.titleCharsMax, { blank: false }).optional(),
    rationale: text(limits.rationaleCharsMax, { blank: false }).optional(),
    ...optionalFields,
    evidence_append: listOf(item).optional(),
    rejected_append: listOf(item).optional(),
    status: z.never({ error: 'cannot be set; invalidate or restore the decision instead' }).optional(),
  })
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), {
    error: 'names no field that can be changed',
    params: { type: 'empty_patch' },
  });
export type AmendRequest = z.output<typeof amendSchema>;

export const ifMatchSchema = z.string().refine((value) => parseInstant(unquoted(value)) !== null, {
  error: 'must be the updated_at of the decision',
  params: { type: 'datetime_type' },
});

export const invalidateSchema = z.object({ reason: reason.optional() });
export type InvalidateRequest = z.output<typeof invalidateSchema>;

export const restoreSchema = z.object({ commit_sha: commit.optional() });
export type RestoreRequest = z.output<typeof restoreSchema>;

export const feedbackSchema = z.object({
  signal: z.enum(['helpful', 'unhelpful']),
  note: text(limits.reasonCharsMax, { blank: true }).optional(),
});
export type FeedbackRequest = z.output<typeof feedbackSchema>;

/** A new decision in place of another: `supersedes` is required. */
export const supersedeSchema = createSchema.extend({ supersedes: knownId, reason: reason.optional() });
export type SupersedeRequest = z.output<typeof supersedeSchema>;

export const idempotencyKeySchema = text(limits.idempotencyKeyCharsMax, { blank: false });

/** Only the envelope: every operation is parsed on its own, so that a wrong one fails alone. */
export const batchSchema = z.object({
  operations: z
    .array(z.looseObject({ op: z.enum(['create', 'update', 'invalidate']) }))
    .min(1)
    .max(limits.batchOperationsMax),
});
export type BatchRequest = z.output<typeof batchSchema>;

/** An operation of a batch on an existing decision names it beside its fields. */
export const batchTargetSchema = z.object({ id: knownId, if_match: ifMatchSchema.optional() });

export function parseCreate(raw: unknown): Result<CreateRequest> {
  return parseWith(createSchema, raw);
}
export function parseAmend(raw: unknown): Result<AmendRequest> {
  return parseWith(amendSchema, raw);
}
export function parseInvalidate(raw: unknown): Result<InvalidateRequest> {
  return parseWith(invalidateSchema, raw);
}
export function parseSupersede(raw: unknown): Result<SupersedeRequest> {
  return parseWith(supersedeSchema, raw);
}
export function parseBatch(raw: unknown): Result<BatchRequest> {
  return parseWith(batchSchema, raw);
}

/** An entity tag is the bare text or the text in quotes. */
export function unquoted(value: string): string {
  return /^".*"$/.test(value) ? value.slice(1, -1) : value;
}
