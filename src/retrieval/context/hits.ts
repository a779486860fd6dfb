/**
 * Layer L3: the places to look at, the best first, one a line.
 *
 *     src/server/edge.ts:12-40 function checkHost(host: string): boolean — Whether a request … (name, meaning)
 *
 * The line must do for the choice of a file to open: where it is, what it is called and takes, what it is for. A
 * declaration that begins with the name is not repeated but continues the name.
 */
import { contextLimits } from '../../base/limits.ts';
import type { ContextHit } from './hit.ts';
import { fitLayer, heading, type Layer, line } from './layer.ts';
import { oneLine, onePath } from './one-line.ts';

/** `brief` leaves out declaration and summary, for budgets that hold only a few lines. */
export type HitForm = 'whole' | 'brief';

export function hitsLayer(hits: readonly ContextHit[], form: HitForm, tokensMax: number): Layer {
  const shown = hits.slice(0, contextLimits.hitsMax);
  if (shown.length === 0) return fitLayer([], tokensMax);
  return fitLayer([heading('Where to look:'), ...shown.map((hit) => line(hitLine(hit, form)))], tokensMax);
}

export function hitLine(hit: ContextHit, form: HitForm): string {
  const why =
    hit.why.length === 0 || form === 'brief' ? '' : ` (${hit.why.map((word) => oneLine(word, 20)).join(', ')})`;
  if (form === 'brief') return placeLine(hit);
  if (hit.fileType === 'docs') return `${placeLine(hit)}${dashed(hit.snippet, contextLimits.snippetCharsMax)}${why}`;
  const rest = parametersOf(hit);
  const signature =
    rest ?? (hit.signature === '' ? '' : ` — ${oneLine(hit.signature, contextLimits.signatureCharsMax)}`);
  return `${placeLine(hit)}${signature}${dashed(hit.summary, contextLimits.summaryCharsMax)}${why}`;
}

/** `path:start-end kind label`. */
export function placeLine(hit: ContextHit): string {
  const lines = hit.endLine > hit.startLine ? `${hit.startLine}-${hit.endLine}` : `${hit.startLine}`;
  // A path is what the reader needs to open the file: it is shown whole.
  return `${onePath(hit.path)}:${lines} ${oneLine(hit.kind, 20)} ${oneLine(hit.label, contextLimits.labelCharsMax)}`;
}

/** What follows the name in the declaration: `(host: string): boolean`. Null when the name is not in it. */
function parametersOf(hit: ContextHit): string | null {
  const end = endOfWord(hit.signature, hit.label.slice(hit.label.lastIndexOf('.') + 1));
  if (end === -1) return null;
  // A list that was written on several lines has spaces inside its brackets.
  const after = hit.signature.slice(end);
  const tight = after.replace(/([([]) +|,? +([)\]])/g, '$1$2');
  const rest = oneLine(tight, contextLimits.signatureCharsMax).replace(/\s*[{:=;]+$/, '');
  // `type IP []byte`: what follows a name without being its parameters keeps its space.
  const isTied = /^[(<[:,;.]/.test(rest) && !/^ \[/.test(after);
  return rest === '' || isTied ? rest : ` ${rest}`;
}

/** Where the first occurrence of `word` as a whole word ends, or -1. */
function endOfWord(text: string, word: string): number {
  if (word === '') return -1;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    if (!isWord(text[at - 1]) && !isWord(text[end])) return end;
  }
  return -1;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
}

function dashed(text: string, charsMax: number): string {
  const shown = oneLine(text, charsMax);
  return shown === '' ? '' : ` — ${shown}`;
}
