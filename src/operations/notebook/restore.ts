/** The row behind `memory_restore`. */
import type { LifecycleRequest, RestoreAnswer } from '../../memory/notebook/lifecycle.ts';
import { parseLifecycleRequest, restore } from '../../memory/notebook/lifecycle.ts';
import { toolOperation } from '../operation.ts';
import { lifecycleFields, referenceFields } from './event-fields.ts';
import { exampleReference } from './examples.ts';
import { changeOutput, lifecycleComposed, lifecyclePortable } from './lifecycle-schema.ts';

export const restoreOperation = toolOperation<LifecycleRequest, RestoreAnswer>({
  name: 'notebook.restore',
  summary: 'Brings one archived memory back into recall.',
  permission: 'notebook.write',
  scope: 'global',
  gate: 'archive_restore',
  tool: {
    name: 'memory_restore',
    title: 'Restore a memory',
    description:
      'Bring one archived memory back into recall. Inspect the record first, show it to the user, and get approval for each exact call with its reference and expected_revision. A record that is active already, at this revision, answers already_active and is not touched. After revision_conflict or write_conflict inspect again and ask again. After replacement_outcome_uncertain inspect before anything else: the change may already be visible. A forgotten record cannot be restored.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    composedInput: lifecycleComposed,
    portableInput: lifecyclePortable,
    output: changeOutput(['restored', 'already_active']),
  },
  effects: 'Replaces the file of the record: state active, revision one higher. Nothing when it is active already.',
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
    input: { reference: exampleReference, expected_revision: 2 },
    output: { status: 'restored', reference: exampleReference, lifecycle: { state: 'active', revision: 3 } },
  },
  parse: parseLifecycleRequest,
  run: (engine, request) => restore(engine.notebook, request),
  event: (request, result) => ({ ...referenceFields(request), ...lifecycleFields(result) }),
});
