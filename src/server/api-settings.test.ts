import { expect, test } from 'vitest';
import { ProcessError } from '../base/errors.ts';
import { apiBodyBytesMax } from './api-settings.ts';

const set = (value: string) => () => apiBodyBytesMax({ NEURALMIND_API_MAX_BODY_BYTES: value });

test('AP20 the largest body is 1 MiB unless the variable says otherwise', () => {
  expect(apiBodyBytesMax({})).toBe(1_048_576);
  expect(set('1024')()).toBe(1024);
  expect(set('67108864')()).toBe(67_108_864);
});

test.each([
  '',
  '0',
  '1023',
  '67108865',
  '-1',
  '1e6',
  '1_000_000',
  ' 2048',
  '2048 ',
  '02048',
  '2048.0',
  '1MiB',
  'NaN',
  '99999999999',
])('AP20 the value %j stops the start and is not repeated', (value) => {
  expect(set(value)).toThrow(ProcessError);
  expect(set(value)).toThrow('NEURALMIND_API_MAX_BODY_BYTES must be a whole number of bytes from 1024 to 67108864');
});
