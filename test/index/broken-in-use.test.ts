/** An index or a project that breaks while it is being used. */
import { closeSync, existsSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mindBoxes } from './mind-box.ts';
import { outcomeOf } from './open-minds.ts';

const { boxOf } = mindBoxes();

const files = Object.fromEntries(
  Array.from({ length: 40 }, (_, n) => [`m${n}.py`, `def alpha${n}():\n    return ${n}\n`]),
);

test('HR48: an index whose pages turn to garbage is told as unusable by every question, and built anew by force', async () => {
  const box = boxOf(files);
  await box.index();
  expect(await box.stats()).toMatchObject({ files: 40 });
  const file = openSync(box.indexFile, 'r+');
  // All but the page with the header and the tables.
  writeSync(file, Buffer.alloc(statSync(box.indexFile).size - 4096, 0xa5), 0, undefined, 4096);
  closeSync(file);
  const { mind } = box;
  const structural = { q: 'alpha1', relations: [], blast_radius: false, depth: 1 };
  for (const answer of [
    await mind.search({ query: 'alpha1', n: 3 }),
    await mind.stats(),
    await mind.wakeup({ learn: false }),
    await mind.skeleton({ file_path: 'm1.py', offset: 0 }),
    await mind.structuralNeighbours(structural),
  ]) {
    expect(outcomeOf(answer)).toBe('unavailable damaged');
  }
  expect(await mind.health()).toMatchObject({ ok: true, value: { state: 'unusable' } });
  await box.index(true);
  expect(await box.stats()).toMatchObject({ files: 40 });
});

test('HR45: a project whose folder goes while it is built is not made anew, and nothing counts as built', async () => {
  const box = boxOf(files);
  const away = `${box.root}-away`;
  const built = await box.mind.build(
    { force: true },
    {
      onProgress({ phase }) {
        if (phase === 'read' && !existsSync(away)) renameSync(box.root, away);
      },
    },
  );
  try {
    expect(outcomeOf(built)).toBe('unavailable unreadable');
    expect(existsSync(box.root)).toBe(false);
  } finally {
    renameSync(away, box.root);
  }
});
