/** Rows of an index that somebody wrote to: every question says so and names the cure, and every build is a cure. */
import { copyFileSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CodeMind } from '../../src/engine/code/code-mind.ts';
import type { Result } from '../../src/memory/decisions/outcome.ts';
import { stateOf } from '../../src/retrieval/index/index-file.ts';
import { IndexBox, newPool, type Pool } from './index-box.ts';
import { answerOf, openMinds, outcomeOf, projectAt, queryOf } from './open-minds.ts';

let pool: Pool;
let box: IndexBox;
let content: readonly string[];
/** The index as it was built. */
let whole: string;

beforeAll(async () => {
  pool = newPool();
  box = new IndexBox(pool, {
    'src/harbour.ts':
      "import { berth } from './berth.ts';\n/** Takes ships in. */\nexport class Harbour {\n  moor(ship: string): number {\n    return berth(ship);\n  }\n}\n",
    'src/berth.ts': 'export function berth(ship: string): number {\n  return ship.length;\n}\n',
    'README.md': '# Harbours\n\nShips are moored at a berth.\n',
  });
  await withMind((mind) => mind.build({ force: false }));
  content = box.content();
  whole = `${box.root}.db`;
  copyFileSync(box.indexFile, whole);
});

afterAll(async () => {
  await pool.close();
  box.dispose();
  rmSync(whole, { force: true });
});

/** Something done by a process of its own. */
async function withMind<Value>(act: (mind: CodeMind) => Promise<Value>): Promise<Value> {
  const minds = openMinds();
  try {
    return await act(minds.of(projectAt(box.root)));
  } finally {
    await minds.close();
  }
}

function damage(change: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(`${box.indexFile}${ending}`, { force: true });
  copyFileSync(whole, box.indexFile);
  const db = new Database(box.indexFile);
  db.exec(change);
  db.close();
}

/** One of each question, those whose answers need other parts of the index among them. */
async function asked(mind: CodeMind): Promise<readonly string[]> {
  const answers: readonly Result<unknown>[] = [
    await mind.search({ query: 'harbour', n: 5 }),
    await mind.query(queryOf('where are ships moored?')),
    await mind.wakeup({ learn: false }),
    await mind.stats(),
    await mind.skeleton({ file_path: 'src/harbour.ts', offset: 0 }),
    await mind.structuralNeighbours({ q: 'Harbour', relations: [], blast_radius: true, depth: 3 }),
    await mind.impact({ symbol: 'berth', depth: 3 }),
    await mind.validate({ write: false }),
    await mind.documents(),
  ];
  for (const answer of answers) {
    if (!answer.ok && answer.failure.code === 'unavailable') expect(answer.failure.message).toMatch(/mnemosyne build/);
  }
  return answers.map(outcomeOf);
}

const ofHarbour = "(SELECT parsed FROM file WHERE path = 'src/harbour.ts')";

/** What the first build finds, whoever asks for it. */
const seenByBuilds: Readonly<Record<string, string>> = {
  'places that are cut': `UPDATE chunk_part SET searched = substr(searched, 1, length(searched) - 4) WHERE parsed = ${ofHarbour}`,
  'places that are text': `UPDATE chunk_part SET searched = 'harbour' WHERE parsed = ${ofHarbour}`,
  'no row of places': `DELETE FROM chunk_part WHERE parsed = ${ofHarbour}`,
  'vectors that are cut': `UPDATE chunk_part SET rests = x'00' WHERE parsed = ${ofHarbour}`,
  'facts that are cut': `UPDATE parsed SET facts = substr(facts, 1, length(facts) / 2) WHERE id = ${ofHarbour}`,
  'no row of facts': `DELETE FROM parsed WHERE id = ${ofHarbour}`,
  'another number of chunks': "UPDATE file SET chunk_count = chunk_count + 1 WHERE path = 'src/harbour.ts'",
  'a count that is garbled': "UPDATE meta SET value = 1e300 WHERE key = 'next_chunk'",
  'a time that is none': "UPDATE meta SET value = 1e18 WHERE key = 'built_at_ms'",
  'no table of files': 'DROP TABLE file',
  'no table of words': 'DROP TABLE posting',
  'no counts': 'DROP TABLE meta',
  'no lookup of names': 'DROP INDEX node_name',
  'a table with other columns': 'ALTER TABLE edge DROP COLUMN confidence',
};

/** What is seen when it is read. */
const seenByQuestions: Readonly<Record<string, string>> = {
  'facts of other bytes': `UPDATE parsed SET facts = randomblob(length(facts)) WHERE id = ${ofHarbour}`,
  'places of zeros': `UPDATE chunk_part SET searched = zeroblob(length(searched)) WHERE parsed = ${ofHarbour}`,
  'chunks beyond the last': "UPDATE file SET first_chunk = 100000000000 WHERE path = 'src/harbour.ts'",
  'words that end in the middle': "UPDATE posting SET data = x'81'",
  'an edge of no kind': 'UPDATE OR IGNORE edge SET kind = 99',
  'a path that is no text': "UPDATE file SET path = x'00ff' WHERE path = 'README.md'",
};
/** One for each way in which a build finds it, so that this does not take long. */
const ofEachKind = Object.entries(seenByBuilds).filter(([name]) =>
  ['places that are cut', 'no row of facts', 'a count that is garbled', 'no table of words'].includes(name),
);

test.each(Object.entries({ ...seenByBuilds, ...seenByQuestions }))(
  'HR68: %s: every question is answered or says that the index is damaged, and the next build of that process heals it',
  async (_, change) => {
    damage(change);
    await withMind(async (mind) => {
      const outcomes = await asked(mind);
      expect(new Set([...outcomes, 'ok', 'unavailable damaged'])).toEqual(new Set(['ok', 'unavailable damaged']));
      expect(outcomes).toContain('unavailable damaged');
      answerOf(await mind.build({ force: false }));
      expect(new Set(await asked(mind))).toEqual(new Set(['ok']));
    });
    expect(box.content()).toEqual(content);
  },
);

test.each(ofEachKind)('HR69: %s: a build heals it that nobody asked anything before', async (_, change) => {
  damage(change);
  await withMind(async (mind) => answerOf(await mind.build({ force: false })));
  expect(box.content()).toEqual(content);
});

test.each([...ofEachKind, ...Object.entries(seenByQuestions)])(
  'HR69: %s: a build by force heals it',
  async (_, change) => {
    damage(change);
    await withMind(async (mind) => answerOf(await mind.build({ force: true })));
    expect(box.content()).toEqual(content);
    expect(stateOf(box.indexFile).kind).toBe('usable');
  },
);

test('HR69: damage that only linking meets is healed by the build that meets it', async () => {
  damage(`UPDATE parsed SET facts = randomblob(length(facts)) WHERE id = ${ofHarbour}`);
  const berth = 'export function berth(ship: string): number {\n  return ship.length + 1;\n}\nexport const free = 3;\n';
  box.write('src/berth.ts', berth);
  try {
    await withMind(async (mind) => answerOf(await mind.build({ force: false })));
    expect(box.content()).toEqual(await box.freshContent());
  } finally {
    box.write('src/berth.ts', berth.replace(' + 1', '').replace('export const free = 3;\n', ''));
  }
});

test('HR69: what was kept of a file and is damaged is never used again', async () => {
  damage('SELECT 1');
  const before = 'export function berth(ship: string): number {\n  return ship.length;\n}\n';
  await withMind(async (mind) => {
    box.write('src/berth.ts', 'export const berth = (ship: string): number => ship.length;\n');
    answerOf(await mind.build({ force: false }));
    const db = new Database(box.indexFile);
    const spoilt = 'UPDATE parsed SET terms = zeroblob(length(terms)) WHERE id NOT IN (SELECT parsed FROM file)';
    expect(db.prepare(spoilt).run().changes).toBe(1);
    db.close();
    box.write('src/berth.ts', before);
    answerOf(await mind.build({ force: false }));
  });
  expect(box.content()).toEqual(await box.freshContent());
});
