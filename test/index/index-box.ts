/** A project in a temporary folder and its index, and the whole content of an index as lines of text. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import type { FilePool } from '../../src/retrieval/code/parse-pool.ts';
import { scanProject } from '../../src/retrieval/code/scan.ts';
import { type BuildReport, buildIndex } from '../../src/retrieval/index/build-index.ts';
import { readPlaces, readPostings, readSearched, readVectors } from '../../src/retrieval/index/codec.ts';
import { indexPath, openForBuilding } from '../../src/retrieval/index/index-file.ts';
import { indexPool } from '../../src/retrieval/index/index-pool.ts';
import type { IndexedOutcome } from '../../src/retrieval/index/indexed-parts.ts';
import { type NodeRow, nodeColumns } from '../../src/retrieval/index/node-rows.ts';
import { nodeId } from '../../src/retrieval/index/nodes.ts';

export type Pool = FilePool<IndexedOutcome>;

export const newPool = (): Pool => indexPool(1);

export class IndexBox {
  readonly root: string;
  readonly #pool: Pool;

  constructor(pool: Pool, files: Readonly<Record<string, string | Uint8Array>> = {}) {
    this.root = realpathSync(mkdtempSync(path.join(tmpdir(), 'index-box-')));
    this.#pool = pool;
    for (const [file, text] of Object.entries(files)) this.write(file, text);
  }

  get indexFile(): string {
    return indexPath(this.root);
  }

  write(file: string, content: string | Uint8Array): void {
    mkdirSync(path.dirname(path.join(this.root, file)), { recursive: true });
    writeFileSync(path.join(this.root, file), content);
  }

  remove(file: string): void {
    rmSync(path.join(this.root, file), { recursive: true });
  }

  /** Brings the index up to date; `file` is another place for it. */
  async build(file: string = this.indexFile, signal?: AbortSignal, retry = false): Promise<BuildReport> {
    const listedAtMs = Date.now();
    const scanned = await scanProject(this.root, '/nonexistent');
    if (scanned.kind !== 'scanned') throw new Error(scanned.reason);
    const db = openForBuilding(file);
    try {
      return await buildIndex({
        db,
        scanned,
        pool: this.#pool,
        documents: { listed: new Map(), read: () => Promise.reject(new Error('no documents')) },
        force: false,
        retry,
        listedAtMs,
        now: Date.now,
        commit: '',
        ...(signal === undefined ? {} : { signal }),
      });
    } finally {
      db.close();
    }
  }

  /** The same files in an index made from nothing. */
  async freshContent(): Promise<readonly string[]> {
    const folder = mkdtempSync(path.join(tmpdir(), 'fresh-index-'));
    try {
      const file = path.join(folder, 'index.db');
      await this.build(file);
      return contentOf(file);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  content(): readonly string[] {
    return contentOf(this.indexFile);
  }

  files(): readonly string[] {
    return readdirSync(this.root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(this.root, path.join(entry.parentPath, entry.name)))
      .filter((file) => !file.startsWith('.neuralmind'))
      .sort();
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Everything that an index says of its project, without its own numbers and times, sorted. */
export function contentOf(file: string): readonly string[] {
  const db = new Database(file, { readonly: true });
  try {
    const lines: string[] = [];
    const ids = new Map<number, string>();
    const nodes = db.prepare<[], NodeRow>(`SELECT ${nodeColumns} FROM node LEFT JOIN file ON file.id = node.file`);
    for (const row of nodes.all()) {
      ids.set(row.id, nodeId(row));
      lines.push(
        `node ${nodeId(row)} ${row.kind} ${row.position} ${row.start_line}-${row.end_line} ${row.signature} ${row.summary}`,
      );
    }
    const edges = db.prepare<[], { source: number; kind: number; target: number; line: number; confidence: number }>(
      'SELECT * FROM edge',
    );
    for (const { source, kind, target, line, confidence } of edges.all()) {
      lines.push(`edge ${ids.get(source) ?? '?'} ${kind} ${ids.get(target) ?? '?'} ${line} ${confidence}`);
    }
    const files = db
      .prepare<
        [],
        Record<string, string | number | null> & {
          id: number;
          path: string;
          first_chunk: number;
          chunk_count: number;
          parsed: number;
        }
      >('SELECT * FROM file')
      .all();
    const pathOf = new Map(files.map((row) => [row.id, row.path]));
    const chunkNames = new Map<number, string>();
    for (const row of files) {
      const {
        path: name,
        directory,
        language,
        module,
        bytes,
        content_hash,
        interface_hash,
        lines: count,
        tokens,
        text_only,
      } = row;
      lines.push(
        `file ${JSON.stringify([name, directory, language, module, bytes, content_hash, interface_hash, count, tokens, text_only])}`,
      );
      for (let at = 0; at < row.chunk_count; at += 1) chunkNames.set(row.first_chunk + at, `${name}[${at}]`);
      const parts = db
        .prepare<[number], { searched: Uint8Array; rests: Uint8Array }>(
          'SELECT searched, rests FROM chunk_part WHERE parsed = ?',
        )
        .get(row.parsed);
      if (parts === undefined) throw new Error(`no parts of ${name}`);
      const searched = readSearched(parts.searched);
      const places = readPlaces(searched.places);
      lines.push(
        `places ${name} ${Object.values(places)
          .map((part: ArrayLike<number>) => Array.from(part).join(','))
          .join(' ')}`,
      );
      const { chunks, scales, leading } = readVectors(searched.vectors);
      const numbers = [chunks, scales].map((part) => part.join(','));
      const rows = [leading, parts.rests].map((part) => Buffer.from(part).toString('hex'));
      lines.push(`vectors ${[name, ...numbers, ...rows].join(' ')}`);
    }
    const postings = db.prepare<[], { term: string; data: Uint8Array }>('SELECT term, data FROM posting ORDER BY term');
    for (const { term, data } of postings.all()) {
      const { chunks, counts } = readPostings(data);
      chunks.forEach((chunk, at) => {
        const name = chunkNames.get(chunk);
        if (name !== undefined) lines.push(`posting ${term} ${name} ${counts[at]}`);
      });
    }
    for (const { source, target, count } of db
      .prepare<[], { source: number; target: number; count: number }>('SELECT * FROM file_edge')
      .all()) {
      lines.push(`between ${pathOf.get(source) ?? '?'} ${pathOf.get(target) ?? '?'} ${count}`);
    }
    for (const { question, subject, file: asker } of db
      .prepare<[], { question: number; subject: string; file: number }>(
        'SELECT question, text AS subject, file FROM asked JOIN subject ON subject.id = asked.subject',
      )
      .all()) {
      lines.push(`asked ${pathOf.get(asker) ?? '?'} ${question} ${subject}`);
    }
    for (const { name, file: holder, count } of db
      .prepare<[], { name: string; file: number; count: number }>('SELECT * FROM unresolved')
      .all()) {
      lines.push(`unresolved ${pathOf.get(holder) ?? '?'} ${name} ${count}`);
    }
    for (const row of db
      .prepare<[], { path: string; reason: string }>(
        'SELECT path, reason FROM skipped UNION ALL SELECT path, reason FROM unread',
      )
      .all()) {
      lines.push(`skipped ${row.path} ${row.reason}`);
    }
    return lines.sort();
  } finally {
    db.close();
  }
}
