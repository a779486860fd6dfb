/** Small projects written in a test: their symbols and edges as lines of text, in order. */
import { link } from '../../src/retrieval/code/link.ts';
import { type ParsedFile, parseFile } from '../../src/retrieval/code/parse-file.ts';
import {
  isConfigFile,
  type ProjectConfig,
  readProjectConfig,
} from '../../src/retrieval/code/resolve/project-config.ts';
import type { FileFacts } from '../../src/retrieval/code/symbol.ts';

export type Sources = Readonly<Record<string, string>>;

export async function factsOf(path: string, content: string | Uint8Array): Promise<FileFacts> {
  const parsed = await parsedOf(path, content);
  if (parsed.kind !== 'parsed') throw new Error(`${path} was skipped: ${parsed.reason}`);
  return parsed.facts;
}

export function parsedOf(path: string, content: string | Uint8Array): Promise<ParsedFile> {
  return parseFile(path, typeof content === 'string' ? new TextEncoder().encode(content) : content);
}

/** The symbols of a file, one a line: kind, qualified name, lines, and documentation where there is some. */
export function symbolLines(facts: FileFacts): string {
  return facts.symbols
    .map((symbol) => {
      const number = symbol.occurrence === 1 ? '' : `~${symbol.occurrence}`;
      const documentation = symbol.documentation === '' ? '' : ` "${symbol.documentation.replaceAll('\n', ' ')}"`;
      return `${symbol.kind} ${symbol.qualifiedName}${number} ${symbol.startLine}-${symbol.endLine}${documentation}`;
    })
    .join('\n');
}

export async function projectOf(
  sources: Sources,
): Promise<{ readonly facts: readonly FileFacts[]; readonly config: ProjectConfig }> {
  const facts: FileFacts[] = [];
  for (const [path, text] of Object.entries(sources)) {
    if (isConfigFile(path)) continue;
    facts.push(await factsOf(path, text));
  }
  return {
    facts,
    config: readProjectConfig(Object.keys(sources).filter(isConfigFile), (path) => sources[path] ?? null),
  };
}

/** Every edge but containment, sorted: `calls a.py#f -> b.py#g 0.97`. */
export async function edgeLines(sources: Sources): Promise<string> {
  const { facts, config } = await projectOf(sources);
  const lines = [...link(facts, config)].flatMap((file) =>
    file.edges
      .filter((edge) => edge.kind !== 'contains')
      .map((edge) => {
        const confidence = edge.confidence === 1 ? '' : ` ${edge.confidence}`;
        return `${edge.kind} ${short(edge.from)} -> ${short(edge.to)}${confidence}`;
      }),
  );
  return lines.sort().join('\n');
}

function short(id: string): string {
  return id.replace(/^(symbol|file):/, '');
}
