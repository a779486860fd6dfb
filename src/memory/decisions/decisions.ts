/**
 * The decisions of one project: the only door to its store.
 *
 * Requests come checked (`parse-write.ts`, `parse-read.ts`); what is wrong only for this project is checked here.
 * Writes pass the queue, are durable when they are answered, and carry their event. Reads never wait for writes, never
 * make a file, and can ask for a past state. Every call ends in a `Result`; a file that cannot be used is
 * `unavailable`, whatever the call.
 */
import type { Clock } from '../../base/clock.ts';
import { type AdrFile, readAdrFolder } from './adr.ts';
import { amend } from './amend.ts';
import { type AuditReport, audit } from './audit.ts';
import { type BatchItem, batch } from './batch.ts';
import { invalidate, markActive, markAllStale, restore } from './change-status.ts';
import { type CreateDefaults, create } from './create.ts';
import { type Decision, toView } from './decision.ts';
import { type PossibleDuplicate, possibleDuplicates } from './duplicates.ts';
import type { TextEmbedder } from './embedder.ts';
import { type Exported, exportDecisions } from './export.ts';
import { giveFeedback } from './feedback.ts';
import { filtersOf } from './filters.ts';
import { fingerprintsOf, putFingerprints } from './fingerprints.ts';
import { blobsOf, blobsOfIncoming } from './git-blobs.ts';
import type { GitFacts } from './git-facts.ts';
import { type History, history } from './history.ts';
import { type Answered, once } from './idempotency.ts';
import { applyImport, type ConflictRule, type ImportReport, type ImportSet, planImport, reportOf } from './import.ts';
import { setOfAdrs, setOfExport } from './import-sets.ts';
import { dayOf, type Instant, instantOf, latestOf, risingClock } from './instant.ts';
import { list, type Page } from './list.ts';
import { StoreFile } from './open-store.ts';
import { invalidField, notFound, ok, type Result, unavailable } from './outcome.ts';
import { parseImport } from './parse-import.ts';
import type {
  AuditRequest,
  ExportRequest,
  GetRequest,
  HistoryRequest,
  ListRequest,
  SearchMode,
  SearchRequest,
  TimelineRequest,
} from './parse-read.ts';
import type {
  AmendRequest,
  BatchRequest,
  CreateRequest,
  FeedbackRequest,
  InvalidateRequest,
  RestoreRequest,
  SupersedeRequest,
} from './parse-write.ts';
import { projectPath } from './project-path.ts';
import { remove } from './remove.ts';
import { readDecision } from './rows.ts';
import { type SearchAnswer, search, searchLimitDefault } from './search.ts';
import { dependents, governing, type Many, many, overdue } from './selections.ts';
import { type Surroundings, settle, settleFilter } from './settle.ts';
import { States } from './states.ts';
import { type Timeline, timeline } from './timeline.ts';
import { troubleOf } from './trouble.ts';
import { putVectors } from './vectors.ts';
import type { WriteContext } from './write.ts';
import { WriteQueue } from './write-queue.ts';

export interface DecisionsOptions {
  /** The database file, `<project>/.neuralmind/memory.db`. Need not exist. */
  readonly file: string;
  /** Absolute spellings of the project folder: as given and with links resolved. */
  readonly roots: readonly string[];
  readonly clock: Clock;
  readonly git: GitFacts;
  /** The model for search by meaning, or null while there is none. Asked at every search. */
  readonly embedder?: () => TextEmbedder | null;
  /** For searches that name no mode. */
  readonly searchMode?: SearchMode;
}

/** Who writes, as the credential says. Null lets the author or agent of the record stand in. */
export interface By {
  readonly actor: string | null;
}

/** A caller's key for a request that may be sent twice. */
export interface Repeatable {
  readonly principal: string;
  readonly key: string;
}

export interface Created {
  readonly memory: Decision;
  readonly possible_duplicates: readonly PossibleDuplicate[];
}

const noAuthor: By = { actor: null };
const bySystem: By = { actor: 'system' };

export class Decisions {
  readonly #file: StoreFile;
  readonly #queue: WriteQueue;
  readonly #options: DecisionsOptions;
  readonly #tick: () => Instant;
  readonly #states: States;
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;

  constructor(options: DecisionsOptions) {
    this.#options = options;
    this.#tick = risingClock(() => options.clock.now());
    this.#file = new StoreFile(options.file, options.clock);
    this.#states = new States(this.#file, options.clock);
    this.#queue = new WriteQueue(() => this.#file.writer());
  }

  // Writes

  /** Fails: `validation_error`, `conflict`. */
  async create(request: CreateRequest, by: By = noAuthor, repeat?: Repeatable): Promise<Result<Answered<Created>>> {
    return this.#create('create', request, undefined, by, repeat);
  }

  /** A new decision that replaces `request.supersedes`. Fails: `memory_not_found`, `validation_error`, `conflict`. */
  async supersede(
    request: SupersedeRequest,
    by: By = noAuthor,
    repeat?: Repeatable,
  ): Promise<Result<Answered<Created>>> {
    const result = await this.#create('supersede', request, request.reason, by, repeat);
    const unknown = !result.ok && result.failure.code === 'validation_error' ? result.failure.errors : [];
    // Here the old decision is the subject of the call, not one of its fields.
    return unknown.some((problem) => problem.type === 'memory_not_found') ? notFound(request.supersedes) : result;
  }

  /** Fails: `validation_error`, `memory_not_found`, `precondition_failed`. */
  async amend(id: string, request: AmendRequest, by: By = noAuthor, ifMatch?: string): Promise<Result<Decision>> {
    return this.#guard(async () => {
      const settled = settle(request, this.#around());
      if (!settled.ok) return settled;
      const blobs = await blobsOf(this.#options.git, settled.value.files_affected ?? this.#filesOf(id));
      return this.#write(by, (context) => {
        const result = amend(context, id, settled.value, ifMatch);
        if (result.ok && blobs !== null) putFingerprints(context.db, result.value, blobs);
        return shown(result, context.today);
      });
    });
  }

  /** Fails: `memory_not_found`. */
  async invalidate(id: string, request: InvalidateRequest, by: By = noAuthor): Promise<Result<Decision>> {
    return this.#guard(() => this.#write(by, (context) => invalidate(context, id, request.reason ?? '')));
  }

  /** Fails: `memory_not_found`. */
  async restore(id: string, request: RestoreRequest, by: By = noAuthor): Promise<Result<Decision>> {
    return this.#guard(async () => {
      const commit = request.commit_sha ?? (await this.#options.git.headCommit()) ?? '';
      const blobs = await blobsOf(this.#options.git, this.#filesOf(id));
      return this.#write(by, (context) => {
        const result = restore(context, id, commit);
        if (result.ok && blobs !== null) putFingerprints(context.db, result.value, blobs);
        return shown(result, context.today);
      });
    });
  }

  /** The record as it was. Fails: `memory_not_found`. */
  async remove(id: string, by: By = noAuthor): Promise<Result<Decision>> {
    return this.#guard(() => this.#write(by, (context) => shown(remove(context, id), context.today)));
  }

  /** Fails: `memory_not_found`. */
  async feedback(id: string, request: FeedbackRequest, by: By = noAuthor): Promise<Result<Decision>> {
    return this.#guard(() => this.#write(by, (context) => shown(giveFeedback(context, id, request), context.today)));
  }

  /** Fails: `conflict` for a key that was used for another batch; operations fail one by one. */
  async batch(
    request: BatchRequest,
    by: By = noAuthor,
    repeat?: Repeatable,
  ): Promise<Result<Answered<readonly BatchItem[]>>> {
    return this.#guard(async () => {
      const defaults = await this.#defaults();
      const key = repeat === undefined ? null : { ...repeat, request: ['batch', request] };
      const result = await this.#write(by, (context) =>
        once<readonly BatchItem[]>(context, key, () =>
          ok(batch(context, request, this.#around(), defaults).map(shownItem(context.today))),
        ),
      );
      if (result.ok && !result.value.replayed) await this.#fingerprintBatch(result.value.answer);
      return result;
    });
  }

  /**
   * Marks those that are active STALE, all in one transaction, and answers which they were. Unknown ids and decisions
   * that are STALE or INVALIDATED already are passed over.
   */
  async markStale(
    changes: readonly { readonly id: string; readonly reason: string }[],
    by: By = bySystem,
  ): Promise<Result<readonly Decision[]>> {
    return this.#guard(() => this.#write(by, (context) => markAllStale(context, changes)));
  }

  /** ACTIVE again without a new anchor. Fails: `memory_not_found`. */
  async markActive(id: string, reason: string, by: By = bySystem): Promise<Result<Decision>> {
    return this.#guard(() => this.#write(by, (context) => shown(markActive(context, id, reason), context.today)));
  }

  /** Writes down the STALE of decisions whose review day is past, for readers that do not compute it. */
  async persistOverdue(): Promise<Result<readonly Decision[]>> {
    return this.#guard(async () => {
      const changes = overdue(this.#states.now()).map(({ id, review_by }) => ({
        id,
        reason: `its review day ${review_by} is past`,
      }));
      return changes.length === 0 ? ok([]) : this.#write(bySystem, (context) => markAllStale(context, changes));
    });
  }

  /** Fails: `validation_error`, `conflict`; then nothing was imported. */
  async import(
    content: unknown,
    options: { readonly dryRun: boolean; readonly onConflict: ConflictRule },
    by: By = noAuthor,
  ): Promise<Result<ImportReport>> {
    return this.#guard(async () => {
      const parsed = parseImport(content);
      if (!parsed.ok) return parsed;
      return this.#import(setOfExport(parsed.value), options, by);
    });
  }

  /** Fails: `validation_error` for a path outside the project, `conflict`; then nothing was imported. */
  async importAdrs(
    files: readonly AdrFile[],
    options: { readonly dryRun: boolean; readonly onConflict: ConflictRule },
    by: By = noAuthor,
  ): Promise<Result<ImportReport & { readonly skipped: ReturnType<typeof readAdrFolder>['skipped'] }>> {
    return this.#guard(async () => {
      const settled: AdrFile[] = [];
      for (const file of files) {
        const path = projectPath(this.#options.roots, file.path);
        if (!path.ok) return invalidField(['files'], path.problem, 'path_outside_project');
        settled.push({ path: path.path, text: file.text });
      }
      const folder = readAdrFolder(settled, instantOf(this.#options.clock.now()), (await this.#defaults()).commit);
      const report = await this.#import(setOfAdrs(folder), options, by);
      return report.ok ? ok({ ...report.value, skipped: folder.skipped }) : report;
    });
  }

  // Reads

  /** Fails: `memory_not_found`, `validation_error` (a time in the future). */
  async get(id: string, request: GetRequest = {}): Promise<Result<Decision>> {
    return this.#guard(async () => {
      const view = await this.#states.at(request.as_of, false);
      if (!view.ok) return view;
      const decision = readDecision(view.value.db, id);
      return decision === null ? notFound(id) : ok(toView(decision, view.value.today));
    });
  }

  /** Newest first. Fails: `validation_error`, `invalid_request` (cursor). */
  async list(request: ListRequest): Promise<Result<Page<Decision>>> {
    return this.#guard(async () => {
      const view = await this.#states.at(request.as_of, false);
      if (!view.ok) return view;
      const files = this.#settleFilter(request.file);
      if (!files.ok) return files;
      return list(view.value, filtersOf(request, files.value, 'ALL'), request);
    });
  }

  /** Fails: `validation_error`, `unavailable` (semantic without a model). */
  async search(request: SearchRequest): Promise<Result<SearchAnswer>> {
    return this.#guard(async () => {
      const view = await this.#states.at(request.as_of, true);
      if (!view.ok) return view;
      const files = this.#settleFilter(request.file);
      if (!files.ok) return files;
      return search(
        {
          view: view.value,
          embedder: this.#options.embedder?.() ?? null,
          keepVectors: async (modelId, vectors) => {
            // A past state keeps its vectors beside it; the store keeps those of the present.
            if (view.value.asOf !== null) putVectors(view.value.db, modelId, vectors);
            else await this.#queue.run((db) => ok(putVectors(db, modelId, vectors)));
          },
        },
        {
          query: request.query,
          filters: filtersOf(request, files.value, 'ACTIVE'),
          limit: request.limit ?? searchLimitDefault,
          mode: request.mode ?? this.#options.searchMode ?? 'hybrid',
          view: request.view ?? 'full',
          includeWeak: request.include_weak ?? true,
          explain: request.explain ?? false,
        },
      );
    });
  }

  /** Fails: `memory_not_found` for an id that never was, `invalid_request` (cursor). */
  async history(id: string, request: HistoryRequest = {}): Promise<Result<History>> {
    return this.#guard(() => history(this.#states.now(), id, request));
  }

  /** Fails: `memory_not_found`. */
  async timeline(id: string, request: TimelineRequest = {}): Promise<Result<Timeline>> {
    return this.#guard(() => timeline(this.#states.now(), id, request));
  }

  /** Fails: `validation_error`. */
  async export(request: ExportRequest = {}): Promise<Result<Exported>> {
    return this.#guard(async () => {
      const view = await this.#states.at(request.as_of, false);
      if (!view.ok) return view;
      const until = request.as_of === undefined ? null : latestOf(request.as_of);
      return exportDecisions(view.value, this.#file.reader(), request, until);
    });
  }

  async audit(request: AuditRequest = {}): Promise<Result<AuditReport>> {
    return this.#guard(async () => {
      const commits = await this.#options.git.allCommits();
      return ok(audit(this.#states.now(), request, instantOf(this.#options.clock.now()), commits));
    });
  }

  /** Full records in the order of `ids`, and those that do not exist. */
  async getMany(ids: readonly string[]): Promise<Result<Many>> {
    return this.#guard(() => ok(many(this.#states.now(), ids)));
  }

  /** Decisions that govern one of the files, newest first; invalidated ones only when asked for. */
  async forFiles(
    files: readonly string[],
    options: { readonly invalidated: boolean },
  ): Promise<Result<readonly Decision[]>> {
    return this.#guard(() => {
      const view = this.#states.now();
      const settled = this.#settleFilter(files);
      return settled.ok ? ok(governing(view, settled.value, options.invalidated)) : settled;
    });
  }

  /** Decisions that depend on `id` and are not invalidated. */
  async dependents(id: string): Promise<Result<readonly Decision[]>> {
    return this.#guard(() => ok(dependents(this.#states.now(), id)));
  }

  /** Path to git blob id, as they were when the decision was last said to hold. */
  async fingerprints(id: string): Promise<Result<ReadonlyMap<string, string>>> {
    return this.#guard(() => ok(fingerprintsOf(this.#file.reader(), id)));
  }

  /** Waits for the calls that were made before. Idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.allSettled(this.#running);
    await this.#queue.close();
    await this.#states.close();
    this.#file.close();
  }

  // Inside

  async #create(
    verb: 'create' | 'supersede',
    request: CreateRequest,
    reason: string | undefined,
    by: By,
    repeat: Repeatable | undefined,
  ): Promise<Result<Answered<Created>>> {
    return this.#guard(async () => {
      const settled = settle(request, this.#around());
      if (!settled.ok) return settled;
      const defaults = await this.#defaults();
      const blobs = await blobsOf(this.#options.git, settled.value.files_affected ?? []);
      const key = repeat === undefined ? null : { ...repeat, request: [verb, request] };
      return this.#write(by, (context) =>
        once<Created>(context, key, () => {
          const result = create(context, settled.value, { ...defaults, reason });
          if (!result.ok) return result;
          if (blobs !== null) putFingerprints(context.db, result.value, blobs);
          return ok({
            memory: toView(result.value, context.today),
            possible_duplicates: possibleDuplicates(context.db, result.value, context.today),
          });
        }),
      );
    });
  }

  async #import(
    set: ImportSet,
    options: { readonly dryRun: boolean; readonly onConflict: ConflictRule },
    by: By,
  ): Promise<Result<ImportReport>> {
    if (options.dryRun) {
      const view = this.#states.now();
      const plan = planImport(view.db, set, options.onConflict, view.today);
      return plan.ok ? ok(reportOf(plan.value, true)) : plan;
    }
    const found = await blobsOfIncoming(this.#options.git, set);
    return this.#write(by, (context) => {
      const plan = planImport(context.db, set, options.onConflict, context.today);
      if (!plan.ok) return plan;
      applyImport(context, set, plan.value, found);
      return ok(reportOf(plan.value, false));
    });
  }

  #write<Value>(by: By, job: (context: WriteContext) => Result<Value>): Promise<Result<Value>> {
    return this.#queue.run((db) => {
      // Read inside the transaction, so that the order of times is the order of writes.
      const now = this.#tick();
      return job({ db, now, tick: this.#tick, today: dayOf(now), actor: by.actor });
    });
  }

  #around(): Surroundings {
    return { roots: this.#options.roots, today: dayOf(instantOf(this.#options.clock.now())) };
  }

  async #defaults(): Promise<CreateDefaults> {
    return { commit: (await this.#options.git.headCommit()) ?? '' };
  }

  /** After the batch: its files are known only then. A decision changed meanwhile keeps the later fingerprints. */
  async #fingerprintBatch(items: readonly BatchItem[]): Promise<void> {
    const written = items.flatMap((item) => (item.ok && item.op !== 'invalidate' ? [item.memory] : []));
    const blobs = await blobsOf(this.#options.git, [
      ...new Set(written.flatMap((decision) => decision.files_affected)),
    ]);
    if (blobs === null || written.length === 0) return;
    await this.#queue.run((db) => {
      for (const { id, updated_at } of written) {
        const decision = readDecision(db, id);
        if (decision?.updated_at === updated_at) putFingerprints(db, decision, blobs);
      }
      return ok(null);
    });
  }

  #filesOf(id: string): readonly string[] {
    return readDecision(this.#file.reader(), id)?.files_affected ?? [];
  }

  #settleFilter(files: readonly string[] | undefined): Result<readonly string[]> {
    return settleFilter(files ?? [], this.#options.roots);
  }

  /** Around every call, never one inside another: refuses after the end, and names trouble with the file. */
  async #guard<Value>(work: () => Result<Value> | Promise<Result<Value>>): Promise<Result<Value>> {
    if (this.#closed) return unavailable('closed', 'the store is closed');
    const running = (async () => work())();
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === null) throw error;
      return unavailable(trouble.reason, trouble.message);
    } finally {
      this.#running.delete(running);
    }
  }
}

function shown(result: Result<Decision>, today: string): Result<Decision> {
  return result.ok ? ok(toView(result.value, today)) : result;
}

function shownItem(today: string): (item: BatchItem) => BatchItem {
  return (item) => (item.ok ? { ...item, memory: toView(item.memory, today) } : item);
}
