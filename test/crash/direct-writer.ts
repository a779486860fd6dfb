/** A process beside the daemon that writes decisions for a while. Prints the id of each that was acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Decisions } from '../../src/memory/decisions/decisions.ts';
import { noGit } from '../../src/memory/decisions/git-facts.ts';

const [file, name, ms] = process.argv.slice(2);
if (file === undefined || name === undefined || ms === undefined) throw new Error('file, name and time are needed');
const decisions = new Decisions({ file, roots: ['/'], clock: { now: () => new Date() }, git: noGit });
const until = performance.now() + Number(ms);
for (let n = 0; performance.now() < until; n += 1) {
  const id = `${name}-${n}`;
  const created = await decisions.create({ id, title: `Title ${id}`, rationale: 'From beside.' });
  if (!created.ok) throw new Error(created.failure.message);
  process.stdout.write(`${id}\n`);
  await sleep(5);
}
await decisions.close();
