/** The row behind `memory_remember`. */
import type { RememberAnswer, RememberRequest } from '../../memory/notebook/remember.ts';
import { parseRememberRequest, remember } from '../../memory/notebook/remember.ts';
import type { EventFields } from '../operation.ts';
import { toolOperation } from '../operation.ts';
import { lifecycleFields } from './event-fields.ts';
import { exampleContent, exampleReference, exampleTags, exampleTitle } from './examples.ts';
import { rememberComposed, rememberOutput, rememberPortable } from './remember-schema.ts';

const { schema_version: _, ...exampleIdentity } = exampleReference;

export const rememberOperation = toolOperation<RememberRequest, RememberAnswer>({
  name: 'notebook.remember',
  summary: 'Stores one memory that the user approved, unless the same one is there already.',
  permission: 'notebook.write',
  scope: 'global',
  gate: 'remember',
  tool: {
    name: 'memory_remember',
    title: 'Remember something',
    description:
      'Store one new memory exactly as the user approved it. Show the user the complete arguments and get approval for each exact call; no earlier yes and no argument counts as consent. Nine arguments are always sent, null where there is no collection, language or title. Never store secrets (passwords, keys, tokens, card or identity numbers) or sensitive personal data that the user did not ask to keep. Text with such a shape is refused with code disallowed_content, the field and a reason. Do not obfuscate, split or encode a refused value: tell the user, and retry only when they confirm that it is harmless and approve the new exact call. The same memory is not stored twice: already_exists or existing_archived names the record that is there. After creation_outcome_uncertain inspect or list before retrying.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    composedInput: rememberComposed,
    portableInput: rememberPortable,
    output: rememberOutput,
  },
  effects: 'Creates one file, and the directories on the way to it. Nothing when the same memory is there already.',
  errors: [
    'invalid_origin',
    'invalid_record',
    'invalid_scope',
    'invalid_namespace',
    'invalid_collection',
    'invalid_kind',
    'disallowed_content',
    'mutation_disabled',
    'candidate_limit_exceeded',
    'write_conflict',
    'memory_source_unavailable',
    'creation_outcome_uncertain',
    'internal_error',
  ],
  example: {
    input: {
      scope: 'project',
      namespace: { kind: 'project', id: 'atlas', label: 'Atlas' },
      collection: { id: 'decisions', label: 'Decisions' },
      kind: 'decision',
      language: 'en',
      title: exampleTitle,
      content: exampleContent,
      tags: exampleTags,
      origin: 'user_approved_proposal',
    },
    output: { status: 'remembered', reference: exampleIdentity, lifecycle: { state: 'active', revision: 1 } },
  },
  parse: parseRememberRequest,
  run: (engine, request) => remember(engine.notebook, request),
  event: (request, result) => ({
    ...(request === undefined ? {} : requestFields(request)),
    ...(result.ok ? { memory_id: result.value.reference.id } : {}),
    ...lifecycleFields(result),
  }),
});

function requestFields(request: RememberRequest): EventFields {
  return {
    scope: request.scope,
    namespace_kind: request.namespace.kind,
    memory_kind: request.kind,
    collection_present: request.collection !== null,
    origin: request.origin,
  };
}
