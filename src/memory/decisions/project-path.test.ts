import fc from 'fast-check';
import { expect, test } from 'vitest';
import { projectPath } from './project-path.ts';

const roots = ['/home/ada/app', '/private/home/ada/app'];

test('DC130 names inside the project become relative, all others are refused', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['src/a.ts', 'src/a.ts'],
    ['src\\a.ts', 'src/a.ts'],
    ['./src/./a.ts/', 'src/a.ts'],
    ['src/../lib/a.ts', 'lib/a.ts'],
    ['/home/ada/app/src/a.ts', 'src/a.ts'],
    ['/private/home/ada/app/src/a.ts', 'src/a.ts'],
    ['\\home\\ada\\app\\x', 'x'],
    ['..a/b', '..a/b'],
    ['a:b.txt', 'a:b.txt'],
    ['ünï/名前.ts', 'ünï/名前.ts'],
    ['../x', null],
    ['src/../../x', null],
    ['/home/ada/apple/x', null],
    ['/home/ada/app/../other/x', null],
    ['/home/ada/app/../../etc', null],
    ['/home/ada/app', null],
    ['C:\\app\\x', null],
    ['', null],
    ['  ', null],
    ['.', null],
    ['a\0b', null],
    ['x'.repeat(1_025), null],
  ];
  for (const [given, expected] of cases) {
    const result = projectPath(roots, given);
    expect(result.ok ? result.path : null, given).toBe(expected);
  }
  expect(projectPath(['C:\\code\\app'], 'c:/code/app/src/a.ts')).toEqual({ ok: true, path: 'src/a.ts' });
});

test('DC131 a stored name never leaves the project, and storing it again changes nothing', () => {
  const part = fc.constantFrom('..', '.', '', 'a', 'b.ts', '/', '\\', 'home', 'ada', 'app');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, absolute) => {
      const result = projectPath(roots, (absolute ? '/home/ada/app/' : '') + parts.join('/'));
      if (!result.ok) return;
      expect(result.path.split('/')).not.toContain('..');
      expect(result.path).not.toMatch(/^\/|\\|\/\/|\/$/);
      expect(projectPath(roots, result.path)).toEqual(result);
    }),
    { seed: 21, numRuns: 500 },
  );
});
