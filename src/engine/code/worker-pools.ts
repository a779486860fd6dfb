/** The threads of all projects of a process: they start with the first file and end when nobody used them for a while. */
import { codeMindLimits } from '../../base/limits.ts';
import type { FilePool } from '../../retrieval/code/parse-pool.ts';
import { DocumentReader } from '../../retrieval/documents/document-reader.ts';
import { indexPool } from '../../retrieval/index/index-pool.ts';
import type { IndexedOutcome } from '../../retrieval/index/indexed-parts.ts';

export class WorkerPools {
  readonly documents = new DocumentReader();
  #pool: FilePool<IndexedOutcome> | null = null;
  #users = 0;
  #idle: NodeJS.Timeout | null = null;

  /** Lends the threads for the time of `work`. */
  async withPool<Value>(work: (pool: FilePool<IndexedOutcome>) => Promise<Value>): Promise<Value> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    this.#pool ??= indexPool();
    this.#users += 1;
    try {
      return await work(this.#pool);
    } finally {
      this.#users -= 1;
      if (this.#users === 0) this.#endLater();
    }
  }

  async close(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    const pool = this.#pool;
    this.#pool = null;
    await Promise.all([pool?.close(), this.documents.close()]);
  }

  #endLater(): void {
    this.#idle = setTimeout(() => {
      const pool = this.#pool;
      this.#pool = null;
      void pool?.close();
    }, codeMindLimits.poolIdleMs);
    this.#idle.unref();
  }
}
