/** Bringing an index up to date, held against making it from nothing. */
import { rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { IndexBox, newPool, type Pool } from './index-box.ts';

let pool: Pool;
const boxes: IndexBox[] = [];

beforeAll(() => {
  pool = newPool();
});
afterAll(async () => {
  await pool.close();
});
afterEach(() => {
  for (const box of boxes.splice(0)) box.dispose();
});

function boxOf(files: Readonly<Record<string, string | Uint8Array>>): IndexBox {
  const box = new IndexBox(pool, files);
  boxes.push(box);
  return box;
}

/** Pieces of files in several languages that name one another, come and go, and are ambiguous. */
const pieces: Readonly<Record<string, readonly string[]>> = {
  py: [
    'from pkg.base import Base\n',
    'from . import helper\n',
    'import pkg.helper as h\n',
    'class Base:\n    def run(self):\n        return self.step()\n    def step(self):\n        return 1\n',
    'class Worker(Base):\n    """Works."""\n    def step(self):\n        return shared()\n',
    'def shared():\n    """Shared by all."""\n    return 2\n',
    'def caller():\n    shared()\n    h.shared()\n    Base().run()\n',
    'value = 42\n',
    'def broken(:\n    pass\n',
    '\n\n# a comment\n',
  ],
  ts: [
    "import { thing } from './b.ts';\n",
    "export { thing as other } from './c.ts';\n",
    "export * from './a.ts';\n",
    'export function thing(): number {\n  return helper();\n}\n',
    'export class Base {\n  run(): void {\n    this.step();\n  }\n  step(): void {}\n}\n',
    'export class Child extends Base {\n  override step(): void {\n    thing();\n  }\n}\n',
    'function helper(): number {\n  return 1;\n}\n',
    "const lazy = () => import('./c.ts');\n",
    'export interface Shape {\n  area(): number;\n}\n',
  ],
  go: [
    'import "example.com/app/util"\n',
    'type Shape interface {\n\tArea() int\n}\n',
    'type Square struct{ side int }\n\nfunc (s Square) Area() int { return s.side }\n',
    'func Run() { util.Help(); Square{}.Area() }\n',
    'func Help() {}\n',
  ],
  md: ['# Title\n\nText about [a file](a.ts).\n', '## Part\n\nMore text.\n', '```\n# no heading\n```\n'],
};

const places: Readonly<Record<string, readonly string[]>> = {
  py: ['pkg/__init__.py', 'pkg/base.py', 'pkg/helper.py', 'pkg/worker.py', 'main.py'],
  ts: ['a.ts', 'b.ts', 'c.ts', 'lib/b.ts'],
  go: ['go.go', 'util/util.go', 'util/more.go'],
  md: ['README.md', 'docs/guide.md'],
};

/** A small generator with a seed (mulberry32), so that a failure can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function pick<Item>(list: readonly Item[], below: (limit: number) => number): Item {
  const item = list[below(list.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

function textOf(language: string, below: (limit: number) => number): string {
  const head = language === 'go' ? `package ${pick(['app', 'util'], below)}\n\n` : '';
  const count = below(5);
  return head + Array.from({ length: count }, () => pick(pieces[language] ?? [], below)).join('\n');
}

function change(box: IndexBox, below: (limit: number) => number, removed: Map<string, string>): string {
  const language = pick(Object.keys(places), below);
  const file = pick(places[language] ?? [], below);
  const here = box.files();
  switch (below(6)) {
    case 0:
    case 1:
    case 2: {
      const text = textOf(language, below);
      box.write(file, text);
      return `write ${file} ${JSON.stringify(text)}`;
    }
    case 3: {
      if (here.length < 3) return 'nothing';
      const gone = pick(here, below);
      removed.set(gone, textOf(language, below));
      box.remove(gone);
      return `remove ${gone}`;
    }
    case 4: {
      const [first] = removed;
      if (first === undefined) return 'nothing';
      removed.delete(first[0]);
      box.write(first[0], first[1]);
      return `restore ${first[0]}`;
    }
    default: {
      const config = pick(['{}', '{"compilerOptions":{"baseUrl":".","paths":{"@/*":["lib/*"]}}}'], below);
      if (below(3) === 0) box.write('tsconfig.json', config);
      if (below(3) === 0) box.write('go.mod', pick(['module example.com/app\n', 'module example.com/other\n'], below));
      return `configure ${config}`;
    }
  }
}

/** The ids of all nodes. */
function nodesOf(box: IndexBox): readonly string[] {
  const nodes = box.content().filter((line) => line.startsWith('node '));
  return nodes.map((line) => line.split(/ \S+ -?\d+ \d+-\d+ /, 1)[0] ?? '');
}

for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
  test(`IX1 IX12: after any edits, additions, deletions and restores the index equals a fresh one (seed ${seed})`, async () => {
    const below = random(seed);
    const box = boxOf({ 'README.md': '# Start\n', 'go.mod': 'module example.com/app\n' });
    const removed = new Map<string, string>();
    const story: string[] = [];
    await box.build();
    let ids = nodesOf(box);
    for (let round = 0; round < 12; round += 1) {
      for (let left = 1 + below(4); left > 0; left -= 1) story.push(change(box, below, removed));
      const report = await box.build();
      const now = box.content();
      const idsNow = nodesOf(box);
      expect({ story, added: report.nodesAdded, removed: report.nodesRemoved }, 'IX12').toEqual({
        story,
        added: idsNow.filter((id) => !ids.includes(id)).length,
        removed: ids.filter((id) => !idsNow.includes(id)).length,
      });
      ids = idsNow;
      const fresh = await box.freshContent();
      expect({
        story,
        missing: fresh.filter((line) => !now.includes(line)),
        extra: now.filter((line) => !fresh.includes(line)),
      }).toEqual({ story, missing: [], extra: [] });
      expect(now).toEqual(fresh);
    }
  });
}

test('IX2: a build with nothing changed writes nothing', async () => {
  const box = boxOf({ 'a.py': 'def a():\n    pass\n', 'pic.py': new Uint8Array([0, 1, 2, 0, 255]) });
  await box.build();
  const stateOf = (): readonly unknown[] => {
    const { mtimeMs, size } = statSync(box.indexFile);
    return [mtimeMs, size];
  };
  const before = stateOf();
  const report = await box.build();
  expect(report.changed).toBe(false);
  expect(stateOf()).toEqual(before);
});

test('IX3: content decides, not the clock: a touched file is read and not indexed again, a same-sized edit is seen', async () => {
  const box = boxOf({ 'a.py': 'def one():\n    pass\n', 'b.py': 'def two():\n    pass\n' });
  await box.build();
  utimesSync(path.join(box.root, 'a.py'), new Date(1_000_000_000_000), new Date(1_000_000_000_000));
  const { mtime, atime } = statSync(path.join(box.root, 'b.py'));
  box.write('b.py', 'def tri():\n    pass\n');
  utimesSync(path.join(box.root, 'b.py'), atime, mtime);
  const report = await box.build();
  expect(report).toMatchObject({ filesRead: 1, filesSame: 1 });
  expect(box.content().some((line) => line.startsWith('node symbol:b.py#tri '))).toBe(true);
  expect(box.content().some((line) => line.includes('b.py#two'))).toBe(false);
});

test('IX4: switching back to what was there before parses nothing', async () => {
  const box = boxOf({ 'a.py': 'def one():\n    pass\n', 'b.py': 'from a import one\none()\n' });
  await box.build();
  const first = box.content();
  box.write('a.py', 'def other():\n    pass\n');
  box.remove('b.py');
  await box.build();
  box.write('a.py', 'def one():\n    pass\n');
  box.write('b.py', 'from a import one\none()\n');
  const back = await box.build();
  expect(back).toMatchObject({ filesRead: 0, filesReused: 2 });
  expect(box.content()).toEqual(first);
});

test('IX5: an index that is removed and made again gives equal content', async () => {
  const box = boxOf({ 'a.py': 'class A:\n    def run(self):\n        pass\n', 'b.py': 'from a import A\nA().run()\n' });
  await box.build();
  const first = box.content();
  for (const ending of ['', '-wal', '-shm']) rmSync(`${box.indexFile}${ending}`, { force: true });
  await box.build();
  expect(box.content()).toEqual(first);
});

test('IX6: a build that is ended leaves the state before', async () => {
  const box = boxOf({ 'a.py': 'def a():\n    pass\n' });
  await box.build();
  const before = box.content();
  for (let at = 0; at < 40; at += 1) box.write(`many/${at}.py`, `def f${at}():\n    pass\n`);
  const ending = new AbortController();
  setTimeout(() => ending.abort(new Error('ended')), 5);
  await expect(box.build(box.indexFile, ending.signal)).rejects.toThrow('ended');
  expect(box.content()).toEqual(before);
  expect((await box.build()).filesRead).toBe(40);
  expect(box.content()).toEqual(await box.freshContent());
});
