import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProcessError } from '../base/errors.ts';
import { createTokenCheck, loadToken, rotateToken, tokenPath } from './token.ts';

let folder: string;
let home: string;
const modeOf = (path: string): number => lstatSync(path).mode & 0o777;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'token-'));
  home = join(folder, 'deep', 'home');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ProcessError && error.code === 'unsafe_home') return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

test('CL1 the first start makes a private home and a token of 256 bits without a newline', () => {
  const token = loadToken(home);
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect(readFileSync(tokenPath(home), 'utf8')).toBe(token);
  expect([modeOf(home), modeOf(tokenPath(home))]).toEqual([0o700, 0o600]);
  expect(readdirSync(home)).toEqual(['token']);
});

test('CL1 the mode does not depend on the umask', () => {
  const before = process.umask(0);
  try {
    loadToken(home);
  } finally {
    process.umask(before);
  }
  expect([modeOf(home), modeOf(tokenPath(home))]).toEqual([0o700, 0o600]);
});

test('CL2 the token stays the same until it is rotated', () => {
  const first = loadToken(home);
  expect(loadToken(home)).toBe(first);
  const second = rotateToken(home);
  expect(second).not.toBe(first);
  expect(loadToken(home)).toBe(second);
  expect(modeOf(tokenPath(home))).toBe(0o600);
  expect(readdirSync(home)).toEqual(['token']);
});

test.each([0o640, 0o604, 0o660, 0o606, 0o644, 0o610])(
  'CL3 a token file of mode %o is refused and left alone',
  (mode) => {
    const token = loadToken(home);
    chmodSync(tokenPath(home), mode);
    expect(refusal(() => loadToken(home))).not.toContain(token);
    expect(readFileSync(tokenPath(home), 'utf8')).toBe(token);
    expect(modeOf(tokenPath(home))).toBe(mode);
  },
);

test.each([0o770, 0o707, 0o777, 0o720])('CL3 a home of mode %o is refused', (mode) => {
  loadToken(home);
  chmodSync(home, mode);
  refusal(() => loadToken(home));
});

test('CL3 a home that others may only look into is accepted', () => {
  mkdirSync(home, { recursive: true });
  chmodSync(home, 0o755);
  expect(loadToken(home)).toMatch(/^.{43}$/);
});

test('CL3 a linked token is refused, whether or not it leads anywhere, and nothing is made behind it', () => {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const target = join(folder, 'target');
  symlinkSync(target, tokenPath(home));
  refusal(() => loadToken(home));
  expect(existsSync(target)).toBe(false);
  writeFileSync(target, 'x'.repeat(43), { mode: 0o600 });
  refusal(() => loadToken(home));
});

test('CL3 a linked home and a file in place of it are refused', () => {
  mkdirSync(join(folder, 'real'), { mode: 0o700 });
  symlinkSync(join(folder, 'real'), join(folder, 'linked'));
  refusal(() => loadToken(join(folder, 'linked')));
  expect(readdirSync(join(folder, 'real'))).toEqual([]);
  writeFileSync(join(folder, 'file'), '');
  refusal(() => loadToken(join(folder, 'file')));
});

test('CL3 a directory, an empty file and a token of another shape are refused, and rotating repairs the latter', () => {
  mkdirSync(tokenPath(home), { recursive: true });
  chmodSync(home, 0o700);
  refusal(() => loadToken(home));
  rmSync(tokenPath(home), { recursive: true });
  for (const text of ['', 'short', `${'x'.repeat(43)}\n`, 'ä'.repeat(43)]) {
    writeFileSync(tokenPath(home), text, { mode: 0o600 });
    const message = refusal(() => loadToken(home));
    expect(message).toContain('rotate');
    if (text !== '') expect(message).not.toContain(text);
  }
  expect(rotateToken(home)).toBe(loadToken(home));
});

test.skipIf(process.getuid?.() !== 0)('CL3 a home or a token of another owner is refused', async () => {
  const { chownSync } = await import('node:fs');
  loadToken(home);
  chownSync(tokenPath(home), 12_345, 12_345);
  refusal(() => loadToken(home));
  chownSync(tokenPath(home), 0, 0);
  chownSync(home, 12_345, 12_345);
  refusal(() => loadToken(home));
});

test('CL2 the check accepts the token alone', () => {
  const check = createTokenCheck('a'.repeat(43));
  expect(check('a'.repeat(43))).toBe(true);
  for (const other of ['', 'a', 'a'.repeat(44), 'b'.repeat(43), 'A'.repeat(43)]) expect(check(other)).toBe(false);
});
