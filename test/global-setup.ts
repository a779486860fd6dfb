/** Once for a whole run, before any test: see `stripped-types.mjs`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'stripped-types-'));
  process.env['STRIPPED_TYPES'] = folder;
  process.env['NODE_OPTIONS'] =
    `${process.env['NODE_OPTIONS'] ?? ''} --import=${new URL('stripped-types.mjs', import.meta.url).href}`;
  return () => rmSync(folder, { recursive: true, force: true });
}
