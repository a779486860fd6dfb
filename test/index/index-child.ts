/**
 * A process that builds or asks the index of a folder, for tests of several at once.
 *
 *   build <root>         prints `begun` with the first file that is read, then how it ended
 *   ask <root> <stop>    asks from two minds until the file `stop` exists, then prints what it saw
 */
import { existsSync } from 'node:fs';
import { openMinds, outcomeOf, projectAt, queryOf } from './open-minds.ts';

const [mode = '', root = '', stop = ''] = process.argv.slice(2);

async function build(): Promise<void> {
  const minds = openMinds();
  let hasBegun = false;
  const built = await minds.of(projectAt(root)).build(
    { force: false },
    {
      onProgress({ phase }) {
        if (phase === 'list' || hasBegun) return;
        hasBegun = true;
        process.stdout.write('begun\n');
      },
    },
  );
  process.stdout.write(`${outcomeOf(built)}\n`);
  await minds.close();
}

async function ask(): Promise<void> {
  const troubles: string[] = [];
  const readers = [openMinds(troubles), openMinds(troubles)];
  let asked = 0;
  const failures = new Set<string>();
  const questions = async (reader: (typeof readers)[number]): Promise<void> => {
    const mind = reader.of(projectAt(root));
    while (!existsSync(stop)) {
      const outcomes = [
        await mind.search({ query: 'marker value', n: 5 }),
        await mind.query(queryOf('where is the marker value')),
        await mind.impact({ symbol: 'marker', depth: 2 }),
        await mind.stats(),
      ];
      asked += outcomes.length;
      for (const outcome of outcomes) if (!outcome.ok) failures.add(JSON.stringify(outcome.failure));
      if (asked === outcomes.length) process.stdout.write('begun\n');
    }
  };
  await Promise.all(readers.map(questions));
  const last: string[] = [];
  for (const reader of readers) {
    const found = await reader.of(projectAt(root)).search({ query: 'marker', n: 5 });
    last.push(found.ok ? (found.value.results[0]?.id ?? 'nothing') : JSON.stringify(found.failure));
  }
  process.stdout.write(`${JSON.stringify({ asked, failures: [...failures], troubles, last })}\n`);
  await Promise.all(readers.map((reader) => reader.close()));
}

await (mode === 'build' ? build() : ask());
