/**
 * A document as facts, so that it is indexed like any file of the project.
 *
 * Markdown gives what it gives as a file of the project: sections by heading. Plain text has sections where a heading
 * is underlined, as in reStructuredText and AsciiDoc; a PDF has its pages. Lines count in the text that was read; of a
 * PDF that is the text of all pages.
 */
import { documentLimits } from '../../base/limits.ts';
import { FactsBuilder } from '../code/facts-builder.ts';
import { readMarkdown } from '../code/markdown.ts';
import type { FileFacts } from '../code/symbol.ts';
import { cutDocument, type Stretch } from './cut-document.ts';
import type { ParsedDocument } from './document.ts';

export function documentFacts(path: string, document: ParsedDocument): FileFacts {
  const { text, contentHash } = document;
  const isMarkdown = document.kind === 'markdown' && !hasTooManyHeadings(text);
  const facts = new FactsBuilder(path, isMarkdown ? 'markdown' : 'text', text);
  if (isMarkdown) {
    readMarkdown(facts);
    return facts.finish(contentHash);
  }
  const stretches = document.pages === null ? readHeadings(facts) : readPages(facts, document.pages);
  return { ...facts.finish(contentHash), chunks: cutDocument(text, facts.lines, stretches) };
}

function hasTooManyHeadings(text: string): boolean {
  let count = 0;
  for (const _ of text.matchAll(/^ {0,3}(#|=+[ \t]*$|--+[ \t]*$)/gm)) {
    count += 1;
    if (count > documentLimits.headingsMax) return true;
  }
  return false;
}

function readPages(facts: FactsBuilder, pages: readonly number[]): readonly Stretch[] {
  return pages.flatMap((start, at) => {
    const end = start + facts.text.slice(start, pages[at + 1]).trimEnd().length;
    if (end === start) return [];
    const span = { start, end };
    const symbol = facts.declare({ name: `page ${at + 1}`, kind: 'section', span, bodyStart: start, parent: null });
    return [{ start, end, symbol }];
  });
}

interface Heading {
  readonly name: string;
  readonly start: number;
  /** From 0, by the order in which the marks first appear. */
  readonly level: number;
}

function readHeadings(facts: FactsBuilder): readonly Stretch[] {
  const { text } = facts;
  const headings = underlinedHeadings(facts);
  const ends = sectionEnds(headings, text.length);
  const open: { readonly level: number; readonly symbol: number }[] = [];
  const stretches: Stretch[] = [{ start: 0, end: headings[0]?.start ?? text.length, symbol: null }];
  headings.forEach((heading, at) => {
    while ((open.at(-1)?.level ?? -1) >= heading.level) open.pop();
    const symbol = facts.declare({
      name: heading.name,
      kind: 'section',
      span: { start: heading.start, end: ends[at] ?? text.length },
      bodyStart: heading.start + heading.name.length,
      parent: open.at(-1)?.symbol ?? null,
    });
    open.push({ level: heading.level, symbol });
    stretches.push({ start: heading.start, end: headings[at + 1]?.start ?? text.length, symbol });
  });
  return stretches;
}

/** Where each section ends: at the next heading of its level or a higher one. */
function sectionEnds(headings: readonly Heading[], textEnd: number): readonly number[] {
  const ends: number[] = headings.map(() => textEnd);
  const open: number[] = [];
  headings.forEach((heading, at) => {
    for (let last = open.at(-1); last !== undefined && (headings[last]?.level ?? 0) >= heading.level; ) {
      ends[last] = heading.start;
      open.pop();
      last = open.at(-1);
    }
    open.push(at);
  });
  return ends;
}

/** A line with a line of one repeated mark below it that is as long, and above it an empty line or such a mark. */
function underlinedHeadings(facts: FactsBuilder): readonly Heading[] {
  const { text, lines } = facts;
  const endOf = (line: number): number => (line < lines.count ? lines.startOf(line + 1) : text.length);
  const lineAt = (line: number): string => text.slice(lines.startOf(line), endOf(line)).trimEnd();
  const marks: string[] = [];
  const found: Heading[] = [];
  for (let line = 1; line < lines.count && found.length <= documentLimits.headingsMax; line += 1) {
    const name = lineAt(line);
    const mark = /^([=\-~^#*"'`+])\1{2,}$/.exec(lineAt(line + 1))?.[1];
    if (mark === undefined || !/^\S/.test(name) || !/[\p{L}\p{N}]/u.test(name)) continue;
    if (lineAt(line + 1).length < name.length || name.length > headingCharsMax) continue;
    const before = line === 1 ? '' : lineAt(line - 1);
    if (before !== '' && !/^([=\-~^#*"'`+])\1{2,}$/.test(before)) continue;
    if (!marks.includes(mark)) marks.push(mark);
    found.push({ name, start: lines.startOf(line), level: marks.indexOf(mark) });
  }
  return found.length > documentLimits.headingsMax ? [] : found;
}

const headingCharsMax = 200;
