import { expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { breathing } from './breath.ts';
import { standIn } from './open-store.ts';
import { vectorIndexOf } from './vector-index.ts';
import { contentSha } from './vectors.ts';

const model = { modelId: 'm', dimensions: 7 };

test('DS7 the cosine of any length is the plain sum, and slots are kept apart while the table grows', async () => {
  const db = standIn(systemClock);
  const insert = db.prepare(
    `INSERT INTO decisions (id, title, rationale, commit_sha, created_at, updated_at)
     VALUES (?, ?, '', '', '2026-01-01T00:00:00.000000+00:00', '2026-01-01T00:00:00.000000+00:00')`,
  );
  const vectorOf = (n: number) => Float32Array.from({ length: 7 }, (_, at) => Math.sin(n * 7 + at));
  for (let n = 0; n < 300; n += 1) insert.run(`d${n}`, `t${n}`);
  const index = await vectorIndexOf(db, model, breathing());
  for (let n = 0; n < 300; n += 1) index.put(`d${n}`, contentSha({ title: `t${n}`, rationale: '' }), vectorOf(n));
  const question = vectorOf(1_000);
  for (let n = 0; n < 300; n += 1) {
    const plain = vectorOf(n).reduce((sum, value, at) => sum + value * (question[at] ?? 0), 0);
    expect(index.cosine(question, index.entries.get(`d${n}`)?.slot ?? -1)).toBeCloseTo(plain, 5);
  }
  index.put('d0', contentSha({ title: 'another text', rationale: '' }), vectorOf(9));
  expect(index.cosine(question, index.entries.get('d0')?.slot ?? -1)).toBeCloseTo(
    vectorOf(0).reduce((sum, value, at) => sum + value * (question[at] ?? 0), 0),
    5,
  );
  db.close();
});
