/** The row behind `memory_revise`. */
import type { ReviseAnswer, ReviseRequest } from '../../memory/notebook/revise.ts';
import { parseReviseRequest, revise } from '../../memory/notebook/revise.ts';
import { toolOperation } from '../operation.ts';
import { lifecycleFields, referenceFields } from './event-fields.ts';
import { exampleReference, exampleTags, exampleTitle } from './examples.ts';
import { changeOutput } from './lifecycle-schema.ts';
import { reviseComposed, revisePortable } from './revise-schema.ts';

export const reviseOperation = toolOperation<ReviseRequest, ReviseAnswer>({
  name: 'notebook.revise',
  summary: 'Replaces the labels, title, content and tags of one memory as a whole.',
  permission: 'notebook.write',
  scope: 'global',
  gate: 'revise',
  tool: {
    name: 'memory_revise',
    title: 'Revise a memory',
    description:
      'Replace the labels, title, content and tags of one memory as a whole; the earlier text is not kept. Inspect the record first, show the user the complete new state, and get approval for each exact call. Send every text again, also what stays the same; kind, language, place, origin and state cannot be changed. Never store secrets (passwords, keys, tokens, card or identity numbers): text with such a shape is refused with code disallowed_content, the field and a reason. Do not obfuscate, split or encode a refused value: tell the user, and retry only when they confirm that it is harmless and approve the new exact call. No difference answers already_current and writes nothing. After revision_conflict or write_conflict inspect again and ask again; after replacement_outcome_uncertain inspect first, the change may be visible.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    composedInput: reviseComposed,
    portableInput: revisePortable,
    output: changeOutput(['revised', 'already_current']),
  },
  effects: 'Replaces the file of the record, revision one higher. Nothing when nothing differs.',
  errors: [
    'invalid_record',
    'invalid_reference',
    'invalid_expected_revision',
    'invalid_collection',
    'disallowed_content',
    'mutation_disabled',
    'not_found',
    'revision_conflict',
    'write_conflict',
    'memory_source_unavailable',
    'replacement_outcome_uncertain',
    'internal_error',
  ],
  example: {
    input: {
      reference: exampleReference,
      expected_revision: 1,
      namespace_label: 'Atlas',
      collection_label: 'Decisions',
      title: exampleTitle,
      content: 'Atlas keeps its settings in plain files and its history in a database.',
      tags: exampleTags,
    },
    output: { status: 'revised', reference: exampleReference, lifecycle: { state: 'active', revision: 2 } },
  },
  parse: parseReviseRequest,
  run: (engine, request) => revise(engine.notebook, request),
  event: (request, result) => ({ ...referenceFields(request), ...lifecycleFields(result) }),
});
