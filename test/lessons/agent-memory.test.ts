/**
 * What hurt the users of other memories for agents, tried on ours through the API of a running daemon.
 *
 * Where another system has several users we have several projects, and within one several agents.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { NeuralMindClient } from '../../src/client/index.ts';
import { daemonProcess } from '../client/daemon-process.ts';
import { everyGateOn, rememberArguments } from '../daemon/processes.ts';
import { tempRepository } from '../projects/temp-repository.ts';
import { startEnvironment } from '../start-environment.ts';
import { liveDaemon, objects, refusal, send, text } from './live.ts';

vi.setConfig({ testTimeout: 240_000 });

const live = liveDaemon();
const modes = ['keyword', 'semantic', 'hybrid'] as const;

test('LS20 deleting all of one project, or of one agent, leaves every other memory alone', async () => {
  const [a, b] = [await live.project('delete-a'), await live.project('delete-b')];
  for (const project of [a, b]) {
    for (const agent of ['alice', 'bob']) {
      for (const n of [1, 2, 3]) await project.add({ id: `${agent}-${n}`, title: `Keep the cache warm ${n}`, agent });
    }
  }
  for (const { id } of await a.all('&agent=alice')) await a.ask('DELETE', `/${text(id)}`);
  expect((await a.all()).map(({ id }) => id).sort()).toEqual(['bob-1', 'bob-2', 'bob-3']);
  for (const { id } of await a.all()) expect((await a.ask('DELETE', `/${text(id)}`)).status).toBe(204);
  expect(await a.all()).toEqual([]);
  expect(await b.all()).toHaveLength(6);
  expect(await b.find('cache warm', { mode: 'keyword' })).toHaveLength(6);
  expect(await a.find('cache warm', { mode: 'keyword' })).toEqual([]);
});

test('LS21 fifty writes at once over five connections are all kept, and the store stays readable', async () => {
  const project = await live.project('parallel');
  const clients = Array.from({ length: 5 }, () => new NeuralMindClient({ daemonHome: live.daemon.daemonHome }));
  const doors = await Promise.all(clients.map((client) => client.projectById(project.id)));
  const added = await Promise.all(
    Array.from({ length: 50 }, (_, n) => {
      return doors[n % 5]?.memories.add({ title: `Parallel ${n}`, rationale: 'At once.', files: ['same.ts'] });
    }),
  );
  expect((await project.all()).map(({ id }) => id).sort()).toEqual(added.map((memory) => memory?.id).sort());
  expect(project.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
});

test('LS22 a second daemon of one home refuses loudly, and daemons of two homes lose no write on one project', async () => {
  const project = await live.project('two-daemons');
  const second = daemonProcess();
  try {
    const env = { ...startEnvironment, HOME: live.daemon.home };
    const again = () =>
      execFileSync(process.execPath, ['bin/mnemosyne.mjs', '--port', '0'], { env, encoding: 'utf8', stdio: 'pipe' });
    expect(again).toThrow(/already runs at/);
    await second.start();
    const doors = [
      await live.nm.projectById(project.id),
      await new NeuralMindClient({ daemonHome: second.daemonHome }).project(project.root),
    ];
    const titles = doors.flatMap((_door, d) => Array.from({ length: 20 }, (_, n) => `Daemon ${d} write ${n}`));
    await Promise.all(
      titles.map((title) => doors[Number(title.charAt(7))]?.memories.add({ title, rationale: 'Both at once.' })),
    );
    for (const door of doors) {
      expect((await door.memories.list().toArray()).map((memory) => memory.title).sort()).toEqual([...titles].sort());
    }
    expect(await project.find('daemon write', { mode: 'keyword', limit: 25 })).toHaveLength(25);
  } finally {
    await second.dispose();
  }
});

test('LS23 a store that was cut by hand is reported and left as it is; every other project goes on', async () => {
  const [cut, fine] = [await live.project('cut'), await live.project('beside-cut')];
  for (const project of [cut, fine]) await project.add({ id: 'kept', title: 'Keep it', rationale: 'x'.repeat(60_000) });
  await live.daemon.stop();
  const damaged = readFileSync(cut.file).subarray(0, 9_000);
  for (const end of ['-wal', '-shm']) rmSync(cut.file + end, { force: true });
  writeFileSync(cut.file, damaged);
  await live.restart();
  for (const reply of [await cut.ask('GET', ''), await cut.ask('POST', '', { title: 'T', rationale: 'R' })]) {
    expect(refusal(reply)).toBe('503 unavailable damaged');
  }
  expect(readFileSync(cut.file).equals(damaged)).toBe(true);
  expect((await fine.all()).map(({ id }) => id)).toEqual(['kept']);
  expect(await fine.add({ title: 'And on' })).not.toBe('');
});

test('LS24 no field of a body moves a memory to another project, or reaches into objects', async () => {
  const [a, b] = [await live.project('scope-a'), await live.project('scope-b')];
  const foreign =
    `"project_id": "${b.id}", "project_path": ${JSON.stringify(b.root)}, "user_id": "bob", "userId": "bob", ` +
    `"scope": "self", "namespace": "x", "__proto__": {"title": "polluted", "confidence": 0.1}, "constructor": {"x": 1}`;
  const added = await a.ask('POST', '', `{"id": "mine", "title": "Mine", "rationale": "R", ${foreign}}`);
  expect(added.status).toBe(201);
  expect((await a.ask('PATCH', '/mine', `{"confidence": 0.5, "id": "other", ${foreign}}`)).status).toBe(200);
  expect(refusal(await a.ask('PATCH', '/mine', `{${foreign}}`))).toBe('422 validation_error :empty_patch');
  expect(await b.all()).toEqual([]);
  const [mine] = await a.all();
  expect(mine).toMatchObject({ id: 'mine', title: 'Mine', confidence: 0.5 });
  expect(Object.keys(mine ?? {}).filter((key) => /user|scope|namespace|proto|project/i.test(key))).toEqual([]);
  expect(mine?.['created_at']).toBe(added.json['created_at']);
});

test('LS25 the same sentence in two projects is found in each only there, in every mode', async () => {
  const [a, b] = [await live.project('same-a'), await live.project('same-b')];
  const sentence = { title: 'Retry payments three times', rationale: 'The bank drops one call in a hundred.' };
  const [inA, inB] = [await a.add({ ...sentence, id: 'of-a' }), await b.add({ ...sentence, id: 'of-b' })];
  for (const mode of modes) {
    expect(await a.find('how often do we repeat a payment', { mode })).toEqual([inA]);
    expect(await b.find('how often do we repeat a payment', { mode })).toEqual([inB]);
  }
  expect((await a.ask('GET', '/of-b')).status).toBe(404);
});

test('LS26 a project is its folder, asked for and not guessed: clones differ, subfolders agree, a move keeps the memory', async () => {
  const one = await live.project('one/app');
  execFileSync('git', ['clone', '-q', one.root, live.daemon.folder('two/app')], { stdio: 'pipe' });
  const two = await live.at(path.join(live.daemon.home, 'two/app'));
  expect(two.id).not.toBe(one.id);
  await one.add({ id: 'of-one', title: 'Of one' });
  expect(await two.all()).toEqual([]);
  one.repository.commit({ 'src/deep/file.ts': '1' });
  expect((await live.at(path.join(one.root, 'src/deep'))).id).toBe(one.id);
  const linked = path.join(live.daemon.home, 'worktree');
  one.repository.git('worktree', 'add', '-q', linked);
  const worktree = await live.at(linked);
  expect([one.id, two.id]).not.toContain(worktree.id);
  expect(await worktree.all()).toEqual([]);
  // The folder that everything temporary lies in is no home for what belongs elsewhere.
  const told = await live.tool('neuralmind_record_decision', { title: 'Lost', rationale: 'R' });
  expect(told).toContain('project_path');
  expect([...(await one.all()), ...(await two.all())].map(({ id }) => id)).toEqual(['of-one']);
  const moved = path.join(live.daemon.home, 'moved');
  renameSync(two.root, moved);
  expect(refusal(await two.ask('GET', ''))).toBe('404 project_not_found');
  renameSync(one.root, two.root);
  expect((await (await live.at(two.root)).all()).map(({ id }) => id)).toEqual(['of-one']);
});

test('LS27 what is deleted comes back in no mode, not after a restart and not with other words', async () => {
  const project = await live.project('forgotten');
  await project.add({ id: 'gone', title: 'Rotate the signing key monthly', rationale: 'An auditor asked for it.' });
  await project.add({ id: 'stays', title: 'Rotate logs weekly', rationale: 'The disk is small.' });
  const queries = ['rotate signing key', 'how often do we change the certificate secret', 'auditor'];
  for (const mode of modes) expect(await project.find('rotate signing key', { mode })).toContain('gone');
  expect((await project.ask('DELETE', '/gone')).status).toBe(204);
  for (const round of [1, 2]) {
    for (const mode of modes) {
      for (const query of queries) {
        expect(await project.find(query, { mode, status: 'ALL' }), `${round} ${mode} ${query}`).not.toContain('gone');
      }
    }
    if (round === 1) await live.restart();
  }
  expect((await project.all()).map(({ id }) => id)).toEqual(['stays']);
  expect(objects((await project.ask('GET', '/gone/history')).json['items']).at(-1)).toMatchObject({ kind: 'deleted' });
});

test('LS28 one document is all or nothing: too long is refused whole, the longest comes back byte for byte', async () => {
  const project = await live.project('document');
  const sentences = Array.from({ length: 1_200 }, (_, n) => `Sentence ${n} names token${n}x and the word harbour.`);
  const long = sentences
    .join(' ')
    .slice(0, 65_536 - 30)
    .concat(' The end is called zanzibar. é');
  const reply = await project.ask('POST', '', { title: 'Five megabytes', rationale: 'five '.repeat(1_000_000) });
  expect(refusal(reply)).toBe('413 payload_too_large');
  const over = await project.ask('POST', '', { title: 'Over', rationale: 'a'.repeat(65_537) });
  expect(refusal(over)).toBe('422 validation_error rationale:string_too_long');
  expect(await project.all()).toEqual([]);
  const id = await project.add({ title: 'The longest', rationale: long });
  expect((await project.ask('GET', `/${id}`)).json['rationale']).toBe(long);
  for (const word of ['token0x', 'token600x', 'zanzibar']) {
    expect(await project.find(word, { mode: 'keyword' })).toEqual([id]);
  }
});

test('LS29 a query is text: quotes, operators and brackets never fail and find what they find without', async () => {
  const project = await live.project('syntax');
  const id = await project.add({
    title: "Don't use foo in src/main.py for ADR-016",
    rationale: 'NOT near: a col holds val, x OR y, a AND b.',
  });
  const marked = [
    'don\'t "use',
    'a AND foo',
    'NOT',
    'col:val',
    'ADR-016',
    'src/main.py',
    'x OR',
    '^foo',
    'NEAR(foo b)',
  ];
  for (const query of [...marked, 'foo*', '"foo', "'foo'", 'foo)', '{foo}', '-foo', '+foo', 'title:foo', 'foo\\']) {
    for (const mode of ['keyword', 'hybrid'] as const) expect(await project.find(query, { mode }), query).toContain(id);
  }
  for (const query of ['(', '*', '""', '"', "'", '--', ':', '\u0000', '%', '_', ';', '\\', '\u{1F600}', '\t\n']) {
    for (const mode of modes) {
      const reply = await project.ask('POST', '/search', { query, mode });
      expect([200, 422], `${JSON.stringify(query)} ${mode}: ${reply.text}`).toContain(reply.status);
    }
  }
});

test('LS30 an identifier is found whole, by its parts and in another case, and whole comes first', async () => {
  const project = await live.project('identifiers');
  const names = ['uteke-cloud-dev', 'vibe-trading', 'atomic_write_json', 'parseHTTPRequest', 'net.core.dispatch'];
  for (const name of names) await project.add({ id: name.replaceAll('.', '-'), title: `Call ${name} for it` });
  for (const part of ['cloud', 'trading', 'atomic', 'json', 'dispatch', 'dev', 'write']) {
    await project.add({ id: `other-${part}`, title: `Something about ${part} alone` });
  }
  for (const name of names) {
    const id = name.replaceAll('.', '-');
    for (const query of [name, name.toUpperCase()]) {
      expect((await project.find(query, { mode: 'keyword' }))[0], query).toBe(id);
      expect((await project.find(query))[0], query).toBe(id);
    }
    for (const part of name.split(/[-_.]/)) expect(await project.find(part, { mode: 'keyword' }), part).toContain(id);
  }
  expect(await project.find('http request', { mode: 'keyword' })).toContain('parseHTTPRequest');
});

test('LS31 Chinese, Japanese and Korean are found by their words, also beside Latin ones', async () => {
  const project = await live.project('cjk');
  const texts = {
    rerun: '重跑gen-itgc后50条',
    game: 'しりとりの辞書を使う',
    korean: '끝말잇기 사전을 쓴다',
    identity: '用户身份由网关验证',
  };
  for (const [id, title] of Object.entries(texts)) await project.add({ id, title });
  const asked = {
    rerun: ['itgc', '重跑', 'gen-itgc'],
    game: ['しりとり', '辞書'],
    korean: ['끝말잇기'],
    identity: ['用户身份', '身份'],
  };
  for (const [id, queries] of Object.entries(asked)) {
    for (const query of queries) {
      for (const mode of ['keyword', 'hybrid'] as const)
        expect((await project.find(query, { mode }))[0], query).toBe(id);
    }
  }
});

test('LS32 a word that only one memory holds is found by hybrid search among five hundred others', async () => {
  const project = await live.project('needle');
  for (let start = 0; start < 500; start += 100) {
    const operations = Array.from({ length: 100 }, (_, n) => ({
      op: 'create',
      title: `${['Queue', 'Cache', 'Parser', 'Colour', 'Layout'][n % 5]} ${start + n}`,
      rationale: 'So.',
    }));
    expect((await project.ask('POST', '/batch', { operations })).status).toBe(200);
  }
  const id = await project.add({ title: 'ERR_QX7731', rationale: 'Restart the pump.' });
  const other = await project.add({ title: 'Pump errors', rationale: 'The code was ERR_QX7731 last time.' });
  expect((await project.find('ERR_QX7731')).slice(0, 2)).toEqual([id, other]);
  expect((await project.find('what does err_qx7731 mean')).slice(0, 2)).toContain(id);
});

test('LS33 times are kept in UTC, whatever offset they came with, and a day is that of UTC', async () => {
  const project = await live.project('times');
  const record = (id: string, at: string) => ({ id, title: id, rationale: 'R', created_at: at, updated_at: at });
  const moments = [
    record('evening', '2026-03-07T23:30:00-07:00'),
    record('dst', '2026-03-08T03:00:00-06:00'),
    record('utc', '2026-03-07T23:59:59.999999Z'),
    record('east', '2026-03-08T07:59:59+08:00'),
  ];
  expect((await project.ask('POST', '/import', { export: moments })).status).toBe(200);
  expect((await project.ask('GET', '/evening')).json['created_at']).toMatch(/^2026-03-08T06:30:00(\.0+)?Z$/);
  const within = async (after: string, before: string) => {
    const range = `&created_after=${encodeURIComponent(after)}&created_before=${encodeURIComponent(before)}`;
    return (await project.all(range)).map(({ id }) => text(id)).sort();
  };
  expect(await within('2026-03-07', '2026-03-07')).toEqual(['east', 'utc']);
  expect(await within('2026-03-08', '2026-03-08')).toEqual(['dst', 'evening']);
  expect(await within('2026-03-08T00:00:00+08:00', '2026-03-08T16:59:59+08:00')).toEqual(['east', 'evening', 'utc']);
  expect(await within('2026-03-08T06:30:00Z', '2026-03-07T23:30:00-07:00')).toEqual(['evening']);
  expect(refusal(await project.ask('GET', '?created_after=yesterday'))).toContain('created_after');
  const added = await project.ask('POST', '', { title: 'Now', rationale: 'R' });
  expect(text(added.json['created_at'])).toMatch(/Z$/);
  expect(Math.abs(Date.parse(text(added.json['created_at'])) - Date.now())).toBeLessThan(60_000);
});

test('LS34 a list is never capped: 1,050 memories are walked to the end, newest first, each once', async () => {
  const project = await live.project('pages');
  const made: string[] = [];
  for (let start = 0; start < 1_050; start += 50) {
    const operations = Array.from({ length: 50 }, (_, n) => ({
      op: 'create',
      id: `m${start + n}`,
      title: 'T',
      rationale: 'R',
    }));
    expect((await project.ask('POST', '/batch', { operations })).status).toBe(200);
    made.push(...operations.map(({ id }) => id));
  }
  expect((await project.all()).map(({ id }) => id)).toEqual([...made].reverse());
  const first = await project.ask('GET', '');
  expect([objects(first.json['items']).length, first.json['total']]).toEqual([50, 1_050]);
  const memories = (await live.nm.projectById(project.id)).memories;
  expect(await memories.list({ pageSize: 7 }).toArray()).toHaveLength(1_050);
});

test('LS35 pages neither repeat nor skip while others write, and a cursor serves only the list it is from', async () => {
  const [project, other] = [await live.project('cursor'), await live.project('cursor-other')];
  for (let n = 0; n < 10; n += 1) await project.add({ id: `m${n}`, title: `Title ${n}`, tags: ['t'] });
  const page = async (query: string) => project.ask('GET', `?limit=4${query}`);
  const ids = (reply: { readonly json: Awaited<ReturnType<typeof page>>['json'] }) =>
    objects(reply.json['items']).map(({ id }) => id);
  const first = await page('');
  const cursor = text(first.json['next_cursor']);
  for (const n of [1, 2, 3]) await project.add({ id: `new${n}`, title: 'New' });
  for (const id of ['m9', 'm3']) await project.ask('DELETE', `/${id}`);
  await project.ask('PATCH', '/m1', { confidence: 0.5 });
  const second = await page(`&cursor=${encodeURIComponent(cursor)}`);
  const third = await page(`&cursor=${encodeURIComponent(text(second.json['next_cursor']))}`);
  expect([...ids(first), ...ids(second), ...ids(third)]).toEqual([
    'm9',
    'm8',
    'm7',
    'm6',
    'm5',
    'm4',
    'm2',
    'm1',
    'm0',
  ]);
  const coded = `?limit=4&cursor=${encodeURIComponent(cursor)}`;
  for (const wrong of [
    await other.ask('GET', coded),
    await project.ask('GET', `${coded}&tag=t`),
    await project.ask('GET', '?cursor=garbage'),
    await project.ask('GET', `?cursor=${encodeURIComponent(`${cursor}A`)}`),
    await project.ask('GET', `/m1/history${coded}`),
  ]) {
    expect(refusal(wrong)).toMatch(/^400 invalid_request/);
  }
});

test('LS36 nothing that is nearly the same is thrown away; it is named as a possible duplicate', async () => {
  const project = await live.project('near');
  const pairs = [
    ['Limit is 100 req/min', 'Limit is 1000 req/min'],
    ['Pin the parser to v1.2.3', 'Pin the parser to v1.2.4'],
    ['Exactly the same text', 'Exactly the same text'],
  ];
  for (const [one, two] of pairs) {
    const first = await project.add({ title: one ?? '', rationale: 'R', files: [] });
    const second = await project.ask('POST', '', { title: two ?? '', rationale: 'R' });
    expect(second.status).toBe(201);
    expect(second.json['id']).not.toBe(first);
    expect(objects(second.json['possible_duplicates']).map(({ id }) => id)).toContain(first);
  }
  expect(await project.all()).toHaveLength(6);
  const elsewhere = await (await live.project('near-other')).ask('POST', '', {
    title: 'Exactly the same text',
    rationale: 'R',
  });
  expect(elsewhere.json['possible_duplicates']).toEqual([]);
});

test('LS37 words that mean something to a program are text like any other', async () => {
  const project = await live.project('words');
  for (const word of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'null', 'undefined', 'true', 'NaN']) {
    const files = [`${word}/${word}`];
    const id = await project.add({
      title: word,
      rationale: word,
      tags: [word],
      author: word,
      agent: word,
      files_affected: files,
    });
    const read = (await project.ask('GET', `/${id}`)).json;
    expect(read).toMatchObject({
      title: word,
      rationale: word,
      tags: [word],
      author: word,
      agent: word,
      files_affected: files,
    });
    for (const query of [`&tag=${word}`, `&author=${word}`, `&agent=${word}`, `&file=${word}/${word}`]) {
      expect(
        (await project.all(query)).map((found) => found['id']),
        query,
      ).toEqual([id]);
    }
    expect((await project.find(word, { mode: 'keyword' }))[0], word).toBe(id);
    expect((await live.ask('GET', `/v1/projects/${word}`)).status).toBe(404);
    expect((await project.ask('GET', `/${word}`)).status).toBe(404);
  }
  for (const id of ['constructor', 'toString', 'hasOwnProperty'])
    expect(await project.add({ id, title: 'T' })).toBe(id);
});

test('LS38 an export goes out, is wiped, comes in and goes out equal; twice changes nothing, a cut one nothing at all', async () => {
  const project = await live.project('exported');
  project.repository.commit({ 'src/a.ts': '1' });
  await project.add({ id: 'a', title: 'A', tags: ['x', 'y'], files_affected: ['src/a.ts'], review_by: '2999-01-01' });
  await project.add({ id: 'b', title: 'B', dependency_constraints: ['a'], evidence: ['e1', 'e2'] });
  await project.ask('PATCH', '/a', { rejected_append: ['another way'], confidence: 0.25 });
  await project.ask('POST', '/b/invalidate', { reason: 'over' });
  await project.add({ id: 'c', title: 'C', supersedes: 'a' });
  await project.ask('DELETE', '/b');
  const out = async () => (await project.ask('GET', '/export?events=true')).text;
  const exported = await out();
  for (const end of ['', '-wal', '-shm']) rmSync(project.file + end, { force: true });
  expect(await project.all()).toEqual([]);
  const dry = await project.ask('POST', '/import', `{"dry_run": true, "export": ${exported}}`);
  expect(dry.json).toMatchObject({ dry_run: true, created: 2, histories: 1 });
  expect(await project.all()).toEqual([]);
  expect((await project.ask('POST', '/import', `{"export": ${exported}}`)).json).toMatchObject({ created: 2 });
  const again = await project.ask('POST', '/import', `{"export": ${exported}}`);
  expect(again.json).toMatchObject({ created: 0, replaced: 0, kept: 0, unchanged: 2, histories: 0 });
  expect((await project.ask('GET', '/export?events=true')).text).toBe(exported);
  for (const share of [0.1, 0.5, 0.9, 0.999]) {
    const cut = exported.slice(0, Math.floor(exported.length * share));
    expect(refusal(await project.ask('POST', '/import', `{"export": ${cut}`))).toMatch(/^400 invalid_request/);
    const asText = await project.ask('POST', '/import', { export: cut });
    expect(refusal(asText)).toMatch(/^422 validation_error/);
  }
  expect((await project.ask('GET', '/export?events=true')).text).toBe(exported);
});

test('LS39 an agent cannot approve its own writes: the gates are outside of every door, and what they stop is nowhere', async () => {
  const note = rememberArguments('The user likes trains.');
  const closed = await live.tool('memory_remember', note);
  expect(closed).toMatch(/unknown|not found|disabled|not available/i);
  for (const name of ['memory_revise', 'memory_forget', 'memory_archive']) {
    expect(await live.tool(name, { id: 'x' }), name).toMatch(/"error"|isError":true/);
  }
  expect(await live.tool('memory_recall', { scope: 'self', query: 'trains' })).not.toContain('likes trains');
  const document = (await live.ask('GET', '/v1/openapi.json')).text;
  expect(document).not.toMatch(/approve|MNEMOSYNE_MEMORY/);
  // Opened by the environment of the process, which is the user's.
  const open = daemonProcess(everyGateOn);
  try {
    const { url } = await open.start();
    const token = readFileSync(path.join(open.daemonHome, 'token'), 'utf8').trim();
    const call = (name: string, args: object) =>
      send(
        url,
        token,
        'POST',
        '/mcp',
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
        { accept: 'application/json, text/event-stream' },
      );
    expect((await call('memory_remember', rememberArguments('The user likes trains.'))).text).not.toMatch(
      /"error"|isError":true/,
    );
    expect((await call('memory_recall', { scope: 'self', query: 'trains' })).text).toContain('likes trains');
  } finally {
    await open.dispose();
  }
});

test('LS26 a repository that is opened through a link is one project under both names', async () => {
  const real = tempRepository(live.daemon.folder('real'));
  const link = path.join(live.daemon.home, 'link');
  symlinkSync(real.root, link);
  const [one, two] = [await live.at(real.root), await live.at(link)];
  expect(two.id).toBe(one.id);
  await two.add({
    id: 'm',
    title: 'T',
    files_affected: [path.join(link, 'src/a.ts'), path.join(real.root, 'src/b.ts')],
  });
  expect((await one.ask('GET', '/m')).json['files_affected']).toEqual(['src/a.ts', 'src/b.ts']);
});
