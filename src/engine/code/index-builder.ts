/**
 * Builds the index of one project: one build at a time in this process and, by a lock beside the index, among all
 * processes of the machine. Who comes second waits, and then finds that nothing is left to do.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { Clock } from '../../base/clock.ts';
import { acquireFileLock, type FileLock } from '../../base/file-lock.ts';
import { indexLimits } from '../../base/limits.ts';
import { fail, ok, type Result, unavailable } from '../../memory/decisions/outcome.ts';
import { type ScanResult, scanProject } from '../../retrieval/code/scan.ts';
import type { DocumentHint } from '../../retrieval/documents/document.ts';
import { DocumentsList } from '../../retrieval/documents/documents-list.ts';
import { type BuildReport, buildIndex } from '../../retrieval/index/build-index.ts';
import { readBuildFacts } from '../../retrieval/index/counters.ts';
import {
  hasSoundPages,
  identityOf,
  indexPath,
  isWhole,
  makeIndexFolder,
  openForBuilding,
  removeIndex,
  stateOf,
} from '../../retrieval/index/index-file.ts';
import { indexFacts } from '../../retrieval/index/index-text.ts';
import type { DocumentSource } from '../../retrieval/index/read-changed.ts';
import type { Git } from '../git.ts';
import type { BuildAnswer } from './answers.ts';
import type { BuildProgressReport } from './code-mind.ts';
import { leftOutWords } from './left-out-words.ts';
import { refusalWords } from './refusal-words.ts';
import { indexTrouble, isDamage, unusableIndex } from './trouble.ts';
import type { WorkerPools } from './worker-pools.ts';

export interface BuilderOptions {
  readonly root: string;
  readonly name: string;
  readonly userHome: string;
  /** Of our own data, absolute; asked for on each listing. */
  readonly ownFolders: () => readonly string[];
  readonly clock: Clock;
  readonly git: Git;
  readonly pools: WorkerPools;
}

export interface BuildRequest {
  readonly force: boolean;
  /** Somebody asked for it: files that could not be read are tried once more. */
  readonly retry: boolean;
  /** `identityOf` an index that was found damaged: it is not brought up to date but made anew. */
  readonly distrusted: string | null;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: BuildProgressReport) => void;
}

export class IndexBuilder {
  readonly #options: BuilderOptions;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: BuilderOptions) {
    this.#options = options;
  }

  build(request: BuildRequest): Promise<Result<BuildAnswer>> {
    const run = this.#running.then(() => this.#locked(request));
    this.#running = run.catch(() => {});
    return run;
  }

  /** Resolves when nothing is being built. */
  async finished(): Promise<void> {
    await this.#running;
  }

  async #locked(request: BuildRequest): Promise<Result<BuildAnswer>> {
    const { root } = this.#options;
    const file = indexPath(root);
    const refusal = unusableIndex(stateOf(file), file);
    if (refusal !== null && refusal.code === 'unavailable' && refusal.reason !== 'damaged') return fail(refusal);
    try {
      const before = indexMark(file);
      const scanned = await this.#scan(request);
      if (!scanned.ok) return scanned;
      makeIndexFolder(path.dirname(file));
      const lock = await this.#lock(request.signal);
      if (lock === null) return unavailable('busy', 'another process has been building this index for too long');
      try {
        // What another process built meanwhile may know files that came after this listing: they would be removed.
        const listing = indexMark(file) === before ? scanned : await this.#scan(request);
        return listing.ok ? await this.#build(file, listing.value, request) : listing;
      } finally {
        lock.release();
      }
    } catch (error) {
      if (request.signal?.aborted === true) return unavailable('closed', 'the build was stopped; nothing was changed');
      const trouble = indexTrouble(error);
      if (trouble === null) throw error;
      return fail(trouble);
    }
  }

  async #scan({ onProgress }: BuildRequest): Promise<Result<Listing>> {
    const { root, userHome, ownFolders } = this.#options;
    onProgress?.({ phase: 'list', done: 0, total: 0 });
    const listedAtMs = Date.now();
    const scanned = await scanProject(root, userHome, ownFolders());
    if (scanned.kind === 'refused') return unavailable('unreadable', refusalWords[scanned.reason]);
    const documents = new DocumentsList(root, ownFolders).read();
    if (!documents.ok) return unavailable('unreadable', documents.message);
    const isNothing = scanned.files.length === 0 && documents.documents.length === 0;
    // An index that is there is emptied: what is gone must not be found any more.
    if (isNothing && stateOf(indexPath(root)).kind !== 'usable') {
      const ignored = scanned.skipped.filter((one) => one.reason === 'ignored').length;
      const hint = ignored > 0 ? '; see .gitignore and .neuralmindignore' : '';
      const why = leftOutWords(scanned.skipped);
      return unavailable('nothing_to_index', `no file of this project can be indexed: ${why}${hint}`);
    }
    onProgress?.({ phase: 'list', done: scanned.files.length, total: scanned.files.length });
    const listed = new Map(documents.documents.map((one) => [one.path, one.content_type]));
    return ok({ scanned, listed, listedAtMs });
  }

  async #build(file: string, listing: Listing, request: BuildRequest): Promise<Result<BuildAnswer>> {
    const { git, root } = this.#options;
    const started = performance.now();
    const state = stateOf(file);
    const isBroken = state.kind === 'usable' && !canBeBuiltUpon(file, request);
    if (state.kind === 'other-version' || state.kind === 'damaged' || isBroken) removeIndex(file);
    const commit = (await git.headCommit(root)) ?? '';
    // Whoever removed the file under a build would be told of an index that is not there.
    for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
      const built = await this.#attempt(file, listing, request, { commit, isFirst: attempts === 0 });
      if (built === null) continue;
      return ok(this.#answer(built.report, built.totals, (performance.now() - started) / 1000));
    }
    return unavailable('unreadable', 'the index is removed while it is being built');
  }

  /** Null when the file was removed meanwhile, and what was built with it, or was removed here for its damage. */
  async #attempt(
    file: string,
    listing: Listing,
    request: BuildRequest,
    { commit, isFirst }: { readonly commit: string; readonly isFirst: boolean },
  ): Promise<Built | null> {
    const { pools, clock } = this.#options;
    let identity = identityOf(file);
    try {
      return await pools.withPool(async (pool) => {
        const db = openForBuilding(file);
        try {
          identity = identityOf(file);
          const report = await buildIndex({
            db,
            scanned: listing.scanned,
            pool,
            documents: this.#documents(listing.listed),
            force: request.force,
            retry: request.retry,
            listedAtMs: listing.listedAtMs,
            now: () => clock.now().getTime(),
            commit,
            ...(request.signal === undefined ? {} : { signal: request.signal }),
            ...(request.onProgress === undefined ? {} : { onProgress: request.onProgress }),
          });
          // What is left in the log beside the index would be read by every later opening.
          if (report.changed) db.pragma('wal_checkpoint(TRUNCATE)');
          const isThere = identity !== null && identityOf(file) === identity;
          return isThere ? { report, totals: totalsOf(db) } : null;
        } finally {
          db.close();
        }
      });
    } catch (error) {
      // Damage that no look at the whole saw is met by who reads one part; all of it can be made again.
      if (isFirst && isDamage(error)) {
        removeIndex(file);
        return null;
      }
      // SQLite has many words for a file that went; that it went is one.
      if (indexTrouble(error) !== null && (identityOf(file) !== identity || isVanished(error))) return null;
      throw error;
    }
  }

  #documents(listed: ReadonlyMap<string, DocumentHint>): DocumentSource {
    const { pools } = this.#options;
    return {
      listed,
      async read(file, bytes, hint) {
        const reply = await pools.documents.read(file, bytes, hint);
        return reply.kind === 'refused'
          ? reply
          : indexFacts(reply.facts, reply.document.text, null, { keepText: reply.document.kind === 'pdf' });
      },
    };
  }

  #answer(report: BuildReport, totals: Totals, seconds: number): BuildAnswer {
    return {
      success: true,
      project: this.#options.name,
      backend: 'sqlite',
      nodes_total: totals.nodes,
      communities: totals.communities,
      nodes_added: report.nodesAdded,
      nodes_updated: report.filesRead,
      nodes_skipped: report.filesSame,
      nodes_removed: report.nodesRemoved,
      files: totals.files,
      files_read: report.filesRead,
      files_reused: report.filesReused,
      files_removed: report.filesRemoved,
      files_skipped: totals.skipped,
      changed: report.changed,
      db_path: indexPath(this.#options.root),
      duration_seconds: Math.round(seconds * 1000) / 1000,
      built_at: new Date(totals.builtAtMs).toISOString(),
    };
  }

  async #lock(signal: AbortSignal | undefined): Promise<FileLock | null> {
    const place = path.join(this.#options.root, '.neuralmind', 'index.lock');
    const giveUpAt = performance.now() + indexLimits.lockWaitMsMax;
    while (true) {
      const attempt = await acquireFileLock(place);
      if (attempt.kind === 'acquired') return attempt.lock;
      if (performance.now() > giveUpAt) return null;
      await sleep(indexLimits.lockPollMs);
      signal?.throwIfAborted();
    }
  }
}

const attemptsMax = 5;

/** Whether a usable index can be brought up to date, as far as a look tells that costs little beside the build. */
function canBeBuiltUpon(file: string, { force, retry, distrusted }: BuildRequest): boolean {
  if (distrusted !== null && distrusted === identityOf(file)) return false;
  if (force) return hasSoundPages(file);
  return !retry || isWhole(file);
}

/** SQLite missed one of its own files beside the index: somebody removed them. */
function isVanished(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_IOERR_DELETE_NOENT';
}

interface Built {
  readonly report: BuildReport;
  readonly totals: Totals;
}

interface Listing {
  readonly scanned: Extract<ScanResult, { readonly kind: 'scanned' }>;
  readonly listed: ReadonlyMap<string, DocumentHint>;
  readonly listedAtMs: number;
}

interface Totals {
  readonly nodes: number;
  readonly communities: number;
  readonly files: number;
  readonly skipped: number;
  readonly builtAtMs: number;
}

function totalsOf(db: Database.Database): Totals {
  const totals = db
    .prepare<[], Omit<Totals, 'builtAtMs'>>(
      `SELECT (SELECT COUNT(*) FROM node) AS nodes, (SELECT COUNT(DISTINCT community) FROM file) AS communities,
         (SELECT COUNT(*) FROM file) AS files,
         (SELECT COUNT(*) FROM skipped) + (SELECT COUNT(*) FROM unread) AS skipped`,
    )
    .get();
  if (totals === undefined) throw new Error('Counting gave no row.');
  return { ...totals, builtAtMs: readBuildFacts(db).builtAtMs };
}

/** Another one after every build that changed something; null where there is nothing built. */
function indexMark(file: string): string | null {
  const state = stateOf(file);
  return state.kind === 'usable' ? `${identityOf(file)} ${state.generation}` : null;
}
