/**
 * Readers and writers at once, for a while: nobody sees an error, no write is lost, and no reader waits for a writer.
 *
 * Six seconds as a test; `LOAD_SECONDS=30` makes it a measurement. What was measured is printed.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { NeuralMindClient } from '../../src/client/index.ts';
import { daemonProcess } from '../client/daemon-process.ts';
import { rowsOf } from '../lessons/live.ts';
import { tempRepository } from '../projects/temp-repository.ts';
import { checkoutRoot } from '../source-files.ts';

const seconds = Number(process.env['LOAD_SECONDS'] ?? '6');
const run = promisify(execFile);

test('CR2 eight readers and four writers see no error, and reads do not wait for writes', {
  timeout: 300_000,
}, async () => {
  const daemon = daemonProcess();
  try {
    const repository = tempRepository(daemon.folder('shop'));
    repository.commit({ 'README.md': 'shop' });
    await daemon.start();
    const door = async () => {
      const client = new NeuralMindClient({ daemonHome: daemon.daemonHome });
      return (await client.project(repository.root)).memories;
    };
    const first = await (await door()).add({ title: 'The first one', rationale: 'To be read.' });
    const until = performance.now() + seconds * 1000;
    const readMs: number[] = [];
    const written: string[] = [];
    const reader = async (lane: number) => {
      const memories = await door();
      for (let n = 0; performance.now() < until; n += 1) {
        const began = performance.now();
        if ((n + lane) % 3 === 0) await memories.get(first.id);
        else if ((n + lane) % 3 === 1) await memories.search('first one', { mode: 'keyword' });
        else for await (const _page of memories.list({ pageSize: 10 }).pages()) break;
        readMs.push(performance.now() - began);
      }
    };
    const writer = async (lane: number) => {
      const memories = await door();
      for (let n = 0; performance.now() < until; n += 1) {
        const id = `w${lane}-${n}`;
        await memories.add({ id, title: `Write ${id}`, rationale: 'At the same time.', files: [`src/${lane}.ts`] });
        written.push(id);
        await memories.update(id, { confidence: 0.5 });
      }
    };
    // As another process does it while a daemon runs: straight into the file.
    const direct = async (lane: number) => {
      const file = path.join(repository.root, '.neuralmind', 'memory.db');
      const program = path.join(checkoutRoot, 'test/crash/direct-writer.ts');
      const { stdout } = await run(process.execPath, [program, file, `d${lane}`, String(seconds * 1000)]);
      written.push(...stdout.split('\n').filter((line) => line !== ''));
    };
    await Promise.all([...[0, 1, 2, 3, 4, 5, 6, 7].map(reader), ...[0, 1, 2, 3].map(writer), ...[0, 1].map(direct)]);
    readMs.sort((left, right) => left - right);
    const [median, longest] = [readMs[readMs.length >> 1] ?? 0, readMs.at(-1) ?? 0];
    console.log(
      `${readMs.length} reads, median ${median.toFixed(1)} ms, longest ${longest.toFixed(0)} ms; ${written.length} writes acknowledged in ${seconds} s`,
    );
    const ids = new Set((await (await door()).list().toArray()).map(({ id }) => id));
    expect(written.filter((id) => !ids.has(id))).toEqual([]);
    expect(ids.size).toBe(written.length + 1);
    for (const source of ['w0', 'w1', 'w2', 'w3', 'd0', 'd1']) {
      expect(written.filter((id) => id.startsWith(`${source}-`)).length, source).toBeGreaterThan(0);
    }
    expect(readMs.length).toBeGreaterThan(7);
    const file = path.join(repository.root, '.neuralmind', 'memory.db');
    expect(rowsOf(file, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  } finally {
    await daemon.dispose();
  }
});

test('CR3 while another process holds the store for writing, reads answer at once and a write waits for its turn', {
  timeout: 120_000,
}, async () => {
  const daemon = daemonProcess();
  try {
    const repository = tempRepository(daemon.folder('shop'));
    await daemon.start();
    const client = new NeuralMindClient({ daemonHome: daemon.daemonHome });
    const { memories } = await client.project(repository.root);
    const { id } = await memories.add({ title: 'The first one', rationale: 'To be read.' });
    const holder = new Database(path.join(repository.root, '.neuralmind', 'memory.db'));
    holder.exec('BEGIN IMMEDIATE');
    let waiting = true;
    const write = memories.update(id, { title: 'The second one' }).finally(() => {
      waiting = false;
    });
    for (let n = 0; n < 20; n += 1) {
      expect((await memories.get(id)).title).toBe('The first one');
      expect((await memories.search('first one', { mode: 'keyword' })).results).toHaveLength(1);
      expect(await memories.list().toArray()).toHaveLength(1);
    }
    expect(waiting).toBe(true);
    holder.exec('COMMIT');
    holder.close();
    expect((await write).title).toBe('The second one');
    expect((await memories.get(id)).title).toBe('The second one');
  } finally {
    await daemon.dispose();
  }
});
