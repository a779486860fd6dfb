/**
 * OpenAPI and AsyncAPI descriptions: one symbol for each path with its method, each schema, each channel.
 *
 * The text is read by its indentation, key by key, which serves YAML and laid-out JSON alike and keeps the lines. What
 * does not fit gives no symbols and no error.
 */
import type { FactsBuilder } from '../facts-builder.ts';
import type { SymbolKind } from '../symbol.ts';

interface Key {
  readonly name: string;
  readonly value: string;
  readonly depth: number;
  readonly start: number;
  end: number;
  readonly path: readonly string[];
}

const methods: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

export function readApiDescription(facts: FactsBuilder): void {
  const keys = readKeys(facts);
  for (const key of keys) {
    const found = symbolOf(key);
    if (found === null) continue;
    facts.declare({
      name: found.name,
      kind: found.kind,
      span: { start: key.start, end: key.end },
      documentation: documentationOf(keys, key),
    });
  }
  for (const match of facts.text.matchAll(/\$ref["']?\s*:\s*["']?([^"'\s#]+)#?/g)) {
    const target = match[1];
    if (target !== undefined && !/^[a-z]+:/i.test(target)) {
      facts.import({ specifier: target, imported: null, local: null, form: 'include' }, match.index);
    }
  }
}

function symbolOf(key: Key): { readonly name: string; readonly kind: SymbolKind } | null {
  const [top, second] = key.path;
  const last = key.name;
  if (key.path.length === 2 && top === 'paths' && second !== undefined && methods.has(last.toLowerCase())) {
    return { name: `${last.toUpperCase()} ${second}`, kind: 'endpoint' };
  }
  if (key.path.length === 2 && top === 'components' && (second === 'schemas' || second === 'messages')) {
    return { name: last, kind: second === 'messages' ? 'message' : 'schema' };
  }
  if (key.path.length === 1 && top === 'definitions') return { name: last, kind: 'schema' };
  return key.path.length === 1 && top === 'channels' ? { name: last, kind: 'channel' } : null;
}

function documentationOf(keys: readonly Key[], owner: Key): string {
  const inside = keys.filter(
    (key) => key.start > owner.start && key.end <= owner.end && key.path.length === owner.path.length + 1,
  );
  return ['operationId', 'summary', 'description']
    .map((name) => inside.find((key) => key.name === name)?.value ?? '')
    .filter((value) => value !== '' && !/^[|>]/.test(value))
    .join('. ')
    .slice(0, 500);
}

function readKeys(facts: FactsBuilder): readonly Key[] {
  const { text, lines } = facts;
  const keys: Key[] = [];
  const open: Key[] = [];
  let isJson = false;
  for (let line = 1; line <= lines.count; line += 1) {
    const start = lines.startOf(line);
    const end = line === lines.count ? text.length : lines.startOf(line + 1);
    const content = text.slice(start, end).trimEnd();
    if (line === 1 && content.trim().startsWith('{')) isJson = true;
    const match = /^([ \t]*)(?:"([^"]+)"|'([^']+)'|([^\s"'#{}[\],-][^:#]*?|\/[^:]*?))\s*:(?:\s+(.*))?$/.exec(content);
    if (match === null) continue;
    const depth = match[1]?.length ?? 0;
    while ((open.at(-1)?.depth ?? -1) >= depth) close(open, start);
    const name = (match[2] ?? match[3] ?? match[4] ?? '').trim();
    const value = (match[5] ?? '')
      .replace(/,$/, '')
      .replace(/^["']|["']$/g, '')
      .trim();
    const key: Key = {
      name,
      value,
      depth,
      start: start + depth,
      end: text.length,
      path: open.map((above) => above.name),
    };
    keys.push(key);
    open.push(key);
  }
  while (open.length > 0) close(open, isJson ? text.lastIndexOf('}') : text.length);
  return keys;
}

function close(open: Key[], at: number): void {
  const key = open.pop();
  if (key !== undefined) key.end = Math.max(key.start + 1, at);
}
