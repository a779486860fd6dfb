/** Writes the edges of one file, what its linking asked, and the references that stayed unknown. */
import type Database from 'better-sqlite3';
import type { LinkedFile } from '../code/link.ts';
import { lastNameOf } from '../graph/last-name.ts';
import type { Nodes } from './nodes.ts';
import { numberOfKind } from './schema.ts';
import { Subjects } from './subjects.ts';

export class LinkWriter {
  readonly #nodes: Nodes;
  readonly #dropEdges: Database.Statement<[number]>;
  readonly #dropPackageEdges: Database.Statement<[number]>;
  readonly #dropRest: readonly Database.Statement<[number]>[];
  readonly #edge: Database.Statement;
  readonly #fileEdge: Database.Statement;
  readonly #asked: Database.Statement;
  readonly #subjects: Subjects;
  readonly #unresolved: Database.Statement;
  readonly #ties: Database.Statement<[number], Tie>;
  readonly #tiesBefore = new Map<number, string>();
  #tiesChanged = false;

  readonly #isFirst: boolean;

  /** With `isFirst` nothing was linked before. */
  constructor(db: Database.Database, nodes: Nodes, isFirst: boolean) {
    this.#isFirst = isFirst;
    this.#nodes = nodes;
    this.#dropEdges = db.prepare('DELETE FROM edge WHERE source IN (SELECT id FROM node WHERE file = ?)');
    // The edge from a package to a file belongs to the file.
    this.#dropPackageEdges = db.prepare(
      `DELETE FROM edge WHERE (source, kind, target) IN (
         SELECT edge.source, edge.kind, edge.target
         FROM node AS own
         JOIN edge ON edge.target = own.id AND edge.kind = ${numberOfKind('contains')}
         JOIN node AS holder ON holder.id = edge.source AND holder.file IS NULL
         WHERE own.file = ? AND own.position = -1)`,
    );
    this.#dropRest = [
      db.prepare('DELETE FROM file_edge WHERE source = ?'),
      db.prepare('DELETE FROM asked WHERE file = ?'),
      db.prepare('DELETE FROM unresolved WHERE file = ?'),
    ];
    this.#edge = db.prepare('INSERT INTO edge (source, kind, target, line, confidence) VALUES (?, ?, ?, ?, ?)');
    this.#fileEdge = db.prepare('INSERT INTO file_edge (source, target, count) VALUES (?, ?, ?)');
    this.#ties = db.prepare('SELECT target, count FROM file_edge WHERE source = ?');
    this.#asked = db.prepare('INSERT INTO asked (subject, file) VALUES (?, ?)');
    this.#subjects = new Subjects(db);
    this.#unresolved = db.prepare('INSERT INTO unresolved (name, file, count) VALUES (?, ?, ?)');
  }

  /** Whether what ties files together is no longer as it was. */
  get tiesChanged(): boolean {
    return this.#tiesChanged;
  }

  /** Removes what an earlier linking of the file left; before its nodes change. */
  drop(file: number): void {
    if (this.#isFirst) return;
    if (!this.#tiesBefore.has(file)) this.#tiesBefore.set(file, tiesText(this.#ties.all(file)));
    this.#dropEdges.run(file);
    this.#dropPackageEdges.run(file);
    for (const statement of this.#dropRest) statement.run(file);
  }

  /** Removes what no file asks about any more. */
  dropUnasked(): void {
    this.#subjects.dropUnasked();
  }

  write(file: number, linked: LinkedFile): void {
    const others = new Map<number, number>();
    for (const edge of linked.edges) {
      const source = this.#nodes.numberOf(edge.from);
      const target = this.#nodes.numberOf(edge.to);
      this.#edge.run(source, numberOfKind(edge.kind), target, edge.line, edge.confidence);
      if (edge.kind === 'contains') continue;
      const other = this.#nodes.fileOf(target);
      if (other !== null && other !== file) others.set(other, (others.get(other) ?? 0) + 1);
    }
    for (const [other, count] of others) this.#fileEdge.run(file, other, count);
    const ties = tiesText([...others].map(([target, count]) => ({ target, count })));
    if (this.#tiesBefore.get(file) !== ties) this.#tiesChanged = true;
    for (const subject of this.#subjects.of(linked.inputs)) this.#asked.run(subject, file);
    for (const [name, count] of unknownNames(linked)) this.#unresolved.run(name, file, count);
  }
}

interface Tie {
  readonly target: number;
  readonly count: number;
}

function tiesText(ties: readonly Tie[]): string {
  return [...ties]
    .sort((a, b) => a.target - b.target)
    .map(({ target, count }) => `${target}:${count}`)
    .join(' ');
}

/** How often each last name of a reference stayed unknown. */
function unknownNames(linked: LinkedFile): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, target, reason } of linked.unresolved) {
    // What a call gives is no use of what was called: that is a reference of its own.
    if (reason !== 'unknown' || target.endsWith('()')) continue;
    const name = kind === 'import' ? target : lastNameOf(target);
    if (/[\p{L}\p{N}]/u.test(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
