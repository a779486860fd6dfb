/**
 * Decisions: durable creates against bare inserts into a table with the same pragmas; search by words in stores of
 * three sizes, each question answered and checked; and search by words and meaning with the model warm.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { systemClock } from '../src/base/clock.ts';
import { Decisions } from '../src/memory/decisions/decisions.ts';
import type { TextEmbedder } from '../src/memory/decisions/embedder.ts';
import { noGit } from '../src/memory/decisions/git-facts.ts';
import type { Result } from '../src/memory/decisions/outcome.ts';
import { parseSearch } from '../src/memory/decisions/parse-read.ts';
import { parseCreate } from '../src/memory/decisions/parse-write.ts';
import { rebuildSearchIndex } from '../src/memory/decisions/search-index.ts';
import { hashingEmbedder } from '../src/retrieval/embeddings/hashing.ts';
import { openMiniLm } from '../src/retrieval/embeddings/minilm.ts';
import { type Measurement, median, medianMs } from './measurement.ts';

const creates = 120;
const questions = 60;
const sizes = [1_000, 10_000, 100_000] as const;
const hybridSize = 200;
/** Some words are in most decisions and most words are in few, as in real text. */
const syllables = ['ka', 'lo', 'mi', 'ren', 'tas', 'vu', 'por', 'sel', 'nid', 'gra', 'hem', 'bu', 'zet', 'fol', 'qui'];
const vocabulary = syllables.flatMap((a) => syllables.flatMap((b) => syllables.map((c) => a + b + c)));

export async function benchDecisions(): Promise<Measurement[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mnemosyne-bench-'));
  try {
    const rows = [...(await creating(folder)), ...(await hybrid(folder))];
    for (const size of sizes) rows.push(...(await searching(folder, size)));
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ours and the bare insert by turns, so that a busy moment of the disk hits both. */
async function creating(folder: string): Promise<Measurement[]> {
  const store = open(path.join(folder, 'created', 'memory.db'));
  const bare = new Database(path.join(folder, 'bare.db'));
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'fullfsync = ON']) bare.pragma(pragma);
  bare.exec('CREATE TABLE decisions (id TEXT PRIMARY KEY, title TEXT, rationale TEXT, files TEXT, tags TEXT)');
  const insert = bare.prepare('INSERT INTO decisions VALUES (?, ?, ?, ?, ?)');
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let n = 0; n < creates; n += 1) {
    const { id, title, rationale, files_affected, tags } = textOf(n);
    const request = must(parseCreate(textOf(n)));
    times.ours.push(await medianMs(1, async () => must(await store.create(request))));
    times.bare.push(
      await medianMs(1, () => insert.run(id, title, rationale, JSON.stringify(files_affected), JSON.stringify(tags))),
    );
  }
  const kept = must(await store.list({ limit: 1 })).total === creates;
  await store.close();
  bare.close();
  const [ours, plain] = [1000 / median(times.ours), 1000 / median(times.bare)];
  return [{ name: 'create, durable, one by one', unit: '/s', ours, plain, correct: kept, goal: 'ratio > 0.50' }];
}

async function searching(folder: string, size: number): Promise<Measurement[]> {
  const file = path.join(folder, `${size}.db`);
  await fill(file, size);
  const store = open(file);
  const times: number[] = [];
  let correct = true;
  // The first questions also load code; they are not counted.
  for (let n = -20; n < questions; n += 1) {
    const wanted = Math.floor((size * (n + 20.5)) / (questions + 20));
    const { title, rationale } = textOf(wanted);
    const query = `where is ${title.split(' ').slice(2).join(' ')} used with ${rationale.split(' ').slice(3, 6).join(' ')}`;
    const request = must(parseSearch({ query, mode: 'keyword' }));
    const started = performance.now();
    const answer = must(await store.search(request));
    if (n >= 0) times.push(performance.now() - started);
    correct &&= answer.results[0]?.id === `d${wanted}`;
  }
  await store.close();
  times.sort((a, b) => a - b);
  const name = `keyword search, ${size.toLocaleString('en')} decisions`;
  const goal = { 1000: '< 2 ms', 10000: '< 10 ms' }[size];
  return [
    { name: `${name}, p50`, unit: 'ms', ours: median(times), correct, ...(goal === undefined ? {} : { goal }) },
    { name: `${name}, p95`, unit: 'ms', ours: times[Math.floor(times.length * 0.95)] ?? Number.NaN, correct },
  ];
}

/** With the real model where its packages are installed, and with the test embedder elsewhere. */
async function hybrid(folder: string): Promise<Measurement[]> {
  const outcome = await openMiniLm();
  const embedder = outcome.kind === 'ready' ? outcome.embedder : hashingEmbedder();
  const model: TextEmbedder = {
    modelId: embedder.modelId,
    dimensions: embedder.dimensions,
    embed: (texts) => embedder.embed(texts),
  };
  const file = path.join(folder, 'hybrid.db');
  await fill(file, hybridSize);
  const store = open(file, model);
  const ask = async (n: number) => must(await store.search(must(parseSearch({ query: `why ${textOf(n).title}?` }))));
  await ask(0);
  const embedding = await medianMs(20, () => embedder.embed(['why is it so and not otherwise?']));
  let n = 0;
  let correct = true;
  const ours = await medianMs(20, async () => {
    n += 37;
    correct &&= (await ask(n % hybridSize)).results[0]?.id === `d${n % hybridSize}`;
  });
  await store.close();
  await embedder.close();
  const name = `hybrid search, ${hybridSize.toLocaleString('en')} decisions, ${embedder.modelId}`;
  return [{ name, unit: 'ms', ours, plain: embedding, correct }];
}

/** The rows themselves; the index is made as after the loss of its table. */
async function fill(file: string, size: number): Promise<void> {
  mkdirSync(path.dirname(file), { recursive: true });
  const store = open(file);
  must(await store.create(must(parseCreate({ title: 'first', rationale: 'first' }))));
  await store.close();
  const db = new Database(file);
  const insert = db.prepare(
    `INSERT INTO decisions (id, title, rationale, commit_sha, files_affected, tags, created_at, updated_at)
     VALUES (?, ?, ?, '', ?, ?, '2026-01-01T00:00:00.000000+00:00', '2026-01-01T00:00:00.000000+00:00')`,
  );
  const event = db.prepare(
    `INSERT INTO decision_events (decision_id, at, kind, changes) VALUES (?, '2026-01-01T00:00:00.000000+00:00', 'created', '{}')`,
  );
  db.transaction(() => {
    for (let n = 0; n < size; n += 1) {
      const { id, title, rationale, files_affected, tags } = textOf(n);
      insert.run(id, title, rationale, JSON.stringify(files_affected), JSON.stringify(tags));
      event.run(id);
    }
    rebuildSearchIndex(db);
  })();
  db.close();
}

function open(file: string, model: TextEmbedder | null = null): Decisions {
  return new Decisions({ file, roots: [path.dirname(file)], clock: systemClock, git: noGit, embedder: () => model });
}

function textOf(n: number) {
  let state = (n * 2_654_435_761 + 12_345) >>> 0;
  const word = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return vocabulary[Math.floor(vocabulary.length * (state / 2 ** 32) ** 4)] ?? '';
  };
  return {
    id: `d${n}`,
    title: `Use ${word()} ${word()} number ${n}`,
    rationale: Array.from({ length: 15 }, word).join(' '),
    files_affected: [`src/${word()}/${word()}.ts`],
    tags: [word()],
  };
}

function must<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
}
