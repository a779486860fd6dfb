/** Log fields that several notebook rows share. They name a version, a scope, a state and a number, and no content. */
import type { Lifecycle, Reference } from '../../memory/notebook/record.ts';
import type { EventFields, OperationResult } from '../operation.ts';

/** Empty until the arguments were parsed. */
export function referenceFields(input: { readonly reference: Reference } | undefined): EventFields {
  if (input === undefined) return {};
  return { schema_version: input.reference.schema_version, scope: input.reference.scope };
}

/** Empty unless the call succeeded. */
export function lifecycleFields(result: OperationResult<{ readonly lifecycle: Lifecycle }>): EventFields {
  if (!result.ok) return {};
  return { lifecycle_state: result.value.lifecycle.state, revision: result.value.lifecycle.revision };
}
