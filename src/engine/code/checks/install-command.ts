/** How the files of the program are put back. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { SERVER_NAME, SERVER_VERSION } from '../../../base/version.ts';
import { shellWord } from './finding.ts';

/**
 * For files of the program itself, by their paths in it. In a checkout installing packages does not bring them back, git
 * does.
 */
export function restoreCommand(packageRoot: string, paths: readonly string[]): string {
  if (!existsSync(path.join(packageRoot, '.git'))) return installCommand(packageRoot);
  return `\`git -C ${shellWord(packageRoot)} checkout -- ${paths.join(' ')}\``;
}

/** In a checkout from its lock file; an installed package is installed again. */
export function installCommand(packageRoot: string): string {
  if (existsSync(path.join(packageRoot, 'package-lock.json'))) return `\`npm ci --prefix ${shellWord(packageRoot)}\``;
  return `\`npm install --global ${SERVER_NAME}@${SERVER_VERSION}\``;
}
