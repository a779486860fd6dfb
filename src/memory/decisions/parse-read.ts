/** Requests that read decisions: lists, search, history, timeline, export, audit. */
import { z } from 'zod';
import { decisionLimits as limits } from '../../base/limits.ts';
import { decisionStatuses, decisionTypes } from './decision.ts';
import { earliestOf, latestOf } from './instant.ts';
import type { Result } from './outcome.ts';
import { listOf, name, parseWith, text } from './parse.ts';

const moment = z.string().refine((value) => latestOf(value) !== null && earliestOf(value) !== null, {
  error: 'must be a day (YYYY-MM-DD, UTC) or a date and time in ISO 8601',
  params: { type: 'datetime_type' },
});

/** Any letter case; ALL, null and the empty text mean every status. */
const statusFilter = z
  .string()
  .nullable()
  .transform((value, context) => {
    const upper = value?.toUpperCase() ?? '';
    if (upper === '' || upper === 'ALL') return 'ALL' as const;
    const status = decisionStatuses.find((known) => known === upper);
    if (status !== undefined) return status;
    context.addIssue({
      code: 'custom',
      message: 'must be ACTIVE, STALE, INVALIDATED or ALL',
      params: { type: 'enum' },
    });
    return z.NEVER;
  });
export type StatusFilter = z.output<typeof statusFilter>;

const filters = {
  status: statusFilter.optional(),
  /** Any of these files. */
  file: listOf(text(4_096, { blank: false })).optional(),
  /** Any of these tags. */
  tag: listOf(text(limits.tagCharsMax, { blank: false })).optional(),
  type: z.enum(decisionTypes).optional(),
  author: name.optional(),
  agent: name.optional(),
  session_id: name.optional(),
  /** Both ends are inside; a day stands for its whole 24 hours in UTC. */
  created_after: moment.optional(),
  created_before: moment.optional(),
  min_confidence: z.number().min(0).max(1).optional(),
  /** What the store held at that instant; a day stands for its end. */
  as_of: moment.optional(),
};
export type FilterRequest = Omit<z.output<z.ZodObject<typeof filters>>, 'as_of'>;

const cursor = text(limits.cursorCharsMax, { blank: false });
const pageSize = z.int().min(1).max(limits.pageSizeMax);

export const listSchema = z.object({ ...filters, limit: pageSize.optional(), cursor: cursor.optional() });
export type ListRequest = z.output<typeof listSchema>;

export const searchModes = ['keyword', 'semantic', 'hybrid'] as const;
export type SearchMode = (typeof searchModes)[number];

export const searchSchema = z.object({
  /** Any text; only its length is limited. */
  query: z.string().superRefine((value, context) => {
    const length = value.length > limits.queryCharsMax ? [...value].length : value.length;
    const problem =
      length === 0
        ? { type: 'string_too_short', message: 'must not be empty' }
        : length > limits.queryCharsMax
          ? { type: 'string_too_long', message: `at most ${limits.queryCharsMax} characters` }
          : null;
    if (problem !== null)
      context.addIssue({ code: 'custom', message: problem.message, params: { type: problem.type } });
  }),
  ...filters,
  limit: z.int().min(1).max(limits.searchResultsMax).optional(),
  mode: z.enum(searchModes).optional(),
  view: z.enum(['full', 'compact']).optional(),
  /** False leaves out what is probably no answer. */
  include_weak: z.boolean().optional(),
  explain: z.boolean().optional(),
});
export type SearchRequest = z.output<typeof searchSchema>;

export const getSchema = z.object({ as_of: moment.optional() });
export type GetRequest = z.output<typeof getSchema>;

export const historySchema = z.object({ limit: pageSize.optional(), cursor: cursor.optional() });
export type HistoryRequest = z.output<typeof historySchema>;

const neighbours = z.int().min(0).max(limits.timelineMax);
export const timelineSchema = z.object({ before: neighbours.optional(), after: neighbours.optional() });
export type TimelineRequest = z.output<typeof timelineSchema>;

export const exportSchema = z.object({
  format: z.enum(['json', 'md']).optional(),
  /** ACTIVE when not given; ALL with `events`, which makes the lossless form. */
  status: statusFilter.optional(),
  events: z.boolean().optional(),
  as_of: moment.optional(),
});
export type ExportRequest = z.output<typeof exportSchema>;

export const auditSchema = z.object({ age: z.boolean().optional(), orphaned: z.boolean().optional() });
export type AuditRequest = z.output<typeof auditSchema>;

export function parseList(raw: unknown): Result<ListRequest> {
  return parseWith(listSchema, raw);
}
export function parseSearch(raw: unknown): Result<SearchRequest> {
  return parseWith(searchSchema, raw);
}
