/**
 * Parsed records by the state of their file, so that a notebook of a thousand records costs a thousand stats and no
 * reading. Every call asks the file system again: an edit made by hand is always seen.
 *
 * An entry is believed only if its file had been left alone for a while when it was read. Kernel clocks are coarse, so
 * two changes in quick succession can carry one time; a file that changed just before it was read may change once more
 * without looking different. Git treats its index the same way. The change time (ctime) decides, since nobody can set
 * it and every change of content or of attributes moves it.
 *
 * What is kept is bounded in entries and bytes; what was read longest ago goes first.
 */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { notebookFileLimits, notebookLimits } from '../../base/limits.ts';
import type { FileSystem } from './file-system.ts';
import { parseRecord } from './parse-record.ts';
import { isSameVersion, readRegularFile } from './read-file.ts';
import type { SkipReason, StoredRecord } from './store.ts';
import type { Scope } from './vocabulary.ts';

export type FileContent =
  | { readonly kind: 'record'; readonly stored: StoredRecord }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  /** Nothing of this name, or something that is no file. */
  | { readonly kind: 'absent' };

/** A file by where it is: `absolute` on the disk, `path` within the scope directory with `/`. */
export interface FilePlace {
  readonly scope: Scope;
  readonly path: string;
  readonly absolute: string;
}

interface Entry {
  readonly place: FilePlace;
  readonly stats: Stats;
  readonly content: FileContent;
  /** The scan that last met the file. */
  seenIn: number;
}

export interface CacheLimits {
  readonly cachedRecordsMax: number;
  readonly cachedBytesMax: number;
}

export class RecordCache {
  readonly #fileSystem: FileSystem;
  readonly #limits: CacheLimits;
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  #scan = 0;

  constructor(fileSystem: FileSystem, limits: CacheLimits = notebookFileLimits) {
    this.#fileSystem = fileSystem;
    this.#limits = limits;
  }

  /** Files that are remembered. */
  get size(): number {
    return this.#entries.size;
  }

  /** What the file at `place` says now. Throws a disk error when nothing can be said about it. */
  get(place: FilePlace): FileContent & { readonly fresh?: true } {
    const stats = this.#fileSystem.lstat(place.absolute);
    const cached = this.#entries.get(place.absolute);
    if (
      cached !== undefined &&
      stats !== undefined &&
      isSameVersion(cached.stats, stats) &&
      cached.place.path === place.path &&
      cached.place.scope === place.scope
    ) {
      cached.seenIn = this.#scan;
      if (this.#isCrowded()) {
        // To the young end of the map.
        this.#entries.delete(place.absolute);
        this.#entries.set(place.absolute, cached);
      }
      return cached.content;
    }
    this.forget(place.absolute);
    return stats === undefined ? { kind: 'absent' } : this.#load(place, stats);
  }

  /** Drops what is known about one file: it was replaced or removed. */
  forget(absolute: string): void {
    const entry = this.#entries.get(absolute);
    if (entry === undefined) return;
    this.#entries.delete(absolute);
    this.#bytes -= entry.stats.size;
  }

  /** Starts a scan: `forgetUnseen` at its end drops what it did not meet. */
  beginScan(): number {
    return ++this.#scan;
  }

  /** Nothing of a file that was deleted by hand stays in memory once its scope was walked to the end. */
  forgetUnseen(directory: string, scan: number): void {
    for (const [absolute, entry] of this.#entries) {
      if (entry.seenIn < scan && absolute.startsWith(directory)) this.forget(absolute);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  /** Whether somebody may soon have to go. Until then the order of use is of no interest, and keeping it costs time. */
  #isCrowded(): boolean {
    const { cachedRecordsMax, cachedBytesMax } = this.#limits;
    return 2 * this.#entries.size > cachedRecordsMax || 2 * this.#bytes > cachedBytesMax;
  }

  #load(place: FilePlace, seen: Stats): FileContent & { readonly fresh?: true } {
    const startedMs = Date.now();
    const reading = readRegularFile(this.#fileSystem, place.absolute, notebookLimits.recordBytesMax, seen);
    if (reading.kind === 'gone' || reading.kind === 'not_a_file') return { kind: 'absent' };
    if (reading.kind !== 'read') return { kind: 'skipped', reason: reading.kind };
    const content = parse(place, reading.bytes);
    if (reading.settled && wasLeftAlone(reading.stats, startedMs)) this.#keep(place, reading.stats, content);
    return { ...content, fresh: true };
  }

  #keep(place: FilePlace, stats: Stats, content: FileContent): void {
    this.forget(place.absolute);
    this.#entries.set(place.absolute, { place, stats, content, seenIn: this.#scan });
    this.#bytes += stats.size;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limits.cachedRecordsMax && this.#bytes <= this.#limits.cachedBytesMax) break;
      this.forget(oldest);
    }
  }
}

function parse(place: FilePlace, bytes: Buffer): FileContent {
  const parsed = parseRecord(bytes, place.scope, place.path);
  if (!parsed.ok) return { kind: 'skipped', reason: parsed.reason };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return {
    kind: 'record',
    stored: Object.freeze({ record: parsed.record, scope: place.scope, path: place.path, sha256 }),
  };
}

/** Whether any change after `readMs` is bound to show in the change time. */
function wasLeftAlone(stats: Stats, readMs: number): boolean {
  // Some file systems keep whole seconds, FAT even pairs of them.
  const coarse = stats.ctimeMs % 1000 === 0;
  const windowMs = coarse ? notebookFileLimits.coarseClockMs : notebookFileLimits.clockMs;
  return stats.ctimeMs + windowMs < readMs;
}
