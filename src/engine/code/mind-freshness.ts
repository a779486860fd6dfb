/**
 * Whether the index of a project is fresh, found by comparing files. Finding it costs a look at every file, and many
 * questions come close together: it is remembered for some times as long as the finding took.
 */
import { codeMindLimits } from '../../base/limits.ts';
import { scanProject } from '../../retrieval/code/scan.ts';
import type { Freshness as ContextFreshness } from '../../retrieval/context/freshness-words.ts';
import { DocumentsList } from '../../retrieval/documents/documents-list.ts';
import { freshnessOf, type IndexFreshness } from '../../retrieval/index/freshness.ts';
import type { IndexReader } from '../../retrieval/index/index-reader.ts';
import { asIndexed, knownFiles } from '../../retrieval/index/known-files.ts';
import { withDocuments } from '../../retrieval/index/with-documents.ts';
import type { Freshness } from './answers.ts';
import type { BuilderOptions } from './index-builder.ts';

export interface FoundFreshness extends IndexFreshness {
  /** When the index was built, in ms since 1970. */
  readonly builtAtMs: number;
}

export class MindFreshness {
  readonly #root: string;
  readonly #userHome: string;
  readonly #ownFolders: () => readonly string[];
  readonly #reader: IndexReader;
  #found: { readonly freshness: IndexFreshness; readonly generation: number; readonly goodUntil: number } | null = null;
  #running: Promise<IndexFreshness | null> | null = null;

  constructor(
    { root, userHome, ownFolders }: Pick<BuilderOptions, 'root' | 'userHome' | 'ownFolders'>,
    reader: IndexReader,
  ) {
    this.#root = root;
    this.#userHome = userHome;
    this.#ownFolders = ownFolders;
    this.#reader = reader;
  }

  /** Forgets what was found: the files or the index changed. */
  forget(): void {
    this.#found = null;
  }

  /** Null where there is no index to compare. */
  async find(): Promise<FoundFreshness | null> {
    const index = this.#reader.ask(({ facts }) => facts);
    if (index.kind !== 'answered') return null;
    const { generation, builtAtMs } = index.value;
    const known = this.#found;
    const isGood = known !== null && known.generation === generation && performance.now() < known.goodUntil;
    const freshness = isGood ? known.freshness : await this.#look(generation);
    return freshness === null ? null : { ...freshness, builtAtMs };
  }

  /** The same, looking anew when one of these files is not as it was indexed. */
  async findFor(paths: readonly string[]): Promise<FoundFreshness | null> {
    if (this.#found !== null && this.#found.freshness.changed.length === 0 && this.#hasChanged(paths)) this.forget();
    return this.find();
  }

  #hasChanged(paths: readonly string[]): boolean {
    const asked = this.#reader.ask(({ db }) => !paths.every(asIndexed(db, this.#root)));
    return asked.kind !== 'answered' || asked.value;
  }

  /** Questions that come while it is being found share the finding. */
  #look(generation: number): Promise<IndexFreshness | null> {
    this.#running ??= this.#compare(generation).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #compare(generation: number): Promise<IndexFreshness | null> {
    const started = performance.now();
    const scanned = await scanProject(this.#root, this.#userHome, this.#ownFolders());
    const known = this.#reader.ask(({ db }) => knownFiles(db));
    if (known.kind !== 'answered' || scanned.kind !== 'scanned') return null;
    const documents = new DocumentsList(this.#root, this.#ownFolders).read();
    const byHand = documents.ok ? documents.documents.map((one) => one.path) : [];
    const files = withDocuments(this.#root, scanned.files, byHand);
    const freshness = await freshnessOf(this.#root, files, known.value);
    const now = performance.now();
    const holds = Math.min(codeMindLimits.freshnessMsMax, (now - started) * codeMindLimits.freshnessShare);
    this.#found = { freshness, generation, goodUntil: now + holds };
    return freshness;
  }
}

export function isFresh({ changed, added, removed }: IndexFreshness): boolean {
  return changed.length + added.length + removed.length === 0;
}

/** As it travels. */
export function wireFreshness(found: FoundFreshness): Freshness {
  const { changed, added, removed, builtAtMs } = found;
  return {
    state: isFresh(found) ? 'fresh' : 'stale',
    changed: changed.length,
    added: added.length,
    removed: removed.length,
    files: [...changed, ...added, ...removed].slice(0, codeMindLimits.staleFilesMax),
    indexed_at: new Date(builtAtMs).toISOString(),
  };
}

/** As a context tells it. */
export function contextFreshness(found: FoundFreshness | null): ContextFreshness | null {
  if (found === null) return null;
  return {
    state: isFresh(found) ? 'fresh' : 'stale',
    changed: found.changed,
    missing: found.removed,
    added: found.added,
    indexedAt: new Date(found.builtAtMs).toISOString().replace(/\.\d+Z$/, 'Z'),
  };
}
