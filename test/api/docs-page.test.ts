/** The page at `/docs`, in process and with its script running against a real server. */
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiOperations } from '../../src/transports/api/api-routes.ts';
import { pageScript } from '../../src/transports/api/docs-assets.ts';
import { docsPaths } from '../../src/transports/api/mount-docs.ts';
import { type Door, doorToken, openDoor } from '../edge/door.ts';
import { ask, expectFailure } from './answers.ts';
import { sampleRow } from './sample-rows.ts';

let door: Door;
let port: number;
beforeAll(async () => {
  door = openDoor();
  port = await door.listen();
});
afterAll(() => door.close());

test.each(docsPaths)('AP22 %s is open, and only to this machine and its own pages', async (url) => {
  expect((await ask(door, { method: 'GET', url })).status).toBe(200);
  expectFailure(await ask(door, { method: 'GET', url, headers: { host: 'evil.example' } }), 'host_not_allowed');
  expectFailure(
    await ask(door, { method: 'GET', url, headers: { origin: 'http://evil.example' } }),
    'origin_not_allowed',
  );
  const answer = await ask(door, { method: 'POST', url });
  expectFailure(answer, 'method_not_allowed');
  expect(answer.headers['allow']).toBe('GET');
});

test('AP22 the page, its style and its script refer to nothing outside, and the policy forbids it', async () => {
  for (const url of docsPaths) {
    const { text, headers } = await ask(door, { method: 'GET', url });
    expect(text).not.toMatch(/https?:|\/\/[a-z]|url\(|@import|["'(](?:data|blob|javascript):/i);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|http/);
    expect(headers['referrer-policy']).toBe('no-referrer');
  }
  const { text } = await ask(door, { method: 'GET', url: '/docs' });
  const loaded = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map((match) => match[1]);
  expect(loaded).toEqual(['/docs/page.css', '/docs/page.js', '/v1/openapi.json']);
  expect(text).not.toMatch(/<script>|<style|\son[a-z]+=|\sstyle=/i);
});

test('AP22 the page has a form for every route, and what rows say is never markup', async () => {
  const { text } = await ask(door, { method: 'GET', url: '/docs' });
  for (const { name, http } of apiOperations(door.registry)) {
    expect(text).toContain(`<details id="${name}">`);
    expect(text).toContain(`<form data-method="${http.method}" data-path="${http.path}">`);
  }
  const hostile = {
    ...sampleRow('memories.odd', { method: 'GET', path: '/v1/odd' }),
    summary: `<img src=x onerror='1'>"&`,
  };
  const other = openDoor({ rows: [hostile] });
  const page = (await ask(other, { method: 'GET', url: '/docs' })).text;
  await other.close();
  expect(page).toContain('&lt;img src=x onerror=&#39;1&#39;&gt;&quot;&amp;');
  expect(page).not.toContain('<img');
});

test('AP22 the script keeps the token nowhere and shows answers as text', () => {
  expect(pageScript).not.toMatch(
    /localStorage|sessionStorage|indexedDB|cookie|innerHTML|outerHTML|insertAdjacent|eval/,
  );
});

interface Field {
  readonly dataset: Readonly<Record<string, string>>;
  readonly value: string;
}

/** Runs the script on a page with one form, presses its button and waits for what it shows. */
async function pressed(method: string, path: string, fields: readonly Field[], token: string): Promise<string> {
  const shown = { hidden: true, textContent: '' };
  let press: ((event: { preventDefault(): void }) => void) | undefined;
  const form = {
    dataset: { method, path },
    addEventListener: (_name: string, listener: typeof press) => {
      press = listener;
    },
    querySelector: () => shown,
    querySelectorAll: () => fields,
  };
  const document = { getElementById: () => ({ value: token }), querySelectorAll: () => [form] };
  const here = (target: string, options: RequestInit) => fetch(`http://127.0.0.1:${port}${target}`, options);
  runInNewContext(pageScript, { document, fetch: here, URLSearchParams, JSON, Error, encodeURIComponent });
  if (press === undefined) throw new Error('the script listens to no form');
  press({ preventDefault: () => {} });
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (shown.textContent !== '' && shown.textContent !== 'Sending ...') return shown.textContent;
  }
}

test('AP22 pressing a button sends the request with the token of the field', async () => {
  expect(await pressed('GET', '/v1/projects', [], '')).toMatch(/^401 /);
  expect(await pressed('GET', '/v1/projects', [], ` ${doorToken}\n`)).toMatch(/^200 .*"items": \[\]/s);
  const body = { dataset: { place: 'body' }, value: '{"path":"relative"}' };
  expect(await pressed('POST', '/v1/projects', [body], doorToken)).toMatch(/^422 .*"path_relative"/s);
  const id = { dataset: { place: 'path', name: 'job_id' }, value: 'a/b c' };
  expect(await pressed('GET', '/v1/jobs/{job_id}', [id], doorToken)).toMatch(/^404 .*no job with id a\/b c/s);
  expect(await pressed('GET', '/v1/jobs/{job_id}', [{ ...id, value: '' }], doorToken)).toBe(
    'No answer: the input job_id is empty',
  );
});
