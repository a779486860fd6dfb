/** Several processes at one index: builders, readers, and ends that nobody announced. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { acquireFileLock } from '../../src/base/file-lock.ts';
import { removeIndex, stateOf } from '../../src/retrieval/index/index-file.ts';
import { contentOf } from './index-box.ts';
import { type Files, mindBoxes } from './mind-box.ts';
import { outcomeOf } from './open-minds.ts';

vi.setConfig({ testTimeout: 180_000 });

const { boxOf } = mindBoxes();
const script = fileURLToPath(new URL('index-child.ts', import.meta.url));
const running: Child[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const child of running.splice(0)) await child.kill();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

class Child {
  readonly #process: ChildProcess;
  readonly #ended: Promise<number | null>;
  #output = '';
  #errors = '';

  constructor(args: readonly string[], wrap: readonly string[] = []) {
    const [program = process.execPath, ...rest] = [
      ...wrap,
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      script,
      ...args,
    ];
    this.#process = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process.stdout?.on('data', (text) => {
      this.#output += text;
    });
    this.#process.stderr?.on('data', (text) => {
      this.#errors += text;
    });
    this.#ended = new Promise((resolve) => this.#process.on('close', resolve));
    running.push(this);
  }

  /** Resolves with the first output or the end. */
  async begun(): Promise<void> {
    while (this.#output === '' && this.#process.exitCode === null) await sleep(2);
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  /** The last line of a process that ended well. */
  async result(): Promise<string> {
    const code = await this.#ended;
    if (code !== 0) throw new Error(`ended with ${code}: ${this.#errors}`);
    return this.#output.trim().split('\n').at(-1) ?? '';
  }
}

function sources(count: number, word: string): Files {
  const text = (at: number): string =>
    `from marker import marker\n\n\ndef ${word}${at}():\n    """Holds ${word} number ${at}."""\n    return marker()\n`;
  return {
    'marker.py': 'def marker():\n    """The marker value."""\n',
    ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}.py`, text(at)])),
  };
}

test('HR60: processes that build one index at once all succeed, and it equals a fresh one, made anew or brought up to date', async () => {
  const box = boxOf(sources(30, 'first'));
  for (const round of ['made', 'changed']) {
    if (round === 'changed') for (const [file, text] of Object.entries(sources(12, 'second'))) box.write(file, text);
    const children = [1, 2].map(() => new Child(['build', box.root]));
    expect(await Promise.all(children.map((child) => child.result()))).toEqual(['ok', 'ok']);
    expect(box.content()).toEqual(await box.freshContent());
    expect(existsSync(path.join(path.dirname(box.indexFile), 'index.lock'))).toBe(false);
  }
});

test('HR61: a build that waited for another one lists the files again, and takes away nothing that came meanwhile', async () => {
  const box = boxOf({ 'a.py': 'def a():\n    pass\n' });
  await box.index();
  const attempt = await acquireFileLock(path.join(path.dirname(box.indexFile), 'index.lock'));
  if (attempt.kind !== 'acquired') throw new Error('Nobody else wants this lock.');
  let isListed = (): void => {};
  const listed = new Promise<void>((resolve) => {
    isListed = resolve;
  });
  const waiting = box.mind.build(
    { force: false },
    {
      onProgress({ phase, total }) {
        if (phase === 'list' && total > 0) isListed();
      },
    },
  );
  await listed;
  box.write('later.py', 'def later():\n    pass\n');
  await box.build();
  attempt.lock.release();
  expect(outcomeOf(await waiting)).toBe('ok');
  expect(await box.resolution('later')).toBe('exact');
});

test('HR62: a process killed at any moment of its first build leaves no index, and the next build makes it whole', async () => {
  const box = boxOf(sources(40, 'word'));
  const fresh = await box.freshContent();
  for (let round = 0; round < 4; round += 1) {
    removeIndex(box.indexFile);
    const child = new Child(['build', box.root]);
    await child.begun();
    await sleep(round * 25);
    await child.kill();
    if (stateOf(box.indexFile).kind === 'usable') expect(box.content()).toEqual(fresh);
    else expect(stateOf(box.indexFile).kind).toBe('missing');
    expect(await box.found('word7')).toContain('symbol:m7.py#word7:4');
    expect(box.content()).toEqual(fresh);
  }
});

test('HR63: a process killed at any moment leaves the index before or after, and the next build equals a fresh one', async () => {
  const box = boxOf(sources(60, 'even'));
  await box.index();
  let killedInside = 0;
  let before = 'even';
  for (let round = 0; round < 8; round += 1) {
    const after = before === 'even' ? 'odd' : 'even';
    // A word of its own each round, so that nothing can be taken from what is kept of earlier rounds.
    for (const [file, text] of Object.entries(sources(60, `${after}${round}x`))) box.write(file, text);
    const old = box.content();
    const child = new Child(['build', box.root]);
    await child.begun();
    await sleep((round * 13) % 180);
    await child.kill();
    const left = contentOf(box.indexFile);
    await box.index();
    const now = box.content();
    if (left.length === old.length && left.every((line, at) => line === old[at])) killedInside += 1;
    else expect(left).toEqual(now);
    if (round % 5 === 4) expect(now).toEqual(await box.freshContent());
    before = after;
  }
  expect(killedInside).toBeGreaterThan(0);
});

test('HR14: eight readers in four processes are answered without an error while builds run, and end with the last of them', async () => {
  const box = boxOf(sources(30, 'word'));
  await box.index();
  const folder = mkdtempSync(path.join(tmpdir(), 'stop-'));
  folders.push(folder);
  const stop = path.join(folder, 'stop');
  const children = [1, 2, 3, 4].map(() => new Child(['ask', box.root, stop]));
  await Promise.all(children.map((child) => child.begun()));
  for (let round = 0; round < 10; round += 1) {
    box.write(`m${round}.py`, `def marker${round}():\n    """Another marker value."""\n`);
    await box.index(round % 5 === 4);
  }
  box.write('marker.py', 'def moved():\n    pass\n\n\ndef marker():\n    """The marker value."""\n');
  box.write('final.py', 'class marker:\n    """The last marker value: marker of markers."""\n');
  box.remove('marker.py');
  await box.index();
  writeFileSync(stop, '');
  for (const child of children) {
    const seen: { asked: number; failures: unknown; troubles: unknown; last: unknown } = JSON.parse(
      await child.result(),
    );
    expect(seen).toMatchObject({ failures: [], troubles: [] });
    expect(seen.asked).toBeGreaterThan(8);
    expect(seen.last).toEqual(['symbol:final.py#marker', 'symbol:final.py#marker']);
  }
});

test('HR64: readers are answered while the index is deleted under them again and again', async () => {
  const box = boxOf(sources(10, 'word'));
  await box.index();
  const folder = mkdtempSync(path.join(tmpdir(), 'stop-'));
  folders.push(folder);
  const stop = path.join(folder, 'stop');
  const children = [1, 2].map(() => new Child(['ask', box.root, stop]));
  await Promise.all(children.map((child) => child.begun()));
  for (let round = 0; round < 8; round += 1) {
    removeIndex(box.indexFile);
    // A reader builds it again; one that is removed before it was ever whole is another rule.
    for (let tries = 0; stateOf(box.indexFile).kind !== 'usable' && tries < 400; tries += 1) await sleep(25);
  }
  writeFileSync(stop, '');
  for (const child of children) {
    expect(JSON.parse(await child.result())).toMatchObject({
      failures: [],
      last: ['symbol:marker.py#marker', 'symbol:marker.py#marker'],
    });
  }
  expect(box.content()).toEqual(await box.freshContent());
});

test('HR67: an index that is removed under a build is built again, and never told of when it is not there', async () => {
  const box = boxOf(sources(20, 'word'));
  let removed = 0;
  const built = await box.mind.build(
    { force: false },
    {
      onProgress({ phase }) {
        if (phase !== 'link' || removed === 2) return;
        removed += 1;
        removeIndex(box.indexFile);
      },
    },
  );
  expect([outcomeOf(built), removed]).toEqual(['ok', 2]);
  expect(box.content()).toEqual(await box.freshContent());
});

test.skipIf(process.platform === 'win32')(
  'HR65: a disk that takes no more makes a build unavailable; the index before it answers, and a later build is whole',
  async () => {
    const box = boxOf(sources(5, 'small'));
    await box.index();
    const before = box.content();
    for (const [file, text] of Object.entries(sources(300, 'large'))) box.write(file, text);
    // No file may grow over this many blocks of a half or a whole kibibyte; the write that wants to fails.
    const child = new Child(['build', box.root], ['sh', '-c', 'ulimit -f 500; exec "$@"', 'sh']);
    expect(await child.result()).toMatch(/^unavailable (unreadable|full)$/);
    expect(box.content()).toEqual(before);
    expect(await box.found('small3')).toContain('symbol:m3.py#small3:4');
    await box.index();
    expect(box.content()).toEqual(await box.freshContent());
  },
);
