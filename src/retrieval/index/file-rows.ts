/** The rows of files: one for each that is indexed, and one for each that was read and left out. */
import type Database from 'better-sqlite3';
import { directoryOf } from '../code/resolve/paths.ts';
import type { ScannedFile } from '../code/scan.ts';
import type { StoredFacts } from './facts-codec.ts';

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
      'syntax_errors',
      'text_only',
      'first_chunk',
      'chunk_count',
      'generation',
    ];
    this.#insert = db.prepare(`INSERT INTO file (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
    this.#update = db.prepare(`UPDATE file SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`);
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

  forgetUnread(path: string): void {
    this.#forgetUnread.run(path);
  }
}
