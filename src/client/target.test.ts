import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { targetOf } from './target.ts';

beforeEach(() => {
  vi.stubEnv('NEURALMIND_API_URL', undefined);
  vi.stubEnv('NEURALMIND_API_TOKEN', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test('CT11 what is given goes before the environment, with or without /v1 and a slash', async () => {
  vi.stubEnv('NEURALMIND_API_URL', 'http://127.0.0.1:9000/v1/');
  vi.stubEnv('NEURALMIND_API_TOKEN', 'from-environment');
  expect(await targetOf({})()).toEqual({ base: 'http://127.0.0.1:9000', token: 'from-environment', found: false });
  expect(await targetOf({ url: 'https://nm.internal:8765/', token: 'given' })()).toEqual({
    base: 'https://nm.internal:8765',
    token: 'given',
    found: false,
  });
  expect(await targetOf({ url: new URL('https://proxy/nm/v1') })()).toMatchObject({ base: 'https://proxy/nm' });
});

test('CT12 a token of the environment never goes to an address that is not its own', async () => {
  vi.stubEnv('NEURALMIND_API_TOKEN', 'from-environment');
  vi.stubEnv('NEURALMIND_API_URL', 'https://nm.internal:8765');
  expect(await targetOf({ url: 'https://elsewhere' })()).toMatchObject({ token: null });
  expect(await targetOf({ url: 'https://nm.internal:8765/v1' })()).toMatchObject({ token: 'from-environment' });
  vi.stubEnv('NEURALMIND_API_URL', undefined);
  expect(await targetOf({ url: 'https://elsewhere' })()).toMatchObject({ token: 'from-environment' });
});

test('CT13 an address or token that cannot be used is refused at once, without being repeated', () => {
  for (const url of [
    'nowhere',
    'ftp://127.0.0.1',
    'http://user:secret-word@127.0.0.1',
    'http://127.0.0.1/?token=secret-word',
    'http://127.0.0.1/#secret-word',
  ]) {
    expect(() => targetOf({ url })).toThrow(TypeError);
    expect(() => targetOf({ url })).not.toThrow(/secret-word/);
  }
  for (const token of ['', ' ', 'secret-word\n', 'secret-word ü', 'secret word']) {
    expect(() => targetOf({ url: 'http://127.0.0.1', token })).toThrow(TypeError);
    expect(() => targetOf({ url: 'http://127.0.0.1', token })).not.toThrow(/secret/);
  }
});
