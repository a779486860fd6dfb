/** Pipes, devices and links to them where a file of a repository is expected: they neither hold up a build nor fill it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readRegularFile } from '../../src/base/regular-file.ts';
import { mindBoxes } from './mind-box.ts';
import { outcomeOf } from './open-minds.ts';

const { boxOf } = mindBoxes();

test.each(['.gitignore', '.neuralmindignore', 'package.json', 'sub/.gitignore', '.git'])(
  'HR25: a pipe, or a link to a device, in the place of %s holds up no build',
  async (place) => {
    for (const put of [
      (file: string) => execFileSync('mkfifo', [file]),
      (file: string) => symlinkSync('/dev/zero', file),
    ]) {
      const box = boxOf({ 'a.py': 'def alpha():\n    pass\n', 'sub/b.py': 'def beta():\n    pass\n' });
      mkdirSync(path.dirname(path.join(box.root, place)), { recursive: true });
      put(path.join(box.root, place));
      await box.index();
      expect(await box.stats()).toMatchObject({ files: 2, symbols: 2 });
    }
  },
);

test('HR41: a pipe in the place of the index is refused', async () => {
  const box = boxOf({ 'a.py': 'def alpha():\n    pass\n' });
  mkdirSync(path.dirname(box.indexFile));
  execFileSync('mkfifo', [box.indexFile]);
  for (const outcome of [await box.mind.build({ force: true }), await box.mind.search({ query: 'a', n: 3 })]) {
    expect(outcomeOf(outcome)).toBe('unavailable foreign');
  }
});

test('HR25: only a regular file within its limit is read, also through a link', () => {
  const box = boxOf({ 'a.txt': 'héllo', empty: '', large: 'x' });
  const read = (file: string, most = 100): string | null =>
    readRegularFile(path.resolve(box.root, file), most)?.toString('utf8') ?? null;
  truncateSync(path.join(box.root, 'large'), 5_000_000_000);
  symlinkSync('a.txt', path.join(box.root, 'link'));
  expect(read('a.txt')).toBe('héllo');
  expect(read('a.txt', 6)).toBe('héllo');
  expect(read('a.txt', 5)).toBeNull();
  expect(read('link')).toBe('héllo');
  expect(read('empty')).toBe('');
  for (const none of ['large', 'missing', '.', 'a.txt/b', '/dev/zero']) expect(read(none)).toBeNull();
});
