/**
 * The tables of an index. All of it is derived from the working tree: a file that cannot be used is built anew.
 *
 * Nodes are files, definitions, packages and names outside the project, each with a number of its own; edges and
 * postings hold numbers only. What a file's text alone gives is kept under a hash of path and content (`parsed`), also
 * for a while after the file changed, so that switching back to it parses nothing. What every question reads of all
 * files lies apart from the rest of that (`chunk_part`): a command that asks once has to touch all of it.
 */
import type Database from 'better-sqlite3';
import type { EdgeKind } from '../code/link.ts';
import { DamagedIndex } from './damaged-index.ts';

/** Marks the file as an index of ours: "MnIx". */
export const applicationId = 0x4d_6e_49_78;
/** Raise it with every change of the tables or of what their columns mean; an index of another version is built anew. */
export const schemaVersion = 3;

export const tables = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
CREATE TABLE file (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  directory TEXT NOT NULL,
  language TEXT NOT NULL,
  module TEXT,
  bytes INTEGER NOT NULL,
  modified_ms REAL NOT NULL,
  changed_ms REAL NOT NULL,
  inode INTEGER NOT NULL,
  read_ms REAL NOT NULL,
  content_hash TEXT NOT NULL,
  interface_hash TEXT NOT NULL,
  parsed INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  symbols INTEGER NOT NULL,
  syntax_errors INTEGER NOT NULL,
  text_only TEXT,
  first_chunk INTEGER NOT NULL,
  chunk_count INTEGER NOT NULL,
  community INTEGER NOT NULL DEFAULT 0,
  generation INTEGER NOT NULL
);
CREATE INDEX file_directory ON file (directory);
CREATE INDEX file_module ON file (module) WHERE module IS NOT NULL;
CREATE INDEX file_generation ON file (generation);
CREATE INDEX file_parsed ON file (parsed);
CREATE TABLE skipped (path TEXT PRIMARY KEY, reason TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE unread (
  path TEXT PRIMARY KEY,
  reason TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  modified_ms REAL NOT NULL,
  changed_ms REAL NOT NULL,
  inode INTEGER NOT NULL,
  read_ms REAL NOT NULL,
  content_hash TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE parsed (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  used_in INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  facts BLOB NOT NULL,
  terms BLOB NOT NULL
);
CREATE TABLE chunk_part (
  parsed INTEGER PRIMARY KEY,
  searched BLOB NOT NULL,
  rests BLOB NOT NULL
);
CREATE TABLE node (
  id INTEGER PRIMARY KEY,
  file INTEGER,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  qualified_name TEXT NOT NULL,
  occurrence INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  signature TEXT NOT NULL,
  summary TEXT NOT NULL
);
CREATE INDEX node_file ON node (file, position);
CREATE TABLE edge (
  source INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  target INTEGER NOT NULL,
  line INTEGER NOT NULL,
  confidence REAL NOT NULL,
  PRIMARY KEY (source, kind, target)
) WITHOUT ROWID;
CREATE TABLE file_edge (
  source INTEGER NOT NULL,
  target INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (source, target)
) WITHOUT ROWID;
CREATE TABLE subject (
  id INTEGER PRIMARY KEY,
  question INTEGER NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (question, text)
);
CREATE TABLE asked (
  subject INTEGER NOT NULL,
  file INTEGER NOT NULL,
  PRIMARY KEY (subject, file)
) WITHOUT ROWID;
CREATE TABLE unresolved (
  name TEXT NOT NULL,
  file INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (name, file)
) WITHOUT ROWID;
CREATE TABLE posting (
  term TEXT NOT NULL,
  segment INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (term, segment)
) WITHOUT ROWID;
`;

/** Lookups that a build from nothing does not need: it makes them last, which is faster than filling them row by row. */
export const lookups = `
CREATE INDEX node_name ON node (name COLLATE NOCASE);
CREATE INDEX edge_target ON edge (target, kind);
CREATE INDEX file_edge_target ON file_edge (target);
CREATE INDEX asked_file ON asked (file);
CREATE INDEX unresolved_file ON unresolved (file);
`;

export const withoutLookups = `
DROP INDEX IF EXISTS node_name;
DROP INDEX IF EXISTS edge_target;
DROP INDEX IF EXISTS file_edge_target;
DROP INDEX IF EXISTS asked_file;
DROP INDEX IF EXISTS unresolved_file;
`;

/** The first table or lookup that is not there as it was made, or null. */
export function missingTable(db: Database.Database): string | null {
  const made = new Set(db.prepare<[], string | null>('SELECT sql FROM sqlite_master').pluck().all());
  const missing = statements.find((statement) => !made.has(statement));
  return missing === undefined ? null : (/^CREATE (?:TABLE|INDEX) (\w+)/.exec(missing)?.[1] ?? missing);
}

/** SQLite keeps the text of each. */
const statements = `${tables}${lookups}`
  .split(';\n')
  .map((statement) => statement.trim())
  .filter((statement) => statement !== '');

/** How an edge's kind is stored. Numbers keep their meaning for as long as the schema has its version. */
const kindNumbers: Readonly<Record<EdgeKind, number>> = {
  contains: 0,
  imports: 1,
  calls: 2,
  inherits: 3,
  implements: 4,
  decorates: 5,
  references: 6,
};
const kindsByNumber = new Map(Object.entries(kindNumbers).map(([kind, number]) => [number, kind]));

export function numberOfKind(kind: EdgeKind): number {
  return kindNumbers[kind];
}

export function kindOfNumber(number: number): EdgeKind {
  const kind = kindsByNumber.get(number);
  if (kind === undefined || !isEdgeKind(kind)) throw new DamagedIndex(`it holds an edge of the unknown kind ${number}`);
  return kind;
}

function isEdgeKind(text: string): text is EdgeKind {
  return Object.hasOwn(kindNumbers, text);
}

/** What linking asked about other files, see `resolve/project-view.ts`. */
export const questions = { file: 0, name: 1, directory: 2, module: 3 } as const;
