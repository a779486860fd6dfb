/**
 * Takes decisions out of the store.
 *
 * `json` is an array of full records, newest first. With `events` it is the lossless form: an object that holds every
 * record as stored, every event, deleted decisions included, and every fingerprint, which `import.ts` reads back to an
 * equal store. `md` is for people. Without a status the readable forms hold active decisions, the lossless form holds all.
 */
import { type Decision, toView } from './decision.ts';
import { type EventRow, fromEventRow, type NewEvent } from './events.ts';
import { exportMarkdown } from './export-markdown.ts';
import { filtersOf } from './filters.ts';
import { allFingerprints, type Fingerprint } from './fingerprints.ts';
import { type Instant, toStored } from './instant.ts';
import { listAll } from './list.ts';
import { invalidField, ok, type Result } from './outcome.ts';
import type { ExportRequest } from './parse-read.ts';
import { prepared } from './prepared.ts';
import type { View } from './view.ts';

export const exportFormat = 'mnemosyne.decisions';
export const exportVersion = 1;

export interface LosslessExport {
  readonly format: typeof exportFormat;
  readonly version: typeof exportVersion;
  readonly decisions: readonly Decision[];
  readonly events: readonly NewEvent[];
  /** By decision and path. Only of the present: of what files held in the past nothing is kept. */
  readonly fingerprints?: readonly Fingerprint[];
}

export type Exported =
  | { readonly format: 'json'; readonly content: readonly Decision[] | LosslessExport }
  | { readonly format: 'md'; readonly content: string };

/** `events` come from `live`, up to `until` when a past state is exported. */
export function exportDecisions(
  view: View,
  live: View['db'],
  request: ExportRequest,
  until: Instant | null,
): Result<Exported> {
  const format = request.format ?? 'json';
  const lossless = request.events === true;
  if (lossless && format === 'md') return invalidField(['events'], 'is only for the json format');
  if (lossless && request.status !== undefined && request.status !== 'ALL') {
    return invalidField(['status'], 'the form with events always holds every status');
  }
  const decisions = listAll(view, filtersOf({ status: request.status }, [], lossless ? 'ALL' : 'ACTIVE'));
  if (lossless) {
    const events = allEvents(live, until);
    const present = view.asOf === null ? { fingerprints: allFingerprints(live, decisions) } : {};
    return ok({
      format: 'json',
      content: { format: exportFormat, version: exportVersion, decisions, events, ...present },
    });
  }
  const shown = decisions.map((decision) => toView(decision, view.today));
  return ok(
    format === 'json' ? { format, content: shown } : { format, content: exportMarkdown(shown, request.status) },
  );
}

/** The text of an export, as a file holds it. */
export function exportText(exported: Exported): string {
  return exported.format === 'md' ? exported.content : `${JSON.stringify(exported.content, null, 2)}\n`;
}

function allEvents(db: View['db'], until: Instant | null): readonly NewEvent[] {
  const rows =
    until === null
      ? prepared<EventRow>(db, 'SELECT * FROM decision_events ORDER BY id').all()
      : prepared<EventRow>(db, 'SELECT * FROM decision_events WHERE at <= ? ORDER BY id').all(toStored(until));
  return rows.map((row) => {
    const { decision_id, at, kind, actor, changes, note } = fromEventRow(row);
    return { decision_id, at, kind, actor, changes, note };
  });
}
