/** Numbers of what linking asks about: many files ask about the same few paths and names. */
import type Database from 'better-sqlite3';
import type { LinkInputs } from '../code/resolve/project-view.ts';
import { questions } from './schema.ts';

export class Subjects {
  readonly #known: ReadonlyMap<number, Map<string, number>>;
  readonly #find: Database.Statement<[number, string], number>;
  readonly #insert: Database.Statement<[number, string]>;
  readonly #dropUnasked: Database.Statement<[]>;

  constructor(db: Database.Database) {
    this.#known = new Map(Object.values(questions).map((question) => [question, new Map()]));
    this.#find = db.prepare<[number, string], number>('SELECT id FROM subject WHERE question = ? AND text = ?').pluck();
    this.#insert = db.prepare('INSERT INTO subject (question, text) VALUES (?, ?)');
    this.#dropUnasked = db.prepare(
      'DELETE FROM subject WHERE NOT EXISTS (SELECT 1 FROM asked WHERE asked.subject = subject.id)',
    );
  }

  /** One for each thing that was asked, ascending. */
  of({ files, names, directories, modules }: LinkInputs): readonly number[] {
    const numbers: number[] = [];
    for (const [question, texts] of [
      [questions.file, files],
      [questions.name, names],
      [questions.directory, directories],
      [questions.module, modules],
    ] as const) {
      for (const text of texts) numbers.push(this.#numberOf(question, text));
    }
    return numbers.sort((a, b) => a - b);
  }

  dropUnasked(): void {
    this.#dropUnasked.run();
    for (const known of this.#known.values()) known.clear();
  }

  #numberOf(question: number, text: string): number {
    const known = this.#known.get(question);
    const before = known?.get(text);
    if (before !== undefined) return before;
    const number = this.#find.get(question, text) ?? Number(this.#insert.run(question, text).lastInsertRowid);
    known?.set(text, number);
    return number;
  }
}
