/** Rows of an index that no page check can fault: each is whole by itself and does not fit the others. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkContent } from '../../src/engine/code/checks/index-content.ts';
import { diagnose } from '../../src/engine/code/doctor.ts';
import { readSearched, writeSearched } from '../../src/retrieval/index/codec.ts';
import { IndexBox, newPool, type Pool } from '../index/index-box.ts';

let pool: Pool;
let box: IndexBox;
let folder: string;

const harbour = (word: string): string =>
  `/** Takes a ${word} in. */\nexport function moor${word}(ship: string): string {\n  return ship;\n}\n`;

beforeAll(async () => {
  pool = newPool();
  box = new IndexBox(pool, {
    'src/tug.ts': harbour('Tug'),
    'src/barge.ts': harbour('Barge'),
    'src/sloop.ts': `${harbour('Sloop')}${harbour('Ketch')}`,
    'README.md': '# Ships\n\nThey are moored.\n',
    'empty.py': '',
  });
  await box.build();
  // Chunks of a file that changed stay in the lists as dead ones.
  box.write('src/sloop.ts', `${harbour('Sloop')}${harbour('Ketch')}${harbour('Yawl')}`);
  await box.build();
  folder = mkdtempSync(path.join(tmpdir(), 'content-'));
});

afterAll(async () => {
  await pool.close();
  box.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** What is found in a copy of the index after `damage`. */
function faultAfter(damage: (db: Database.Database) => void): string | null {
  const file = path.join(folder, 'index.db');
  copyFileSync(box.indexFile, file);
  const db = new Database(file);
  try {
    damage(db);
    return checkContent(db, 60_000).fault;
  } finally {
    db.close();
  }
}

interface Row {
  readonly id: number;
  readonly parsed: number;
  readonly first_chunk: number;
  readonly chunk_count: number;
}

function rowOf(db: Database.Database, file: string): Row {
  const row = db
    .prepare<[string], Row>('SELECT id, parsed, first_chunk, chunk_count FROM file WHERE path = ?')
    .get(file);
  if (row === undefined) throw new Error(file);
  return row;
}

function blobOf(db: Database.Database, table: string, column: string, id: number): Uint8Array {
  const key = table === 'parsed' ? 'id' : 'parsed';
  const blob = db.prepare<[number], Uint8Array>(`SELECT ${column} FROM ${table} WHERE ${key} = ?`).pluck().get(id);
  if (blob === undefined) throw new Error(column);
  return blob;
}

/** Exchanges a column of the rows of two files. */
function swap(db: Database.Database, table: 'chunk_part' | 'parsed', column: string): void {
  const key = table === 'parsed' ? 'id' : 'parsed';
  const [tug, barge] = [rowOf(db, 'src/tug.ts').parsed, rowOf(db, 'src/barge.ts').parsed];
  const [ofTug, ofBarge] = [blobOf(db, table, column, tug), blobOf(db, table, column, barge)];
  const put = db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ?`);
  put.run(ofTug, barge);
  put.run(ofBarge, tug);
}

function setFile(db: Database.Database, file: string, change: string): void {
  expect(db.prepare(`UPDATE file SET ${change} WHERE path = ?`).run(file).changes).toBe(1);
}

/** Writes other numbers over the places of a file: `at` counts numbers of four bytes after the count. */
function setPlace(db: Database.Database, file: string, at: number, number: number): void {
  const { parsed } = rowOf(db, file);
  const { places, vectors } = readSearched(blobOf(db, 'chunk_part', 'searched', parsed));
  const changed = Uint8Array.from(places);
  new DataView(changed.buffer).setUint32(4 + at * 4, number, true);
  const put = db.prepare('UPDATE chunk_part SET searched = ? WHERE parsed = ?');
  put.run(writeSearched(changed, Uint8Array.from(vectors)), parsed);
}

test('DR26: an index as it was built has no fault', () => {
  expect(faultAfter(() => {})).toBeNull();
});

const damages: Readonly<Record<string, (db: Database.Database) => void>> = {
  'facts of two files exchanged': (db) => swap(db, 'parsed', 'facts'),
  'words of two files exchanged': (db) => swap(db, 'parsed', 'terms'),
  'numbers of the chunks of two files exchanged': (db) => {
    const [tug, barge] = [rowOf(db, 'src/tug.ts'), rowOf(db, 'src/barge.ts')];
    expect(tug.chunk_count).toBe(barge.chunk_count);
    setFile(db, 'src/tug.ts', `first_chunk = ${barge.first_chunk}`);
    setFile(db, 'src/barge.ts', `first_chunk = ${tug.first_chunk}`);
  },
  'parts of two files exchanged': (db) => {
    const [tug, barge] = [rowOf(db, 'src/tug.ts'), rowOf(db, 'src/barge.ts')];
    setFile(db, 'src/tug.ts', `parsed = ${barge.parsed}`);
    setFile(db, 'src/barge.ts', `parsed = ${tug.parsed}`);
  },
  'two files with one parts': (db) => setFile(db, 'src/tug.ts', `parsed = ${rowOf(db, 'src/barge.ts').parsed}`),
  'chunks numbered one further': (db) => setFile(db, 'src/tug.ts', 'first_chunk = first_chunk + 1'),
  'chunks beyond the last': (db) => setFile(db, 'src/sloop.ts', 'first_chunk = first_chunk + 1000'),
  'a chunk that is none': (db) => setFile(db, 'src/sloop.ts', 'chunk_count = chunk_count + 1'),
  'a chunk less': (db) => setFile(db, 'src/sloop.ts', 'chunk_count = chunk_count - 1'),
  'no chunk': (db) => setFile(db, 'src/tug.ts', 'chunk_count = 0'),
  'another count of lines': (db) => setFile(db, 'src/tug.ts', 'lines = lines - 1'),
  'another count of symbols': (db) => setFile(db, 'src/tug.ts', 'symbols = symbols - 1'),
  'a number that is none': (db) => setFile(db, 'src/tug.ts', "first_chunk = 'x'"),
  // A file with two chunks has two symbols, two first lines, two last ones.
  'a symbol that the file does not have': (db) => setPlace(db, 'src/tug.ts', 1, 9),
  'a first line elsewhere': (db) => setPlace(db, 'src/tug.ts', 3, 2),
  'a last line beyond the file': (db) => setPlace(db, 'src/tug.ts', 5, 400),
  // Two lengths in each number.
  'a chunk with other lengths': (db) => setPlace(db, 'src/tug.ts', 6, 0x0007_0007),
  'a definition that is gone': (db) => {
    expect(db.prepare("DELETE FROM node WHERE name = 'moorTug'").run().changes).toBe(1);
  },
  'a definition in the place of another': (db) => {
    expect(db.prepare("UPDATE node SET position = 9 WHERE name = 'moorTug'").run().changes).toBe(1);
  },
  'definitions of a file that is gone': (db) => db.exec('UPDATE node SET file = 99 WHERE position = -1'),
  'a word that is not listed where it stands': (db) => {
    expect(db.prepare("DELETE FROM posting WHERE term = 'barg'").run().changes).toBeGreaterThan(0);
  },
  'a word under another name': (db) => {
    expect(db.prepare("UPDATE posting SET term = 'bargz' WHERE term = 'barg'").run().changes).toBeGreaterThan(0);
  },
};

test.each(Object.entries(damages))('DR26: %s', (_, damage) => {
  expect(faultAfter(damage)).toMatch(/^\S.*\w$/);
});

test('DR26: places of two files that are exchanged are found where the files differ', () => {
  const fault = faultAfter((db) => {
    const [small, large] = [rowOf(db, 'src/tug.ts').parsed, rowOf(db, 'src/sloop.ts').parsed];
    const put = db.prepare('UPDATE chunk_part SET searched = ?, rests = ? WHERE parsed = ?');
    const parts = [small, large].map((id) => [
      blobOf(db, 'chunk_part', 'searched', id),
      blobOf(db, 'chunk_part', 'rests', id),
    ]);
    put.run(...(parts[1] ?? []), small);
    put.run(...(parts[0] ?? []), large);
  });
  expect(fault).toMatch(/^what it holds of src\/(tug|sloop)\.ts is garbled$/);
});

test('DR27: forged counts end the look at once, and are a fault with its cure', async () => {
  for (const forge of [
    (terms: Uint8Array) => new DataView(terms.buffer).setUint32(0, 0xffff_ffff, true),
    (terms: Uint8Array) => new DataView(terms.buffer).setUint32(4, 0xffff_ffff, true),
    // How many postings the first term has, with all the bits that a number can have.
    (terms: Uint8Array) => terms.set([255, 255, 255, 255, 7], 8 + new DataView(terms.buffer).getUint32(4, true)),
  ]) {
    const begun = performance.now();
    const fault = faultAfter((db) => {
      const { parsed } = rowOf(db, 'src/sloop.ts');
      const terms = Uint8Array.from(blobOf(db, 'parsed', 'terms', parsed));
      forge(terms);
      db.prepare('UPDATE parsed SET terms = ? WHERE id = ?').run(terms, parsed);
    });
    expect(fault).toBe('what it holds of src/sloop.ts is garbled');
    expect(performance.now() - begun).toBeLessThan(2_000);
  }
  const whole = path.join(folder, 'whole.db');
  copyFileSync(box.indexFile, whole);
  try {
    for (const damage of [
      "UPDATE meta SET value = 1e300 WHERE key = 'next_chunk'",
      "UPDATE meta SET value = 4e9 WHERE key = 'next_chunk'",
      "UPDATE meta SET value = 9e15 WHERE key = 'built_at_ms'",
      "DELETE FROM meta WHERE key = 'next_chunk'",
      "DELETE FROM meta WHERE key <> 'parts_version'",
      'DROP TABLE posting',
      'DROP INDEX node_name',
    ]) {
      const db = new Database(box.indexFile);
      db.exec(damage);
      db.close();
      const findings = await diagnose(box.root, { userHome: '/nonexistent', daemonHome: '/nonexistent/.neuralmind' });
      const finding = findings.find(({ check }) => check === 'index-pages');
      expect(finding, damage).toMatchObject({ state: 'fault' });
      expect(finding?.message).toMatch(/^The index is damaged: [^\n]*\.$/);
      expect(finding?.cure).toContain(`mnemosyne build ${box.root}`);
      for (const ending of ['-wal', '-shm']) rmSync(`${box.indexFile}${ending}`, { force: true });
      copyFileSync(whole, box.indexFile);
    }
  } finally {
    copyFileSync(whole, box.indexFile);
  }
});
