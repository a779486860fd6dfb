/** Whether the grammars that came with the program are all there and whole. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../../../base/private-file.ts';
import type { GrammarName } from '../../../retrieval/code/syntax-tree.ts';
import { type Check, fault, well } from './finding.ts';
import { installCommand } from './install-command.ts';

/** Of the language itself; the types of Node leave it out. Loading a grammar would take three times as long. */
declare const WebAssembly: { validate(bytes: Uint8Array): boolean };

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
    if (broken.length === 0) return well(`All ${states.length} grammars are there and whole.`);
    return fault(`${broken.map(({ name, state }) => `The grammar ${name} ${state}`).join('. ')}.`, cure);
  },
};

/** Where Node would find the package: in the nearest `node_modules` that has it. */
function grammarFolder(packageRoot: string): string | null {
  for (let at = packageRoot; ; at = path.dirname(at)) {
    const folder = path.join(at, 'node_modules', '@vscode', 'tree-sitter-wasm');
    if (existsSync(folder)) return path.join(folder, 'wasm');
    if (at === path.dirname(at)) return null;
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
