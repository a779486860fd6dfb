/** The decisions of one project: every verb of the API, one method each. */
import type { Answer, CallOptions, Connection, Exchange } from './connection.ts';
import { type Job, jobOf, waitTimeoutMs } from './jobs.ts';
import { type AddedMemory, type Memory, readAddedMemory, readMemory } from './memory.ts';
import {
  type MemoryAudit,
  type MemoryBatchResult,
  type MemoryEvent,
  type MemoryImport,
  type MemoryTimeline,
  readAudit,
  readBatchResult,
  readEvent,
  readImport,
  readTimeline,
} from './memory-records.ts';
import {
  batchOperationToWire,
  exportOptionsToWire,
  listOptionsToWire,
  type MemoryBatchOperation,
  type MemoryExportOptions,
  type MemoryListOptions,
  type MemoryPatch,
  type MemorySearchOptions,
  type Moment,
  type NewMemory,
  newMemoryToWire,
  patchToWire,
  type SupersedingMemory,
  searchOptionsToWire,
  supersedingToWire,
} from './memory-requests.ts';
import { type Pages, pagesOf, readPage } from './pages.ts';
import { listOf, objectOf, type RawObject, unexpected } from './raw.ts';
import {
  type CompactMemoryHit,
  type MemoryHit,
  readCompactSearchAnswer,
  readSearchAnswer,
  type SearchAnswer,
} from './search-answer.ts';

/** For writes that may be sent twice: the same key and request give the answer of the first time. */
export interface RepeatableOptions extends CallOptions {
  /** 1 to 255 printable ASCII characters; kept by the server for 24 hours. */
  readonly idempotencyKey?: string | undefined;
}

export interface MemoryImportOptions extends CallOptions {
  /** Says what would be done and does nothing. */
  readonly dryRun?: boolean | undefined;
  /** `refuse` by default. */
  readonly onConflict?: 'refuse' | 'keep' | 'replace' | undefined;
}

export class Memories {
  readonly #connection: Connection;
  readonly #path: readonly string[];

  constructor(connection: Connection, projectId: string) {
    this.#connection = connection;
    this.#path = ['projects', projectId, 'memories'];
  }

  /** Throws ValidationFailed, Conflict (the id exists, or the key was used for something else). */
  async add(memory: NewMemory, options: RepeatableOptions = {}): Promise<AddedMemory> {
    return this.#add([], newMemoryToWire(memory), options);
  }

  /** Records a decision in place of `id`, which is invalidated and linked. Throws NotFound, ValidationFailed, Conflict. */
  async supersede(id: string, memory: SupersedingMemory, options: RepeatableOptions = {}): Promise<AddedMemory> {
    return this.#add([id, 'supersede'], supersedingToWire(memory), options);
  }

  /** The best first, active ones unless `status` says otherwise. Throws ValidationFailed, Unavailable (no model). */
  search(
    query: string,
    options: MemorySearchOptions & { readonly view: 'compact' },
    call?: CallOptions,
  ): Promise<SearchAnswer<CompactMemoryHit>>;
  search(
    query: string,
    options?: MemorySearchOptions & { readonly view?: 'full' | undefined },
    call?: CallOptions,
  ): Promise<SearchAnswer<MemoryHit>>;
  async search(
    query: string,
    options: MemorySearchOptions = {},
    call: CallOptions = {},
  ): Promise<SearchAnswer<MemoryHit> | SearchAnswer<CompactMemoryHit>> {
    const raw = await this.#post(['search'], { query, ...searchOptionsToWire(options) }, call);
    return options.view === 'compact' ? readCompactSearchAnswer(raw) : readSearchAnswer(raw);
  }

  /** Newest first, fetched page by page while it is read. `call` holds for each page. */
  list(options: MemoryListOptions = {}, call: CallOptions = {}): Pages<Memory> {
    const query = listOptionsToWire(options);
    return pagesOf(async (cursor) =>
      readPage(await this.#get([], { ...query, cursor: cursor ?? undefined }, call), readMemory),
    );
  }

  /** Throws NotFound. With `asOf`, the decision as it was then. */
  async get(id: string, options: CallOptions & { readonly asOf?: Moment | undefined } = {}): Promise<Memory> {
    return readMemory(await this.#get([id], { as_of: instant(options.asOf) }, options));
  }

  /**
   * Changes fields. With `ifMatch`, the `updatedAt` of the decision as it was read, only if nobody changed it since.
   * Throws NotFound, ValidationFailed, PreconditionFailed.
   */
  async update(
    id: string,
    patch: MemoryPatch,
    options: CallOptions & { readonly ifMatch?: string | undefined } = {},
  ): Promise<Memory> {
    const { ifMatch } = options;
    const exchange: Exchange = {
      method: 'PATCH',
      path: [...this.#path, id],
      headers: ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` },
      body: patchToWire(patch),
    };
    return readMemory(await this.#connection.object(exchange, options));
  }

  /** Says that the decision no longer holds; it and its history stay. Throws NotFound. */
  async invalidate(id: string, reason?: string, options: CallOptions = {}): Promise<Memory> {
    return readMemory(await this.#post([id, 'invalidate'], { reason }, options));
  }

  /** Says that it holds after all, at `commitSha` or else at the commit checked out. Throws NotFound. */
  async restore(id: string, options: CallOptions & { readonly commitSha?: string | undefined } = {}): Promise<Memory> {
    return readMemory(await this.#post([id, 'restore'], { commit_sha: options.commitSha }, options));
  }

  /** Removes the decision; only its history stays. Prefer `invalidate`. Throws NotFound. */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.#connection.send({ method: 'DELETE', path: [...this.#path, id] }, options);
  }

  /** Every change, oldest first, also of a decision that was deleted. Throws NotFound while it is read. */
  history(id: string, options: CallOptions & { readonly pageSize?: number | undefined } = {}): Pages<MemoryEvent> {
    return pagesOf(async (cursor) =>
      readPage(
        await this.#get([id, 'history'], { limit: options.pageSize, cursor: cursor ?? undefined }, options),
        readEvent,
      ),
    );
  }

  /** What was decided just before and after, up to ten each, three by default. Throws NotFound. */
  async timeline(
    id: string,
    options: CallOptions & { readonly before?: number | undefined; readonly after?: number | undefined } = {},
  ): Promise<MemoryTimeline> {
    return readTimeline(await this.#get([id, 'timeline'], { before: options.before, after: options.after }, options));
  }

  /** Raises or lowers the confidence. Throws NotFound. */
  async feedback(
    id: string,
    signal: 'helpful' | 'unhelpful',
    note?: string,
    options: CallOptions = {},
  ): Promise<Memory> {
    return readMemory(await this.#post([id, 'feedback'], { signal, note }, options));
  }

  /** Up to 100 operations. Each succeeds or fails on its own, in order; look at `ok` of every result. */
  async batch(
    operations: readonly MemoryBatchOperation[],
    options: RepeatableOptions = {},
  ): Promise<readonly MemoryBatchResult[]> {
    const raw = await this.#post(['batch'], { operations: operations.map(batchOperationToWire) }, options);
    const results = listOf(raw, 'results', readBatchResult);
    if (results.length !== operations.length) throw unexpected('not one result for each operation of the batch');
    return Object.freeze(results);
  }

  /** `json`: what `import` takes. `md`: a document for people. */
  export(format?: 'json', options?: MemoryExportOptions, call?: CallOptions): Promise<readonly RawObject[] | RawObject>;
  export(format: 'md', options?: MemoryExportOptions, call?: CallOptions): Promise<string>;
  async export(
    format: 'json' | 'md' = 'json',
    options: MemoryExportOptions = {},
    call: CallOptions = {},
  ): Promise<readonly RawObject[] | RawObject | string> {
    const { body } = await this.#send('GET', ['export'], { query: { format, ...exportOptionsToWire(options) } }, call);
    if (format === 'md') {
      if (typeof body !== 'string') throw unexpected('an export that is not text');
      return body;
    }
    if (Array.isArray(body)) return body.map((item) => objectOf(item, 'an exported decision'));
    return objectOf(body, 'the export');
  }

  /**
   * Takes in what `export('json')` gave, all of it or nothing. A decision that is there and differs stops it, unless
   * `onConflict` says which side to keep. Throws ValidationFailed, Conflict.
   */
  async import(content: readonly unknown[] | RawObject, options: MemoryImportOptions = {}): Promise<MemoryImport> {
    const body = { export: content, dry_run: options.dryRun, on_conflict: options.onConflict };
    return readImport(await this.#post(['import'], body, options, waitTimeoutMs));
  }

  /** The same for a folder inside the project whose Markdown files are decision records. */
  async importAdrs(folder: string, options: MemoryImportOptions = {}): Promise<MemoryImport> {
    const body = { adr_folder: folder, dry_run: options.dryRun, on_conflict: options.onConflict };
    return readImport(await this.#post(['import'], body, options, waitTimeoutMs));
  }

  /** Active decisions that may no longer hold; nothing is changed. Without a choice, both checks run. */
  async audit(
    options: CallOptions & { readonly age?: boolean | undefined; readonly orphaned?: boolean | undefined } = {},
  ): Promise<MemoryAudit> {
    return readAudit(await this.#get(['audit'], { age: options.age, orphaned: options.orphaned }, options));
  }

  /** Looks for decisions whose files changed and marks them STALE. With `wait` the job has ended when this returns. */
  async scan(options: CallOptions & { readonly wait?: boolean | undefined } = {}): Promise<Job> {
    const { wait } = options;
    return jobOf(await this.#post(['scan'], { wait }, options, wait === true ? waitTimeoutMs : undefined));
  }

  async #get(path: readonly string[], query: Exchange['query'], options: CallOptions): Promise<RawObject> {
    const { body } = await this.#send('GET', path, { query }, options);
    return objectOf(body, 'the answer');
  }

  async #post(
    path: readonly string[],
    body: unknown,
    options: RepeatableOptions,
    timeoutMs?: number,
  ): Promise<RawObject> {
    const answer = await this.#send('POST', path, { body, headers: repeatHeaders(options) }, options, timeoutMs);
    return objectOf(answer.body, 'the answer');
  }

  async #add(path: readonly string[], body: unknown, options: RepeatableOptions): Promise<AddedMemory> {
    const answer = await this.#send('POST', path, { body, headers: repeatHeaders(options) }, options);
    const replayed = answer.headers.get('idempotency-replayed') === 'true';
    return readAddedMemory(objectOf(answer.body, 'the answer'), replayed);
  }

  #send(
    method: Exchange['method'],
    path: readonly string[],
    rest: Omit<Exchange, 'method' | 'path'>,
    options: CallOptions,
    timeoutMs?: number,
  ): Promise<Answer> {
    return this.#connection.send({ method, path: [...this.#path, ...path], ...rest }, options, timeoutMs);
  }
}

function repeatHeaders({ idempotencyKey }: RepeatableOptions): Readonly<Record<string, string>> {
  return idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
}

function instant(moment: Moment | undefined): string | undefined {
  return moment instanceof Date ? moment.toISOString() : moment;
}
