/**
 * `npm run bench`: every line shows a measurement, the same work done plainly, and whether both gave the same answer.
 * Numbers of a shared machine wobble; read the ratios. `--json FILE` keeps the run.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { benchDecisions } from './decisions.ts';
import type { Measurement } from './measurement.ts';
import { benchNotebook } from './notebook.ts';

const started = new Date();
const measurements: Measurement[] = [...(await benchNotebook()), ...(await benchDecisions())];

for (const row of measurements) {
  const ratio =
    row.plain === undefined ? '' : `  plain ${format(row.plain, row.unit)}  ratio ${(row.ours / row.plain).toFixed(2)}`;
  const goal = row.goal === undefined ? '' : `  goal ${row.goal}`;
  console.log(
    `${row.correct ? 'right' : 'WRONG'}  ${row.name.padEnd(46)} ${format(row.ours, row.unit)}${ratio}${goal}`,
  );
}

const keep = process.argv.indexOf('--json');
const file = keep === -1 ? undefined : process.argv[keep + 1];
if (file !== undefined) {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  const machine = {
    cores: os.cpus().length,
    model: os.cpus()[0]?.model,
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
  };
  writeFileSync(
    file,
    `${JSON.stringify({ started, commit, node: process.version, machine, measurements }, null, 2)}\n`,
  );
}
process.exit(measurements.every((row) => row.correct) ? 0 : 1);

function format(value: number, unit: Measurement['unit']): string {
  return `${unit === 'ms' ? value.toFixed(2) : value.toFixed(0)} ${unit}`.padStart(12);
}
