import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { contextLimits } from '../../base/limits.ts';
import { type SavingsInput, savings } from './savings.ts';
import { appendUsage, readUsage, type UsageEvent, usageLogName } from './usage-log.ts';

const root = mkdtempSync(path.join(tmpdir(), 'usage-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const fresh = (): string => mkdtempSync(path.join(root, 'log-'));

const query: UsageEvent = { at: '2026-01-02T03:04:05Z', kind: 'query', tokens: 500, baseline: 100_000 };
const awake: UsageEvent = { ...query, kind: 'wakeup', tokens: 250 };

test('SV1 what is logged is read in order, and the file is for its user only', () => {
  const folder = fresh();
  expect(readUsage(folder)).toEqual({ kind: 'log', events: [], others: 0, skipped: 0 });
  expect(appendUsage(folder, query)).toEqual({ kind: 'written' });
  // Whatever else an object carries stays out of the file.
  const withText = { ...awake, question: 'a secret question' };
  expect(appendUsage(folder, withText)).toEqual({ kind: 'written' });
  expect(readUsage(folder)).toEqual({ kind: 'log', events: [query, awake], others: 0, skipped: 0 });
  const file = path.join(folder, usageLogName);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toContain('secret');
});

test('SV2 a torn line is skipped and counted, at every place it can be torn, and the next event is whole', () => {
  const folder = fresh();
  const file = path.join(folder, usageLogName);
  appendUsage(folder, query);
  const length = statSync(file).size;
  for (let kept = 1; kept < length - 1; kept += 1) {
    rmSync(file);
    appendUsage(folder, awake);
    appendUsage(folder, query);
    truncateSync(file, statSync(file).size - length + kept);
    expect(readUsage(folder)).toEqual({ kind: 'log', events: [awake], others: 0, skipped: 1 });
    appendUsage(folder, query);
    expect(readUsage(folder)).toEqual({ kind: 'log', events: [awake, query], others: 0, skipped: 1 });
  }
  // Without its line end alone, a line is whole.
  rmSync(file);
  appendUsage(folder, awake);
  truncateSync(file, statSync(file).size - 1);
  appendUsage(folder, query);
  expect(readUsage(folder)).toEqual({ kind: 'log', events: [awake, query], others: 0, skipped: 0 });
});

test('SV3 only queries and wake-ups count; other events and foreign lines do not', () => {
  const folder = fresh();
  appendUsage(folder, query);
  const lines = [
    '{"at":"2026-01-02T03:04:05Z","kind":"search","tokens":9,"baseline":9}',
    'null',
    '[]',
    '{"kind":"query"}',
  ];
  appendFileSync(path.join(folder, usageLogName), `${lines.join('\n')}\n`);
  expect(readUsage(folder)).toEqual({ kind: 'log', events: [query], others: 1, skipped: 3 });
});

test('SV4 a full log is put aside, and both are read', () => {
  const folder = fresh();
  const file = path.join(folder, usageLogName);
  const line = `${JSON.stringify(awake)}\n`;
  writeFileSync(file, line.repeat(Math.ceil(contextLimits.usageLogBytesMax / line.length)), { mode: 0o600 });
  const before = readUsage(folder);
  expect(appendUsage(folder, query)).toEqual({ kind: 'written' });
  expect(statSync(file).size).toBe(Buffer.byteLength(`${JSON.stringify(query)}\n`));
  const after = readUsage(folder);
  if (before.kind !== 'log' || after.kind !== 'log') throw new Error('both can be read');
  expect(after.events.length).toBe(before.events.length + 1);
  expect(after.events.at(-1)).toEqual(query);
});

test('SV5 a log that cannot be written or read is said, and no link is followed', () => {
  const folder = fresh();
  expect(appendUsage(path.join(folder, 'absent'), query)).toEqual({ kind: 'failed', fault: 'ENOENT' });
  writeFileSync(path.join(folder, 'elsewhere'), 'precious\n');
  symlinkSync(path.join(folder, 'elsewhere'), path.join(folder, usageLogName));
  expect(appendUsage(folder, query)).toEqual({ kind: 'failed', fault: 'ELOOP' });
  expect(readUsage(folder)).toEqual({ kind: 'unreadable', fault: 'ELOOP' });
  expect(readFileSync(path.join(folder, 'elsewhere'), 'utf8')).toBe('precious\n');
});

test('SV6 three processes that write at once lose no event', async () => {
  const folder = fresh();
  const log = pathToFileURL(path.join(import.meta.dirname, 'usage-log.ts')).href;
  const program = `
    const { appendUsage } = await import(${JSON.stringify(log)});
    for (let count = 0; count < 80; count += 1) {
      const written = appendUsage(${JSON.stringify(folder)}, ${JSON.stringify(query)});
      if (written.kind !== 'written') process.exit(3);
    }`;
  const writers = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program]),
  );
  const codes = await Promise.all(writers.map(async (writer) => (await once(writer, 'exit'))[0]));
  expect(codes).toEqual([0, 0, 0]);
  expect(readUsage(folder)).toEqual({ kind: 'log', events: Array(240).fill(query), others: 0, skipped: 0 });
});

const input: SavingsInput = {
  project: 'orchard',
  log: '.neuralmind/audit_events.jsonl',
  events: [],
  cost: false,
  model: null,
  queriesPerDay: null,
};

test('SV10 without a log all totals are zero, with cost as well', () => {
  expect(savings(input)).toEqual({
    project: 'orchard',
    scope: 'project',
    log: '.neuralmind/audit_events.jsonl',
    total_queries: 0,
    total_wakeups: 0,
    total_tokens_used: 0,
    est_total_full_cost: 0,
    total_tokens_saved: 0,
    avg_reduction_ratio: 0,
    baseline_disclosure: expect.stringMatching(/^An upper bound, not a measurement: .+ assumes /),
    recent_queries: [],
    dollar_savings: null,
  });
  expect(savings({ ...input, cost: true }).dollar_savings).toEqual({
    model: 'claude-opus-4-8',
    price_per_mtok: 5,
    baseline_cost_total: 0,
    actual_cost_total: 0,
    saved_total: 0,
    daily_saved: 0,
    monthly_saved: 0,
    queries_per_day: 100,
    days: 30,
    baseline_tokens_per_query: 0,
    estimated: true,
    basis: expect.stringContaining('100 queries a day'),
  });
});

test('SV11 totals are sums over queries and wake-ups, and the last five queries are listed, newest first', () => {
  const queries = Array.from({ length: 7 }, (_, index) => ({
    ...query,
    at: `2026-01-02T03:04:0${index}Z`,
    tokens: 100 * (index + 1),
  }));
  const answer = savings({ ...input, events: [awake, ...queries, awake] });
  expect(answer).toMatchObject({
    total_queries: 7,
    total_wakeups: 2,
    total_tokens_used: 2_800 + 500,
    est_total_full_cost: 900_000,
    total_tokens_saved: 896_700,
    avg_reduction_ratio: 272.73,
  });
  expect(answer.recent_queries).toHaveLength(5);
  expect(answer.recent_queries[0]).toEqual({ at: '2026-01-02T03:04:06Z', tokens: 700, ratio: 142.86 });
  expect(answer.recent_queries[4]?.at).toBe('2026-01-02T03:04:02Z');
});

test('SV12 dollars a day come from what a query saves, at the price of the model', () => {
  const events = [query, { ...query, tokens: 1_500, baseline: 201_000 }, awake];
  const costs = savings({ ...input, events, cost: true, model: 'claude-haiku-4-5', queriesPerDay: 40 }).dollar_savings;
  expect(costs).toMatchObject({
    model: 'claude-haiku-4-5',
    price_per_mtok: 1,
    baseline_cost_total: 0.401,
    actual_cost_total: 0.00225,
    saved_total: 0.39875,
    // (99,500 + 199,500) / 2 tokens a query.
    daily_saved: 5.98,
    monthly_saved: 179.4,
    queries_per_day: 40,
    baseline_tokens_per_query: 150_500,
  });
  const unknown = savings({ ...input, events, cost: true, model: 'toString' }).dollar_savings;
  expect(unknown).toMatchObject({
    model: 'toString',
    price_per_mtok: 5,
    basis: expect.stringContaining('none is known'),
  });
});
