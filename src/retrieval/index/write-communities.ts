/** Which group each file hangs together with, written beside it. */
import type Database from 'better-sqlite3';
import { communitiesOf, type FileEdge } from '../graph/communities.ts';
import { numberOfKind } from './schema.ts';

/** Groups keep the numbers they had; a file that changed its group is marked with `generation`. */
export function writeCommunities(db: Database.Database, generation: number): void {
  const files = db
    .prepare<[], { id: number; path: string; community: number }>('SELECT id, path, community FROM file')
    .all();
  const isFirst = files.every((file) => file.community === 0);
  const previous = new Map(isFirst ? [] : files.map((file) => [file.path, file.community]));
  const groups = communitiesOf(
    files.map((file) => file.path),
    tiesOf(db),
    previous,
  );
  const put = db.prepare('UPDATE file SET community = ?, generation = ? WHERE id = ?');
  for (const file of files) {
    const group = groups.get(file.path);
    if (group !== undefined && group !== file.community) put.run(group, generation, file.id);
  }
}

/** Edges between files, and from the packages that hold files together. */
function* tiesOf(db: Database.Database): Iterable<FileEdge> {
  yield* db
    .prepare<[], FileEdge>(
      `SELECT source.path AS "from", target.path AS "to", count AS weight FROM file_edge
       JOIN file AS source ON source.id = file_edge.source JOIN file AS target ON target.id = file_edge.target`,
    )
    .iterate();
  yield* db
    .prepare<[number], FileEdge>(
      `SELECT 'package:' || holder.qualified_name AS "from", file.path AS "to", 0.5 AS weight FROM edge
       JOIN node AS holder ON holder.id = edge.source AND holder.file IS NULL
       JOIN node AS held ON held.id = edge.target AND held.position = -1 JOIN file ON file.id = held.file
       WHERE edge.kind = ?`,
    )
    .iterate(numberOfKind('contains'));
}
