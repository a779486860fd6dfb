/**
 * What a file is, from its path and its text: its language, and whether people wrote it.
 *
 * Machine-made files are known by a mark in their first lines, by their name, or by long lines dense with code. A
 * long line of data in a written file does not make it one.
 */
import path from 'node:path';
import { codeLimits } from '../../base/limits.ts';
import type { Language } from './symbol.ts';

/** Why the symbols of a file are not read, although its text is. */
export type TextOnlyReason = 'generated' | 'minified' | 'too-long-to-parse' | 'parser-gave-up';

const byExtension: Readonly<Record<string, Language>> = {
  '.py': 'python',
  '.pyi': 'python',
  '.pyw': 'python',
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.tsx': 'tsx',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.jsx': 'javascript',
  '.go': 'go',
  '.rs': 'rust',
  '.java': 'java',
  '.c': 'c',
  '.h': 'c',
  '.cpp': 'cpp',
  '.cc': 'cpp',
  '.cxx': 'cpp',
  '.c++': 'cpp',
  '.hpp': 'cpp',
  '.hh': 'cpp',
  '.hxx': 'cpp',
  '.ipp': 'cpp',
  '.inl': 'cpp',
  '.cs': 'csharp',
  '.rb': 'ruby',
  '.rake': 'ruby',
  '.gemspec': 'ruby',
  '.php': 'php',
  '.phtml': 'php',
  '.sh': 'bash',
  '.bash': 'bash',
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdx': 'markdown',
  '.sql': 'sql',
  '.proto': 'proto',
  '.vue': 'vue',
  '.svelte': 'svelte',
  '.ipynb': 'notebook',
  '.yaml': 'text',
  '.yml': 'text',
  '.json': 'text',
  '.jsonc': 'text',
  '.toml': 'text',
  '.ini': 'text',
  '.cfg': 'text',
  '.conf': 'text',
  '.txt': 'text',
  '.rst': 'text',
  '.adoc': 'text',
  '.html': 'text',
  '.css': 'text',
  '.scss': 'text',
  '.less': 'text',
  '.graphql': 'text',
  '.gradle': 'text',
  '.cmake': 'text',
  '.mod': 'text',
};
const byName: Readonly<Record<string, Language>> = {
  rakefile: 'ruby',
  gemfile: 'ruby',
  makefile: 'text',
  dockerfile: 'text',
  'cmakelists.txt': 'text',
};
/** Locks and the like: long, made by tools, and never the answer to a question. */
const lockNames: ReadonlySet<string> = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'composer.lock',
  'cargo.lock',
  'poetry.lock',
  'uv.lock',
  'gemfile.lock',
  'go.sum',
]);

/** The language a path promises, `'unknown'` when only the first line can tell, or null for what is not read. */
export function languageOfPath(file: string): Language | 'unknown' | null {
  const name = path.posix.basename(file).toLowerCase();
  if (lockNames.has(name) || name.startsWith('.')) return null;
  const extension = path.posix.extname(name);
  const known = Object.hasOwn(byName, name) ? byName[name] : undefined;
  if (known !== undefined) return known;
  if (extension === '') return 'unknown';
  return (Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined) ?? null;
}

/** The language of a text whose path promised one, or null when it is nothing that is read. */
export function languageOfText(promised: Language | 'unknown', file: string, text: string): Language | null {
  if (promised === 'unknown') return languageOfShebang(text);
  if (promised === 'text' && /\.(ya?ml|json)$/i.test(file) && isApiDescription(text)) return 'openapi';
  if (promised === 'c' && /\.h$/i.test(file) && looksLikeCpp(text)) return 'cpp';
  return promised;
}

export function textOnlyReason(language: Language, file: string, text: string): TextOnlyReason | null {
  if (text.length > codeLimits.parsedCharsMax) return 'too-long-to-parse';
  if (isMarkedGenerated(file, text)) return 'generated';
  return language !== 'notebook' && language !== 'markdown' && isMinified(file, text) ? 'minified' : null;
}

function languageOfShebang(text: string): Language | null {
  const line = /^#!\s*(\S+)(?:\s+(?:-\S+\s+)*(\S+))?/.exec(text.slice(0, 200));
  if (line === null) return null;
  const first = path.posix.basename(line[1] ?? '');
  const program = first === 'env' ? path.posix.basename(line[2] ?? '') : first;
  if (/^(ba|da|k|z)?sh$/.test(program)) return 'bash';
  if (/^python[\d.]*$/.test(program)) return 'python';
  if (/^(node|nodejs|bun|deno)$/.test(program)) return 'javascript';
  if (/^ruby[\d.]*$/.test(program)) return 'ruby';
  return /^php[\d.]*$/.test(program) ? 'php' : null;
}

function isApiDescription(text: string): boolean {
  const head = text.slice(0, 4_000);
  return /^\s*[{]?\s*["']?(openapi|swagger|asyncapi)["']?\s*:\s*["']?\d/m.test(head);
}

function looksLikeCpp(text: string): boolean {
  return /^\s*(class\s+\w+|namespace\b|template\s*<|using\s+\w|public:|private:|protected:)|\bstd::|#include\s*<(string|vector|memory|map|iostream)>/m.test(
    text.slice(0, 100_000),
  );
}

function isMarkedGenerated(file: string, text: string): boolean {
  if (/(\.pb\.go|_pb2(_grpc)?\.pyi?|\.pb\.(cc|h)|\.g\.cs|\.designer\.cs|\.generated\.\w+)$/i.test(file)) return true;
  const head = text
    .split(/\r\n?|\n/, codeLimits.generatedMarkLines)
    .map((line) => line.slice(0, 300))
    .filter((line) => /^\s*(\/\/|\/?\*|#|--|;|<!--|"""|%)/.test(line))
    .join('\n');
  if (/(^|[\s*])@generated\b/.test(head)) return true;
  return /\bgenerated\b/i.test(head) && /\b(do not|don't|never) (edit|modify|change)\b/i.test(head);
}

function isMinified(file: string, text: string): boolean {
  if (/[.-]min\.(js|css|mjs|cjs)$/i.test(file)) return true;
  if (text.length < 5_000) return false;
  let longChars = 0;
  let signs = 0;
  let from = 0;
  while (from < text.length) {
    const newline = text.indexOf('\n', from);
    const end = newline === -1 ? text.length : newline;
    if (end - from > 1_000) {
      longChars += end - from;
      // Twenty thousand characters of a line tell what it is.
      const sample = text.slice(from, Math.min(end, from + 20_000));
      const density = (sample.match(/[;{}()=]/g)?.length ?? 0) / sample.length;
      if (density > 0.05) signs += end - from;
    }
    from = end + 1;
  }
  const isMostlyLong = longChars > text.length / 2;
  if (!isMostlyLong) return false;
  const writtenLines = text.split('\n').length;
  // Data in a long line leaves the code around it readable.
  return signs > text.length / 2 || writtenLines < 20 || text.length / writtenLines > codeLimits.minifiedLineChars * 50;
}
