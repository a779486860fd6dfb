import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Mutex } from './mutex.ts';

test('NF40 turns run one at a time in the order of asking, whatever became of the ones before', async () => {
  const mutex = new Mutex();
  const events: string[] = [];
  const turn = (name: string, fails = false) =>
    mutex.run(async () => {
      events.push(`${name} in`);
      await sleep(Math.random() * 3);
      events.push(`${name} out`);
      if (fails) throw new Error(name);
      return name;
    });
  const results = Promise.allSettled([turn('a'), turn('b', true), turn('c'), turn('d')]);
  expect(mutex.waiting).toBe(4);
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(events).toEqual(['a', 'b', 'c', 'd'].flatMap((name) => [`${name} in`, `${name} out`]));
  expect(mutex.waiting).toBe(0);
});
