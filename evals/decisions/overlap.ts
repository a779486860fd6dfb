/**
 * Whether a paraphrase really is one: the stemmed content words it shares with the decision that answers it.
 *
 * Words are stemmed by the Porter tokenizer of SQLite, so "locks", "locked" and "locking" are one word.
 */
import Database from 'better-sqlite3';
import { stopwords } from './stopwords.ts';

export interface Stemmer {
  stems(text: string): ReadonlySet<string>;
  close(): void;
}

export function openStemmer(): Stemmer {
  const db = new Database(':memory:');
  db.exec(`CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'porter unicode61');
           CREATE VIRTUAL TABLE stems USING fts5vocab(words, row);`);
  const clear = db.prepare('DELETE FROM words');
  const add = db.prepare('INSERT INTO words(text) VALUES (?)');
  const read = db.prepare<[], { term: string }>('SELECT term FROM stems');
  return {
    stems(text) {
      const content = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !stopwords.has(word));
      clear.run();
      add.run(content.join(' '));
      return new Set(read.all().map((row) => row.term));
    },
    close() {
      db.close();
    },
  };
}

export function sharedWords(stemmer: Stemmer, a: string, b: string): string[] {
  const others = stemmer.stems(b);
  return [...stemmer.stems(a)].filter((stem) => others.has(stem));
}
