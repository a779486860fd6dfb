/**
 * `documents.json` in the `.neuralmind` folder of a repository: the documents that the user added by hand, in the order
 * in which they were added. It is truth: replaced whole and flushed to the disk before success is reported, under a
 * lock that other processes honour. A file that is not exactly understood is named and never rewritten: it may come
 * from a later release.
 *
 * It holds no secret and lies in the repository, so unlike files of the daemon home it may belong to another user and
 * be readable by others.
 */
import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { acquireFileLock, type FileLock } from '../../base/file-lock.ts';
import { documentLimits } from '../../base/limits.ts';
import { errnoOf, replacePrivateFile } from '../../base/private-file.ts';
import { liesIn, ownFoldersWithin, realPlace } from '../code/scan-own-folders.ts';
import { documentHints } from './document.ts';
import { withheldReason } from './withheld-path.ts';

/** Open for members that a later release of the same version may add; they are kept. */
const entrySchema = z.looseObject({
  /** From the root of the repository, with `/`. */
  path: z.string().refine(isInside),
  content_type: z.enum(documentHints),
  /** ISO 8601, UTC. */
  added_at: z.string(),
});
export type ListedDocument = Readonly<z.infer<typeof entrySchema>>;

const fileVersion = 1;
const fileSchema = z.looseObject({ version: z.literal(fileVersion), documents: z.array(entrySchema) });

export interface Unusable {
  readonly ok: false;
  /** One sentence for the user that names the file, from the root of the repository. */
  readonly message: string;
}

export type DocumentsRead = { readonly ok: true; readonly documents: readonly ListedDocument[] } | Unusable;

export type DocumentsWrite =
  /** Whether this call changed the file. What is listed already, with the same type, changes nothing. */
  { readonly ok: true; readonly changed: boolean } | Unusable;

export class DocumentsList {
  readonly #root: string;
  readonly #ownFolders: () => readonly string[];
  readonly #path: string;
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * `root` is that of the repository, `ownFolders` those of our own data (`scan.ts`). Nothing is made before the first
   * document is added.
   */
  constructor(root: string, ownFolders: () => readonly string[] = () => []) {
    this.#root = root;
    this.#ownFolders = ownFolders;
    this.#path = path.join(root, '.neuralmind', 'documents.json');
  }

  /**
   * A repository may bring the file along, and folders become links, so what is never a document is passed over here
   * too. A document that is listed again, which only a hand can do, counts once.
   */
  read(): DocumentsRead {
    const content = this.#content();
    if (!content.ok) return content;
    const listed = once(content.file?.documents ?? []);
    if (listed.length === 0) return { ok: true, documents: listed };
    const root = realPlace(this.#root);
    const own = ownFoldersWithin(root, this.#ownFolders());
    const isDocument = ({ path: name }: ListedDocument): boolean => {
      if (withheldReason(name) !== null || own === null || liesIn(name, own)) return false;
      const plain = path.join(root, name);
      return realPlace(plain) === plain;
    };
    return { ok: true, documents: listed.filter(isDocument) };
  }

  /** Adds a document. One that is listed already keeps its place and time and takes the new type. */
  add(document: ListedDocument): Promise<DocumentsWrite> {
    const entry = entrySchema.parse(document);
    return this.#change((documents) => {
      const at = documents.findIndex((known) => known.path === entry.path);
      const known = documents[at];
      if (known === undefined) return [...documents, entry];
      if (known.content_type === entry.content_type) return documents;
      return documents.with(at, { ...known, content_type: entry.content_type });
    });
  }

  /** Also what `read` passes over. What is not listed changes nothing. */
  remove(file: string): Promise<DocumentsWrite> {
    if (!existsSync(this.#path)) return Promise.resolve({ ok: true, changed: false });
    return this.#change((documents) =>
      documents.some((known) => known.path === file) ? documents.filter((known) => known.path !== file) : documents,
    );
  }

  /** `change` gives back the very list it got when there is nothing to do. */
  #change(change: (documents: readonly ListedDocument[]) => readonly ListedDocument[]): Promise<DocumentsWrite> {
    const work = this.#turn.then(() => this.#changeLocked(change));
    this.#turn = work.catch(() => {});
    return work;
  }

  async #changeLocked(
    change: (documents: readonly ListedDocument[]) => readonly ListedDocument[],
  ): Promise<DocumentsWrite> {
    try {
      this.#makeFolder();
      const lock = await this.#lock();
      if (lock === null) return unusable('is held by another process');
      try {
        const content = this.#content();
        if (!content.ok) return content;
        const before = once(content.file?.documents ?? []);
        const documents = change(before);
        if (documents === before) return { ok: true, changed: false };
        if (documents.length > documentLimits.listedMax) {
          return unusable(`lists ${documentLimits.listedMax} documents already, which is the most it may`);
        }
        const file = { ...content.file, version: fileVersion, documents };
        replacePrivateFile(this.#path, `${JSON.stringify(file, null, 2)}\n`);
        return { ok: true, changed: true };
      } finally {
        lock.release();
      }
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === undefined) throw error;
      return unusable(`cannot be written (${errno})`);
    }
  }

  #content(): { readonly ok: true; readonly file: z.infer<typeof fileSchema> | null } | Unusable {
    let text: string | null;
    try {
      text = readText(this.#path);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === undefined) throw error;
      return unusable(errno === 'ELOOP' ? 'is a symbolic link' : `cannot be read (${errno})`);
    }
    if (text === null) return { ok: true, file: null };
    const parsed = fileSchema.safeParse(parseJson(text));
    if (parsed.success) return { ok: true, file: parsed.data };
    return unusable('is not understood; it was not changed');
  }

  #makeFolder(): void {
    const folder = path.dirname(this.#path);
    if (existsSync(folder)) return;
    mkdirSync(folder, { recursive: true });
    // Only in a folder of our own making: whoever removed the file did it on purpose.
    writeFileSync(path.join(folder, '.gitignore'), '*\n');
  }

  async #lock(): Promise<FileLock | null> {
    const deadline = performance.now() + documentLimits.lockWaitMsMax;
    for (;;) {
      const attempt = await acquireFileLock(`${this.#path}.lock`);
      if (attempt.kind === 'acquired') return attempt.lock;
      if (performance.now() > deadline) return null;
      await sleep(pollMs);
    }
  }
}

const pollMs = 10;

/** Each path as if its entries had been added one after the other: at the first place and time, with the last type. */
function once(documents: readonly ListedDocument[]): readonly ListedDocument[] {
  const byPath = new Map<string, ListedDocument>();
  for (const document of documents) {
    const known = byPath.get(document.path);
    const { content_type } = document;
    byPath.set(document.path, known === undefined ? document : { ...known, content_type });
  }
  return byPath.size === documents.length ? documents : [...byPath.values()];
}

/** Null when there is no file. What is none of ours by kind or size reads as what is not understood. */
function readText(file: string): string | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return null;
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > documentLimits.listBytesMax) return '';
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function isInside(file: string): boolean {
  const isPlain = file !== '' && !file.startsWith('/') && !file.includes('\0');
  return isPlain && file.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

function unusable(fault: string): Unusable {
  return { ok: false, message: `.neuralmind/documents.json ${fault}.` };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON is not understood either; the schema says so.
    return undefined;
  }
}
