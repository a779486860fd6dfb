import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callTool, everyGateOn, headersFor, rememberArguments, type Sandbox, sandbox } from './processes.ts';

// Whole processes start here: a busy machine may need many seconds for each.
vi.setConfig({ testTimeout: 120_000 });

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
});
afterEach(() => box.dispose());

const canary = (place: string): string => `canary${place}zebra`;

test('LG8 no text, tag, label, query, token, path or address of a request reaches the log', async () => {
  const server = await box.serve(['--log-level', 'debug'], everyGateOn);
  const token = box.token();
  const call = (name: string, args: Readonly<Record<string, unknown>>) => callTool(server.url, token, name, args);

  const remembered = await call('memory_remember', {
    ...rememberArguments(canary('content')),
    title: canary('title'),
    tags: [canary('tag')],
    namespace: { kind: 'aspect', id: canary('namespace'), label: canary('label') },
    collection: { id: canary('collection'), label: canary('collectionlabel') },
  });
  expect(remembered.text).toContain('remembered');
  await call('memory_remember', rememberArguments(`${canary('refused')} password=${canary('secret')}`));
  await call('memory_remember', { ...rememberArguments('x'), [canary('key')]: 1 });
  await call('memory_recall', { query: canary('query'), scope: 'self', tags: [canary('wanted')] });
  await call('memory_recall', { query: canary('query'), scope: canary('scope') });
  await call('memory_list', { scope: 'self', namespace_id: canary('namespace') });
  await call('memory_list', { scope: 'self', cursor: canary('cursor') });
  await call('memory_inspect', { reference: { schema_version: 1, scope: 'self', id: canary('id') } });
  const reference = {
    schema_version: 2,
    scope: 'self',
    namespace_id: canary('a'),
    collection_id: null,
    id: canary('m'),
  };
  await call('memory_revise', {
    reference,
    expected_revision: 1,
    namespace_label: canary('l'),
    title: null,
    content: canary('c'),
    tags: [],
  });
  for (const name of ['memory_archive', 'memory_restore', 'memory_forget']) {
    await call(name, { reference, expected_revision: 1 });
  }
  await call(canary('tool'), {});
  await callTool(server.url, token, 'list_tools', {}, `?schema=${canary('parameter')}`);
  await callTool(server.url, token, 'list_tools', {}, `?token=${canary('querytoken')}`);
  await callTool(server.url, canary('wrongtoken'), 'list_tools');

  const send = (body: string, headers: Record<string, string> = headersFor(token), path = '/mcp') =>
    fetch(server.url + path, { method: 'POST', headers, body });
  const rpc = (message: object) => send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  await rpc({ id: `${canary('id')} with space`, method: canary('method') });
  await rpc({ id: 1, method: 'ping', params: canary('params') });
  await rpc({ method: `notifications/${canary('notification')}` });
  await send(canary('rubbish'));
  await send('{}', { ...headersFor(token), 'content-type': `text/${canary('type')}` });
  await send('{}', { ...headersFor(token), origin: `http://${canary('origin')}` });
  await send('{}', { ...headersFor(token), 'user-agent': canary('agent'), 'x-request-id': canary('request') });
  await send('{}', headersFor(token), `/${canary('path')}`);

  server.child.kill('SIGTERM');
  const { code, stdout, stderr } = await server.finished;
  expect(code).toBe(0);
  const written = stdout + stderr;
  expect(written.match(/canary[a-z]*/g) ?? []).toEqual([]);
  expect(written).not.toContain(token);
  expect(written).not.toContain(box.memoryRoot);
  for (const tool of ['remember', 'recall', 'list', 'inspect', 'revise', 'archive', 'restore', 'forget']) {
    expect(stderr).toContain(`"logger":"mcp.memory_${tool}"`);
  }
});
