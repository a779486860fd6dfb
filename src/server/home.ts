/**
 * The daemon's home: the folder of this user that holds the token, the discovery file and the lock.
 *
 * Whoever can write here can impersonate the daemon, so a folder that others could change is refused rather than
 * repaired: what stood in it meanwhile cannot be trusted.
 */
import { lstatSync, mkdirSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import { ProcessError } from '../base/errors.ts';
import { isOwn } from '../base/private-file.ts';

/** Variables of the process, passed in by `main.ts`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The user's home directory, absolute. */
export function userHome(env: Environment): string {
  const home = env['HOME'];
  return resolve(home === undefined || home === '' ? homedir() : home);
}

/** `path` with a leading `~` or `~/` replaced by the user's home, absolute. */
export function expandHome(path: string, env: Environment): string {
  if (path === '~') return userHome(env);
  return resolve(path.startsWith('~/') ? join(userHome(env), path.slice(2)) : path);
}

/** `NEURALMIND_DAEMON_HOME`, or `~/.neuralmind`. Nothing is created. */
export function daemonHome(env: Environment): string {
  const set = env['NEURALMIND_DAEMON_HOME'];
  return set === undefined || set === '' ? join(userHome(env), '.neuralmind') : expandHome(set, env);
}

/**
 * `MNEMOSYNE_MEMORY_ROOT`, or `~/.mnemosyne/memory`. Nothing is created. Throws ProcessError `invalid_settings` for the
 * root of the file system: no project lies where memories are kept, so none could be used.
 */
export function memoryRoot(env: Environment): string {
  const set = env['MNEMOSYNE_MEMORY_ROOT'];
  if (set === undefined || set === '') return join(userHome(env), '.mnemosyne', 'memory');
  const root = expandHome(set, env);
  if (root !== parse(root).root) return root;
  const must = 'MNEMOSYNE_MEMORY_ROOT must name a folder that holds nothing but memories';
  throw new ProcessError('invalid_settings', `${must}, and names the root of the file system`);
}

/** Makes the home with mode 0700 when it is missing, and refuses one that is not this user's alone. */
export function ensureDaemonHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unsafe('the daemon home cannot be made or is not a directory', error);
  }
  checkDaemonHome(home);
}

/** Refuses a home that is a link, belongs to somebody else or can be written by others. A missing one is fine. */
export function checkDaemonHome(home: string): void {
  let stats: Stats;
  try {
    stats = lstatSync(home);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw unsafe('the daemon home cannot be examined', error);
  }
  if (!stats.isDirectory()) throw unsafe('the daemon home is a link or not a directory');
  if (!isOwn(stats)) throw unsafe('the daemon home belongs to another user');
  if ((stats.mode & 0o022) !== 0) throw unsafe('the daemon home can be written by group or others; use chmod 700');
}

function unsafe(message: string, cause?: unknown): ProcessError {
  return new ProcessError('unsafe_home', message, cause === undefined ? {} : { cause });
}
