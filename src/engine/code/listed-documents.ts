/** The documents that the user added by hand: what the index holds of each, and taking one off the list again. */
import type Database from 'better-sqlite3';
import { fail, invalidField, ok, type Result, unavailable } from '../../memory/decisions/outcome.ts';
import type { DocumentHint } from '../../retrieval/documents/document.ts';
import { nameOfDocument } from '../../retrieval/documents/document-path.ts';
import { DocumentsList, type ListedDocument } from '../../retrieval/documents/documents-list.ts';
import { freshnessOf } from '../../retrieval/index/freshness.ts';
import { unpackFacts } from '../../retrieval/index/indexed-parts.ts';
import { type KnownFile, knownFiles } from '../../retrieval/index/known-files.ts';
import { withDocuments } from '../../retrieval/index/with-documents.ts';

/** As it travels. What the index does not hold is null, and no piece is counted. */
export interface DocumentFacts {
  /** From the root, with `/`. */
  readonly file_path: string;
  /** As it was said when it was added. */
  readonly content_type: DocumentHint;
  /** `markdown`, `text` or `pdf`; a file of the project that is read as code has its language. */
  readonly kind: string | null;
  /** Its first heading. */
  readonly title: string | null;
  readonly bytes: number | null;
  readonly node_count: number;
  /** ISO 8601, UTC. */
  readonly added_at: string;
  /** `changed`: the index does not hold it as it is now. `gone`: there is no such file. */
  readonly state: 'fresh' | 'changed' | 'gone';
  /** Why it was left out when it was read; null when it was not. */
  readonly skip_reason: string | null;
}

export interface IndexedDocument {
  readonly file: KnownFile;
  readonly kind: string | null;
  readonly title: string | null;
  readonly nodes: number;
}

interface DocumentRow {
  readonly language: string;
  readonly facts: Uint8Array;
  readonly nodes: number;
  readonly title: string | null;
}

/** What an index holds of some documents, by path. */
export function indexedDocuments(
  db: Database.Database,
  listed: readonly ListedDocument[],
): ReadonlyMap<string, IndexedDocument> {
  const known = knownFiles(db);
  const find = db.prepare<[number], DocumentRow>(
    `SELECT language, parsed.facts AS facts, (SELECT COUNT(*) FROM node WHERE node.file = file.id) AS nodes,
       (SELECT name FROM node WHERE node.file = file.id AND kind = 'section' ORDER BY position LIMIT 1) AS title
     FROM file JOIN parsed ON parsed.id = file.parsed WHERE file.id = ?`,
  );
  const documents = new Map<string, IndexedDocument>();
  for (const { path } of listed) {
    const file = known.get(path);
    if (file === undefined) continue;
    const row = file.id === null ? undefined : find.get(file.id);
    documents.set(path, { file, ...(row === undefined ? notHeld : heldOf(row)) });
  }
  return documents;
}

const notHeld = { kind: null, title: null, nodes: 0 };

function heldOf({ language, facts, nodes, title }: DocumentRow): Omit<IndexedDocument, 'file'> {
  // Only of a PDF the index keeps the text, and the sections of one are its pages.
  const isPdf = language === 'text' && unpackFacts(facts).text !== undefined;
  return isPdf ? { kind: 'pdf', title: null, nodes } : { kind: language, title, nodes };
}

/** In the order in which they were added, each compared with the file that is there now. */
export async function documentFacts(
  root: string,
  listed: readonly ListedDocument[],
  indexed: ReadonlyMap<string, IndexedDocument>,
): Promise<readonly DocumentFacts[]> {
  const paths = listed.map((document) => document.path);
  const files = withDocuments(root, [], paths);
  const there = new Set(files.map((file) => file.path));
  const known = new Map([...indexed].map(([path, { file }]) => [path, file]));
  const { changed, added } = await freshnessOf(root, files, known);
  const stale = new Set([...changed, ...added]);
  return listed.map(({ path, content_type, added_at }) => {
    const held = indexed.get(path);
    return {
      file_path: path,
      content_type,
      kind: held?.kind ?? null,
      title: held?.title ?? null,
      bytes: held === undefined || held.file.id === null ? null : held.file.bytes,
      node_count: held?.nodes ?? 0,
      added_at,
      state: !there.has(path) ? 'gone' : stale.has(path) ? 'changed' : 'fresh',
      skip_reason: held?.file.skipReason ?? null,
    };
  });
}

/** The path as it was listed. The file may be gone. */
export async function unlistDocument(root: string, given: string): Promise<Result<string>> {
  const name = await nameOfDocument(root, given);
  if (name === null) return invalidField(['path'], 'is outside the project', 'path_outside');
  const removed = await new DocumentsList(root).remove(name);
  if (!removed.ok) return unavailable('unreadable', removed.message);
  if (removed.changed) return ok(name);
  return fail({ code: 'document_not_found', message: `no document ${name} was added by hand`, path: name });
}
