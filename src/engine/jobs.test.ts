import { expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { jobLimits } from '../base/limits.ts';
import { createJobs, type JobOutcome } from './jobs.ts';

const done: JobOutcome = { ok: true, result: { n: 1 } };

test('JB1 a job goes from queued over running to done and keeps its result', async () => {
  const jobs = createJobs(systemClock);
  let finish = (_outcome: JobOutcome): void => {};
  const job = jobs.submit('scan', 'p_1', () => new Promise((resolve) => (finish = resolve)));
  expect(job).toMatchObject({ kind: 'scan', projectId: 'p_1', status: 'queued', result: null, finishedAt: null });
  expect(job.id).toMatch(/^[0-9a-f]{12}$/);
  await new Promise((resolve) => setImmediate(resolve));
  expect(jobs.get(job.id)?.status).toBe('running');
  expect(jobs.activeCount()).toBe(1);
  finish(done);
  expect(await jobs.finished(job.id)).toMatchObject({ status: 'done', result: { n: 1 }, error: null });
  expect(jobs.get(job.id)?.finishedAt).toBeInstanceOf(Date);
  expect(jobs.activeCount()).toBe(0);
});

test('JB2 work that reports a failure or throws ends as error, never as done', async () => {
  const jobs = createJobs(systemClock);
  const told = jobs.submit('scan', 'p_1', async () => ({ ok: false, error: 'the store is busy' }));
  const thrown = jobs.submit('scan', 'p_1', async () => {
    throw new Error('secret words');
  });
  expect(await jobs.finished(told.id)).toMatchObject({ status: 'error', error: 'the store is busy', result: null });
  expect(await jobs.finished(thrown.id)).toMatchObject({ status: 'error', error: 'the job failed inside Mnemosyne' });
});

test('JB3 jobs of one project run one after the other, those of two at once', async () => {
  const jobs = createJobs(systemClock);
  const order: string[] = [];
  const work = (name: string) => async (): Promise<JobOutcome> => {
    order.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    order.push(`${name} ends`);
    return done;
  };
  const all = [
    jobs.submit('s', 'p_1', work('a')),
    jobs.submit('s', 'p_1', work('b')),
    jobs.submit('s', 'p_2', work('c')),
  ];
  await Promise.all(all.map((job) => jobs.finished(job.id)));
  expect(order.indexOf('b begins')).toBeGreaterThan(order.indexOf('a ends'));
  expect(order.indexOf('c begins')).toBeLessThan(order.indexOf('a ends'));
  expect(jobs.list().map((job) => job.id)).toEqual(all.map((job) => job.id).reverse());
});

test('JB4 closing aborts what runs, waits for it, and lets nothing begin', async () => {
  const jobs = createJobs(systemClock);
  let ended = false;
  const running = jobs.submit('s', 'p_1', async (signal) => {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    ended = true;
    return { ok: false, error: 'stopped' };
  });
  let begun = false;
  const waiting = jobs.submit('s', 'p_1', async () => {
    begun = true;
    return done;
  });
  await new Promise((resolve) => setTimeout(resolve, 5));
  await jobs.close();
  expect([ended, begun]).toEqual([true, false]);
  expect(jobs.get(running.id)?.status).toBe('error');
  expect(jobs.get(waiting.id)?.error).toBe('the daemon stopped before the job began');
});

test('JB5 the oldest finished jobs are dropped beyond the bound, an unknown id is no job', async () => {
  const jobs = createJobs(systemClock);
  const first = jobs.submit('s', 'p_0', async () => done);
  await jobs.finished(first.id);
  for (let n = 0; n < jobLimits.keptMax; n += 1) await jobs.finished(jobs.submit('s', 'p_1', async () => done).id);
  expect(jobs.get(first.id)).toBeUndefined();
  expect(jobs.list()).toHaveLength(jobLimits.keptMax);
  expect(await jobs.finished('000000000000')).toBeUndefined();
});

test('CO2 a job shows how far it has come, as last reported, also when it has ended', async () => {
  const jobs = createJobs(systemClock);
  const job = jobs.submit('build', 'p_1', async (_signal, report) => {
    report({ phase: 'list', done: 1, total: 0 });
    expect(jobs.get(job.id)?.progress).toEqual({ phase: 'list', done: 1, total: 0 });
    report({ phase: 'read', done: 2, total: 9 });
    return done;
  });
  expect(job.progress).toBeNull();
  expect(await jobs.finished(job.id)).toMatchObject({ status: 'done', progress: { phase: 'read', done: 2, total: 9 } });
});
