/** The rows of files: one for each that is indexed, and one for each that was read and left out. */
import type Database from 'better-sqlite3';
import { directoryOf } from '../code/resolve/paths.ts';
import type { ScannedFile } from '../code/scan.ts';
import type { StoredFacts } from './facts-codec.ts';
import type { ReadSkip } from './known-files.ts';

export interface FileRow {
  readonly file: ScannedFile;
  /** Of the row it replaces, or null. */
  readonly id: number | null;
  readonly stored: StoredFacts;
  /** Number of its parts. */
  readonly parsed: number;
  readonly firstChunk: number;
  readonly chunkCount: number;
  /** When it was listed, in ms since 1970. */
  readonly readMs: number;
  readonly generation: number;
}

export class FileRows {
  readonly #insert: Database.Statement;
  readonly #update: Database.Statement;
  readonly #leaveOut: Database.Statement;
  readonly #touch: Database.Statement;
  readonly #touchUnread: Database.Statement;
  readonly #forgetUnread: Database.Statement<[string]>;

  constructor(db: Database.Database) {
    const columns = [
      'path',
      'directory',
      'language',
      'module',
      'bytes',
      'modified_ms',
      'changed_ms',
      'inode',
      'read_ms',
      'content_hash',
      'interface_hash',
      'parsed',
      'lines',
      'tokens',
      'symbols',
      'syntax_errors',
      'text_only',
      'first_chunk',
      'chunk_count',
      'generation',
    ];
    this.#insert = db.prepare(`INSERT INTO file (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
    this.#update = db.prepare(`UPDATE file SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`);
    this.#leaveOut = db.prepare(
      `INSERT OR REPLACE INTO unread (path, reason, bytes, modified_ms, changed_ms, inode, read_ms, content_hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    const noted = 'bytes = ?, modified_ms = ?, changed_ms = ?, inode = ?, read_ms = ?';
    this.#touch = db.prepare(`UPDATE file SET ${noted} WHERE path = ?`);
    this.#touchUnread = db.prepare(`UPDATE unread SET ${noted} WHERE path = ?`);
    this.#forgetUnread = db.prepare('DELETE FROM unread WHERE path = ?');
  }

  /** Answers the number of the file. */
  put({ file, id, stored, parsed, firstChunk, chunkCount, readMs, generation }: FileRow): number {
    const { facts, textOnly, tokens } = stored;
    const values = [
      facts.path,
      directoryOf(facts.path),
      facts.language,
      facts.module,
      file.bytes,
      file.modifiedMs,
      file.changedMs,
      file.inode,
      readMs,
      facts.contentHash,
      facts.interfaceHash,
      parsed,
      facts.lines,
      tokens,
      facts.symbols.length,
      facts.syntaxErrors,
      textOnly,
      firstChunk,
      chunkCount,
      generation,
    ];
    if (id === null) return Number(this.#insert.run(...values).lastInsertRowid);
    this.#update.run(...values, id);
    return id;
  }

  /** `readMs` is when it was listed, in ms since 1970. */
  leaveOut(file: ScannedFile, reason: ReadSkip, contentHash: string, readMs: number): void {
    const { path, bytes, modifiedMs, changedMs, inode } = file;
    this.#leaveOut.run(path, reason, bytes, modifiedMs, changedMs, inode, readMs, contentHash);
  }

  /** Notes what the file system says of a file whose content is as it was; `id` is null for one that was left out. */
  touch(id: number | null, { path, bytes, modifiedMs, changedMs, inode }: ScannedFile, readMs: number): void {
    const touch = id === null ? this.#touchUnread : this.#touch;
    touch.run(bytes, modifiedMs, changedMs, inode, readMs, path);
  }

  forgetUnread(path: string): void {
    this.#forgetUnread.run(path);
  }
}
