/**
 * The command line: what may be typed, and which exit code each ending has.
 *
 * Parsing lives here, each command's work in a file of its own that is loaded only when it is needed, so that small
 * commands answer at once. Failures are told in one line on standard error with the code of the catalogue.
 */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { errorCatalogue, ProcessError } from '../base/errors.ts';
import { errnoOf } from '../base/private-file.ts';
import { SERVER_NAME, SERVER_VERSION } from '../base/version.ts';
import { loopbackAddress } from '../server/bind-address.ts';
import type { Environment } from '../server/home.ts';
import { logLevels } from '../server/log-level.ts';
import {
  DEFAULT_SELECTION,
  SCHEMA_PROFILES,
  type SchemaProfile,
  TOOL_GROUPS,
  type ToolGroup,
} from '../transports/mcp/profile.ts';
import { codeCommands, isCodeCommand } from './code/names.ts';
import { nearestOf } from './nearest.ts';
import type { CommandContext } from './rows/perform.ts';
import { shownError } from './screen/shown-error.ts';
import { processTerminal, type Terminal } from './terminal.ts';

/** Runs one command line to its end and answers the exit code. Never rejects. */
export async function runCommandLine(
  args: readonly string[],
  env: Environment,
  terminal: Terminal = processTerminal,
): Promise<number> {
  let exitCode = 0;
  const finish: Finish = (code) => {
    exitCode = code;
  };
  const program = buildProgram(env, terminal, finish);
  try {
    await addGroups(program, args, { env, terminal, finish });
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : errorCatalogue.usage.exit;
    if (error instanceof ProcessError) {
      terminal.error(shownError(`mnemosyne: ${error.code}: ${error.message}`));
      return error.exitCode;
    }
    // The message of an unexpected error can hold anything, so only the system's code or its class is shown.
    const systemCode = errnoOf(error);
    if (systemCode !== undefined) {
      terminal.error(`mnemosyne: unavailable: the system refused a file or network operation (${systemCode})`);
      return errorCatalogue.unavailable.exit;
    }
    terminal.error(`mnemosyne: internal_error: unexpected ${error instanceof Error ? error.name : typeof error}`);
    return errorCatalogue.internal_error.exit;
  }
}

type Finish = (exitCode: number) => void;

function buildProgram(env: Environment, terminal: Terminal, finish: Finish): Command {
  const program = new Command(SERVER_NAME)
    .description('Memory for AI agents that their user governs. Without a command it serves in the foreground.')
    .version(SERVER_VERSION, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .configureOutput({
      writeOut: (text) => terminal.write(text),
      writeErr: (text) => terminal.writeError(text),
      outputError: (text, write) => write(`${shownError(text)}\n`),
    })
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .enablePositionalOptions()
    .allowExcessArguments();

  addServeOptions(program).action(async () => {
    const [stray] = program.args;
    if (stray !== undefined) {
      const names = program.commands.map((command) => command.name());
      const near = nearestOf(stray, names);
      const advice = near === undefined ? ` (known: ${names.join(', ')})` : `\n(Did you mean ${near}?)`;
      program.error(`error: unknown command '${stray}'${advice}`);
    }
    const { serve } = await import('./serve.ts');
    finish(await serve(readServeOptions(program.opts()), env, terminal));
  });

  addServeOptions(program.command('start').description('serve, index a repository and ask it three questions'))
    .argument('[path]', 'a folder of the repository (default: the current folder)')
    .option('--once', 'end after the answers')
    .action(async (_path, _options, command: Command) => {
      const { start } = await import('./start/start.ts');
      finish(await start(readStartOptions(command), env, terminal, process.cwd()));
    });

  program
    .command('mcp')
    .description('speak MCP on standard input and output')
    .addOption(schemaOption())
    .addOption(toolsOption())
    .addOption(logLevelOption())
    .action(async (_options, command: Command) => {
      const { serveMcpStdio } = await import('./mcp.ts');
      finish(await serveMcpStdio(readMcpOptions(command.opts()), env));
    });

  program
    .command('auth-headers')
    .description('print the HTTP headers for a client as JSON')
    .action(async () => {
      const { printAuthHeaders } = await import('./token.ts');
      printAuthHeaders(env, terminal);
    });

  addDaemonCommands(program, env, terminal, finish);
  return program;
}

/** Options of these groups are made from the table, which is loaded only for who types their name. */
async function addGroups(
  program: Command,
  args: readonly string[],
  rest: Omit<CommandContext, 'folder'>,
): Promise<void> {
  for (const [name, about] of Object.entries(codeCommands)) program.command(name).description(about);
  program.command('decisions').description('the decisions behind a repository');
  program.command('projects').description('the projects that are known');
  const typed = program.commands.find((command) => command.name() === args.find((word) => isCommand(program, word)));
  if (typed === undefined) return;
  const context: CommandContext = { ...rest, folder: process.cwd() };
  const name = typed.name();
  // Zod, which is not loaded yet, would compile a function for each schema: more work than a few calls get back.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  if (name === 'decisions') {
    const { addDecisionCommands } = await import('./decisions/commands.ts');
    addDecisionCommands(typed, context);
  } else if (name === 'projects') {
    const { addProjectCommands } = await import('./projects.ts');
    addProjectCommands(typed, context);
  } else if (isCodeCommand(name)) {
    const { addCodeCommand } = await import('./code/commands.ts');
    await addCodeCommand(typed, name, context);
  }
}

function isCommand(program: Command, word: string): boolean {
  return program.commands.some((command) => command.name() === word);
}

function addDaemonCommands(program: Command, env: Environment, terminal: Terminal, finish: Finish): void {
  const daemon = program.command('daemon').description('run the server in the background');

  addServeOptions(daemon.command('start').description('start it and wait until it answers'))
    .option('--json', 'print JSON')
    .action(async (_options, command: Command) => {
      const { startDaemon } = await import('./daemon.ts');
      await startDaemon(readServeOptions(command.opts()), wantsJson(command), env, terminal);
    });
  daemon
    .command('stop')
    .description('ask it to end and wait until it has')
    .option('--json', 'print JSON')
    .action(async (_options, command: Command) => {
      const { stopDaemon } = await import('./daemon.ts');
      await stopDaemon(wantsJson(command), env, terminal);
    });
  daemon
    .command('status')
    .description('say whether it runs: exit code 0 when it does')
    .option('--json', 'print JSON')
    .action(async (_options, command: Command) => {
      const { showDaemonStatus } = await import('./daemon.ts');
      finish(await showDaemonStatus(wantsJson(command), env, terminal));
    });

  const token = daemon.command('token').description('the bearer token of this home');
  token
    .command('show-path')
    .description('print where the token file lies')
    .action(async () => {
      const { showTokenPath } = await import('./token.ts');
      showTokenPath(env, terminal);
    });
  token
    .command('rotate')
    .description('make a new token while the daemon is stopped')
    .action(async () => {
      const { rotateDaemonToken } = await import('./token.ts');
      await rotateDaemonToken(env, terminal);
    });
}

/** What the foreground server and `daemon start` both take. */
export interface ServeCommandOptions {
  /** The loopback address to bind. */
  readonly host: string;
  readonly port: number;
  readonly mcpAuth: 'token' | 'none';
  readonly mcpSessions: boolean;
  readonly logLevel: (typeof logLevels)[number];
}

export interface StartCommandOptions extends ServeCommandOptions {
  /** As typed; the current folder when absent. */
  readonly path: string | undefined;
  readonly once: boolean;
  /** Whether this very port must be used. */
  readonly isPortFixed: boolean;
}

export interface McpCommandOptions {
  readonly schema: SchemaProfile;
  readonly tools: ToolGroup;
  readonly logLevel: (typeof logLevels)[number];
}

function addServeOptions(command: Command): Command {
  return command
    .option('--host <address>', 'loopback address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 lets the system choose', parsePort, 8000)
    .addOption(
      new Option('--mcp-auth <mode>', 'whether /mcp needs the token').choices(['token', 'none']).default('token'),
    )
    .option('--mcp-sessions', 'keep sessions and event streams for MCP clients that need them', false)
    .addOption(logLevelOption());
}

const schemaOption = (): Option =>
  new Option('--schema <profile>', 'shape of the tool schemas')
    .choices(SCHEMA_PROFILES)
    .default(DEFAULT_SELECTION.profile);
const toolsOption = (): Option =>
  new Option('--tools <set>', 'which tools to offer').choices(TOOL_GROUPS).default(DEFAULT_SELECTION.group);
const logLevelOption = (): Option =>
  new Option('--log-level <level>', 'how much to log').choices(logLevels).default('info');

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('A port is 0 to 65535.');
  return Number(text);
}

function wantsJson(command: Command): boolean {
  return command.opts()['json'] === true;
}

/** Throws ProcessError `bind_refused` for an address that others could reach. */
function readServeOptions(options: Readonly<Record<string, unknown>>): ServeCommandOptions {
  const { host, port, mcpAuth, mcpSessions } = options;
  if (typeof host !== 'string' || typeof port !== 'number') throw new Error('options were not parsed');
  return {
    host: loopbackAddress(host),
    port,
    mcpAuth: mcpAuth === 'none' ? 'none' : 'token',
    mcpSessions: mcpSessions === true,
    logLevel: chosen(options['logLevel'], logLevels),
  };
}

/** Quiet unless asked to speak: the lines of a log would run through those that are meant for the person. */
function readStartOptions(command: Command): StartCommandOptions {
  const options = command.opts();
  const isGiven = (name: string) => command.getOptionValueSource(name) !== 'default';
  return {
    ...readServeOptions(options),
    ...(isGiven('logLevel') ? {} : { logLevel: 'warn' }),
    path: command.args[0],
    once: options['once'] === true,
    isPortFixed: isGiven('port'),
  };
}

function readMcpOptions(options: Readonly<Record<string, unknown>>): McpCommandOptions {
  return {
    schema: chosen(options['schema'], SCHEMA_PROFILES),
    tools: chosen(options['tools'], TOOL_GROUPS),
    logLevel: chosen(options['logLevel'], logLevels),
  };
}

/** Commander has checked the choice already; this tells the compiler. */
function chosen<Choice extends string>(value: unknown, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new Error('an option holds none of its choices');
  return found;
}
