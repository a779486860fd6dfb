/**
 * The notebook over 1,000 records of one scope: recall and list, warm and cold, against reading and parsing every file;
 * durable changes against a bare write, flush, rename and flush of the folder; without that last flush the loop is faster
 * and a power cut can undo what it said was done.
 */
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { systemClock } from '../src/base/clock.ts';
import type { JsonObject } from '../src/base/json.ts';
import { openFileStore } from '../src/memory/notebook/file-store.ts';
import { list, parseListRequest } from '../src/memory/notebook/list.ts';
import { createNotebook, type Notebook } from '../src/memory/notebook/notebook.ts';
import type { Result } from '../src/memory/notebook/outcome.ts';
import { parseRecallRequest, recall } from '../src/memory/notebook/recall.ts';
import { parseRememberRequest, remember } from '../src/memory/notebook/remember.ts';
import { parseReviseRequest, revise } from '../src/memory/notebook/revise.ts';
import { type Measurement, median, medianMs } from './measurement.ts';

const recordCount = 1000;
const rounds = 60;
const writes = 150;
const silent = { skipped: () => {}, lock: () => {} };
const words = ['harbour', 'lantern', 'meadow', 'copper', 'thistle', 'granite', 'willow', 'ember', 'saffron', 'quarry'];
const query = { scope: 'project', query: 'which lantern stands in the copper meadow' };

export async function benchNotebook(): Promise<Measurement[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mnemosyne-bench-'));
  try {
    const root = path.join(folder, 'memory');
    const notebook = openNotebook(root);
    for (let index = 0; index < recordCount; index += 1) must(await rememberNumber(notebook, index));
    return [...(await reading(root)), ...(await writing(folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function reading(root: string): Promise<Measurement[]> {
  const warm = openNotebook(root);
  const scopeFolder = path.join(root, 'project');
  const ours = must(await recall(warm, must(parseRecallRequest(query))));
  const listed = must(await list(warm, must(parseListRequest({ scope: 'project', page_size: 100 }))));
  const plain = plainRecall(scopeFolder);
  const sameRecall = JSON.stringify(ours.memories.map((memory) => memory.id)) === JSON.stringify(plain);
  const sameList = listed.page.total_count === readAll(scopeFolder).length;
  // Let the entries age past the moment in which the cache does not trust a file's own timestamps.
  await new Promise((resolve) => setTimeout(resolve, 300));
  await recall(warm, must(parseRecallRequest(query)));

  const recallOnce = (notebook: Notebook) => async () => must(await recall(notebook, must(parseRecallRequest(query))));
  const listOnce = (notebook: Notebook) => async () =>
    must(await list(notebook, must(parseListRequest({ scope: 'project' }))));
  const plainRecallMs = await medianMs(10, () => plainRecall(scopeFolder));
  const plainListMs = await medianMs(10, () => readAll(scopeFolder).length);
  return [
    {
      name: 'recall, warm',
      unit: 'ms',
      ours: await medianMs(rounds, recallOnce(warm)),
      plain: plainRecallMs,
      correct: sameRecall,
      goal: '< 8 ms',
    },
    {
      name: 'list, warm',
      unit: 'ms',
      ours: await medianMs(rounds, listOnce(warm)),
      plain: plainListMs,
      correct: sameList,
      goal: '< 8 ms',
    },
    { name: 'recall, cold', unit: 'ms', ours: await cold(root, recallOnce), plain: plainRecallMs, correct: sameRecall },
    { name: 'list, cold', unit: 'ms', ours: await cold(root, listOnce), plain: plainListMs, correct: sameList },
  ];
}

/** The median first call of ten fresh notebooks. */
async function cold(root: string, once: (notebook: Notebook) => () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 10; round += 1) times.push(await medianMs(1, once(openNotebook(root))));
  return median(times);
}

/**
 * Ours and the bare loop by turns, so that a busy moment of the disk hits both. All into one folder: making folders is
 * a matter of the first record in each.
 */
async function writing(folder: string): Promise<Measurement[]> {
  const notebook = openNotebook(path.join(folder, 'written'));
  const bareFolder = path.join(folder, 'bare');
  await mkdir(bareFolder);
  const first = must(await rememberNumber(notebook, 0, oneFolder));
  const reference = { schema_version: 2, ...first.reference };
  const times = { remember: [] as number[], revise: [] as number[], bare: [] as number[], unsafe: [] as number[] };
  for (let index = 1; index <= writes; index += 1) {
    times.remember.push(await medianMs(1, async () => must(await rememberNumber(notebook, index, oneFolder))));
    times.bare.push(await medianMs(1, () => bareWrite(bareFolder, `safe-${index}`, true)));
    times.unsafe.push(await medianMs(1, () => bareWrite(bareFolder, `unsafe-${index}`, false)));
    const request = must(parseReviseRequest(revision(reference, index)));
    times.revise.push(await medianMs(1, async () => must(await revise(notebook, request))));
  }
  const bare = 1000 / median(times.bare);
  const kept = readAll(path.join(folder, 'written', 'project')).length === writes + 1;
  return [
    {
      name: 'remember, durable',
      unit: '/s',
      ours: 1000 / median(times.remember),
      plain: bare,
      correct: kept,
      goal: 'ratio > 0.67',
    },
    {
      name: 'revise, durable',
      unit: '/s',
      ours: 1000 / median(times.revise),
      plain: bare,
      correct: kept,
      goal: 'ratio > 0.67',
    },
    {
      name: 'bare loop without flushing the folder',
      unit: '/s',
      ours: 1000 / median(times.unsafe),
      plain: bare,
      correct: kept,
    },
  ];
}

async function bareWrite(folder: string, name: string, flushFolder: boolean): Promise<void> {
  const temporary = path.join(folder, `${name}.tmp`);
  const file = await open(temporary, 'wx', 0o600);
  await file.writeFile(`${JSON.stringify(recordText(1), null, 2)}\n`);
  await file.sync();
  await file.close();
  await rename(temporary, path.join(folder, `${name}.json`));
  if (!flushFolder) return;
  const directory = await open(folder, 'r');
  await directory.sync();
  await directory.close();
}

function openNotebook(root: string): Notebook {
  return createNotebook({ store: openFileStore({ root: () => root, log: silent }), clock: systemClock });
}

/** The place of the records that are only written. */
const oneFolder: JsonObject = { namespace: { kind: 'project', id: 'written', label: null }, collection: null };

function rememberNumber(notebook: Notebook, index: number, place: JsonObject = {}): ReturnType<typeof remember> {
  return remember(notebook, must(parseRememberRequest({ ...recordText(index), ...place })));
}

function recordText(index: number): JsonObject {
  const pick = (step: number) => words[(index * step + step) % words.length] ?? '';
  return {
    scope: 'project',
    namespace: { kind: 'project', id: `area-${index % 7}`, label: null },
    collection: index % 3 === 0 ? null : { id: `part-${index % 5}`, label: null },
    kind: 'decision',
    language: 'en',
    title: `The ${pick(1)} near the ${pick(3)}, number ${index}`,
    content: `${Array.from({ length: 40 }, (_, step) => pick(step)).join(' ')} ${index}`,
    tags: [pick(7)],
    origin: 'explicit_user_statement',
  };
}

function revision(reference: JsonObject, index: number): JsonObject {
  const { title, content, tags } = recordText(index + 5000);
  const values = { title: title ?? null, content: content ?? null, tags: tags ?? [] };
  return { reference, expected_revision: index, namespace_label: null, ...values };
}

/** What a program without any of our machinery does: read and parse every file on every call. */
function readAll(scopeFolder: string): readonly { readonly file: string; readonly record: PlainRecord }[] {
  return readdirSync(scopeFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json') && lstatSync(path.join(scopeFolder, name)).isFile())
    .map((name) => ({ file: name, record: JSON.parse(readFileSync(path.join(scopeFolder, name), 'utf8')) }));
}

interface PlainRecord {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
}

function plainRecall(scopeFolder: string): readonly string[] {
  const termsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu));
  const stop = new Set(['which', 'in', 'the']);
  const wanted = [...termsOf(query.query)].filter((term) => !stop.has(term));
  const hits = (text: string) => wanted.filter((term) => termsOf(text).has(term)).length;
  return readAll(scopeFolder)
    .map(({ file, record }) => ({
      file,
      id: record.id,
      score: 3 * hits(record.title) + 2 * hits(`${file} ${record.tags.join(' ')}`) + hits(record.content),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.file < b.file ? -1 : 1))
    .slice(0, 5)
    .map(({ id }) => id);
}

function must<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
}
