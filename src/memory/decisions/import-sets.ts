/** What is imported, from where it was read: an export, or a folder of decision records in Markdown. */
import { type AdrFolder, adrFields, adrLinks } from './adr.ts';
import { changeableFields } from './decision.ts';
import type { ImportSet } from './import.ts';
import type { ImportContent } from './parse-import.ts';

export function setOfExport({ decisions, events, fingerprints }: ImportContent): ImportSet {
  const logged = new Set(events?.map((event) => event.decision_id));
  const records = new Set(decisions.map((decision) => decision.id));
  const incoming = decisions.map((decision) => ({
    decision,
    logged: logged.has(decision.id),
    fingerprints: fingerprints === null ? null : (fingerprints.get(decision.id) ?? new Map<string, string>()),
    compared: changeableFields,
    note: 'Imported.',
  }));
  const gone = [...logged].filter((id) => !records.has(id));
  return { incoming, log: events ?? [], gone };
}

export function setOfAdrs(folder: AdrFolder): ImportSet {
  const incoming = folder.decisions.map(({ path, decision }) => ({
    decision,
    logged: false,
    fingerprints: null,
    compared: adrFields.filter((field) => !adrLinks.has(field) || decision[field] !== null),
    note: `Imported from ${path}.`,
  }));
  return { incoming, log: [], gone: [] };
}
