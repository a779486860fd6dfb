/** The name of a project on the wire: `p_` and the first 12 hex digits of the SHA-256 of its real path. */
import { createHash } from 'node:crypto';

export type ProjectId = string & { readonly projectId: true };

export function projectIdOf(realPath: string): ProjectId {
  return `p_${createHash('sha256').update(realPath).digest('hex').slice(0, 12)}` as ProjectId;
}
