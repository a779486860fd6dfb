/** Whether the grammars that came with the program are all there and whole. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { errnoOf } from '../../../base/private-file.ts';
import type { GrammarName } from '../../../retrieval/code/syntax-tree.ts';
import { type Check, fault, well } from './finding.ts';
import { installCommand } from './install-command.ts';

/** Every grammar once: the compiler sees to it. */
const names: Readonly<Record<GrammarName, true>> = {
  bash: true,
  'c-sharp': true,
  cpp: true,
  go: true,
  java: true,
  javascript: true,
  php: true,
  python: true,
  ruby: true,
  rust: true,
  tsx: true,
  typescript: true,
};

export const grammars: Check = {
  name: 'grammars',
  look({ packageRoot }) {
    const folder = grammarFolder(packageRoot);
    const cure = `Install the program anew with ${installCommand(packageRoot)}.`;
    if (folder === null) return fault('The package @vscode/tree-sitter-wasm with the grammars is missing.', cure);
    const states = Object.keys(names).map((name) => ({ name, state: stateOfGrammar(folder, name) }));
    const broken = states.filter(({ state }) => state !== 'well');
    if (broken.length === 0) return well(`All ${states.length} grammars are there and can be loaded.`);
    return fault(`${broken.map(({ name, state }) => `The grammar ${name} ${state}`).join('. ')}.`, cure);
  },
};

function grammarFolder(packageRoot: string): string | null {
  try {
    const require = createRequire(path.join(packageRoot, 'package.json'));
    return path.join(path.dirname(require.resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}

function stateOfGrammar(folder: string, name: string): string {
  try {
    const bytes = readFileSync(path.join(folder, `tree-sitter-${name}.wasm`));
    return WebAssembly.validate(bytes) ? 'well' : 'is damaged';
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    return errno === 'ENOENT' ? 'is missing' : `cannot be read (${errno})`;
  }
}
