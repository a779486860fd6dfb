/**
 * What a file says of itself before its first line of code: the docstring or the comments at its top, without marks and
 * without the licence. For documents it is the first paragraphs.
 */
import { searchLimits } from '../../base/limits.ts';
import type { FileFacts, Language } from '../code/symbol.ts';

const licence = /copyright|licen[sc]e|all rights reserved|spdx|permission is hereby|warrant(y|ies)/i;
/** Lines that may stand before or between comments and say nothing. */
const silent =
  /^(#!.*|#\s*-\*-.*-\*-\s*|#\s*(en)?coding[:=].*|['"]use strict['"];?|<\?php|package\s+[\w.]+;?|(\/\/|#)\s*(@ts-\w+|eslint|biome|type:|pylint|go:build|\+build).*)$/;
const documents: ReadonlySet<Language> = new Set(['markdown', 'text', 'notebook']);
const hash: ReadonlySet<Language> = new Set(['python', 'ruby', 'bash', 'php', 'text']);
/** Far enough for any licence and what follows it. */
const searchedCharsMax = 8_000;

/** At most `leadingDocumentationCharsMax` characters, on several lines. Empty when the file begins with code. */
export function leadingDocumentation(facts: Pick<FileFacts, 'language'>, text: string): string {
  const top = text.slice(0, searchedCharsMax);
  const blocks = documents.has(facts.language) ? top.split(/\n\s*\n/).slice(0, 3) : commentBlocks(top, facts.language);
  return blocks
    .filter((block) => !licence.test(block))
    .join('\n')
    .slice(0, searchLimits.leadingDocumentationCharsMax)
    .trim();
}

/** Comments at the top, cut at empty lines and where one kind of comment ends. */
function commentBlocks(top: string, language: Language): readonly string[] {
  const blocks: string[] = [];
  let block: string[] = [];
  let closing: string | null = null;
  const finish = (): void => {
    if (block.length > 0) blocks.push(block.join('\n'));
    block = [];
  };
  for (const raw of top.split('\n')) {
    const line = raw.trim();
    if (closing !== null) {
      const end = line.indexOf(closing);
      block.push((end === -1 ? line : line.slice(0, end)).replace(/^\*+\s?/, ''));
      if (end === -1) continue;
      closing = null;
      finish();
      continue;
    }
    if (line === '') finish();
    else if (silent.test(line)) continue;
    else if (line.startsWith('//')) block.push(line.replace(/^\/\/[/!]?\s?/, ''));
    else if (line.startsWith('#') && hash.has(language)) block.push(line.replace(/^#+\s?/, ''));
    else {
      const opening = openingOf(line, language);
      if (opening === null) break;
      finish();
      const rest = line.slice(opening.length);
      const end = rest.indexOf(opening.closing);
      block.push(end === -1 ? rest : rest.slice(0, end));
      if (end === -1) closing = opening.closing;
      else finish();
    }
  }
  finish();
  return blocks;
}

function openingOf(line: string, language: Language): { readonly length: number; readonly closing: string } | null {
  if (line.startsWith('/*')) return { length: /^\/\*+!?/.exec(line)?.[0].length ?? 2, closing: '*/' };
  if (language === 'vue' || language === 'svelte') {
    return line.startsWith('<!--') ? { length: 4, closing: '-->' } : null;
  }
  if (language !== 'python') return null;
  const quotes = /^[rRuUbB]?("""|''')/.exec(line);
  return quotes === null ? null : { length: quotes[0].length, closing: quotes[1] ?? '"""' };
}
