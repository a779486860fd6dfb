/** Protocol buffers: packages, imports, messages, enums, services and their calls, nested as written. */
import type { FactsBuilder } from '../facts-builder.ts';
import type { SymbolKind } from '../symbol.ts';

const scalar =
  /^(double|float|u?int(32|64)|sint(32|64)|s?fixed(32|64)|bool|string|bytes|option|reserved|extensions|returns|oneof|map|repeated|optional|required|stream)$/;

export function readProto(facts: FactsBuilder): void {
  const masked = maskProto(facts.text);
  const open: { readonly index: number | null; readonly kind: string }[] = [];
  const token =
    /\bpackage\s+([\w.]+)\s*;|\bimport\s+(?:public\s+|weak\s+)?"([^"]+)"\s*;|\b(message|enum|service)\s+(\w+)\s*\{|\brpc\s+(\w+)\s*\(\s*(?:stream\s+)?([\w.]+)\s*\)\s*returns\s*\(\s*(?:stream\s+)?([\w.]+)\s*\)|\b(?:repeated\s+|optional\s+|required\s+)?([A-Za-z_][\w.]*)\s+(\w+)\s*=\s*\d+|[{}]/g;
  for (const match of masked.matchAll(token)) {
    const owner = open.findLast((one) => one.index !== null)?.index ?? null;
    if (match[1] !== undefined) facts.module = match[1];
    else if (match[2] !== undefined) {
      const isPublic = match[0].includes('public');
      facts.import(
        { specifier: match[2], imported: '*', local: null, exported: isPublic ? '*' : null, form: 'include' },
        match.index,
      );
    } else if (match[4] !== undefined) {
      const kind: SymbolKind = match[3] === 'message' ? 'message' : match[3] === 'enum' ? 'enum' : 'service';
      const start = match.index;
      const bodyStart = start + match[0].length - 1;
      const index = facts.declare({
        name: match[4],
        kind,
        span: { start, end: closingBrace(masked, bodyStart) },
        bodyStart,
        documentation: commentBefore(facts.text, start),
        parent: owner,
      });
      open.push({ index, kind });
    } else if (match[5] !== undefined) {
      const start = match.index;
      const after = /^\s*(;|\{)/.exec(masked.slice(start + match[0].length));
      const end =
        after?.[1] === '{'
          ? closingBrace(masked, masked.indexOf('{', start))
          : start + match[0].length + (after?.[0].length ?? 0);
      const index = facts.declare({
        name: match[5],
        kind: 'rpc',
        span: { start, end },
        documentation: commentBefore(facts.text, start),
        parent: owner,
      });
      for (const type of [match[6], match[7]]) if (type !== undefined) facts.refer('type', type, start, index);
    } else if (match[8] !== undefined) {
      if (!scalar.test(match[8]) && open.at(-1)?.kind !== 'enum') facts.refer('type', match[8], match.index, owner);
    } else if (match[0] === '{') open.push({ index: null, kind: 'block' });
    else open.pop();
  }
}

function closingBrace(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

function commentBefore(text: string, at: number): string {
  const match = /(?:^[ \t]*\/\/[^\n]*\n)+[ \t]*$/m.exec(text.slice(Math.max(0, at - 2_000), at));
  return match === null ? '' : match[0].replace(/^[ \t]*\/\/+[ \t]?/gm, '').trim();
}

function maskProto(text: string): string {
  return text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (match) => match.replace(/[^\n]/g, ' '));
}
