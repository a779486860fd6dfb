/**
 * Reads an export of decisions: an array of full records, or the lossless form with events.
 *
 * Records of format 1 (without agent, session, review day and links) are complete records too. Text may be longer than
 * a request allows, since nothing stored may be refused; types, vocabularies and times are strict, and the events must
 * lead to the records they come with.
 */
import { z } from 'zod';
import { decisionLimits } from '../../base/limits.ts';
import { changeableFields, type Decision, decisionStatuses, decisionTypes } from './decision.ts';
import { applyEvent, eventKinds, type NewEvent, same } from './events.ts';
import { exportFormat, exportVersion } from './export.ts';
import type { Fingerprint } from './fingerprints.ts';
import { type Instant, isDay, parseInstant } from './instant.ts';
import { type FieldProblem, invalid, ok, type Result } from './outcome.ts';
import { parseWith, text } from './parse.ts';

const anyText = text(Number.MAX_SAFE_INTEGER, { blank: true });
const texts = z.array(anyText);
const id = text(512, { blank: false });
const instant = z.string().transform((value, context): Instant => {
  const parsed = parseInstant(value);
  if (parsed !== null) return parsed;
  context.addIssue({
    code: 'custom',
    message: 'must be a date and time in ISO 8601',
    params: { type: 'datetime_type' },
  });
  return z.NEVER;
});
const day = z.string().refine(isDay, { error: 'must be a day, YYYY-MM-DD', params: { type: 'date_type' } });

const recordSchema = z.object({
  id,
  title: anyText,
  rationale: anyText,
  commit_sha: anyText.default(''),
  files_affected: texts.default([]),
  decision_type: z.enum(decisionTypes).default('ARCHITECTURE'),
  confidence: z.number().min(0).max(1).default(1),
  status: z.enum(decisionStatuses).default('ACTIVE'),
  author: anyText.nullable().default(null),
  evidence: texts.default([]),
  rejected_alternatives: texts.default([]),
  dependency_constraints: texts.default([]),
  tags: texts.default([]),
  created_at: instant,
  updated_at: instant,
  agent: anyText.nullable().default(null),
  session_id: anyText.nullable().default(null),
  review_by: day.nullable().default(null),
  supersedes: id.nullable().default(null),
  superseded_by: id.nullable().default(null),
});

const fieldValue = z.union([anyText, z.number(), z.null(), texts]);
const eventSchema = z.object({
  decision_id: id,
  at: instant,
  kind: z.enum(eventKinds),
  actor: anyText.nullable(),
  changes: z.partialRecord(z.enum(changeableFields), z.tuple([fieldValue, fieldValue])),
  note: anyText.nullable(),
});

/** Enough to see what is wrong with a file. */
const problemsMax = 20;
const many = decisionLimits.importDecisionsMax;
const arraySchema = z.array(recordSchema).max(many);
const fingerprintSchema = z.object({
  decision_id: id,
  path: anyText,
  blob: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'must be the id of a git blob'),
});
const losslessSchema = z.object({
  format: z.literal(exportFormat),
  version: z.literal(exportVersion),
  decisions: arraySchema,
  events: z.array(eventSchema),
  /** Exports of a past state have none. */
  fingerprints: z.array(fingerprintSchema).optional(),
});

export interface ImportContent {
  readonly decisions: readonly Decision[];
  /** In the order of the export, those of deleted decisions among them; null when the export has none. */
  readonly events: readonly NewEvent[] | null;
  /** Path to blob id for each decision that has any; null when the export tells of none. */
  readonly fingerprints: ReadonlyMap<string, ReadonlyMap<string, string>> | null;
}

export function parseImport(raw: unknown): Result<ImportContent> {
  if (Array.isArray(raw)) {
    const records = parseWith(arraySchema, raw);
    return records.ok ? checked({ decisions: records.value, events: null, fingerprints: null }) : records;
  }
  const whole = parseWith(losslessSchema, raw);
  if (!whole.ok) return whole;
  const events = whole.value.events.map((event) => ({ ...event, changes: definedOnly(event.changes) }));
  const fingerprints = whole.value.fingerprints === undefined ? null : byDecision(whole.value.fingerprints);
  return checked({ decisions: whole.value.decisions, events, fingerprints });
}

function byDecision(fingerprints: readonly Fingerprint[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const found = new Map<string, Map<string, string>>();
  for (const { decision_id, path, blob } of fingerprints) {
    const known = found.get(decision_id);
    if (known === undefined) found.set(decision_id, new Map([[path, blob]]));
    else known.set(path, blob);
  }
  return found;
}

/** Every id once, and events that replay to the record. */
function checked(content: ImportContent): Result<ImportContent> {
  const problems: FieldProblem[] = [];
  const replayed = content.events === null ? null : replay(content.events);
  const seen = new Set<string>();
  for (const [index, decision] of content.decisions.entries()) {
    const refuse = (msg: string, type: string) => problems.push({ loc: [index, 'id'], msg, type });
    if (seen.has(decision.id)) refuse(`${decision.id} occurs twice`, 'duplicate');
    seen.add(decision.id);
    if (decision.updated_at < decision.created_at) refuse('updated_at lies before created_at', 'value_error');
    if (replayed !== null && !same(replayed.get(decision.id), decision)) {
      refuse('the events do not lead to the record', 'events_mismatch');
    }
  }
  for (const id of content.fingerprints?.keys() ?? []) {
    if (!seen.has(id)) problems.push({ loc: ['fingerprints'], msg: `there is no record ${id}`, type: 'value_error' });
  }
  for (const id of replayed?.keys() ?? []) {
    if (!seen.has(id))
      problems.push({ loc: ['events'], msg: `there are events of ${id} but no record`, type: 'events_mismatch' });
  }
  return problems.length === 0 ? ok(content) : invalid(problems.slice(0, problemsMax));
}

/** The decisions that exist after the events. */
function replay(events: readonly NewEvent[]): ReadonlyMap<string, Decision> {
  const states = new Map<string, Decision>();
  for (const event of events) {
    const state = applyEvent(states.get(event.decision_id) ?? null, event);
    if (state === null) states.delete(event.decision_id);
    else states.set(event.decision_id, state);
  }
  return states;
}

function definedOnly<Value>(record: Partial<Record<string, Value>>): Record<string, Value> {
  const entries = Object.entries(record).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return Object.fromEntries(entries);
}
