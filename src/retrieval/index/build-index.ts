/**
 * Brings the index of a project to the state of its files: the first time from nothing, later by what changed.
 *
 * All of it is one transaction of the database, so a reader sees the state before or the state after, and an ended
 * process leaves the state before. What a build finds is a function of the files alone: an index that was brought up
 * to date equals one that was made anew.
 */
import { hash } from 'node:crypto';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { codeLimits, indexLimits } from '../../base/limits.ts';
import { readRegularFile } from '../../base/regular-file.ts';
import { type LinkedFile, linkFile } from '../code/link.ts';
import { type ProjectConfig, readProjectConfig } from '../code/resolve/project-config.ts';
import { memoryView, type ProjectView } from '../code/resolve/project-view.ts';
import type { SkippedPath } from '../code/scan.ts';
import type { FileFacts } from '../code/symbol.ts';
import { Changes, type VisibleFile, visibleFile } from './affected-files.ts';
import { readPlaces } from './codec.ts';
import { type BuildFacts, readBuildFacts, writeBuildFacts } from './counters.ts';
import type { StoredFacts } from './facts-codec.ts';
import { FileRows } from './file-rows.ts';
import type { IndexedParts } from './indexed-parts.ts';
import {
  type ChangedFile,
  type Comparison,
  compareFiles,
  type KnownFile,
  knownFiles,
  type ReadSkip,
} from './known-files.ts';
import { LinkWriter } from './link-writer.ts';
import { Nodes } from './nodes.ts';
import { PartsStore } from './parts-store.ts';
import { type ReadSources, readChanged } from './read-changed.ts';
import { withRecovered } from './recovered-files.ts';
import { lookups, withoutLookups } from './schema.ts';
import { isJoiningDue, joinSegments, SegmentWriter } from './segments.ts';
import { storedView } from './stored-view.ts';
import { withDocuments } from './with-documents.ts';
import { writeCommunities } from './write-communities.ts';

export interface BuildProgress {
  readonly phase: 'read' | 'link';
  readonly done: number;
  readonly total: number;
}

export interface BuildOptions extends ReadSources {
  readonly db: Database.Database;
  /** Everything is read and written anew. */
  readonly force: boolean;
  /** Files that ended their thread or took too long are tried once more, though they are as they were. */
  readonly retry?: boolean;
  /** When the listing began, in ms since 1970. */
  readonly listedAtMs: number;
  /** The time at the end of the build, in ms since 1970. */
  readonly now: () => number;
  /** The commit that is checked out, or empty. */
  readonly commit: string;
  readonly onProgress?: (progress: BuildProgress) => void;
}

export interface BuildReport {
  /** Whether anything was written. */
  readonly changed: boolean;
  readonly filesRead: number;
  readonly filesReused: number;
  readonly filesRemoved: number;
  readonly filesLinked: number;
  readonly filesSame: number;
  readonly nodesAdded: number;
  readonly nodesRemoved: number;
  readonly durationMs: number;
}

/** Rejects with the reason of `signal` when it is aborted; then nothing is written. */
export async function buildIndex(options: BuildOptions): Promise<BuildReport> {
  const { db, scanned, signal } = options;
  const started = performance.now();
  const files = withDocuments(scanned.root, scanned.files, options.documents.listed.keys());
  const known = options.force ? new Map<string, KnownFile>() : knownFiles(db);
  const compared = await compareFiles(scanned.root, files, known, signal);
  const comparison = options.retry ? await withRecovered(compared, files, known, options) : compared;
  const read = (file: string): string | null => readTextIfThere(path.join(scanned.root, file));
  const configHash = hashOfFiles(scanned.configFiles, read);
  const facts = readBuildFacts(db);
  const isSameList = sameSkipped(db, othersSkipped(scanned.skipped));
  const isSame =
    !options.force &&
    comparison.changed.length === 0 &&
    comparison.gone.length === 0 &&
    comparison.touched.length === 0 &&
    configHash === facts.configHash &&
    isSameList;
  if (isSame) return unchanged(comparison.same, performance.now() - started);
  const config = readProjectConfig(scanned.configFiles, read);
  db.exec('BEGIN IMMEDIATE');
  try {
    if (options.force) emptyTables(db);
    const update = new Update(options, comparison, { config, configHash, before: facts });
    const report = await update.run(started);
    db.exec('COMMIT');
    return report;
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function unchanged(filesSame: number, durationMs: number): BuildReport {
  return {
    changed: false,
    filesRead: 0,
    filesReused: 0,
    filesRemoved: 0,
    filesLinked: 0,
    filesSame,
    nodesAdded: 0,
    nodesRemoved: 0,
    durationMs,
  };
}

/** What a build found before it began to write. */
interface UpdateFacts {
  readonly config: ProjectConfig;
  /** Of the files that `config` was read from. */
  readonly configHash: string;
  readonly before: BuildFacts;
}

/** One run of a build, inside its transaction. */
class Update {
  readonly #options: BuildOptions;
  readonly #comparison: Comparison;
  readonly #config: ProjectConfig;
  readonly #configHash: string;
  readonly #linkAll: boolean;
  readonly #db: Database.Database;
  readonly #parts: PartsStore;
  readonly #nodes: Nodes;
  readonly #links: LinkWriter;
  readonly #segments: SegmentWriter;
  readonly #changes = new Changes();
  readonly #generation: number;
  readonly #fresh = new Map<string, FileFacts>();
  readonly #freshIds = new Map<number, string>();
  readonly #isFirst: boolean;
  readonly #rows: FileRows;
  #nextChunk: number;
  #turnEnds = performance.now() + indexLimits.turnMs;
  #filesRead = 0;
  #filesReused = 0;
  #read = 0;

  constructor(options: BuildOptions, comparison: Comparison, { config, configHash, before }: UpdateFacts) {
    const { db, force } = options;
    this.#options = options;
    this.#comparison = comparison;
    this.#config = config;
    this.#configHash = configHash;
    this.#linkAll = force || configHash !== before.configHash;
    this.#db = db;
    this.#parts = new PartsStore(db);
    this.#isFirst = db.prepare('SELECT 1 FROM file LIMIT 1').get() === undefined;
    this.#nodes = new Nodes(db, this.#isFirst);
    this.#links = new LinkWriter(db, this.#nodes, this.#isFirst);
    this.#rows = new FileRows(db);
    this.#segments = new SegmentWriter(db, before.nextSegment);
    this.#generation = before.generation + 1;
    this.#nextChunk = before.nextChunk;
  }

  async run(started: number): Promise<BuildReport> {
    const { gone, touched, same } = this.#comparison;
    if (this.#isFirst) this.#db.exec(withoutLookups);
    for (const known of gone) this.#remove(known.id, known.path);
    await this.#readChanged();
    this.#segments.flush();
    for (const { known, now } of touched) this.#rows.touch(known.id, now, this.#options.listedAtMs);
    this.#writeSkipped();
    const linked = await this.#link();
    if (this.#isFirst) this.#db.exec(lookups);
    this.#nodes.dropUntouched();
    if (!this.#isFirst) this.#links.dropUnasked();
    if (this.#links.tiesChanged || gone.length > 0) writeCommunities(this.#db, this.#generation);
    this.#parts.dropUnused();
    let nextSegment = this.#segments.nextSegment;
    let nextChunk = this.#nextChunk;
    if (isJoiningDue(this.#db, nextChunk)) {
      nextChunk = joinSegments(this.#db, nextChunk, nextSegment);
      nextSegment += 1;
      this.#db.prepare('UPDATE file SET generation = ?').run(this.#generation);
    }
    const durationMs = performance.now() - started;
    writeBuildFacts(this.#db, {
      generation: this.#generation,
      nextChunk,
      nextSegment,
      configHash: this.#configHash,
      builtAtMs: this.#options.now(),
      commit: this.#options.commit,
      durationMs,
    });
    return {
      changed: true,
      filesRead: this.#filesRead,
      filesReused: this.#filesReused,
      filesRemoved: gone.filter((one) => one.id !== null).length,
      filesLinked: linked,
      filesSame: same + touched.length,
      nodesAdded: this.#nodes.counts.added,
      nodesRemoved: this.#nodes.counts.removed,
      durationMs,
    };
  }

  async #readChanged(): Promise<void> {
    const { changed } = this.#comparison;
    for await (const file of readChanged(changed, this.#options, this.#parts, this.#generation)) {
      if (file.kind === 'left-out') this.#leaveOut(file.change, file.reason, file.contentHash);
      else {
        this.#put(file.change, file.stored, file.parsed, file.parts);
        if (file.kind === 'read') this.#filesRead += 1;
        else this.#filesReused += 1;
      }
      this.#advance();
      await this.#breathe();
    }
  }

  #put(change: ChangedFile, stored: StoredFacts, parsed: number, parts: IndexedParts): void {
    const { facts } = stored;
    const known = change.known;
    const before = known?.id == null ? null : this.#visible(known.id, known.path);
    const chunkCount = readPlaces(parts.places).symbol.length;
    const id = this.#rows.put({
      file: change.file,
      id: known?.id ?? null,
      stored,
      parsed,
      firstChunk: this.#nextChunk,
      chunkCount,
      readMs: this.#options.listedAtMs,
      generation: this.#generation,
    });
    if (known?.id != null) this.#links.drop(id);
    if (!this.#isFirst) this.#rows.forgetUnread(facts.path);
    this.#segments.addFile(parts.terms, this.#nextChunk);
    this.#nextChunk += chunkCount;
    this.#nodes.put(id, facts);
    this.#changes.add(before, visibleFile(facts));
    this.#fresh.set(facts.path, facts);
    this.#freshIds.set(id, facts.path);
  }

  /** A file that gave nothing is remembered with the reason, so that it is not read again while it stays the same. */
  #leaveOut({ file, known }: ChangedFile, reason: ReadSkip, contentHash: string): void {
    if (known?.id != null) this.#remove(known.id, known.path);
    this.#rows.leaveOut(file, reason, contentHash, this.#options.listedAtMs);
  }

  #remove(id: number | null, file: string): void {
    if (id === null) {
      this.#rows.forgetUnread(file);
      return;
    }
    this.#changes.add(this.#visible(id, file), null);
    this.#links.drop(id);
    this.#nodes.drop(id, file);
    this.#db.prepare('DELETE FROM file_edge WHERE target = ?').run(id);
    this.#db.prepare('DELETE FROM file WHERE id = ?').run(id);
  }

  #visible(id: number, file: string): VisibleFile {
    const row = this.#db
      .prepare<[number], { interface_hash: string; module: string | null }>(
        'SELECT interface_hash, module FROM file WHERE id = ?',
      )
      .get(id);
    if (row === undefined) throw new Error('The index lost a file during a build.');
    const counts = this.#db
      .prepare<[number], { name: string; count: number }>(
        'SELECT name, COUNT(*) AS count FROM node WHERE file = ? AND position >= 0 GROUP BY name',
      )
      .all(id);
    return {
      path: file,
      interfaceHash: row.interface_hash,
      module: row.module,
      names: new Map(counts.map(({ name, count }) => [name, count])),
    };
  }

  /** Links what changed and whoever asked about it. */
  async #link(): Promise<number> {
    const affected = new Map(this.#freshIds);
    const pathOf = this.#db.prepare<[number], string>('SELECT path FROM file WHERE id = ?').pluck();
    const wanted = this.#linkAll
      ? this.#db.prepare<[], number>('SELECT id FROM file').pluck().all()
      : this.#changes.files(this.#db);
    for (const id of wanted) {
      const file = affected.get(id) ?? pathOf.get(id);
      if (file !== undefined) affected.set(id, file);
    }
    if (affected.size === 0) return 0;
    const view = this.#view(affected.size);
    let done = 0;
    // In the order of their paths, so that nothing depends on which file a thread finished first.
    for (const [id, file] of [...affected].sort((a, b) => (a[1] < b[1] ? -1 : 1))) {
      const facts = view.facts(file);
      if (facts === undefined) throw new Error('The index lost the facts of a file.');
      const linked: LinkedFile = linkFile(facts, view);
      this.#links.drop(id);
      this.#links.write(id, linked);
      done += 1;
      this.#options.onProgress?.({ phase: 'link', done, total: affected.size });
      await this.#breathe();
    }
    return affected.size;
  }

  /** When much has changed, holding all facts is faster than asking the tables; the answers are the same. */
  #view(affected: number): ProjectView {
    const files = this.#db.prepare<[], { path: string; parsed: number }>('SELECT path, parsed FROM file').all();
    if (affected < files.length * indexLimits.linkAllShare) {
      return storedView(this.#db, this.#parts, this.#config, this.#fresh);
    }
    const all = files.map(({ path: file, parsed }) => this.#fresh.get(file) ?? this.#parts.outline(parsed).facts);
    return memoryView(all, this.#config);
  }

  #writeSkipped(): void {
    this.#db.exec('DELETE FROM skipped');
    const put = this.#db.prepare('INSERT OR REPLACE INTO skipped (path, reason) VALUES (?, ?)');
    for (const { path: file, reason } of othersSkipped(this.#options.scanned.skipped)) put.run(file, reason);
  }

  #advance(): void {
    this.#read += 1;
    this.#options.onProgress?.({ phase: 'read', done: this.#read, total: this.#comparison.changed.length });
  }

  async #breathe(): Promise<void> {
    if (performance.now() < this.#turnEnds) return;
    await setImmediate();
    this.#options.signal?.throwIfAborted();
    this.#turnEnds = performance.now() + indexLimits.turnMs;
  }
}

function emptyTables(db: Database.Database): void {
  for (const table of [
    'file',
    'skipped',
    'unread',
    'parsed',
    'chunk_part',
    'node',
    'edge',
    'file_edge',
    'subject',
    'asked',
    'unresolved',
    'posting',
  ]) {
    db.exec(`DELETE FROM ${table}`);
  }
}

/** Without the folder of the index itself, which a first build makes; git may list what is in it one by one. */
function othersSkipped(skipped: readonly SkippedPath[]): readonly SkippedPath[] {
  return skipped.filter((one) => !one.path.startsWith('.neuralmind/'));
}

function sameSkipped(db: Database.Database, skipped: readonly SkippedPath[]): boolean {
  const rows = db.prepare<[], SkippedPath>('SELECT path, reason FROM skipped').all();
  const before = new Map(rows.map((row) => [row.path, row.reason]));
  const now = new Map(skipped.map((one) => [one.path, one.reason]));
  return before.size === now.size && [...now].every(([file, reason]) => before.get(file) === reason);
}

function hashOfFiles(files: readonly string[], read: (file: string) => string | null): string {
  const parts = files.map((file) => [file, read(file)]);
  return hash('sha256', JSON.stringify(parts), 'hex');
}

function readTextIfThere(file: string): string | null {
  // A configuration that cannot be read maps nothing.
  return readRegularFile(file, codeLimits.fileBytesMax)?.toString('utf8') ?? null;
}
