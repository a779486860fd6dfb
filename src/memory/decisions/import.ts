/**
 * Brings decisions into the store: all of them or none, and the same content again changes nothing.
 *
 * What to do is planned first, from the store as it is; a dry run ends there. A record that is there already and equal
 * is left alone. One that differs stops the import, unless the caller says which side to keep. Replacing is a change
 * like any other, so the old values stay in the history and no backup is needed to go back.
 */
import { type Decision, toView } from './decision.ts';
import { appendEvent, hasEvents, type NewEvent, same } from './events.ts';
import { putFingerprints } from './fingerprints.ts';
import { conflict, ok, type Result } from './outcome.ts';
import { insertDecision, readDecision } from './rows.ts';
import { indexDecision } from './search-index.ts';
import { saveChange, saveNew, type WriteContext } from './write.ts';

export interface Incoming {
  readonly decision: Decision;
  /** Whether the log holds the events that led to it. If not, the import is its first event. */
  readonly logged: boolean;
  /** Path to blob id, as they came along; null when nothing was said about them. */
  readonly fingerprints: ReadonlyMap<string, string> | null;
  /** The fields that decide whether a record that is there is the same. */
  readonly compared: readonly (keyof Decision)[];
  /** For the history. */
  readonly note: string;
}

export interface ImportSet {
  readonly incoming: readonly Incoming[];
  /** Every event of the export, in its order. */
  readonly log: readonly NewEvent[];
  /** Ids in the log of decisions that no longer exist. */
  readonly gone: readonly string[];
}

export const conflictRules = ['refuse', 'keep', 'replace'] as const;
/** What to do with a record that is there and differs: stop, keep the stored one, or take the incoming one. */
export type ConflictRule = (typeof conflictRules)[number];

export interface ImportReport {
  readonly dry_run: boolean;
  readonly created: number;
  readonly replaced: number;
  /** Differ, and were kept as they are in the store. */
  readonly kept: number;
  readonly unchanged: number;
  /** Histories of deleted decisions that were added. */
  readonly histories: number;
  /** The ids behind the first three numbers. */
  readonly ids: {
    readonly created: readonly string[];
    readonly replaced: readonly string[];
    readonly kept: readonly string[];
  };
}

type Step =
  | { readonly kind: 'create'; readonly incoming: Incoming }
  | { readonly kind: 'replace'; readonly incoming: Incoming; readonly current: Decision }
  | { readonly kind: 'keep' | 'unchanged'; readonly incoming: Incoming }
  | { readonly kind: 'history'; readonly id: string };

/** Reads only. Fails: `conflict` with the ids that differ, under the rule `refuse`. */
export function planImport(
  db: WriteContext['db'],
  set: ImportSet,
  rule: ConflictRule,
  today: string,
): Result<readonly Step[]> {
  const steps: Step[] = [];
  const differing: string[] = [];
  for (const incoming of set.incoming) {
    const current = readDecision(db, incoming.decision.id);
    if (current === null) steps.push({ kind: 'create', incoming });
    else if (isSame(current, incoming, today)) steps.push({ kind: 'unchanged', incoming });
    else if (rule === 'keep') steps.push({ kind: 'keep', incoming });
    else if (rule === 'replace') steps.push({ kind: 'replace', incoming, current });
    else differing.push(incoming.decision.id);
  }
  for (const id of set.gone) if (!hasEvents(db, id)) steps.push({ kind: 'history', id });
  if (differing.length === 0) return ok(steps);
  const which = differing.slice(0, 5).join(', ');
  return conflict(
    `${differing.length} of the decisions are in the store and differ (${which}); nothing was imported`,
    differing,
  );
}

/**
 * Carries out a plan in the caller's transaction. `found` are the fingerprints, by decision, of those that came without
 * any; what is in neither has none afterwards.
 */
export function applyImport(
  context: WriteContext,
  set: ImportSet,
  steps: readonly Step[],
  found: ReadonlyMap<string, ReadonlyMap<string, string>>,
): void {
  const logged = new Set<string>();
  for (const step of steps) {
    if (step.kind === 'history') logged.add(step.id);
    else if (step.kind === 'create') createOne(context, step.incoming, logged);
    else if (step.kind === 'replace') replaceOne(context, step.incoming, step.current);
    if (step.kind !== 'create' && step.kind !== 'replace') continue;
    const stored = readDecision(context.db, step.incoming.decision.id);
    const prints = step.incoming.fingerprints ?? found.get(step.incoming.decision.id) ?? noPrints;
    if (stored !== null) putFingerprints(context.db, stored, prints);
  }
  // In the order of the export, so that exporting again gives the same log.
  for (const event of set.log) if (logged.has(event.decision_id)) appendEvent(context.db, event);
}

const noPrints: ReadonlyMap<string, string> = new Map();

export function reportOf(steps: readonly Step[], dryRun: boolean): ImportReport {
  const ids = (kind: 'create' | 'replace' | 'keep' | 'unchanged') =>
    steps.flatMap((step) => (step.kind === kind && 'incoming' in step ? [step.incoming.decision.id] : []));
  const [created, replaced, kept] = [ids('create'), ids('replace'), ids('keep')];
  return {
    dry_run: dryRun,
    created: created.length,
    replaced: replaced.length,
    kept: kept.length,
    unchanged: ids('unchanged').length,
    histories: steps.filter((step) => step.kind === 'history').length,
    ids: { created, replaced, kept },
  };
}

/** Adds the id to `logged` when its events are to follow from the log. */
function createOne(context: WriteContext, incoming: Incoming, logged: Set<string>): void {
  const { decision } = incoming;
  // A history that is here already goes on: the decision was deleted and comes back now.
  if (!incoming.logged || hasEvents(context.db, decision.id)) {
    saveNew(context, decision, incoming.note);
    return;
  }
  insertDecision(context.db, decision);
  indexDecision(context.db, decision);
  logged.add(decision.id);
}

function replaceOne(context: WriteContext, incoming: Incoming, current: Decision): void {
  const { id: _id, created_at: _created, updated_at: _updated, ...change } = incoming.decision;
  const chosen = Object.fromEntries(
    Object.entries(change).filter(([field]) => incoming.compared.some((compared) => compared === field)),
  );
  saveChange(context, current, chosen, 'amended', incoming.note);
}

/** Equal as stored, or as a reader sees both: the readable export shows the status that held on its day. */
function isSame(current: Decision, incoming: Incoming, today: string): boolean {
  const equal = (left: Decision, right: Decision) =>
    incoming.compared.every((field) => same(left[field], right[field]));
  return equal(current, incoming.decision) || equal(toView(current, today), toView(incoming.decision, today));
}
