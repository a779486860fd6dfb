/** The row behind `memory_archive`. */
import type { ArchiveAnswer, LifecycleRequest } from '../../memory/notebook/lifecycle.ts';
import { archive, parseLifecycleRequest } from '../../memory/notebook/lifecycle.ts';
import { toolOperation } from '../operation.ts';
import { lifecycleFields, referenceFields } from './event-fields.ts';
import { exampleReference } from './examples.ts';
import { changeOutput, lifecycleComposed, lifecyclePortable } from './lifecycle-schema.ts';

export const archiveOperation = toolOperation<LifecycleRequest, ArchiveAnswer>({
  name: 'notebook.archive',
  summary: 'Takes one memory out of recall; it stays readable and can be restored.',
  permission: 'notebook.write',
  scope: 'global',
  gate: 'archive_restore',
  tool: {
    name: 'memory_archive',
    title: 'Archive a memory',
    description:
      'Take one memory out of recall without deleting it; memory_restore brings it back. Inspect the record first, show it to the user, and get approval for each exact call with its reference and expected_revision. A record that is archived already, at this revision, answers already_archived and is not touched. After revision_conflict or write_conflict inspect again and ask again. After replacement_outcome_uncertain inspect before anything else: the change may already be visible.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    composedInput: lifecycleComposed,
    portableInput: lifecyclePortable,
    output: changeOutput(['archived', 'already_archived']),
  },
  effects: 'Replaces the file of the record: state archived, revision one higher. Nothing when it is archived already.',
  errors: [
    'invalid_reference',
    'invalid_expected_revision',
    'mutation_disabled',
    'not_found',
    'revision_conflict',
    'write_conflict',
    'memory_source_unavailable',
    'replacement_outcome_uncertain',
    'internal_error',
  ],
  example: {
    input: { reference: exampleReference, expected_revision: 1 },
    output: { status: 'archived', reference: exampleReference, lifecycle: { state: 'archived', revision: 2 } },
  },
  parse: parseLifecycleRequest,
  run: (engine, request) => archive(engine.notebook, request),
  event: (request, result) => ({ ...referenceFields(request), ...lifecycleFields(result) }),
});
