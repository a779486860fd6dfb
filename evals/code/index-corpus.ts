/** A corpus as the rankings read it: parsed, linked and indexed in memory. Nothing is written into it or beside it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { decodeText } from '../../src/retrieval/code/decode-text.ts';
import { type Edge, link } from '../../src/retrieval/code/link.ts';
import { ParsePool } from '../../src/retrieval/code/parse-pool.ts';
import { readProjectConfig } from '../../src/retrieval/code/resolve/project-config.ts';
import { scanProject } from '../../src/retrieval/code/scan.ts';
import type { FileFacts } from '../../src/retrieval/code/symbol.ts';
import { lazyStatic } from '../../src/retrieval/embeddings/static.ts';
import { quantise } from '../../src/retrieval/index/index-text.ts';
import { fileTerms, vectorTexts } from '../../src/retrieval/search/file-terms.ts';
import { type MemoryFile, memorySource } from '../../src/retrieval/search/memory-source.ts';
import type { SearchSource } from '../../src/retrieval/search/source.ts';
import type { VectorRows } from '../../src/retrieval/search/vector-rows.ts';

export interface ReadFile {
  readonly facts: FileFacts;
  readonly text: string;
}

export interface ReadCorpus {
  readonly root: string;
  /** Sorted by path. */
  readonly files: readonly ReadFile[];
  /** The texts that say how modules map to files, by path. */
  readonly config: ReadonlyMap<string, string>;
}

export interface IndexedCorpus extends ReadCorpus {
  readonly source: SearchSource;
}

const embedder = lazyStatic();

export async function readCorpus(root: string): Promise<ReadCorpus> {
  const scan = await scanProject(root);
  if (scan.kind === 'refused') throw new Error(`${root} cannot be read: ${scan.reason}.`);
  const pool = new ParsePool();
  const files: ReadFile[] = [];
  try {
    for await (const { path: file, outcome } of pool.parseAll(
      scan.root,
      scan.files.map((one) => one.path),
    )) {
      if (outcome.kind === 'failed') throw new Error(`${file} could not be parsed: ${outcome.reason}.`);
      if (outcome.kind === 'skipped') continue;
      const decoded = decodeText(readFileSync(path.join(scan.root, file)));
      if (decoded.kind === 'binary') throw new Error(`${file} was parsed and is no text.`);
      files.push({ facts: outcome.facts, text: decoded.text });
    }
  } finally {
    await pool.close();
  }
  const config = new Map(scan.configFiles.map((file) => [file, readFileSync(path.join(scan.root, file), 'utf8')]));
  return { root: scan.root, files: files.sort((a, b) => (a.facts.path < b.facts.path ? -1 : 1)), config };
}

export async function indexCorpus(corpus: ReadCorpus): Promise<IndexedCorpus> {
  const files: MemoryFile[] = [];
  for (const { facts, text } of corpus.files) {
    files.push({
      facts,
      terms: fileTerms(facts, text),
      vectors: await vectorsOf(facts, text),
      tokens: Math.floor(text.length / 4),
    });
  }
  return { ...corpus, source: memorySource(files, { edges: edgesOf(corpus) }) };
}

async function vectorsOf(facts: FileFacts, text: string): Promise<VectorRows> {
  const wanted = vectorTexts(facts, text);
  const vectors = await embedder.embed(wanted.map((one) => one.text));
  const { dimensions } = embedder;
  const rows = new Int8Array(vectors.length * dimensions);
  vectors.forEach((vector, index) => {
    quantise(vector, rows, index * dimensions);
  });
  return { dimensions, chunks: Uint32Array.from(wanted, (one) => one.chunk), rows };
}

function* edgesOf(corpus: ReadCorpus): Generator<Edge> {
  const config = readProjectConfig([...corpus.config.keys()], (file) => corpus.config.get(file) ?? null);
  for (const linked of link(
    corpus.files.map((file) => file.facts),
    config,
  ))
    yield* linked.edges;
}

export async function queryVector(question: string): Promise<Float32Array> {
  const [vector] = await embedder.embed([question]);
  if (vector === undefined) throw new Error('The embedder gave no vector.');
  return vector;
}
