/**
 * The notebook's files: reading without locks, writing one at a time among all processes.
 *
 * The root is asked for anew on each call and may differ each time. Nothing is made before the first write. What a
 * caller gets is a value or one of the bounded failures; the disk's own words stay here.
 */
import { join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { notebookFileLimits, rootLockLimits } from '../../base/limits.ts';
import { hasRoot, makeRoot, realRoot } from './directories.ts';
import { asSegment, discover } from './discovery.ts';
import { type FileSystem, isDiskError, nodeFileSystem } from './file-system.ts';
import { fail, ok, type Result } from './outcome.ts';
import { recordPath } from './parse-record.ts';
import type { CanonicalRecord, CanonicalReference } from './record.ts';
import { type FilePlace, RecordCache } from './record-cache.ts';
import { withRootGate } from './root-gate.ts';
import type { RootLock, RootLockOptions } from './root-lock.ts';
import { memorySourceUnavailable, storageFailure } from './storage-failure.ts';
import type {
  LinkedContainer,
  NotebookLog,
  NotebookReader,
  NotebookStore,
  NotebookWriter,
  Selection,
  StoredRecord,
} from './store.ts';
import { createRecord, removeRecord, replaceRecord, type WriteTools } from './write-record.ts';

export interface FileStoreOptions {
  /** The directory of the notebook, asked on every call. Must not throw. */
  readonly root: () => string;
  readonly log: NotebookLog;
  /** Default: the one of Node. */
  readonly fileSystem?: FileSystem;
  /** How long a write waits for another process. Default: `rootLockLimits.waitMsMax`. */
  readonly lockWaitMs?: number;
}

export interface FileStore extends NotebookStore {
  /** Waits for the writes under way. Every later call fails with `memory_source_unavailable`. */
  close(): Promise<void>;
}

export function openFileStore(options: FileStoreOptions): FileStore {
  return new NotebookFiles(options);
}

type TakeLock = (options: RootLockOptions) => Promise<RootLock | null>;
type Work<Value> = (writer: NotebookWriter) => Promise<Result<Value>>;

class NotebookFiles implements FileStore {
  readonly #options: FileStoreOptions;
  readonly #fileSystem: FileSystem;
  readonly #cache: RecordCache;
  readonly #synced = new Set<string>();
  readonly #searched = new Map<string, number>();
  readonly #underWay = new Set<Promise<unknown>>();
  #closed = false;

  constructor(options: FileStoreOptions) {
    this.#options = options;
    this.#fileSystem = options.fileSystem ?? nodeFileSystem;
    this.#cache = new RecordCache(this.#fileSystem);
  }

  async scan(selection: Selection, linked: LinkedContainer): Promise<Result<readonly StoredRecord[]>> {
    return this.#closed ? fail(memorySourceUnavailable) : await this.#reader(this.#root()).scan(selection, linked);
  }

  async read(reference: CanonicalReference): Promise<Result<StoredRecord<CanonicalRecord> | null>> {
    return this.#closed ? fail(memorySourceUnavailable) : await this.#reader(this.#root()).read(reference);
  }

  async exclusively<Value>(options: { readonly createRoot: boolean }, work: Work<Value>): Promise<Result<Value>> {
    if (this.#closed) return fail(memorySourceUnavailable);
    const deadline = performance.now() + (this.#options.lockWaitMs ?? rootLockLimits.waitMsMax);
    const running = this.#exclusively(this.#root(), options.createRoot, deadline, work);
    this.#underWay.add(running);
    try {
      return await running;
    } finally {
      this.#underWay.delete(running);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#underWay);
    this.#cache.clear();
  }

  #root(): string {
    return resolve(this.#options.root());
  }

  async #exclusively<Value>(
    root: string,
    createRoot: boolean,
    deadline: number,
    work: Work<Value>,
  ): Promise<Result<Value>> {
    let key: string;
    try {
      key = realRoot(this.#fileSystem, root);
    } catch (error) {
      return storageFailure(error);
    }
    return await withRootGate(key, (gate) =>
      gate.pass(async (takeLock) => {
        const access = await this.#prepare(root, createRoot, deadline, takeLock);
        if (!access.ok) return access;
        const tools = typeof access.value === 'string' ? access.value : this.#tools(root, access.value);
        const turn = new Turn(this.#reader(root), tools);
        try {
          return await work(turn);
        } finally {
          turn.end();
        }
      }),
    );
  }

  /**
   * The lock; `empty` for a root that is missing and may stay so; `unlockable` for one that takes no new file. What
   * the files say still decides such a call: a record that is not there is not found, on a full disk as well.
   */
  async #prepare(
    root: string,
    createRoot: boolean,
    deadline: number,
    takeLock: TakeLock,
  ): Promise<Result<RootLock | Locked>> {
    const { log } = this.#options;
    try {
      if (!hasRoot(this.#fileSystem, root)) {
        if (!createRoot) return ok('empty');
        await makeRoot(this.#fileSystem, root);
      }
    } catch (error) {
      return storageFailure(error);
    }
    try {
      const lock = await takeLock({ fileSystem: this.#fileSystem, root, deadline, log });
      return lock === null ? fail(memorySourceUnavailable) : ok(lock);
    } catch (error) {
      if (!isDiskError(error)) return storageFailure(error);
      log.lock('unusable');
      return unwritable.has(error.code) ? ok('unlockable') : storageFailure(error);
    }
  }

  #tools(root: string, lock: RootLock): WriteTools & { readonly cache: RecordCache } {
    const isLockOurs = (): boolean => {
      const ours = lock.isOurs();
      if (!ours) this.#options.log.lock('unusable');
      return ours;
    };
    return {
      fileSystem: this.#fileSystem,
      root,
      isLockOurs,
      synced: this.#synced,
      searched: this.#searched,
      cache: this.#cache,
    };
  }

  #reader(root: string): NotebookReader {
    return {
      scan: (selection, linked) => this.#scan(root, selection, linked),
      read: async (reference) => {
        try {
          return this.#read(root, reference);
        } catch (error) {
          return storageFailure(error);
        }
      },
    };
  }

  async #scan(root: string, selection: Selection, linked: LinkedContainer): Promise<Result<readonly StoredRecord[]>> {
    const { scope } = selection;
    const { log } = this.#options;
    const number = this.#cache.beginScan();
    const skip = (reason: Parameters<NotebookLog['skipped']>[1]) => log.skipped(scope, reason);
    const found = discover({ fileSystem: this.#fileSystem, root, selection, linked, skip });
    if (!found.ok) return found;
    const records: StoredRecord[] = [];
    let reads = 0;
    try {
      for (const place of found.value) {
        const content = this.#cache.get(place);
        if (content.kind === 'record') {
          if (selection.kind === 'scope' || content.stored.record.schema_version === 2) records.push(content.stored);
        } else if (content.kind === 'skipped') {
          skip(content.reason);
        } else if (place.path.includes('\uFFFD')) {
          // A name that is not UTF-8 cannot be said back to the system, so the file only seems to be gone.
          skip('unreadable');
        }
        if (content.fresh === true && ++reads % notebookFileLimits.readsPerTurn === 0) await nextTurn();
      }
    } catch (error) {
      return storageFailure(error);
    }
    if (selection.kind === 'scope') this.#cache.forgetUnseen(join(root, scope, '/'), number);
    return ok(records);
  }

  #read(root: string, reference: CanonicalReference): Result<StoredRecord<CanonicalRecord> | null> {
    const { scope, namespace_id, collection_id, id } = reference;
    const segments = [scope, asSegment(namespace_id), ...(collection_id === null ? [] : [asSegment(collection_id)])];
    if (!hasRoot(this.#fileSystem, root)) return ok(null);
    let directory = root;
    for (const segment of segments) {
      directory = join(directory, segment);
      const stats = this.#fileSystem.lstat(directory);
      if (stats?.isSymbolicLink() === true) return fail(memorySourceUnavailable);
      if (stats?.isDirectory() !== true) return ok(null);
    }
    const place: FilePlace = {
      scope,
      path: recordPath(reference),
      absolute: join(directory, `${asSegment(id)}.json`),
    };
    const content = this.#cache.get(place);
    if (content.kind === 'absent') return ok(null);
    if (content.kind === 'skipped') {
      if (content.reason === 'symlink' || content.reason === 'unreadable') return fail(memorySourceUnavailable);
      this.#options.log.skipped(scope, content.reason);
      return ok(null);
    }
    const { record, ...file } = content.stored;
    return ok(record.schema_version === 2 ? { record, ...file } : null);
  }
}

type Tools = WriteTools & { readonly cache: RecordCache };

/** Why there is nothing to write with. */
type Locked = 'empty' | 'unlockable';

/** What a disk says to every new file, whatever its name: it is full, read-only or not ours. */
const unwritable: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']);

/** One caller's time alone with the notebook. Of no use once that is over. */
class Turn implements NotebookWriter {
  readonly #reader: NotebookReader;
  /** `empty` for a notebook that is not there and stays so, `unlockable` for one that can only be read. */
  readonly #tools: Tools | Locked;
  #over = false;

  constructor(reader: NotebookReader, tools: Tools | Locked) {
    this.#reader = reader;
    this.#tools = tools;
  }

  end(): void {
    this.#over = true;
  }

  async scan(selection: Selection, linked: LinkedContainer): Promise<Result<readonly StoredRecord[]>> {
    this.#assertRunning();
    return this.#tools === 'empty' ? ok([]) : await this.#reader.scan(selection, linked);
  }

  async read(reference: CanonicalReference): Promise<Result<StoredRecord<CanonicalRecord> | null>> {
    this.#assertRunning();
    return this.#tools === 'empty' ? ok(null) : await this.#reader.read(reference);
  }

  async create(record: CanonicalRecord): Promise<Result<null>> {
    const tools = this.#writing();
    return tools === null ? fail(memorySourceUnavailable) : await createRecord(tools, record);
  }

  async replace(current: StoredRecord<CanonicalRecord>, next: CanonicalRecord): Promise<Result<null>> {
    return await this.#change(current, (tools) => replaceRecord(tools, current, next));
  }

  async remove(current: StoredRecord<CanonicalRecord>): Promise<Result<null>> {
    return await this.#change(current, (tools) => removeRecord(tools, current));
  }

  async #change(
    current: StoredRecord<CanonicalRecord>,
    change: (tools: Tools) => Promise<Result<null>>,
  ): Promise<Result<null>> {
    const tools = this.#writing();
    if (tools === null) return fail(memorySourceUnavailable);
    const result = await change(tools);
    tools.cache.forget(join(tools.root, current.scope, current.path));
    return result;
  }

  /** Null when the lock could not be taken: then nothing may be written. */
  #writing(): Tools | null {
    this.#assertRunning();
    if (this.#tools === 'empty') throw new Error('a notebook that is not there was to be written to');
    return this.#tools === 'unlockable' ? null : this.#tools;
  }

  #assertRunning(): void {
    if (this.#over) throw new Error('a notebook writer was used after its turn');
  }
}
