/** Wrong answers delivered silently, as users of other code memories met them: none of them here. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { indexLimits } from '../../src/base/limits.ts';
import { FilePool } from '../../src/retrieval/code/parse-pool.ts';
import { stateOf } from '../../src/retrieval/index/index-file.ts';
import type { IndexedOutcome } from '../../src/retrieval/index/indexed-parts.ts';
import { runGit } from '../projects/temp-repository.ts';
import { IndexBox } from './index-box.ts';
import { type MindBox, mindBoxes } from './mind-box.ts';
import { answerOf, openMinds, projectAt, queryOf } from './open-minds.ts';

const { boxOf } = mindBoxes();

const python = (name: string, words = ''): string => `def ${name}():\n    """${words}"""\n`;

/** Everything beside the index that a question could have left, and the index itself. */
function traces(box: MindBox): readonly string[] {
  const folder = path.dirname(box.indexFile);
  return readdirSync(folder)
    .filter((name) => !/-(wal|shm)$/.test(name))
    .sort()
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(path.join(folder, name)))
          .digest('hex')}`,
    );
}

test('HR31: an old index is told as old by stats, health, wake-up and query, and a build leaves nothing of files that went', async () => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`old${at}.py`, python(`vanished${at}`)]));
  const box = boxOf({ ...files, 'kept.py': python('kept') });
  await box.index();
  for (const file of Object.keys(files)) box.remove(file);
  box.write('new.py', python('arrived'));
  expect(await box.staleness()).toMatchObject({ changed: 0, added: 1, removed: 20 });
  expect(answerOf(await box.mind.health()).state).toBe('stale');
  for (const answer of [answerOf(await box.mind.wakeup({ learn: false })), await box.query('vanished3')]) {
    expect(answer.freshness).toMatchObject({ state: 'stale', removed: 20 });
    expect(answer.context).toContain('20 files deleted');
  }
  expect(await box.index()).toMatchObject({ files_removed: 20, files: 2 });
  expect(box.content().filter((line) => /vanished|old\d/.test(line))).toEqual([]);
  expect((await box.search('vanished3')).results.every((hit) => !hit.source_file.startsWith('old'))).toBe(true);
});

test('HR32: a mind that stays open answers from what another one built meanwhile', async () => {
  const box = boxOf({ 'a.py': python('before', 'Paints walls.') });
  await box.index();
  expect(await box.found('before')).toContain('symbol:a.py#before:1');
  const other = openMinds();
  try {
    box.write('a.py', python('after', 'Counts apples.'));
    answerOf(await other.of(projectAt(box.root)).build({ force: false }));
  } finally {
    await other.close();
  }
  expect(await box.resolution('after')).toBe('exact');
  expect(await box.resolution('before')).not.toBe('exact');
  expect((await box.query('paints walls')).context).not.toContain('before');
  expect((await box.query('counts apples')).freshness).toBeNull();
});

test('HR33: freshness comes from the files, is told once, and only when there is something to tell', async () => {
  const box = boxOf({ 'a.py': python('a', 'Counts apples.') });
  await box.index();
  answerOf(await box.mind.watch(true));
  try {
    const fresh = await box.query('counts apples');
    expect([fresh.freshness, /stale|fresh/.test(fresh.context)]).toEqual([null, false]);
  } finally {
    answerOf(await box.mind.watch(false));
  }
  await box.settled();
  // Nobody watches now: the files say it all the same.
  box.write('a.py', python('a', 'Counts pears.'));
  const stale = await box.query('counts apples');
  expect(stale.freshness).toMatchObject({ state: 'stale', changed: 1 });
  expect(stale.context.match(/stale/g)).toHaveLength(1);
});

test('HR36: questions leave no trace in the index, and none beside it unless they are to be learned from', async () => {
  const box = boxOf({ 'a.py': python('a', 'Counts apples.'), 'b.py': 'from a import a\n\n\ndef b():\n    a()\n' });
  await box.index();
  const before = traces(box);
  await box.query('counts apples', 300);
  await box.search('apples');
  answerOf(await box.mind.wakeup({ learn: false }));
  await box.stats();
  answerOf(await box.mind.health());
  answerOf(await box.mind.validate({ write: false }));
  answerOf(await box.mind.skeleton({ file_path: 'a.py', offset: 0 }));
  await box.neighbours('a', 'all');
  await box.dependents('a');
  expect(traces(box)).toEqual(before);
  answerOf(await box.mind.query({ ...queryOf('counts apples'), learn: true }));
  expect(traces(box).length).toBe(before.length + 1);
});

test('HR37: questions never build what is there, and builds with nothing changed write nothing and add no link', async () => {
  const box = boxOf({
    'docs/guide.md': '# Guide\n\nSee [the code](../a.py) and [more](more.md).\n',
    'docs/more.md': '# More\n\nBack to the [guide](guide.md).\n',
    'a.py': python('a'),
  });
  runGit(box.root, 'init', '-q');
  await box.index();
  const [content, before] = [box.content(), traces(box)];
  for (let round = 0; round < 6; round += 1) expect((await box.index()).changed).toBe(false);
  expect([box.content(), traces(box)]).toEqual([content, before]);
  box.write('b.py', python('unbuilt'));
  await box.staleness();
  await box.query('unbuilt');
  expect(box.content()).toEqual(content);
});

test('HR38: what git ignores is not indexed a second time, and names that differ by a mark or by case stay apart', async () => {
  const box = boxOf({
    '.gitignore': 'copy/\n',
    'real/store.py': python('save', 'Writes the ledger.'),
    'copy/store.py': python('save', 'Writes the ledger.'),
    'na-me.py': python('twin'),
    'na_me.py': python('twin'),
    'Na_me.py': python('twin'),
    'Notes.md': '# Twin notes\n',
    'notes.md': '# Twin notes\n',
  });
  runGit(box.root, 'init', '-q');
  await box.index();
  expect((await box.search('writes the ledger')).results.map((hit) => hit.source_file)).not.toContain('copy/store.py');
  expect(await box.skipped()).toContain('copy/ ignored');
  const { results } = await box.search('twin', 20);
  const twins = ['Na_me.py', 'Notes.md', 'na-me.py', 'na_me.py', 'notes.md'];
  expect([...new Set(results.map((hit) => hit.source_file))].sort()).toEqual(twins);
  expect(await box.resolution('twin')).toBe('candidates');
});

test('HR39: only questions count as saved, each once: builds, searches and looks at numbers do not', async () => {
  const box = boxOf({ 'a.py': python('a', 'Counts apples.') });
  await box.index();
  await box.search('apples');
  await box.stats();
  for (let at = 0; at < 3; at += 1) answerOf(await box.mind.query({ ...queryOf('apples'), learn: true }));
  answerOf(await box.mind.query(queryOf('apples')));
  answerOf(await box.mind.wakeup({ learn: true }));
  const savings = answerOf(await box.mind.savings({ cost: false, model: null, queries_per_day: 100 }));
  expect(savings).toMatchObject({ total_queries: 3, total_wakeups: 1 });
});

/** Threads that do what a text says. */
function poolOf(text: string): FilePool<IndexedOutcome> {
  return new FilePool<IndexedOutcome>(new URL(`data:text/javascript,${encodeURIComponent(text)}`), 1);
}

test('HR66: a build whose threads cannot work fails and leaves no index of nothing, while one file that ends its thread is left out', async () => {
  const files = { 'a.py': python('a'), 'b.py': python('b'), 'odd.py': python('odd') };
  const pools = [
    poolOf('throw new Error("half of an upgrade");'),
    poolOf(`import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ path }) => {
        if (path === 'odd.py') throw new Error('odd');
        parentPort.postMessage({ kind: 'skipped', reason: 'binary', contentHash: 'x' });
      });`),
  ] as const;
  const [broken, odd] = [new IndexBox(pools[0], files), new IndexBox(pools[1], files)];
  try {
    await expect(broken.build()).rejects.toThrow('No thread could read any of 3 files.');
    expect(stateOf(broken.indexFile)).toEqual({ kind: 'missing' });
    await odd.build();
    expect(odd.content()).toEqual(['skipped a.py binary', 'skipped b.py binary', 'skipped odd.py crashed']);
  } finally {
    for (const box of [broken, odd]) box.dispose();
    for (const pool of pools) await pool.close();
  }
});

test('IX16: a file that ended its thread is tried again when a build is asked for, and one that fails again writes nothing', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'crash-'));
  const flag = path.join(folder, 'mended');
  const worker = new URL('../../src/retrieval/index/index-worker.ts', import.meta.url).href;
  // The real thread, but for one file that ends it until the flag is there.
  const pool = poolOf(`import { existsSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    const real = parentPort.on.bind(parentPort);
    parentPort.on = (event, listener) => real(event, (message) => {
      if (event === 'message' && message?.path === '0.py' && !existsSync(${JSON.stringify(flag)})) throw new Error('odd');
      listener(message);
    });
    await import(${JSON.stringify(worker)});`);
  const box = new IndexBox(pool, { 'a.py': python('a'), '0.py': python('odd') });
  try {
    // Older than a coarse clock could hide a change of.
    await sleep(2 * indexLimits.clockMs);
    await box.build();
    expect(box.content().join('\n')).toContain('skipped 0.py crashed');
    const before = readFileSync(box.indexFile);
    expect(await box.build(box.indexFile, undefined, true)).toMatchObject({ changed: false, filesSame: 2 });
    expect(readFileSync(box.indexFile).equals(before)).toBe(true);
    writeFileSync(flag, '');
    expect(await box.build()).toMatchObject({ changed: false });
    expect(await box.build(box.indexFile, undefined, true)).toMatchObject({
      changed: true,
      filesRead: 1,
      filesSame: 1,
    });
    expect(box.content()).toEqual(await box.freshContent());
    expect(box.content().join('\n')).not.toContain('skipped 0.py');
    expect(await box.build(box.indexFile, undefined, true)).toMatchObject({ changed: false });
  } finally {
    box.dispose();
    rmSync(folder, { recursive: true });
    await pool.close();
  }
});
