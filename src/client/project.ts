/** A registered project: what the server says of it, its code, and the door to its decisions. */
import { type Impact, type Neighbours, readImpact, readNeighbours, readSkeleton, type Skeleton } from './code-graph.ts';
import {
  type AddedDocument,
  type CodeSearchAnswer,
  type IndexHealth,
  type IndexStats,
  type ListedDocument,
  type QueryAnswer,
  readAddedDocument,
  readCodeSearchAnswer,
  readHealth,
  readListedDocuments,
  readQueryAnswer,
  readSavings,
  readStats,
  readValidation,
  readWakeup,
  type Savings,
  type Validation,
  type Wakeup,
} from './code-records.ts';
import {
  type BuildOptions,
  buildNames,
  type CodeSearchOptions,
  codeSearchOptionsToWire,
  type DocumentOptions,
  documentOptionsToWire,
  type ImpactOptions,
  impactOptionsToWire,
  type NeighbourOptions,
  neighbourOptionsToWire,
  type QueryOptions,
  queryOptionsToWire,
  type SavingsOptions,
  type SkeletonOptions,
  savingsOptionsToWire,
  skeletonOptionsToWire,
  type ValidateOptions,
  validateNames,
} from './code-requests.ts';
import type { CallOptions, Connection } from './connection.ts';
import { type Job, jobOf, waitTimeoutMs } from './jobs.ts';
import { Memories } from './memories.ts';
import { boolean, type RawObject, text } from './raw.ts';
import { divided, type WireRequest } from './to-wire.ts';

/** For questions: the first one to a project may have to build its index. */
const questionTimeoutMs = 120_000;

export class Project {
  /** Opaque, stable for one folder. */
  readonly id: string;
  /** The name of its folder. */
  readonly name: string;
  /** Absolute, on the machine of the server. */
  readonly path: string;
  /** Whether the code is indexed. */
  readonly built: boolean;
  /** Whether the server has it open. */
  readonly warm: boolean;
  /** Whether its folder has been moved or deleted. */
  readonly missing: boolean;
  readonly memories: Memories;
  readonly neighbors: {
    /** Who calls, extends or imports a symbol or file, and what it uses; `q` is a name, a path or an id. */
    structural(q: string, options?: NeighbourOptions, call?: CallOptions): Promise<Neighbours>;
  };
  readonly documents: {
    /**
     * Makes a Markdown, text or PDF file inside the project searchable. `path` is taken from the root of the project.
     * Throws ValidationFailed.
     */
    add(path: string, options?: DocumentOptions, call?: CallOptions): Promise<AddedDocument>;
    /** Those that were added, in that order, also those whose file is gone. */
    list(call?: CallOptions): Promise<readonly ListedDocument[]>;
    /** Takes one off the list and out of what is searched; its file stays. Throws NotFound. */
    remove(path: string, call?: CallOptions): Promise<void>;
  };
  /** As answered when this handle was made. */
  readonly raw: RawObject;
  readonly #connection: Connection;

  constructor(connection: Connection, raw: RawObject) {
    this.#connection = connection;
    this.id = text(raw, 'id');
    this.name = text(raw, 'name');
    this.path = text(raw, 'path');
    this.built = boolean(raw, 'built');
    this.warm = boolean(raw, 'warm');
    this.missing = raw['missing'] === true;
    this.memories = new Memories(connection, this.id);
    this.neighbors = Object.freeze({
      structural: async (q: string, options: NeighbourOptions = {}, call: CallOptions = {}) =>
        readNeighbours(
          await this.#get(
            ['neighbors', 'structural'],
            { q, ...neighbourOptionsToWire(options) },
            call,
            questionTimeoutMs,
          ),
        ),
    });
    this.documents = Object.freeze({
      add: async (path: string, options: DocumentOptions = {}, call: CallOptions = {}) =>
        readAddedDocument(
          await this.#post(['documents'], { path, ...documentOptionsToWire(options) }, call, questionTimeoutMs),
        ),
      list: async (call: CallOptions = {}) => readListedDocuments(await this.#get(['documents'], {}, call)),
      remove: async (path: string, call: CallOptions = {}) => {
        const exchange = { method: 'DELETE', path: this.#place(['documents']), query: { path } } as const;
        await this.#connection.send(exchange, call, questionTimeoutMs);
      },
    });
    this.raw = raw;
    Object.freeze(this);
  }

  /**
   * Indexes the files that changed, or all with `force`. With `wait` the job has ended when this returns: look at its
   * status, since a failed build is an answer too.
   */
  async build(options: CallOptions & BuildOptions = {}): Promise<Job> {
    const { wire, call } = divided(options, buildNames, 'the options of a build');
    const limit = options.wait === true ? waitTimeoutMs : undefined;
    return jobOf(await this.#post(['build'], wire, call, limit));
  }

  /** The places to read for a question, within a budget of tokens. Builds the index if there is none. */
  async query(question: string, options: QueryOptions = {}, call: CallOptions = {}): Promise<QueryAnswer> {
    return readQueryAnswer(
      await this.#post(['query'], { question, ...queryOptionsToWire(options) }, call, questionTimeoutMs),
    );
  }

  /** Symbols, files and sections of documents for some words, the best first. */
  async search(query: string, options: CodeSearchOptions = {}, call: CallOptions = {}): Promise<CodeSearchAnswer> {
    return readCodeSearchAnswer(
      await this.#post(['search'], { query, ...codeSearchOptionsToWire(options) }, call, questionTimeoutMs),
    );
  }

  /** What the project is, its size and its main parts. */
  async wakeup(call: CallOptions = {}): Promise<Wakeup> {
    return readWakeup(await this.#get(['wakeup'], {}, call, questionTimeoutMs));
  }

  /** What depends on a symbol or file; `depth` is 1 to 5, 1 by default. */
  async impact(symbol: string, options: ImpactOptions = {}, call: CallOptions = {}): Promise<Impact> {
    return readImpact(
      await this.#get(['impact'], { symbol, ...impactOptionsToWire(options) }, call, questionTimeoutMs),
    );
  }

  /** The outline of a file, from its symbol number `offset` on. */
  async skeleton(filePath: string, options: SkeletonOptions = {}, call: CallOptions = {}): Promise<Skeleton> {
    const query = { file_path: filePath, ...skeletonOptionsToWire(options) };
    return readSkeleton(await this.#get(['skeleton'], query, call, questionTimeoutMs));
  }

  async stats(call: CallOptions = {}): Promise<IndexStats> {
    return readStats(await this.#get(['stats'], {}, call));
  }

  /** Whether the index can be relied on, and what to do when it cannot. */
  async health(call: CallOptions = {}): Promise<IndexHealth> {
    return readHealth(await this.#get(['health'], {}, call));
  }

  async savings(options: SavingsOptions = {}, call: CallOptions = {}): Promise<Savings> {
    return readSavings(await this.#get(['savings'], savingsOptionsToWire(options), call));
  }

  /** Whether the graph of the index hangs together. With `write` it is also written as a document. */
  async validate(options: CallOptions & ValidateOptions = {}): Promise<Validation> {
    const { wire, call } = divided(options, validateNames, 'the options of a validation');
    return readValidation(await this.#post(['validate'], wire, call));
  }

  #get(path: readonly string[], query: WireRequest, call: CallOptions, timeoutMs?: number): Promise<RawObject> {
    return this.#connection.object({ method: 'GET', path: this.#place(path), query }, call, timeoutMs);
  }

  #post(path: readonly string[], body: WireRequest, call: CallOptions, timeoutMs?: number): Promise<RawObject> {
    return this.#connection.object({ method: 'POST', path: this.#place(path), body }, call, timeoutMs);
  }

  #place(path: readonly string[]): readonly string[] {
    return ['projects', this.id, ...path];
  }
}
