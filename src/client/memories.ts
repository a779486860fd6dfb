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
import { divided } from './to-wire.ts';

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
    const { wire, call } = divided(options, { asOf: 'as_of' }, 'the options of a read');
    return readMemory(await this.#get([id], wire, call));
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
    const { call } = divided(options, { ifMatch: 'If-Match' }, 'the options of an update');
    const { ifMatch } = options;
    const exchange: Exchange = {
      method: 'PATCH',
      path: [...this.#path, id],
      headers: ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` },
      body: patchToWire(patch),
    };
    return readMemory(await this.#connection.object(exchange, call));
  }

  /** Says that the decision no longer holds; it and its history stay. Throws NotFound. */
  async invalidate(id: string, reason?: string, options: CallOptions = {}): Promise<Memory> {
    return readMemory(await this.#post([id, 'invalidate'], { reason }, options));
  }

  /** Says that it holds after all, at `commitSha` or else at the commit checked out. Throws NotFound. */
  async restore(id: string, options: CallOptions & { readonly commitSha?: string | undefined } = {}): Promise<Memory> {
    const { wire, call } = divided(options, { commitSha: 'commit_sha' }, 'the options of a restore');
    return readMemory(await this.#post([id, 'restore'], wire, call));
  }

  /** Removes the decision; only its history stays. Prefer `invalidate`. Throws NotFound. */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.#connection.send({ method: 'DELETE', path: [...this.#path, id] }, options);
  }

  /** Every change, oldest first, also of a decision that was deleted. Throws NotFound while it is read. */
  history(id: string, options: CallOptions & { readonly pageSize?: number | undefined } = {}): Pages<MemoryEvent> {
    const { wire, call } = divided(options, { pageSize: 'limit' }, 'the options of a history');
    return pagesOf(async (cursor) =>
      readPage(await this.#get([id, 'history'], { ...wire, cursor: cursor ?? undefined }, call), readEvent),
    );
  }

  /** What was decided just before and after, up to ten each, three by default. Throws NotFound. */
  async timeline(
    id: string,
    options: CallOptions & { readonly before?: number | undefined; readonly after?: number | undefined } = {},
  ): Promise<MemoryTimeline> {
    const { wire, call } = divided(options, { before: 'before', after: 'after' }, 'the options of a timeline');
    return readTimeline(await this.#get([id, 'timeline'], wire, call));
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
    const { headers, call } = repeatable(options);
    const body = { operations: operations.map(batchOperationToWire) };
    const answer = await this.#send('POST', ['batch'], { body, headers }, call);
    const results = listOf(objectOf(answer.body, 'the answer'), 'results', readBatchResult);
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
    return this.#import({ export: content }, options);
  }

  /** The same for a folder inside the project whose Markdown files are decision records. */
  async importAdrs(folder: string, options: MemoryImportOptions = {}): Promise<MemoryImport> {
    return this.#import({ adr_folder: folder }, options);
  }

  /** Active decisions that may no longer hold; nothing is changed. Without a choice, both checks run. */
  async audit(
    options: CallOptions & { readonly age?: boolean | undefined; readonly orphaned?: boolean | undefined } = {},
  ): Promise<MemoryAudit> {
    const { wire, call } = divided(options, { age: 'age', orphaned: 'orphaned' }, 'the options of an audit');
    return readAudit(await this.#get(['audit'], wire, call));
  }

  /** Looks for decisions whose files changed and marks them STALE. With `wait` the job has ended when this returns. */
  async scan(options: CallOptions & { readonly wait?: boolean | undefined } = {}): Promise<Job> {
    const { wire, call } = divided(options, { wait: 'wait' }, 'the options of a scan');
    return jobOf(await this.#post(['scan'], wire, call, options.wait === true ? waitTimeoutMs : undefined));
  }

  async #import(source: object, options: MemoryImportOptions): Promise<MemoryImport> {
    const { wire, call } = divided(options, importNames, 'the options of an import');
    return readImport(await this.#post(['import'], { ...source, ...wire }, call, waitTimeoutMs));
  }

  async #get(path: readonly string[], query: Exchange['query'], options: CallOptions): Promise<RawObject> {
    const { body } = await this.#send('GET', path, { query }, options);
    return objectOf(body, 'the answer');
  }

  async #post(path: readonly string[], body: unknown, call: CallOptions, timeoutMs?: number): Promise<RawObject> {
    const answer = await this.#send('POST', path, { body }, call, timeoutMs);
    return objectOf(answer.body, 'the answer');
  }

  async #add(path: readonly string[], body: unknown, options: RepeatableOptions): Promise<AddedMemory> {
    const { headers, call } = repeatable(options);
    const answer = await this.#send('POST', path, { body, headers }, call);
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

const importNames = { dryRun: 'dry_run', onConflict: 'on_conflict' } as const;

function repeatable(options: RepeatableOptions): {
  readonly headers: Readonly<Record<string, string>>;
  readonly call: CallOptions;
} {
  const { idempotencyKey } = options;
  const { call } = divided(options, { idempotencyKey: 'Idempotency-Key' }, 'the options of a write');
  return { headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }, call };
}
