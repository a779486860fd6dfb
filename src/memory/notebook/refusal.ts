/** The content policy as an outcome: the first text that must not be kept ends the call, before any file is touched. */
import { fail, type Result } from './outcome.ts';
import { contentRefusalMessage, inspectContent } from './policy/policy.ts';

/** One normalised text and the name it goes by in an answer. Null is no text and passes. */
export interface InspectedField {
  readonly field: string;
  readonly text: string | null;
}

/** The refusal of the first disallowed text in `fields`, or undefined when all may be kept. */
export function refuseDisallowed(fields: readonly InspectedField[]): Result<never> | undefined {
  const texts = fields.flatMap(({ field, text }) => (text === null ? [] : [{ field, text }]));
  const finding = inspectContent(texts);
  if (finding === undefined) return undefined;
  return fail({
    status: 'refused',
    code: 'disallowed_content',
    field: finding.field,
    reason: finding.reason,
    message: contentRefusalMessage,
  });
}
