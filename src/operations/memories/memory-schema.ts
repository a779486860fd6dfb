/** A decision on the wire: its shapes, and how a stored record becomes one. */
import { z } from 'zod';
import { type Decision, decisionStatuses, decisionTypes } from '../../memory/decisions/decision.ts';
import { eventKinds } from '../../memory/decisions/events.ts';

const status = z.enum(decisionStatuses);
const type = z.enum(decisionTypes);
const texts = z.array(z.string());
const instant = z.string().describe('ISO 8601, UTC.');

export const memorySchema = z
  .object({
    id: z.string(),
    title: z.string(),
    rationale: z.string(),
    commit_sha: z.string().describe('The commit it was recorded at, or "".'),
    files_affected: texts.describe('The files and folders that it governs, relative to the project.'),
    decision_type: type,
    confidence: z.number().min(0).max(1),
    status: status.describe('The status that holds now: past its review day an active decision reads STALE.'),
    author: z.string().nullable(),
    evidence: texts,
    rejected_alternatives: texts,
    dependency_constraints: texts.describe('Ids of the decisions that it depends on.'),
    tags: texts,
    created_at: instant,
    updated_at: instant,
    agent: z.string().nullable(),
    session_id: z.string().nullable(),
    review_by: z.string().nullable().describe('A day in UTC; the decision reads STALE from the day after.'),
    supersedes: z.string().nullable().describe('The decision that this one replaced.'),
    superseded_by: z.string().nullable().describe('The decision that replaced this one.'),
  })
  .meta({ id: 'Memory' });

export const createdSchema = z
  .object({
    ...memorySchema.shape,
    project_id: z.string(),
    possible_duplicates: z
      .array(z.object({ id: z.string(), title: z.string(), status, score: z.number() }))
      .describe('At most three active decisions that may say the same. Hints; nothing was merged.'),
  })
  .meta({ id: 'CreatedMemory' });

export const compactSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    status,
    type,
    commit: z.string(),
    updated: z.string().describe('The day of the last change.'),
    files: z.int().describe('How many files it governs.'),
  })
  .meta({ id: 'CompactMemory' });

const hitSchema = z.object({
  score: z.number().nullable().describe('Higher is better; comparable within one answer.'),
  strength: z.enum(['strong', 'weak']).describe('Weak is merely the nearest and may be no answer.'),
  explanation: z.looseObject({}).optional().describe('Why it is there, when asked for.'),
});

export const searchAnswerSchema = z.object({
  query: z.string(),
  mode: z.enum(['keyword', 'semantic', 'hybrid']).describe('How it was searched in fact.'),
  requested_mode: z.enum(['keyword', 'semantic', 'hybrid']),
  notice: z
    .string()
    .nullable()
    .describe('Why the mode is not the one asked for, and whether nothing strong was found.'),
  results: z.array(z.union([memorySchema.extend(hitSchema.shape), compactSchema.extend(hitSchema.shape)])),
  explanation: z.looseObject({}).optional().describe('What was looked up and what was left out, when asked for.'),
});

export const pageSchema = z.object({
  items: z.array(memorySchema),
  next_cursor: z.string().nullable().describe('Null on the last page.'),
  total: z.int().describe('How many the selection holds, all pages together.'),
});

export const historySchema = z.object({
  id: z.string(),
  deleted: z.boolean(),
  items: z.array(
    z
      .object({
        id: z.int().describe('Grows with every event of the project.'),
        decision_id: z.string(),
        at: instant,
        kind: z.enum(eventKinds),
        actor: z.string().nullable(),
        changes: z.looseObject({}).describe('Per field, the value before and after.'),
        note: z.string().nullable(),
      })
      .meta({ id: 'MemoryEvent' }),
  ),
  next_cursor: z.string().nullable(),
  total: z.int(),
});

export const memoryExample = {
  id: '9b2c1f6e-4a57-4f0e-8c3d-2f6f0a1b7c55',
  title: 'Use SQLite WAL for the decision store',
  rationale: 'Several processes write at once; with a write-ahead log readers go on while one of them writes.',
  commit_sha: '39617aa0c1d2e3f405162738495a6b7c8d9e0f12',
  files_affected: ['src/store.ts'],
  decision_type: 'ARCHITECTURE',
  confidence: 1,
  status: 'ACTIVE',
  author: null,
  evidence: ['A benchmark with four writers'],
  rejected_alternatives: ['One JSON file: every write rewrites it'],
  dependency_constraints: [],
  tags: ['storage'],
  created_at: '2026-10-02T12:00:00.000000Z',
  updated_at: '2026-10-02T12:00:00.000000Z',
  agent: null,
  session_id: null,
  review_by: null,
  supersedes: null,
  superseded_by: null,
};

/** The record as plain JSON, in the order of the wire. */
export function shownMemory(decision: Decision) {
  return { ...decision };
}
