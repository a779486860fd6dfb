/**
 * What inputs mean, in the words of the document, for those whose schema does not say it itself. The schemas of
 * decisions serve the tools as well, where every word costs; the pages of the API have room.
 */

/** Words for one row go before words for all. */
const words: ReadonlyMap<string, string> = new Map([
  // Parts of a decision
  ['id', 'The id to give it; a new one is made when absent. Reserved words of routes are refused.'],
  ['title', 'What was decided, in one line.'],
  ['rationale', 'Why, in full sentences: forces, constraints, consequences.'],
  ['commit_sha', 'The commit at which it holds. Default: HEAD of the repository, else "".'],
  ['files_affected', 'Files and folders that it governs, inside the project. A later change of one makes it STALE.'],
  ['decision_type', 'What sort of decision it is. Default: ARCHITECTURE.'],
  ['confidence', 'How sure it is, from 0 to 1. Default: 1.'],
  ['status', 'The status to record it with. Default: ACTIVE.'],
  ['author', 'Who decided.'],
  ['tags', 'Words to find it by.'],
  ['evidence', 'What supports it, one entry each.'],
  ['rejected_alternatives', 'What was not chosen, each with the reason.'],
  ['dependency_constraints', 'Ids of the decisions that it depends on; they pass on STALE.'],
  ['agent', 'The agent that recorded it.'],
  ['session_id', 'The session of the agent.'],
  ['review_by', 'A day in UTC, YYYY-MM-DD; the decision reads STALE from the day after. Not before today.'],
  ['supersedes', 'The id of the decision that this one replaces.'],
  ['evidence_append', 'Entries to add to the evidence.'],
  ['rejected_append', 'Entries to add to the rejected alternatives.'],
  ['reason', 'Why it no longer holds.'],
  ['signal', 'Whether the decision was helpful.'],
  ['note', 'A remark for the history.'],
  ['operations', 'Up to 100 operations, each {op: create, update or invalidate, …} with the fields of that call.'],

  // What is asked for
  ['query', 'The question, in any words.'],
  ['mode', 'How to search: by words, by meaning, or both. Default: hybrid.'],
  ['view', 'Whole records or compact rows. Default: full.'],
  ['explain', 'Whether to tell why each result is there. Default: false.'],
  [
    'include_weak',
    'Whether to return results that are merely distant; they come last, with strength weak. Default: true.',
  ],
  ['file', 'Only decisions that govern one of these files; give it once for each.'],
  ['tag', 'Only decisions with one of these tags; give it once for each.'],
  ['type', 'Only decisions of this sort.'],
  ['created_after', 'Only decisions recorded at this day or instant (ISO 8601, UTC) or later.'],
  ['created_before', 'Only decisions recorded up to this day, its end included, or instant.'],
  ['min_confidence', 'Only decisions that are at least this sure, from 0 to 1.'],
  ['as_of', 'The state that the store held at this day, its end, or instant. Default: now.'],
  ['limit', 'How many at most.'],
  ['cursor', 'next_cursor of the page before. It belongs to the selection it came from.'],
  ['before', 'How many earlier ones, 0 to 10. Default: 3.'],
  ['after', 'How many later ones, 0 to 10. Default: 3.'],
  ['format', 'json for records, md for a page to read. Default: json.'],
  [
    'events',
    'Whether to include every event, which makes the form that import takes back without loss. Default: false.',
  ],
  [
    'age',
    'Reports active decisions that nobody changed for 90 days. With neither age nor orphaned, both are reported.',
  ],
  ['orphaned', 'Reports active decisions whose commit is gone from the repository.'],
  ['if_match', 'updated_at as it was read, in quotes or bare. A decision that changed since answers 412.'],
  [
    'idempotency_key',
    'Any text. For 24 hours the same request with the same key is answered again instead of carried out again.',
  ],

  ['memories.amend/commit_sha', 'The commit at which it holds.'],
  ['memories.amend/decision_type', 'What sort of decision it is.'],
  ['memories.amend/confidence', 'How sure it is, from 0 to 1.'],
  ['memories.amend/evidence', 'What supports it, in place of all entries.'],
  ['memories.amend/rejected_alternatives', 'What was not chosen, in place of all entries.'],
  ['memories.list/status', 'ACTIVE, STALE, INVALIDATED or ALL, in any case. Default: ALL.'],
  ['memories.list/limit', 'How many on a page, 1 to 200. Default: 50.'],
  ['memories.list/author', 'Only decisions of this author.'],
  ['memories.list/agent', 'Only decisions recorded by this agent.'],
  ['memories.list/session_id', 'Only decisions recorded in this session.'],
  ['memories.search/status', 'ACTIVE, STALE, INVALIDATED or ALL, in any case. Default: ACTIVE.'],
  ['memories.search/limit', 'How many results, 1 to 25. Default: 10.'],
  ['memories.search/author', 'Only decisions of this author.'],
  ['memories.search/agent', 'Only decisions recorded by this agent.'],
  ['memories.search/session_id', 'Only decisions recorded in this session.'],
  ['memories.history/limit', 'How many events on a page, 1 to 200. Default: 50.'],
  ['memories.export/status', 'ACTIVE, STALE, INVALIDATED or ALL, in any case. Default: ACTIVE, with events ALL.'],
  ['memories.supersede/reason', 'Why the old decision is replaced.'],
]);

export function inputWords(row: string, input: string): string | undefined {
  return words.get(`${row}/${input}`) ?? words.get(input);
}

/** Each entry as `input` or `row/input`. */
export function describedInputs(): readonly string[] {
  return [...words.keys()];
}
