/** Layer L0: which project this is. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';
import { contextLimits } from '../../base/limits.ts';
import { counted } from '../../base/numbers.ts';
import { errnoOf } from '../../base/private-file.ts';
import { decodeText } from '../code/decode-text.ts';
import { fitLayer, type Layer, type LayerLine, line } from './layer.ts';
import { oneLine } from './one-line.ts';

export interface ProjectIdentity {
  readonly name: string;
  /** What the project says of itself, or empty: see `readDescription`. */
  readonly description: string;
  readonly files: number;
  readonly symbols: number;
  readonly groups: number;
  /** Name of a language to its weight: lines, files or whatever the shares shall be of. */
  readonly languages: ReadonlyMap<string, number>;
}

/** Name, description and size. `notice` (an index that is stale) comes first. */
export function identityLayer(identity: ProjectIdentity, notice: string | null, tokensMax: number): Layer {
  const description = oneLine(identity.description, contextLimits.descriptionCharsMax);
  const lines = [line(notice ?? ''), nameLine(identity), line(description), line(sizeLine(identity))];
  return fitLayer(
    lines.filter(({ text }) => text !== ''),
    tokensMax,
  );
}

export function nameLine({ name }: ProjectIdentity): LayerLine {
  return line(`Project: ${oneLine(name, contextLimits.nameCharsMax)}`);
}

function sizeLine({ files, symbols, groups, languages }: ProjectIdentity): string {
  const sizes = [counted(files, 'file'), counted(symbols, 'symbol'), counted(groups, 'group')].join(', ');
  const shares = languageShares(languages);
  return shares === '' ? sizes : `${sizes}; ${shares}`;
}

/** The largest languages with their share in per cent; those below one per cent are left out. */
function languageShares(languages: ReadonlyMap<string, number>): string {
  const total = [...languages.values()].reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return '';
  return [...languages]
    .map(([language, weight]) => ({ language, percent: Math.round((100 * weight) / total) }))
    .filter(({ percent }) => percent >= 1)
    .sort((a, b) => b.percent - a.percent || (a.language < b.language ? -1 : 1))
    .slice(0, contextLimits.languagesMax)
    .map(({ language, percent }) => `${languageNames.get(language) ?? oneLine(language, 20)} ${percent} %`)
    .join(', ');
}

const languageNames: ReadonlyMap<string, string> = new Map([
  ['python', 'Python'],
  ['typescript', 'TypeScript'],
  ['tsx', 'TSX'],
  ['javascript', 'JavaScript'],
  ['go', 'Go'],
  ['rust', 'Rust'],
  ['java', 'Java'],
  ['c', 'C'],
  ['cpp', 'C++'],
  ['csharp', 'C#'],
  ['ruby', 'Ruby'],
  ['php', 'PHP'],
  ['bash', 'Bash'],
  ['markdown', 'Markdown'],
  ['openapi', 'OpenAPI'],
  ['sql', 'SQL'],
  ['proto', 'Protobuf'],
  ['vue', 'Vue'],
  ['svelte', 'Svelte'],
  ['notebook', 'Jupyter'],
]);

/**
 * The first paragraph of prose in `CLAUDE.md`, else in the README at `root`; empty when neither has one. Links are not
 * followed: what a context shows must lie in the project.
 */
export function readDescription(root: string): string {
  const names = readdirSync(root);
  const readmes = names
    .filter((name) => /^readme(\.(md|markdown|rst|txt|adoc))?$/i.test(name))
    .sort((a, b) => rankOfReadme(a) - rankOfReadme(b) || (a < b ? -1 : 1));
  for (const name of names.includes('CLAUDE.md') ? ['CLAUDE.md', ...readmes] : readmes) {
    const text = readTextFile(path.join(root, name));
    const paragraph = text === null ? '' : firstParagraph(text);
    if (paragraph !== '') return paragraph;
  }
  return '';
}

function rankOfReadme(name: string): number {
  return ['.md', '.markdown', '.rst', '.adoc', '.txt', ''].indexOf(path.extname(name).toLowerCase());
}

/** The beginning of a regular file, or null when it is none, is not text or may not be read. */
function readTextFile(file: string): string | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    // A file without permission, a link or a file that has just gone tells nothing about the project.
    if (errnoOf(error) === undefined) throw error;
    return null;
  }
  try {
    if (!fstatSync(descriptor).isFile()) return null;
    const buffer = Buffer.alloc(contextLimits.descriptionBytesMax);
    const read = readSync(descriptor, buffer, 0, buffer.length, 0);
    const decoded = decodeText(buffer.subarray(0, read === buffer.length ? wholeCharacters(buffer) : read));
    return decoded.kind === 'text' ? decoded.text : null;
  } finally {
    closeSync(descriptor);
  }
}

/** How many bytes are left when the last line, which may be torn inside a character, is dropped. */
function wholeCharacters(buffer: Uint8Array): number {
  return buffer.lastIndexOf(0x0a) + 1;
}

/**
 * The first paragraph of Markdown or reStructuredText that is prose, on one line and without marks; at most
 * `descriptionCharsMax`. Headings, front matter, badges, markup, comments, code, lists and directives are none.
 */
export function firstParagraph(text: string): string {
  const body = text
    .replace(/^\ufeff/, '')
    .replace(/^---\r?\n[\s\S]*?\r?\n(---|\.\.\.)\r?\n/, '')
    .replace(/<!--[\s\S]*?(-->|$)/g, '')
    .replace(/^(`{3,}|~{3,})[\s\S]*?(^\1.*$|$(?![\s\S]))/gm, '');
  for (const block of body.split(/\r?\n[ \t]*\r?\n/)) {
    const prose = proseOf(block.replace(/\r/g, ''));
    if (wordsOf(prose) >= 2) return oneLine(prose, contextLimits.descriptionCharsMax);
  }
  return '';
}

function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
}

/** The text of a block of lines without marks, or empty when the block is no paragraph. */
function proseOf(block: string): string {
  const lines = block.split('\n').filter((each) => each.trim() !== '');
  while (isHeading(lines)) lines.splice(0, /^#/.test(lines[0] ?? '') ? 1 : linesOfUnderlined(lines));
  const first = lines[0] ?? '';
  if (first === '' || /^(\s{4,}|\t|\s*([-*+]\s|\d+[.)]\s|\||\.\.\s|:\w[\w ]*:|={3,}|-{3,}|\[[^\]]+\]:))/.test(first))
    return '';
  return lines
    .map((each) => each.replace(/^\s*>\s?/, ''))
    .join(' ')
    .slice(0, contextLimits.paragraphCharsMax)
    .replace(/!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])/g, '')
    .replace(/\[\s*\](\([^)]*\)|\[[^\]]*\])/g, '')
    .replace(/\[([^\]]+)\](\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<[^>]*>/g, '')
    .replace(/`{1,2}([^`<]*?)\s*(<[^`]*>)?`{1,2}_{0,2}/g, '$1')
    .replace(/(\*\*|__)(?=\S)(.*?\S)\1/g, '$2')
    .trim();
}

function isHeading(lines: readonly string[]): boolean {
  return /^#{1,6}\s/.test(lines[0] ?? '') || linesOfUnderlined(lines) > 0;
}

/** How many lines a heading with a rule below (and above) it takes, or 0. */
function linesOfUnderlined(lines: readonly string[]): number {
  const rule = /^([=\-~^"'#*+`:.])\1{2,}\s*$/;
  if (rule.test(lines[1] ?? '')) return 2;
  return rule.test(lines[0] ?? '') && rule.test(lines[2] ?? '') ? 3 : 0;
}
