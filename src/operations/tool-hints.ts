/** The hints of tools over a project. Nothing here reaches out of the machine, and nothing that is kept is lost. */
import type { ToolAnnotations } from './operation.ts';

/** What it writes, if anything, is derived or a line in a log of uses: vectors, freshness, an index that was missing. */
export const readingTool: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Changes keep the old values or can be made again, so none of them destroys. */
export function changingTool(idempotent: boolean): ToolAnnotations {
  return { readOnlyHint: false, destructiveHint: false, idempotentHint: idempotent, openWorldHint: false };
}
