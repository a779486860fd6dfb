import { describe, expect, test } from 'vitest';
import type { EdgeRequest } from '../transports/http.ts';
import { createEdgeGuard } from './edge.ts';
import { createTokenCheck } from './token.ts';

const token = 'x'.repeat(43);
const guardFor = (mcpAuth: 'token' | 'none' = 'token', boundHost = '127.0.0.1') =>
  createEdgeGuard({ boundHost, checkToken: createTokenCheck(token), mcpAuth });

function request(headers: Readonly<Record<string, string | readonly string[]>>, target = '/mcp'): EdgeRequest {
  const distinct: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(headers)) distinct[name] = typeof value === 'string' ? [value] : value;
  const merged = Object.fromEntries(Object.entries(distinct).map(([name, values]) => [name, values.join(', ')]));
  return { target, headers: merged, headersDistinct: distinct };
}

describe('Host', () => {
  test.each(['127.0.0.1', '127.0.0.1:8000', 'localhost', 'LOCALHOST:1', '[::1]', '[::1]:65535'])(
    'ED1 %s is admitted',
    (host) => expect(guardFor().admit(request({ host }))).toBeNull(),
  );

  test.each([
    '',
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.',
    'localhost.:8000',
    '127.0.0.1.',
    'localhost:8000:1',
    'localhost:x',
    'localhost:',
    'evil@localhost',
    'localhost@evil.example',
    '::1',
    '[::1',
    '[::]',
    '0.0.0.0',
    '127.1',
    '2130706433',
    '127.0.0.2',
    'localhost evil.example',
    'localhost/evil',
  ])('ED1 %j is refused', (host) => expect(guardFor().admit(request({ host }))).toBe('host_not_allowed'));

  test('ED1 a missing and a repeated Host are refused', () => {
    expect(guardFor().admit(request({}))).toBe('host_not_allowed');
    expect(guardFor().admit(request({ host: ['localhost', 'localhost'] }))).toBe('host_not_allowed');
  });

  test('ED1 the address that was bound is admitted too', () => {
    expect(guardFor('token', '127.0.0.9').admit(request({ host: '127.0.0.9:1' }))).toBeNull();
  });

  test('ED1 an absolute target must name this machine as well', () => {
    const host = 'localhost';
    expect(guardFor().admit(request({ host }, 'http://localhost:1/health'))).toBeNull();
    expect(guardFor().admit(request({ host }, 'http://evil.example/health'))).toBe('host_not_allowed');
    expect(guardFor().admit(request({ host }, 'http://localhost@evil.example/'))).toBe('host_not_allowed');
    expect(guardFor().admit(request({ host }, 'gopher://evil.example/'))).toBe('host_not_allowed');
  });
});

describe('Origin', () => {
  const host = 'localhost:8000';

  test.each(['http://localhost', 'http://localhost:3000', 'https://127.0.0.1:1', 'http://[::1]:8000'])(
    'ED2 %s is admitted',
    (origin) => expect(guardFor().admit(request({ host, origin }))).toBeNull(),
  );

  test.each([
    '',
    'null',
    'http://evil.example',
    'http://localhost.evil.example',
    'http://localhost/',
    'http://localhost.',
    'file://localhost',
    'chrome-extension://localhost',
    'localhost',
    'http://localhost, http://evil.example',
    'http://user@localhost',
  ])('ED2 %j is refused', (origin) => expect(guardFor().admit(request({ host, origin }))).toBe('origin_not_allowed'));

  test('ED2 two Origins and a cross-site fetch are refused, other fetches pass', () => {
    expect(guardFor().admit(request({ host, origin: ['http://localhost', 'http://localhost'] }))).toBe(
      'origin_not_allowed',
    );
    expect(guardFor().admit(request({ host, 'sec-fetch-site': 'cross-site' }))).toBe('origin_not_allowed');
    for (const site of ['same-origin', 'same-site', 'none']) {
      expect(guardFor().admit(request({ host, 'sec-fetch-site': site }))).toBeNull();
    }
  });

  test('ED2 Host is judged before Origin', () => {
    expect(guardFor().admit(request({ host: 'evil.example', origin: 'http://evil.example' }))).toBe('host_not_allowed');
  });
});

describe('the token', () => {
  test('ED3 the right token identifies the local caller, in either case of the scheme', () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect(guardFor().identify(request({ authorization: `${scheme} ${token}` }), 'api')).toEqual({
        kind: 'local-token',
        principal: 'local',
      });
    }
  });

  test.each([
    ['none', {}],
    ['an empty one', { authorization: '' }],
    ['the scheme alone', { authorization: 'Bearer' }],
    ['a wrong one', { authorization: `Bearer ${'y'.repeat(43)}` }],
    ['a prefix', { authorization: `Bearer ${token.slice(1)}` }],
    ['a longer one', { authorization: `Bearer ${token}x` }],
    ['another scheme', { authorization: `Basic ${token}` }],
    ['two tokens', { authorization: `Bearer ${token} ${token}` }],
    ['two headers', { authorization: [`Bearer ${token}`, `Bearer ${token}`] }],
  ])('ED3 %s identifies nobody', (_name, headers) => {
    for (const area of ['mcp', 'api'] as const) expect(guardFor().identify(request(headers), area)).toBeNull();
  });

  test.each(['token', 'access_token', 'TOKEN', 'api_key', 'apikey', 'authorization', 'bearer', '%74oken'])(
    'ED4 a credential in the query parameter %s is refused even beside a good header',
    (name) => {
      const headers = { authorization: `Bearer ${token}` };
      expect(guardFor().identify(request(headers, `/mcp?schema=auto&${name}=${token}`), 'mcp')).toBeNull();
      expect(guardFor('none').identify(request(headers, `/mcp?${name}=1`), 'mcp')).toBeNull();
    },
  );

  test('ED4 other query parameters are no credentials', () => {
    const headers = { authorization: `Bearer ${token}` };
    expect(guardFor().identify(request(headers, '/mcp?schema=portable&tools=memory'), 'mcp')).not.toBeNull();
  });

  test('ED5 without MCP authentication /mcp alone is open, to one anonymous caller', () => {
    expect(guardFor('none').identify(request({}), 'mcp')).toEqual({
      kind: 'anonymous-loopback',
      principal: 'anonymous',
    });
    expect(guardFor('none').identify(request({}), 'api')).toBeNull();
  });
});
