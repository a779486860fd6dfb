/** Killing the process at any moment: what was acknowledged is there, what was not is wholly there or not at all. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { must, tempProject } from './temp-project.ts';

const writer = path.join(import.meta.dirname, 'busy-writer.ts');

/** Runs writers, kills them after `ms`, and gives the lines that they printed. */
async function killed(file: string, names: readonly string[], ms: number): Promise<readonly string[]> {
  const outputs = names.map((name) => {
    const child = spawn(process.execPath, [writer, file, name], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    let timer: NodeJS.Timeout | undefined;
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      // Counted from the first write, so that a slow start does not end the test before it began.
      timer ??= setTimeout(() => child.kill('SIGKILL'), ms);
    });
    return new Promise<string>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (_code, signal) => {
        clearTimeout(timer);
        if (signal === 'SIGKILL') resolve(text);
        else reject(new Error('the writer ended by itself'));
      });
    });
  });
  // A last line without an end was cut by the kill and may stand for a write that was acknowledged.
  return (await Promise.all(outputs)).flatMap((text) => text.split('\n').slice(0, -1));
}

test('DC96 kill -9 during writes loses no acknowledged write and leaves no half of one', {
  timeout: 60_000,
}, async () => {
  const project = tempProject();
  const acknowledged: string[] = [];
  for (const [round, ms] of [40, 130, 275, 410].entries()) {
    acknowledged.push(...(await killed(project.file, [`r${round}a`, `r${round}b`], ms)));
  }
  expect(acknowledged.length).toBeGreaterThan(20);
  const decisions = project.open();
  expect(must(await decisions.list({ limit: 1 })).total).toBeGreaterThan(10);
  expect(project.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  const titles = new Map(project.rows('SELECT id, title FROM decisions').map((row) => [row['id'], row['title']]));
  const kinds = new Set(
    project.rows('SELECT decision_id, kind FROM decision_events').map((row) => `${row['kind']} ${row['decision_id']}`),
  );
  expect(acknowledged.filter((line) => !kinds.has(line))).toEqual([]);
  for (const [id, title] of titles) {
    const amended = kinds.has(`amended ${id}`);
    expect(title).toBe(amended ? `Amended ${id}` : `Title ${id}`);
    expect(kinds.has(`created ${id}`)).toBe(true);
  }
  expect(kinds.size).toBe(project.rows('SELECT 1 FROM decision_events').length);
  const counts = project.rows(
    'SELECT (SELECT count(*) FROM decision_search_rows) AS a, (SELECT count(*) FROM decisions) AS b',
  );
  expect(counts[0]?.['a']).toBe(counts[0]?.['b']);
  const amendedHits = must(await decisions.search({ query: 'amended', limit: 25, explain: true, mode: 'keyword' }));
  const amendedCount = [...kinds].filter((kind) => kind.startsWith('amended ')).length;
  expect(amendedHits.explanation?.keyword_matches).toBe(amendedCount);
});
