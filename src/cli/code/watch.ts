/**
 * `mnemosyne watch`: keeps the index in step with the files until Ctrl-C, and tells each update in one line.
 *
 * It follows the files in this process and asks nothing of a daemon: both share the index file. What is told is read
 * from the index, so updates by another process are told as well.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { cliLimits } from '../../base/limits.ts';
import { counted } from '../../base/numbers.ts';
import { type BuildFacts, readBuildFacts } from '../../retrieval/index/counters.ts';
import { indexPath } from '../../retrieval/index/index-file.ts';
import { IndexReader, type IndexView } from '../../retrieval/index/index-reader.ts';
import { openCommandEngine } from '../rows/direct.ts';
import { RowRefusal } from '../rows/failure.ts';
import { type CommandContext, type Performance, perform } from '../rows/perform.ts';
import { locateProject } from '../rows/place.ts';
import { safeLine } from '../screen/text-width.ts';
import { outputOf, withProjectArgument } from './commands.ts';
import { secondsWords } from './numbers.ts';
import { refusalOf } from './refusal.ts';

export interface Update {
  readonly at: string;
  readonly generation: number;
  readonly files: number;
  readonly read: number;
  /** Some of those that were read. */
  readonly paths: readonly string[];
  readonly duration_seconds: number;
}

export function addWatch(command: Command, context: CommandContext): void {
  withProjectArgument(command).option('--json', 'print one line of JSON for each update');
  command.action(async () => {
    await perform(context, outputOf(command), async (performance) => {
      const project = await locateProject(context.env, command.args[0], context.folder);
      const ended = untilInterrupted();
      const { engine, close } = openCommandEngine(context.env, { scanOnOpen: false });
      const reader = new IndexReader(indexPath(project.path));
      try {
        const code = engine.code(project);
        const built = await code.build({ force: false });
        if (!built.ok) throw new RowRefusal(refusalOf(built.failure));
        const watching = await code.watch(true);
        if (!watching.ok) throw new RowRefusal(refusalOf(watching.failure));
        const { method } = watching.value;
        const how = method === 'polling' ? ' by looking again and again' : '';
        performance.terminal.error(`Watching ${safeLine(project.path)}${how}; end with Ctrl-C.`);
        await tellUpdates(reader, performance, ended);
        await code.watch(false);
      } finally {
        reader.close();
        await close();
      }
    });
  });
}

async function tellUpdates(reader: IndexReader, performance: Performance, ended: AbortSignal): Promise<void> {
  let told = generationOf(reader);
  while (!ended.aborted) {
    if (generationOf(reader) !== told) {
      const asked = reader.ask(updateIn);
      if (asked.kind === 'answered' && asked.value.generation !== told) {
        const update = asked.value;
        told = update.generation;
        performance.answer({ ...update, paths: [...update.paths] }, () => [updateLine(update)]);
      }
    }
    await sleep(cliLimits.watchLookMs, undefined, { signal: ended }).catch(() => {});
  }
}

/** Null while there is no index that can be read. */
function generationOf(reader: IndexReader): number | null {
  const asked = reader.ask(({ db }) => readBuildFacts(db).generation);
  return asked.kind === 'answered' ? asked.value : null;
}

function updateIn({ db }: IndexView): Update {
  const facts: BuildFacts = readBuildFacts(db);
  const files = db.prepare<[], { count: number }>('SELECT count(*) AS count FROM file').get()?.count ?? 0;
  const paths = db
    .prepare<[number], string>('SELECT path FROM file WHERE generation = ? ORDER BY path')
    .pluck()
    .all(facts.generation);
  return {
    at: new Date(facts.builtAtMs).toISOString(),
    generation: facts.generation,
    files,
    read: paths.length,
    paths: paths.slice(0, pathsMax),
    duration_seconds: facts.durationMs / 1_000,
  };
}

const pathsMax = 3;

/** `12:04:10  2 files read (src/a.ts, src/b.ts), 120 in the index, 0.08 s` */
export function updateLine({ at, files, read, paths, duration_seconds }: Update): string {
  const named = [...paths.map(safeLine), ...(read > paths.length ? ['…'] : [])].join(', ');
  const what = read === 0 ? 'files gone' : `${counted(read, 'file')} read (${named})`;
  return `${at.slice(11, 19)}  ${what}, ${counted(files, 'file')} in the index, ${secondsWords(duration_seconds)}`;
}

/** Aborted by the first SIGINT or SIGTERM. */
function untilInterrupted(): AbortSignal {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  return ending.signal;
}
