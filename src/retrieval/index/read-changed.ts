/**
 * Reads the files of a build that changed: what was kept of the same content is used again, documents that the user
 * added go to their reader, and all others to the threads.
 */
import { hash } from 'node:crypto';
import path from 'node:path';
import type { FilePool } from '../code/parse-pool.ts';
import { readIfThere } from '../code/read-plain-file.ts';
import type { ScanResult } from '../code/scan.ts';
import type { DocumentHint, RefusalReason } from '../documents/document.ts';
import { EmbedderFailure } from '../embeddings/embedder.ts';
import { readOutline, type StoredFacts } from './facts-codec.ts';
import { type IndexedOutcome, type IndexedParts, partsKey } from './indexed-parts.ts';
import type { ChangedFile, ReadSkip } from './known-files.ts';
import type { PartsStore } from './parts-store.ts';

export interface DocumentSource {
  readonly listed: ReadonlyMap<string, DocumentHint>;
  /** Never rejects for what a document holds. */
  read(path: string, bytes: Uint8Array, hint: DocumentHint): Promise<IndexedDocument>;
}

export type IndexedDocument =
  | Extract<IndexedOutcome, { readonly kind: 'indexed' }>
  | { readonly kind: 'refused'; readonly reason: RefusalReason };

export interface ReadSources {
  readonly scanned: Extract<ScanResult, { readonly kind: 'scanned' }>;
  readonly pool: FilePool<IndexedOutcome>;
  /** Documents that the user added by hand, by path: read even where listing leaves them out. */
  readonly documents: DocumentSource;
  readonly signal?: AbortSignal;
}

export type ReadFile =
  | {
      /** `kept`: nothing was parsed. */
      readonly kind: 'read' | 'kept';
      readonly change: ChangedFile;
      /** The outline of it, as `readOutline` gives it. */
      readonly stored: StoredFacts;
      /** Number of its parts. */
      readonly parsed: number;
      readonly parts: IndexedParts;
    }
  | {
      readonly kind: 'left-out';
      readonly change: ChangedFile;
      readonly reason: ReadSkip;
      /** Empty where the content was not read. */
      readonly contentHash: string;
    };

/**
 * Gives each file as it is ready, in no fixed order, with its parts in the store. Throws when the threads could read
 * none of several files, and `EmbedderFailure` when a table of the package cannot be used.
 */
export async function* readChanged(
  changed: readonly ChangedFile[],
  { scanned, pool, documents, signal }: ReadSources,
  store: PartsStore,
  generation: number,
): AsyncGenerator<ReadFile> {
  const { root } = scanned;
  const toParse = new Map<string, ChangedFile>();
  const ownLanguages = new Set(scanned.files.map((file) => file.path));
  // A file that is new may have been there before; reading it here costs less than parsing it again.
  const mayBeKept = store.hasSpare();
  for (const change of changed) {
    const { path: file } = change.file;
    const hint = ownLanguages.has(file) ? undefined : documents.listed.get(file);
    if (hint !== undefined) {
      yield await readDocument(change, hint, root, documents, store, generation);
      continue;
    }
    const contentHash = change.contentHash ?? (mayBeKept ? hashOfFile(path.join(root, file)) : null);
    const kept = contentHash === null ? null : keptFile(change, partsKey(file, contentHash), store, generation);
    if (kept === null) toParse.set(file, change);
    else yield kept;
  }
  let crashed = 0;
  for await (const { path: file, outcome } of pool.parseAll(root, toParse.keys(), signal)) {
    const change = toParse.get(file);
    if (change === undefined) throw new Error('A thread answered for a file that nobody asked for.');
    if (outcome.kind === 'indexed') {
      const stored = outlineOf(outcome);
      const parsed = store.add(partsKey(file, stored.facts.contentHash), outcome.parts, generation);
      yield { kind: 'read', change, stored, parsed, parts: outcome.parts };
    } else if (outcome.kind === 'no-table') throw new EmbedderFailure(outcome.message, outcome.reason);
    else {
      if (outcome.reason === 'crashed') crashed += 1;
      const contentHash = outcome.kind === 'skipped' ? outcome.contentHash : '';
      yield { kind: 'left-out', change, reason: outcome.reason, contentHash };
    }
  }
  // Then it is not the files: an index of nothing must not pass for one of this project.
  if (crashed > 1 && crashed === toParse.size) throw new Error(`No thread could read any of ${crashed} files.`);
}

async function readDocument(
  change: ChangedFile,
  hint: DocumentHint,
  root: string,
  documents: DocumentSource,
  store: PartsStore,
  generation: number,
): Promise<ReadFile> {
  const { path: file } = change.file;
  const bytes = change.bytes ?? readIfThere(path.join(root, file));
  if (bytes === null) return { kind: 'left-out', change, reason: 'unreadable', contentHash: '' };
  const contentHash = hash('sha256', bytes, 'hex');
  const key = partsKey(`${hint} document ${file}`, contentHash);
  const kept = keptFile(change, key, store, generation);
  if (kept !== null) return kept;
  const outcome = await documents.read(file, bytes, hint);
  if (outcome.kind === 'refused') return { kind: 'left-out', change, reason: outcome.reason, contentHash };
  const stored = outlineOf(outcome);
  const parsed = store.add(key, outcome.parts, generation);
  return { kind: 'read', change, stored, parsed, parts: outcome.parts };
}

function keptFile(change: ChangedFile, key: string, store: PartsStore, generation: number): ReadFile | null {
  const kept = store.find(key);
  if (kept === null) return null;
  store.use(kept, generation);
  return { kind: 'kept', change, stored: store.outline(kept), parsed: kept, parts: store.parts(kept) };
}

function outlineOf({ outline }: Extract<IndexedOutcome, { readonly kind: 'indexed' }>): StoredFacts {
  return readOutline(Buffer.from(outline).toString('utf8'));
}

function hashOfFile(file: string): string | null {
  const bytes = readIfThere(file);
  return bytes === null ? null : hash('sha256', bytes, 'hex');
}
