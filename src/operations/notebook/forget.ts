/** The row behind `memory_forget`. */
import type { ForgetAnswer } from '../../memory/notebook/forget.ts';
import { forget } from '../../memory/notebook/forget.ts';
import type { LifecycleRequest } from '../../memory/notebook/lifecycle.ts';
import { parseLifecycleRequest } from '../../memory/notebook/lifecycle.ts';
import { toolOperation } from '../operation.ts';
import { referenceFields } from './event-fields.ts';
import { exampleReference } from './examples.ts';
import { forgetOutput, lifecycleComposed, lifecyclePortable } from './lifecycle-schema.ts';

export const forgetOperation = toolOperation<LifecycleRequest, ForgetAnswer>({
  name: 'notebook.forget',
  summary: 'Deletes one archived memory for good.',
  permission: 'notebook.write',
  scope: 'global',
  gate: 'forget',
  tool: {
    name: 'memory_forget',
    title: 'Forget a memory for good',
    description:
      'Delete one archived memory for good; nothing can bring it back. The record must be archived already (otherwise not_archived). Inspect it first, show the user its full text and say that deleting is final, and get approval for each exact call with its reference and expected_revision. After revision_conflict or write_conflict inspect again and ask again. After deletion_outcome_uncertain inspect: when the record is gone, do not call again. A second call answers not_found. Copies outside Mnemosyne, such as backups, snapshots and chat histories, are not reached.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    composedInput: lifecycleComposed,
    portableInput: lifecyclePortable,
    output: forgetOutput,
  },
  effects: 'Deletes the file of the record and keeps no trace of it. Directories stay.',
  errors: [
    'invalid_reference',
    'invalid_expected_revision',
    'mutation_disabled',
    'not_found',
    'revision_conflict',
    'not_archived',
    'write_conflict',
    'memory_source_unavailable',
    'deletion_outcome_uncertain',
    'internal_error',
  ],
  example: {
    input: { reference: exampleReference, expected_revision: 2 },
    output: { status: 'forgotten', reference: exampleReference },
  },
  parse: parseLifecycleRequest,
  run: (engine, request) => forget(engine.notebook, request),
  event: referenceFields,
});
