/**
 * Archiving and restoring: the two directions of one switch. Each works only on the exact revision that the caller has
 * seen, and a record that is already there is left alone to the byte.
 */
import type { JsonObject } from '../../base/json.ts';
import { type CanonicalReferenceAnswer, type LifecycleAnswer, lifecycleAnswer, referenceAnswer } from './answer.ts';
import { nextVersion } from './next-version.ts';
import type { Notebook } from './notebook.ts';
import { invalid, ok, type Result } from './outcome.ts';
import type { LifecycleState } from './record.ts';
import { changeRecord, parseTarget, type Target, targetArguments } from './target.ts';

export type LifecycleRequest = Target;

export type ChangedAnswer<Status extends string> = {
  readonly status: Status;
  readonly reference: CanonicalReferenceAnswer;
  readonly lifecycle: LifecycleAnswer;
};

export type ArchiveAnswer = ChangedAnswer<'archived' | 'already_archived'>;
export type RestoreAnswer = ChangedAnswer<'restored' | 'already_active'>;

/** The arguments of archive, restore and forget: exactly a canonical reference and an expected revision. */
export function parseLifecycleRequest(raw: JsonObject): Result<LifecycleRequest> {
  const known: readonly string[] = targetArguments;
  if (!Object.keys(raw).every((key) => known.includes(key))) {
    return invalid(
      'invalid_reference',
      'this call takes exactly reference and expected_revision; leave out every other argument',
      'reference',
    );
  }
  return parseTarget(raw);
}

export function archive(notebook: Notebook, request: LifecycleRequest): Promise<Result<ArchiveAnswer>> {
  return moveTo(notebook, request, 'archived', { moved: 'archived', already: 'already_archived' });
}

export function restore(notebook: Notebook, request: LifecycleRequest): Promise<Result<RestoreAnswer>> {
  return moveTo(notebook, request, 'active', { moved: 'restored', already: 'already_active' });
}

function moveTo<Status extends string>(
  notebook: Notebook,
  request: LifecycleRequest,
  state: LifecycleState,
  words: { readonly moved: Status; readonly already: Status },
): Promise<Result<ChangedAnswer<Status>>> {
  return changeRecord<ChangedAnswer<Status>>(notebook, request, async (writer, current) => {
    const { record } = current;
    if (record.lifecycle.state === state) {
      return ok({ status: words.already, reference: referenceAnswer(record), lifecycle: lifecycleAnswer(record) });
    }
    const next = nextVersion(record, notebook.clock, { state });
    const replaced = await writer.replace(current, next);
    if (!replaced.ok) return replaced;
    return ok({ status: words.moved, reference: referenceAnswer(next), lifecycle: lifecycleAnswer(next) });
  });
}
