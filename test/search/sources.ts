/** Search sources made from texts, through the parsers that ship. */

import { link } from '../../src/retrieval/code/link.ts';
import { parseFile } from '../../src/retrieval/code/parse-file.ts';
import { emptyConfig } from '../../src/retrieval/code/resolve/project-config.ts';
import type { FileFacts } from '../../src/retrieval/code/symbol.ts';
import { lazyStatic } from '../../src/retrieval/embeddings/static.ts';
import { quantise } from '../../src/retrieval/index/index-text.ts';
import { fileTerms, vectorTexts } from '../../src/retrieval/search/file-terms.ts';
import { type MemoryFile, memorySource } from '../../src/retrieval/search/memory-source.ts';
import type { SearchSource } from '../../src/retrieval/search/source.ts';

const embedder = lazyStatic();

export async function factsOf(path: string, text: string): Promise<FileFacts> {
  const parsed = await parseFile(path, Buffer.from(text));
  if (parsed.kind === 'skipped') throw new Error(`${path} was skipped: ${parsed.reason}.`);
  return parsed.facts;
}

/** Files by path, in the order given. */
export async function sourceOf(texts: Readonly<Record<string, string>>): Promise<SearchSource> {
  const files: MemoryFile[] = [];
  for (const [path, text] of Object.entries(texts)) {
    const facts = await factsOf(path, text);
    const wanted = vectorTexts(facts, text);
    const made = await embedder.embed(wanted.map((one) => one.text));
    const rows = new Int8Array(made.length * embedder.dimensions);
    made.forEach((vector, index) => {
      quantise(vector, rows, index * embedder.dimensions);
    });
    const chunks = Uint32Array.from(wanted, ({ chunk }) => chunk);
    const vectors = { dimensions: embedder.dimensions, chunks, rows };
    files.push({ facts, terms: fileTerms(facts, text), vectors, tokens: Math.floor(text.length / 4) });
  }
  const edges = [
    ...link(
      files.map(({ facts }) => facts),
      emptyConfig,
    ),
  ].flatMap((linked) => linked.edges);
  return memorySource(files, { edges });
}

export async function vectorOf(question: string): Promise<Float32Array> {
  const [vector] = await embedder.embed([question]);
  if (vector === undefined) throw new Error('The embedder gave no vector.');
  return vector;
}
