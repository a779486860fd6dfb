/**
 * `mnemosyne start [path]`: the main job from nothing to answers.
 *
 *   serve (unless the daemon of this home does) → register → index → three questions of the repository → how to connect
 *
 * Everything after the first step goes through the same door as any other command. A server that was started here goes
 * on serving until Ctrl-C, or ends after the answers with `--once`.
 */
import { ProcessError } from '../../base/errors.ts';
import type { Project } from '../../engine/projects/projects.ts';
import { baseUrl } from '../../server/discovery.ts';
import { daemonHome, type Environment } from '../../server/home.ts';
import { tokenPath } from '../../server/token.ts';
import { buildProject, statsOf } from '../code/build.ts';
import { buildLines } from '../code/shown-facts.ts';
import type { ServeCommandOptions, StartCommandOptions } from '../command-line.ts';
import { liveDaemon } from '../rows/daemon.ts';
import { type Performance, perform } from '../rows/perform.ts';
import { locateProject } from '../rows/place.ts';
import { safeLine } from '../screen/text-width.ts';
import { type Meanwhile, serve } from '../serve.ts';
import type { Terminal } from '../terminal.ts';
import { askQuestions } from './ask.ts';
import { connectLines } from './connect.ts';

/** Answers the exit code. */
export async function start(
  options: StartCommandOptions,
  env: Environment,
  terminal: Terminal,
  folder: string,
): Promise<number> {
  let exitCode = 0;
  const finish = (code: number) => {
    exitCode = code;
  };
  const output = { json: false, typed: () => ({ name: '<path>', value: options.path ?? null }) };
  const mainJob = (seen: Terminal) =>
    perform({ env, terminal: seen, folder, finish }, output, async (performance) => {
      const project = await locateProject(env, options.path, folder);
      await showProject(performance, project, env);
    });
  const running = liveDaemon(env);
  if (running !== null) {
    terminal.print(`Mnemosyne ${running.version} runs already at ${baseUrl(running)}`);
    await mainJob(terminal);
    return exitCode;
  }
  // Said before anything is started: a path that is none needs no server.
  await perform({ env, terminal, folder, finish }, output, async () => {
    await locateProject(env, options.path, folder);
  });
  if (exitCode !== 0) return exitCode;
  const meanwhile: Meanwhile = async (ending) => {
    await mainJob(unless(ending, terminal));
    if (exitCode !== 0 || options.once) return exitCode;
    terminal.print('');
    terminal.print('Serving until Ctrl-C.');
    return null;
  };
  return serveOnFreePort(options, env, terminal, meanwhile);
}

/** Another program may hold the usual port; a port that was asked for is not exchanged. */
async function serveOnFreePort(
  options: StartCommandOptions,
  env: Environment,
  terminal: Terminal,
  meanwhile: Meanwhile,
): Promise<number> {
  const on = (port: number): ServeCommandOptions => ({ ...options, port });
  try {
    return await serve(on(options.port), env, terminal, meanwhile);
  } catch (error) {
    if (options.isPortFixed || !(error instanceof ProcessError) || error.code !== 'port_in_use') throw error;
    terminal.error(`Port ${options.port} is in use by another program, so the system chose one.`);
    return serve(on(0), env, terminal, meanwhile);
  }
}

/** Once the server is asked to end, what it could not finish is nobody's news. */
function unless(ending: AbortSignal, terminal: Terminal): Terminal {
  const whileWanted = (say: (text: string) => void) => (text: string) => {
    if (!ending.aborted) say(text);
  };
  return {
    ...terminal,
    print: whileWanted(terminal.print),
    error: whileWanted(terminal.error),
    write: whileWanted(terminal.write),
    writeError: whileWanted(terminal.writeError),
  };
}

async function showProject(performance: Performance, project: Project, env: Environment): Promise<void> {
  const { call, terminal, screen } = performance;
  const { bold, dim } = screen.colours;
  const print = (lines: readonly string[]) => {
    for (const line of lines) terminal.print(line);
  };
  await call('projects.register', { path: project.path }, null);
  print(['', `${bold(safeLine(project.name))}  ${dim(`${project.id}  ${safeLine(project.path)}`)}`]);
  const { build } = await buildProject(call, project, {}, terminal);
  const stats = await statsOf(call, project);
  print(buildLines(build, stats, screen));
  await askQuestions(performance, project);
  const daemon = liveDaemon(env);
  const url = daemon === null ? null : baseUrl(daemon);
  print(['', ...connectLines({ url, tokenFile: tokenPath(daemonHome(env)) }, screen)]);
}
