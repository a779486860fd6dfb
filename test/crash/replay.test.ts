/** Whatever was done to a store: what goes out comes back equal, and the events alone lead to what is there. */
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts';
import { type LiveProject, liveDaemon, objects, text } from '../lessons/live.ts';

vi.setConfig({ testTimeout: 300_000 });

const live = liveDaemon();

const id = fc.constantFrom('a', 'b', 'c');
const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((value) => `x${value}`);
const fields = fc.record(
  {
    rationale: words,
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    tags: fc.uniqueArray(words, { maxLength: 3 }),
    evidence: fc.array(words, { maxLength: 2 }),
    author: fc.option(words),
    files_affected: fc.uniqueArray(fc.constantFrom('README.md', 'src/a.ts', 'src'), { maxLength: 2 }),
    review_by: fc.constantFrom(null, '2999-01-01'),
  },
  { requiredKeys: ['rationale'] },
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constant('POST'), id, fc.constant(''), fields) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('PATCH'), id, fc.constant(''), fields) },
  fc.tuple(fc.constant('POST'), id, fc.constant('/invalidate'), fc.record({ reason: words })),
  fc.tuple(fc.constant('POST'), id, fc.constant('/restore'), fc.constant({})),
  fc.tuple(
    fc.constant('POST'),
    id,
    fc.constant('/feedback'),
    fc.record({ signal: fc.constantFrom('helpful', 'unhelpful') }),
  ),
  fc.tuple(fc.constant('POST'), id, fc.constant('/supersede'), fields),
  fc.tuple(fc.constant('DELETE'), id, fc.constant(''), fc.constant(undefined)),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function carryOut(project: LiveProject, steps: readonly Step[]): Promise<void> {
  for (const [method, target, verb, body] of steps) {
    const adding = method === 'POST' && (verb === '' || verb === '/supersede');
    const sent = adding ? { title: `Title of ${target}`, ...body, ...(verb === '' ? { id: target } : {}) } : body;
    const reply = await project.ask(method, adding && verb === '' ? '' : `/${target}${verb}`, sent);
    expect([200, 201, 204, 404, 409], `${method} ${target}${verb}: ${reply.text}`).toContain(reply.status);
  }
}

/** The record after its events; a field that the first event leaves out is empty. Null after a delete. */
function replay(events: readonly JsonObject[]): Record<string, JsonValue> | null {
  let state: Record<string, JsonValue> | null = null;
  for (const { kind, changes } of events) {
    if (!isJsonObject(changes)) throw new Error('an event without changes');
    const after = Object.entries(changes).map(([field, pair]) => [field, Array.isArray(pair) ? pair[1] : null]);
    state = kind === 'deleted' ? null : { ...(kind === 'created' ? {} : state), ...Object.fromEntries(after) };
  }
  return state;
}

test('CR4 export, wipe, import, export is equal; again changes nothing; a cut file neither; events replay to records (seed 81)', async () => {
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 14 }),
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      async (steps, share) => {
        round += 1;
        const project = await live.project(`replay-${round}`);
        await carryOut(project, steps);
        const present = await project.all();
        for (const record of present) {
          const history = objects((await project.ask('GET', `/${text(record['id'])}/history?limit=200`)).json['items']);
          const replayed = replay(history);
          expect(record).toMatchObject(replayed ?? { replayed: 'to nothing' });
          const left = Object.entries(record).filter(
            ([field]) => field !== 'id' && !Object.hasOwn(replayed ?? {}, field),
          );
          for (const [field, value] of left)
            expect([null, '', 0], field).toContain(Array.isArray(value) ? value.length : value);
        }
        const out = async () => (await project.ask('GET', '/export?events=true')).text;
        const exported = await out();
        for (const end of ['', '-wal', '-shm']) rmSync(project.file + end, { force: true });
        expect(await project.all()).toEqual([]);
        const body = `{"export": ${exported}}`;
        expect((await project.ask('POST', '/import', body.slice(0, Math.floor(body.length * share)))).status).toBe(400);
        expect(await project.all()).toEqual([]);
        expect((await project.ask('POST', '/import', body)).json).toMatchObject({ created: present.length });
        expect(await out()).toBe(exported);
        const again = (await project.ask('POST', '/import', body)).json;
        expect(again).toMatchObject({ created: 0, replaced: 0, kept: 0, unchanged: present.length, histories: 0 });
        expect(await out()).toBe(exported);
        expect(await project.all()).toEqual(present);
      },
    ),
    { seed: 81, numRuns: 6 },
  );
});
