/**
 * Code inside other files: script blocks of Vue and Svelte components, code cells of notebooks.
 *
 * A component is read as its script with everything else blanked out, so that offsets and lines stay true. A notebook
 * stores its lines as JSON strings; its cells are joined for reading, and the result is mapped back to the lines of
 * the file.
 */
import { LineTable } from './line-table.ts';
import type { FileFacts, Language } from './symbol.ts';

export interface ScriptPart {
  /** As long as the file, blank outside the scripts. */
  readonly text: string;
  readonly isTypeScript: boolean;
  /** Names that the template uses, with their offsets. */
  readonly templateNames: readonly { readonly name: string; readonly at: number }[];
}

export interface NotebookCode {
  readonly text: string;
  readonly language: Language;
  /** For each line of `text`, from 1 at index 0, the line of the file. */
  readonly lines: readonly number[];
}

const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ');

export function scriptOf(text: string): ScriptPart {
  let script = '';
  let from = 0;
  let isTypeScript = false;
  let template = '';
  for (const match of text.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi)) {
    const code = match[2] ?? '';
    const start = match.index + match[0].indexOf('>', 0) + 1;
    const bodyStart = text.indexOf(code, start - 1);
    script += blank(text.slice(from, bodyStart)) + code;
    template += text.slice(from, match.index) + blank(text.slice(match.index, bodyStart + code.length));
    from = bodyStart + code.length;
    if (/\blang\s*=\s*["']?(ts|tsx|typescript)/i.test(match[1] ?? '')) isTypeScript = true;
  }
  script += blank(text.slice(from));
  template += text.slice(from);
  return { text: script, isTypeScript, templateNames: namesInTemplate(template) };
}

/** Components by their tags, and names in bound attributes and mustaches. */
function namesInTemplate(template: string): ScriptPart['templateNames'] {
  const markup = template.replace(/<style\b[\s\S]*?<\/style\s*>/gi, blank).replace(/<!--[\s\S]*?-->/g, blank);
  const found: { readonly name: string; readonly at: number }[] = [];
  for (const tag of markup.matchAll(/<([A-Z][\w$]*|[a-z]+(?:-[a-z0-9]+)+)/g)) {
    const name = (tag[1] ?? '').replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
    found.push({ name, at: tag.index });
  }
  const expressions = /\{\{([^}]*)\}\}|(?:v-[\w:.-]+|[@:#][\w:.-]+)\s*=\s*"([^"]*)"|(?<![{$])\{([^{}]*)\}/g;
  for (const expression of markup.matchAll(expressions)) {
    const code = expression[1] ?? expression[2] ?? expression[3] ?? '';
    const withoutStrings = code.replace(/'[^']*'|"[^"]*"|`[^`]*`/g, blank);
    for (const name of withoutStrings.matchAll(/(?<![\w$.])[A-Za-z_$][\w$]*/g))
      found.push({ name: name[0], at: expression.index });
  }
  return found;
}

/** The code cells of a notebook, or null when it is not one. */
export function notebookCode(text: string): NotebookCode | null {
  const notebook = parseJson(text);
  const cells = isRecord(notebook) ? notebook['cells'] : undefined;
  if (!isRecord(notebook) || !Array.isArray(cells)) return null;
  const fileLines = new LineTable(text);
  const code: string[] = [];
  const lines: number[] = [];
  let at = text.indexOf('"cells"');
  for (const cell of cells) {
    if (!isRecord(cell)) continue;
    const source = cell['source'];
    const pieces = Array.isArray(source)
      ? source.filter((one) => typeof one === 'string')
      : typeof source === 'string'
        ? [source]
        : [];
    const isCode = cell['cell_type'] === 'code';
    for (const piece of pieces) {
      // Each piece is looked for as it is usually written; what is written otherwise keeps the line before it.
      const found = text.indexOf(JSON.stringify(piece), Math.max(at, 0));
      if (found !== -1) at = found + 1;
      if (!isCode) continue;
      const line = fileLines.lineAt(Math.max(at, 0));
      for (const one of piece.replace(/\n$/, '').split('\n')) {
        // Commands of the shell and of the notebook are no code of the language.
        code.push(/^\s*[%!]/.test(one) ? '' : one);
        lines.push(line);
      }
    }
  }
  return { text: code.join('\n'), language: languageOf(notebook), lines };
}

/** Facts that were read from the joined cells, with the places of the file. */
export function mapNotebook(facts: FileFacts, lines: readonly number[], raw: string): FileFacts {
  const table = new LineTable(raw);
  const lineOf = (line: number): number => lines[line - 1] ?? lines.at(-1) ?? 1;
  const span = (startLine: number, endLine: number) => {
    const first = lineOf(startLine);
    const last = Math.max(first, lineOf(endLine));
    const end = last >= table.count ? raw.length : table.startOf(last + 1);
    return { startLine: first, endLine: last, start: table.startOf(first), end };
  };
  return {
    ...facts,
    lines: table.count,
    symbols: facts.symbols.map((symbol) => ({ ...symbol, ...span(symbol.startLine, symbol.endLine) })),
    imports: facts.imports.map((one) => ({ ...one, line: lineOf(one.line) })),
    references: facts.references.map((one) => ({ ...one, line: lineOf(one.line) })),
    chunks: facts.chunks.map((chunk) => ({ ...chunk, ...span(chunk.startLine, chunk.endLine) })),
  };
}

function languageOf(notebook: Readonly<Record<string, unknown>>): Language {
  const metadata = notebook['metadata'];
  const kernel = isRecord(metadata) ? metadata['kernelspec'] : undefined;
  const language = isRecord(kernel) ? kernel['language'] : undefined;
  if (
    language === 'javascript' ||
    language === 'typescript' ||
    language === 'ruby' ||
    language === 'rust' ||
    language === 'go'
  )
    return language;
  return 'python';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A damaged notebook is read as text.
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
