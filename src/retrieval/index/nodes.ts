/** The numbers of nodes: found by their ids, made when they are new, kept when only lines moved. */
import type Database from 'better-sqlite3';
import { baseName } from '../code/resolve/paths.ts';
import { type FileFacts, fileId, type SymbolFact } from '../code/symbol.ts';
import { outsideNode } from '../graph/outside-node.ts';
import { DamagedIndex } from './damaged-index.ts';

interface Named {
  readonly id: number;
  readonly qualified_name: string;
  readonly occurrence: number;
}

export class Nodes {
  readonly #db: Database.Database;
  /** By path, then by qualified name and occurrence; '' is the file itself. */
  readonly #byFile = new Map<string, Map<string, number>>();
  readonly #outside = new Map<string, number>();
  readonly #fileOfNode = new Map<number, number>();
  readonly #fileId: Database.Statement<[string], number>;
  readonly #ofFile: Database.Statement<[number], Named & { position: number }>;
  readonly #findOutside: Database.Statement<[string, string, string], number>;
  readonly #insert: Database.Statement;
  readonly #update: Database.Statement;
  readonly #remove: Database.Statement<[number]>;

  readonly #isFirst: boolean;
  #added = 0;
  #removed = 0;

  /** With `isFirst` the tables were empty at the start: what is not known here does not exist. */
  constructor(db: Database.Database, isFirst: boolean) {
    this.#db = db;
    this.#isFirst = isFirst;
    this.#fileId = db.prepare<[string], number>('SELECT id FROM file WHERE path = ?').pluck();
    this.#ofFile = db.prepare('SELECT id, position, qualified_name, occurrence FROM node WHERE file = ?');
    this.#findOutside = db
      .prepare<[string, string, string], number>(
        'SELECT id FROM node WHERE name = ? COLLATE NOCASE AND qualified_name = ? AND kind = ? AND file IS NULL',
      )
      .pluck();
    this.#insert = db.prepare(
      `INSERT INTO node (file, position, kind, name, qualified_name, occurrence, start_line, end_line, signature, summary)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#update = db.prepare(
      `UPDATE node SET position = ?, kind = ?, name = ?, start_line = ?, end_line = ?, signature = ?, summary = ?
       WHERE id = ?`,
    );
    this.#remove = db.prepare('DELETE FROM node WHERE id = ?');
  }

  /** How many nodes came and went so far. */
  get counts(): { readonly added: number; readonly removed: number } {
    return { added: this.#added, removed: this.#removed };
  }

  /** Makes the nodes of a file those of `facts`, which may be an outline. */
  put(file: number, facts: FileFacts): void {
    const before = this.#isFirst ? new Map<string, number>() : this.#read(file);
    const numbers = new Map<string, number>();
    const put = (
      key: string,
      position: number,
      values: readonly (string | number)[],
      qualified: string,
      occurrence: number,
    ): void => {
      const known = before.get(key);
      const [kind, name, start, end, signature, summary] = values;
      if (known === undefined) {
        const made = this.#insert.run(
          file,
          position,
          kind,
          name,
          qualified,
          occurrence,
          start,
          end,
          signature,
          summary,
        );
        this.#added += 1;
        numbers.set(key, Number(made.lastInsertRowid));
      } else {
        this.#update.run(position, kind, name, start, end, signature, summary, known);
        numbers.set(key, known);
        before.delete(key);
      }
    };
    put('', -1, ['file', baseName(facts.path), 1, facts.lines, '', ''], facts.path, 1);
    facts.symbols.forEach((symbol, position) => {
      const { kind, name, startLine, endLine, signature, documentation } = symbol;
      put(
        keyOf(symbol),
        position,
        [kind, name, startLine, endLine, signature, documentation],
        symbol.qualifiedName,
        symbol.occurrence,
      );
    });
    for (const id of before.values()) this.#remove.run(id);
    this.#removed += before.size;
    this.#byFile.set(facts.path, numbers);
    for (const id of numbers.values()) this.#fileOfNode.set(id, file);
  }

  /** Removes the nodes of a file. Edges that lead to them belong to files that are linked again. */
  drop(file: number, path: string): void {
    this.#removed += this.#db.prepare('DELETE FROM node WHERE file = ?').run(file).changes;
    this.#byFile.delete(path);
  }

  /** The number of a node of the project, or a new one for what lies outside it. */
  numberOf(id: string): number {
    const inProject = id.startsWith('symbol:')
      ? this.#symbol(id.slice(7))
      : id.startsWith('file:')
        ? this.#file(id.slice(5))
        : null;
    if (inProject !== null) return inProject;
    const known = this.#outside.get(id);
    if (known !== undefined) return known;
    const number = this.#putOutside(id);
    this.#outside.set(id, number);
    return number;
  }

  /** The file a node lies in, or null for what lies in none. */
  fileOf(node: number): number | null {
    return this.#fileOfNode.get(node) ?? null;
  }

  /** Removes packages and outside names that no edge touches any more. */
  dropUntouched(): void {
    const dropped = this.#db
      .prepare(
        `DELETE FROM node WHERE file IS NULL
           AND NOT EXISTS (SELECT 1 FROM edge WHERE edge.target = node.id)
           AND NOT EXISTS (SELECT 1 FROM edge WHERE edge.source = node.id)`,
      )
      .run();
    this.#removed += dropped.changes;
    this.#outside.clear();
  }

  #symbol(rest: string): number {
    // A path may hold the sign too, so the border is where a file ends.
    for (let at = rest.indexOf('#'); at !== -1; at = rest.indexOf('#', at + 1)) {
      const number = this.#ofPath(rest.slice(0, at))?.get(rest.slice(at + 1));
      if (number !== undefined) return number;
    }
    throw new DamagedIndex('an edge names a symbol that it does not hold');
  }

  #file(path: string): number {
    const number = this.#ofPath(path)?.get('');
    if (number === undefined) throw new DamagedIndex('an edge names a file that it does not hold');
    return number;
  }

  #ofPath(path: string): Map<string, number> | null {
    const known = this.#byFile.get(path);
    if (known !== undefined) return known;
    const file = this.#fileId.get(path);
    if (file === undefined) return null;
    const read = this.#read(file);
    this.#byFile.set(path, read);
    for (const id of read.values()) this.#fileOfNode.set(id, file);
    return read;
  }

  #read(file: number): Map<string, number> {
    return new Map(
      this.#ofFile
        .all(file)
        .map((row) => [
          row.position === -1 ? '' : keyOf({ qualifiedName: row.qualified_name, occurrence: row.occurrence }),
          row.id,
        ]),
    );
  }

  #putOutside(id: string): number {
    const { kind, name, qualifiedName } = outsideNode(id);
    const known = this.#isFirst ? undefined : this.#findOutside.get(name, qualifiedName, kind);
    if (known !== undefined) return known;
    this.#added += 1;
    return Number(this.#insert.run(null, 0, kind, name, qualifiedName, 1, 0, 0, '', '').lastInsertRowid);
  }
}

/** As in the id of a symbol, after the path. */
export function keyOf({ qualifiedName, occurrence }: Pick<SymbolFact, 'qualifiedName' | 'occurrence'>): string {
  return occurrence === 1 ? qualifiedName : `${qualifiedName}~${occurrence}`;
}

/** The id of a node, from what the table holds of it. */
export function nodeId(row: {
  readonly path: string | null;
  readonly position: number;
  readonly kind: string;
  readonly qualified_name: string;
  readonly occurrence: number;
}): string {
  if (row.path === null) return `${row.kind}:${row.qualified_name}`;
  if (row.position === -1) return fileId(row.path);
  return `symbol:${row.path}#${keyOf({ qualifiedName: row.qualified_name, occurrence: row.occurrence })}`;
}
