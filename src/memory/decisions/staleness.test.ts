import { expect, test } from 'vitest';
import { filesAgainst, withDependents } from './staleness.ts';

const head = new Map([
  ['a.ts', 'a2'],
  ['b.ts', 'b1'],
  ['dir/c.ts', 'c2'],
]);
const blobAtHead = (file: string) => head.get(file) ?? null;

test('MR2 of the changed files only those count that no longer hold what they held', () => {
  const fingerprints = new Map([
    ['a.ts', 'a1'],
    ['b.ts', 'b1'],
    ['gone.ts', 'g1'],
  ]);
  const named = ['a.ts', 'b.ts', 'gone.ts', 'new.ts'];
  const changed = ['a.ts', 'b.ts', 'gone.ts', 'new.ts', 'other.ts'];
  expect(filesAgainst(named, changed, fingerprints, blobAtHead)).toEqual(['a.ts', 'gone.ts', 'new.ts']);
});

test('MR10 a folder stands for the files below it, and not for names that begin alike', () => {
  expect(filesAgainst(['dir'], ['dir/c.ts', 'dirs/d.ts', 'dir.ts'], new Map(), blobAtHead)).toEqual(['dir/c.ts']);
});

test('MR8 each dependent is marked once, after what it depends on, and only while it is active', () => {
  const active = (id: string, ...needs: readonly string[]) => ({
    id,
    status: 'ACTIVE' as const,
    dependency_constraints: needs,
  });
  const decisions = [
    active('c', 'b', 'a'),
    active('b', 'a'),
    active('a', 'c'),
    { ...active('d', 'a'), status: 'STALE' as const },
  ];
  const direct = [{ id: 'a', reason: 'changed', triggeredBy: 'file_change' as const }];
  expect(withDependents(direct, decisions).map(({ id, reason }) => `${id}: ${reason}`)).toEqual([
    'a: changed',
    'c: depends on stale decision a',
    'b: depends on stale decision a',
  ]);
});
