/** A clock that is set back, in a running process and between two. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { openDoor } from '../operations/door.ts';
import { tempEngine, tempFolder, tempRepository } from '../projects/temp-repository.ts';
import { objects, text } from './live.ts';

test('LS62 a clock that is set back loses nothing: changes stay in their order, and the store goes out and comes in', async () => {
  const { root } = tempRepository();
  const userHome = tempFolder('home-');
  let time = Date.parse('2026-10-02T12:00:00Z');
  const open = () => openDoor(tempEngine({ userHome, clock: { now: () => new Date(time) } }));
  const call = async (door: ReturnType<typeof openDoor>, name: string, input: object) =>
    door.call(name, { project_path: root, ...input });
  const first = open();
  await call(first, 'memories.create', { id: 'a', title: 'A', rationale: 'R' });
  const before = await call(first, 'memories.amend', { memory_id: 'a', confidence: 0.5 });
  for (const door of [first, open()]) {
    time -= 86_400_000;
    const changed = await call(door, 'memories.amend', { memory_id: 'a', tags: [`at ${time}`] });
    expect(text(changed['updated_at']) > text(before['updated_at'])).toBe(true);
    await call(door, 'memories.create', { id: `b${time}`, title: 'B', rationale: 'R' });
  }
  const door = open();
  const history = objects((await call(door, 'memories.history', { memory_id: 'a' }))['items']);
  expect(history.map(({ kind }) => kind)).toEqual(['created', 'amended', 'amended', 'amended']);
  const times = history.map(({ at }) => text(at));
  expect(times).toEqual([...times].sort());
  expect(objects((await call(door, 'memories.list', {}))['items'])).toHaveLength(3);
  const { content } = await call(door, 'memories.export', { events: true });
  const other = openDoor(tempEngine());
  const copy = tempRepository(path.join(tempFolder(), 'copy')).root;
  expect(await other.call('memories.import', { project_path: copy, export: content })).toMatchObject({ created: 3 });
  expect((await other.call('memories.export', { project_path: copy, events: true }))['content']).toEqual(content);
});
