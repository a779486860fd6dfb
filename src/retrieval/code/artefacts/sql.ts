/** SQL: what a script creates, and the tables and views it refers to. Every dialect's names, no dialect's grammar. */
import type { FactsBuilder } from '../facts-builder.ts';
import type { SymbolKind } from '../symbol.ts';

const kinds: Readonly<Record<string, SymbolKind>> = {
  table: 'table',
  view: 'view',
  index: 'index',
  function: 'function',
  procedure: 'function',
  trigger: 'trigger',
  type: 'type',
  schema: 'namespace',
  sequence: 'variable',
  domain: 'type',
};
const part = '(?:"[^"]+"|`[^`]+`|\\[[^\\]]+\\]|[\\p{L}_][\\p{L}\\p{N}_$]*)';
const name = `${part}(?:\\s*\\.\\s*${part})*`;

export function readSql(facts: FactsBuilder): void {
  const masked = maskSql(facts.text);
  const creation = new RegExp(
    `\\bcreate\\s+(?:or\\s+replace\\s+|or\\s+alter\\s+|global\\s+|local\\s+|temporary\\s+|temp\\s+|unlogged\\s+|unique\\s+|materialized\\s+|recursive\\s+|virtual\\s+)*(table|view|index|function|procedure|trigger|type|schema|sequence|domain)\\s+(?:concurrently\\s+)?(?:if\\s+not\\s+exists\\s+)?(${name})`,
    'giu',
  );
  const found = [...masked.matchAll(creation)];
  found.forEach((match, at) => {
    const kind = kinds[(match[1] ?? '').toLowerCase()];
    if (kind === undefined) return;
    const next = found[at + 1]?.index ?? masked.length;
    const schema = plainName(match[2] ?? '')
      .split('.')
      .slice(0, -1)
      .join('.');
    const end = endOf(masked, match.index, next, kind);
    const index = facts.declare({
      name: lastPart(match[2] ?? ''),
      ...(schema === '' ? {} : { owner: schema }),
      kind,
      span: { start: match.index, end },
      documentation: commentBefore(facts.text, match.index),
    });
    const body = masked.slice(match.index + match[0].length, end);
    for (const use of body.matchAll(new RegExp(`\\b(?:references|from|join|on|into|update)\\s+(${name})`, 'giu'))) {
      facts.refer('reference', lastPart(use[1] ?? ''), match.index + match[0].length + use.index, index);
    }
  });
}

function endOf(masked: string, start: number, next: number, kind: SymbolKind): number {
  const text = masked.slice(start, next);
  const hasBody = (kind === 'function' || kind === 'trigger') && /\bbegin\b/i.test(text);
  const last = hasBody ? text.search(/\bend\s*[\w]*\s*;(?![\s\S]*\bend\s*[\w]*\s*;)/i) : -1;
  const stop = text.indexOf(';', Math.max(last, 0));
  return stop === -1 ? start + text.trimEnd().length : start + stop + 1;
}

/** Quotes gone, dots kept: names are compared without regard to how they are quoted. */
function plainName(text: string): string {
  return text.replace(/["`[\]]/g, '').replace(/\s*\.\s*/g, '.');
}

function lastPart(text: string): string {
  return plainName(text).split('.').at(-1) ?? '';
}

function commentBefore(text: string, at: number): string {
  const match = /(?:^[ \t]*--[^\n]*\n)+[ \t]*$/m.exec(text.slice(Math.max(0, at - 2_000), at));
  return match === null ? '' : match[0].replace(/^[ \t]*--+[ \t]?/gm, '').trim();
}

/** Comments, strings and dollar-quoted bodies as blanks of the same length, so that offsets stay. */
function maskSql(text: string): string {
  return text.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$/g, (match) =>
    match.replace(/[^\n]/g, ' '),
  );
}
