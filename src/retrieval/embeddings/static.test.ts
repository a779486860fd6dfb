import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embedderConformance } from '../../../test/conformance/embedder.ts';
import { staticTableLimits } from '../../base/limits.ts';
import type { Embedder } from './embedder.ts';
import { lazyStatic, openStatic } from './static.ts';
import { staticModel, staticTableFolder } from './static-table.ts';
import { dot } from './vectors.ts';

embedderConformance('static table', () => ready());

let folder = '';
let embedder: Embedder;
beforeAll(async () => {
  embedder = await ready();
  folder = await mkdtemp(path.join(tmpdir(), 'static-table-'));
});
afterAll(async () => {
  await embedder.close();
  await rm(folder, { recursive: true, force: true });
});

test('ET4 meaning counts where words differ', async () => {
  const related = [
    ['login', 'authentication'],
    ['the server crashes', 'fatal failure of the daemon'],
    ['remove old rows', 'delete stale records'],
    ['parseUrl', 'read the address of a page'],
  ];
  for (const [query = '', text = ''] of related) {
    const [asked, right, ...others] = await embedder.embed([query, text, 'penguins waddle over ice', 'bake a cake']);
    for (const other of others) expect(near(asked, right), query).toBeGreaterThan(near(asked, other) + 0.1);
  }
});

test('ET4 names in code are read as words, whatever their style', async () => {
  const [camel, snake, spaced, upper] = await embedder.embed([
    'deleteUserAccount',
    'delete_user_account',
    'delete user account',
    'DELETE-USER-ACCOUNT',
  ]);
  for (const other of [snake, spaced, upper]) expect(near(camel, other)).toBeCloseTo(1, 6);
});

test('ET5 texts without a known piece share one direction that is near to nothing', async () => {
  const [empty, sign, blob, text] = await embedder.embed(['', '🦆', 'f'.repeat(500), 'remove old rows']);
  expect(sign).toEqual(empty);
  expect(blob).toEqual(empty);
  expect(Math.abs(near(empty, text))).toBeLessThan(0.2);
});

test('ET6 a text is cut at the limit, and what is beyond it changes nothing', async () => {
  const long = 'write ahead log '.repeat(512);
  const [cut, longer] = await embedder.embed([long, `${long} penguins waddle over antarctic ice`]);
  expect(longer).toEqual(cut);
});

test('ET7 making an embedder reads nothing, and a missing table is told by the first text', async () => {
  const folderUrl = pathToFileURL(`${path.join(folder, 'absent')}/`);
  const lazy = lazyStatic({ folder: folderUrl });
  expect([lazy.modelId, lazy.dimensions]).toEqual([staticModel.id, 256]);
  expect(await lazy.embed([])).toEqual([]);
  for (let call = 0; call < 2; call++) {
    await expect(lazy.embed(['text'])).rejects.toMatchObject({ name: 'EmbedderFailure', reason: 'not_installed' });
  }
  expect(await openStatic({ folder: folderUrl })).toMatchObject({ kind: 'unavailable', reason: 'not_installed' });
});

test('ET8 a table that differs in one byte is refused', async () => {
  const copy = await tableCopy('flipped');
  const bytes = await readFile(new URL('table.bin', copy));
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
  await writeFile(new URL('table.bin', copy), bytes);
  expect(await openStatic({ folder: copy })).toMatchObject({ kind: 'unavailable', reason: 'checksum_mismatch' });
});

test('ET13 single rows give what the whole table gives, in a question as in many texts', async () => {
  const lazy = lazyStatic();
  const question = ['where is the csrf token checked', 'Überall déjà-vu 用SQLite存储', '', 'qzxvj'];
  expect(await lazy.embed(question)).toEqual(await embedder.embed(question));
  // More pieces than are looked for one by one, of all parts of the table.
  const names = (await readFile(new URL('table.bin', staticTableFolder), 'utf8')).slice(0, 200_000).split('\n');
  const texts = names.filter((_, at) => at % 10 === 0).map((name, at) => `${name} ${names[at] ?? ''}x`);
  expect(texts.length).toBeGreaterThan(2 * staticTableLimits.searchedPiecesMax);
  expect(joined(await lazy.embed(texts)).equals(joined(await embedder.embed(texts)))).toBe(true);
  await lazy.close();
});

test('ET13 what is read of a table in the wrong bytes gives no vector, and what is not read does no harm', async () => {
  const copy = await tableCopy('damaged-row');
  const bytes = await readFile(new URL('table.bin', copy));
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
  await writeFile(new URL('table.bin', copy), bytes);
  const names = bytes.toString('utf8', 0, bytes.length - 32_337 * 260).split('\n');
  const lazy = lazyStatic({ folder: copy });
  expect(await lazy.embed([names[200] ?? ''])).toEqual(await embedder.embed([names[200] ?? '']));
  const mismatch = { name: 'EmbedderFailure', reason: 'checksum_mismatch' };
  await expect(lazy.embed([names.at(-1)?.replace('##', '') ?? ''])).rejects.toMatchObject(mismatch);
  await lazy.close();
  for (const [file, at] of [
    ['table.bin', 0],
    ['table.bin', 260_000],
    ['places.bin', 100],
  ] as const) {
    const other = await tableCopy(`damaged-${file}-${at}`);
    const content = await readFile(new URL(file, other));
    content[at] = (content[at] ?? 0) ^ 1;
    await writeFile(new URL(file, other), content);
    const damaged = lazyStatic({ folder: other });
    await expect(damaged.embed(['text']), `${file} ${at}`).rejects.toMatchObject(mismatch);
    await damaged.close();
  }
});

test('ET13 a table that is cut off or has lost a file is told with the same reasons', async () => {
  const short = await tableCopy('short');
  const bytes = await readFile(new URL('table.bin', short));
  await writeFile(new URL('table.bin', short), bytes.subarray(0, -1));
  await expect(lazyStatic({ folder: short }).embed(['text'])).rejects.toMatchObject({ reason: 'not_loadable' });
  for (const file of ['table.bin', 'places.bin']) {
    const without = await tableCopy(`without-${file}`);
    await rm(new URL(file, without));
    await expect(lazyStatic({ folder: without }).embed(['text'])).rejects.toMatchObject({ reason: 'not_installed' });
    expect(await openStatic({ folder: without })).toMatchObject({ reason: 'not_installed' });
  }
});

test('ET9 a header of another model, of other sizes or without meaning is refused with the cause in words', async () => {
  const copy = await tableCopy('header');
  const header: unknown = JSON.parse(await readFile(new URL('table.json', staticTableFolder), 'utf8'));
  const changes: readonly (readonly [object | string, string])[] = [
    ['{', 'not JSON'],
    ['null', 'not of the model'],
    [{ modelId: 'another' }, 'not of the model'],
    [{ dimensions: 128 }, '256 dimensions'],
    [{ pieces: 0 }, 'sizes'],
    [{ pieces: '3' }, 'sizes'],
    [{ sha256: null }, 'checksum'],
    [{ placesSha256: null }, 'checksum'],
    [{ pieces: 3 }, 'size that its header states'],
  ];
  for (const [change, message] of changes) {
    const text = typeof change === 'string' ? change : JSON.stringify(Object.assign({}, header, change));
    await writeFile(new URL('table.json', copy), text);
    const outcome = await openStatic({ folder: copy });
    expect(outcome, text.slice(0, 40)).toMatchObject({ kind: 'unavailable', reason: 'not_loadable' });
    expect(outcome.kind === 'unavailable' && outcome.message).toContain(message);
    // Pieces fewer than the places of them: told before the table itself is looked at.
    const lazy = lazyStatic({ folder: copy });
    await expect(lazy.embed(['text'])).rejects.toMatchObject({ name: 'EmbedderFailure', reason: 'not_loadable' });
    await lazy.close();
  }
});

test('ET10 many texts leave room for other work and can be aborted between two of them', async () => {
  const texts = Array.from({ length: 4_000 }, (_, index) => `text number ${index} `.repeat(60));
  const abort = new AbortController();
  let turns = 0;
  const count = (): void => {
    turns += 1;
    if (turns === 3) abort.abort(new Error('enough'));
    else setImmediate(count);
  };
  setImmediate(count);
  await expect(embedder.embed(texts, { signal: abort.signal })).rejects.toThrow('enough');
});

test('ET10 closing while vectors are made ends the call', async () => {
  const brief = await ready();
  const running = brief.embed(Array.from({ length: 4_000 }, (_, index) => `text number ${index} `.repeat(60)));
  const refused = expect(running).rejects.toThrow('closed');
  await brief.close();
  await refused;
});

test('ET11 the shipped table is the one of its model id, with provenance and licence', async () => {
  const header: unknown = JSON.parse(await readFile(new URL('table.json', staticTableFolder), 'utf8'));
  const bytes = await readFile(new URL('table.bin', staticTableFolder));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  expect(header).toMatchObject({
    modelId: 'minilm-static-256-v1',
    dimensions: 256,
    sha256,
    licence: expect.stringContaining('Apache-2.0'),
    provenance: { model: expect.stringContaining('all-MiniLM-L6-v2') },
  });
  // Other bytes need another version in the model id, since vectors are kept under it.
  expect(sha256).toBe('26f899e4ff7563ceac89a1424716f1cdc286b962b2b2652596285f48b78e96f5');
  expect(bytes.length).toBeLessThan(9_000_000);
});

test('ET11 the shipped table gives the same numbers on every machine', async () => {
  const [vector] = await embedder.embed(['Journal mode WAL']);
  const largest = [...(vector ?? [])]
    .map((value, index) => ({ index, value: Number(value.toFixed(6)) }))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .slice(0, 3);
  expect(largest).toMatchInlineSnapshot(`
    [
      {
        "index": 6,
        "value": -0.2361,
      },
      {
        "index": 15,
        "value": -0.210831,
      },
      {
        "index": 72,
        "value": 0.174152,
      },
    ]
  `);
});

test('ET12 the package carries the table where the sources and the build look for it', async () => {
  const root = new URL('../../../', import.meta.url);
  const manifest: unknown = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));
  expect(manifest).toMatchObject({ files: expect.arrayContaining(['assets', 'dist']) });
  expect(staticTableFolder.href).toBe(new URL('assets/static-table/', root).href);
  const notice = await readFile(new URL('NOTICE', root), 'utf8');
  expect(notice).toContain('assets/static-table');
});

function joined(vectors: readonly Float32Array[]): Buffer {
  return Buffer.concat(vectors.map((vector) => Buffer.from(vector.buffer)));
}

async function ready(): Promise<Embedder> {
  const outcome = await openStatic();
  if (outcome.kind === 'unavailable') throw new Error(outcome.message);
  return outcome.embedder;
}

function near(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) throw new Error('Every text gives a vector.');
  return dot(a, b);
}

async function tableCopy(name: string): Promise<URL> {
  const copy = path.join(folder, name);
  await cp(fileURLToPath(staticTableFolder), copy, { recursive: true });
  return pathToFileURL(`${copy}/`);
}
