/** What a search found, as it travels and as a context shows it. */
import path from 'node:path';
import { codeMindLimits } from '../../base/limits.ts';
import { counted } from '../../base/numbers.ts';
import { decodeText } from '../../retrieval/code/decode-text.ts';
import { readIfThere } from '../../retrieval/code/read-plain-file.ts';
import { fileId } from '../../retrieval/code/symbol.ts';
import type { ContextHit } from '../../retrieval/context/hit.ts';
import type { IndexView } from '../../retrieval/index/index-reader.ts';
import { asIndexed } from '../../retrieval/index/known-files.ts';
import type { RankedHit } from '../../retrieval/search/rank.ts';
import type { Hit } from './answers.ts';

/**
 * The `count` best hits of which no two are of one file or symbol: of the pieces of a file, the best. `search` is asked
 * for more only where pieces took the places of others.
 */
export function distinctHits(search: (count: number) => readonly RankedHit[], count: number): readonly RankedHit[] {
  for (let asked = count; ; asked *= 2) {
    const hits = search(asked);
    const first = new Map<string, RankedHit>();
    for (const hit of hits) if (!first.has(idOf(hit))) first.set(idOf(hit), hit);
    const isEnough = first.size >= count || first.size === hits.length || asked >= codeMindLimits.piecesMax;
    if (isEnough) return [...first.values()].slice(0, count);
  }
}

function idOf({ symbol, path: file }: RankedHit): string {
  return symbol?.id ?? fileId(file);
}

/** The declaration of what was found; of a part of a long definition, which it is a part of. */
function declarationOf({ symbol, kind, label, startLine, endLine }: RankedHit): {
  readonly signature: string;
  readonly summary: string;
} {
  if (symbol === null) return { signature: '', summary: '' };
  const isPart = startLine > symbol.startLine || endLine < symbol.endLine;
  if (!isPart) return { signature: symbol.signature, summary: symbol.summary };
  return { signature: '', summary: `a part of ${kind} ${label}, lines ${symbol.startLine}-${symbol.endLine}` };
}

export function wireHit(hit: RankedHit): Hit {
  const { why } = hit;
  return {
    id: idOf(hit),
    label: hit.label,
    file_type: isDocument(hit) ? 'document' : 'code',
    source_file: hit.path,
    score: round(hit.score),
    kind: hit.kind,
    start_line: hit.startLine,
    end_line: hit.endLine,
    ...declarationOf(hit),
    why: {
      ...(why.lexical.length === 0 ? {} : { lexical: why.lexical }),
      ...(why.vector === 0 ? {} : { vector: round(why.vector) }),
      ...(why.graph.length === 0 ? {} : { graph: why.graph }),
    },
  };
}

/** With `root`, documents show the text that was found. */
export function contextHit(view: IndexView, hit: RankedHit, root: string | null): ContextHit {
  const { symbol, why } = hit;
  const isProse = isDocument(hit);
  return {
    path: hit.path,
    startLine: hit.startLine,
    endLine: hit.endLine,
    kind: hit.kind,
    label: isProse && symbol !== null ? symbol.name : hit.label,
    ...(isProse ? { signature: '', summary: '' } : declarationOf(hit)),
    snippet: isProse && root !== null ? snippetOf(view, hit, root) : '',
    score: hit.score,
    why: [
      ...(why.lexical.length === 0 ? [] : [why.lexical.slice(0, 3).join(' ')]),
      ...(why.vector === 0 ? [] : ['meaning']),
      ...(why.graph.length === 0 ? [] : ['graph']),
      ...(hit.copies === 0 ? [] : [counted(hit.copies, 'copy', 'copies')]),
    ],
    community: view.search.files.get(hit.file)?.community ?? 0,
    isTest: hit.role === 'test',
    fileType: isProse ? 'docs' : 'code',
  };
}

function isDocument(hit: RankedHit): boolean {
  return hit.role === 'document' || hit.role === 'history' || hit.kind === 'section';
}

/** The lines of a hit; empty when the file is no longer what was indexed, since its lines would be others. */
function snippetOf(view: IndexView, hit: RankedHit, root: string): string {
  const find = view.db.prepare<[number], { parsed: number; language: string }>(
    'SELECT parsed, language FROM file WHERE id = ?',
  );
  const file = find.get(hit.file);
  if (file === undefined) return '';
  // No other kind of file keeps its text, and to look for it means to unpack all that is known of the file.
  const kept = file.language === 'text' ? view.parts.stored(file.parsed).text : undefined;
  const text = kept ?? textNow(view, root, hit.path);
  const lines = text.split(/\r\n?|\n/).slice(hit.startLine - 1, hit.endLine);
  return lines.join(' ').replace(/\s+/g, ' ').trim().slice(0, codeMindLimits.snippetCharsMax);
}

function textNow(view: IndexView, root: string, file: string): string {
  if (!asIndexed(view.db, root)(file)) return '';
  const bytes = readIfThere(path.join(root, file));
  const decoded = bytes === null ? null : decodeText(bytes);
  // Gone or closed in this moment: the answer says that the index is stale.
  return decoded?.kind === 'text' ? decoded.text : '';
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}
