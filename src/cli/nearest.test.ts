import { expect, test } from 'vitest';
import { nearestOf } from './nearest.ts';

test('CD8 the nearest word is named when it is near', () => {
  const words = ['mcp', 'auth-headers', 'daemon', 'decisions', 'projects'];
  expect(nearestOf('deamon', words)).toBe('daemon');
  expect(nearestOf('decision', words)).toBe('decisions');
  expect(nearestOf('mpc', words)).toBe('mcp');
  expect(nearestOf('xyzzy', words)).toBeUndefined();
  expect(nearestOf('', words)).toBeUndefined();
});
