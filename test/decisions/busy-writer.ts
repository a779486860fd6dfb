/** A process that writes decisions until it is killed. Prints a line for each write that was acknowledged. */
import { Decisions } from '../../src/memory/decisions/decisions.ts';
import { noGit } from '../../src/memory/decisions/git-facts.ts';

const [file, name] = process.argv.slice(2);
if (file === undefined || name === undefined) throw new Error('file and name are needed');
const decisions = new Decisions({ file, roots: ['/'], clock: { now: () => new Date() }, git: noGit });

async function writeForever(lane: number): Promise<never> {
  for (let n = 0; ; n += 1) {
    const id = `${name}-${lane}-${n}`;
    const created = await decisions.create({ id, title: `Title ${id}`, rationale: 'long text '.repeat(200) });
    if (!created.ok) throw new Error(created.failure.message);
    process.stdout.write(`created ${id}\n`);
    const amended = await decisions.amend(id, { title: `Amended ${id}` });
    if (!amended.ok) throw new Error(amended.failure.message);
    process.stdout.write(`amended ${id}\n`);
  }
}

await Promise.all([0, 1, 2].map(writeForever));
