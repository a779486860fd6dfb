/**
 * Finds the daemon of this user: reads `daemon.json` in the daemon home and decides whether its token may be sent.
 *
 * The token goes nowhere unless the file is this user's alone, the address is a loopback one and the very process that
 * wrote the file still runs; otherwise another program could have taken its place on the port. For Node only: loaded
 * when a daemon has to be found, and even then without an import of a Node module, since bundlers for browsers follow
 * every import they see.
 */
import type { Stats } from 'node:fs';
import { NeuralMindConnectionError } from './errors.ts';

export interface LocalDaemon {
  /** `http://127.0.0.1:8000` */
  readonly base: string;
  readonly token: string;
}

interface Announcement extends LocalDaemon {
  readonly pid: number;
  readonly begun: string;
}

const startIt = 'start it with `mnemosyne daemon start`';

/** `home` replaces `NEURALMIND_DAEMON_HOME` and `~/.neuralmind`. Throws NeuralMindConnectionError. */
export function findLocalDaemon(home: string | undefined): LocalDaemon {
  const folder = daemonHome(home);
  const announcement = readAnnouncement(builtin('node:path').join(folder, 'daemon.json'), folder);
  if (!isRunning(announcement.pid, announcement.begun)) {
    throw new NeuralMindConnectionError(
      'stale_discovery',
      `the daemon that wrote ${folder}/daemon.json no longer runs; ${startIt}`,
    );
  }
  return { base: announcement.base, token: announcement.token };
}

function daemonHome(given: string | undefined): string {
  const { join, resolve } = builtin('node:path');
  const user = process.env['HOME'] || builtin('node:os').homedir();
  const set = given || process.env['NEURALMIND_DAEMON_HOME'];
  if (!set) return join(resolve(user), '.neuralmind');
  return resolve(set === '~' || set.startsWith('~/') ? join(user, set.slice(1)) : set);
}

function readAnnouncement(file: string, folder: string): Announcement {
  const { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } = builtin('node:fs');
  let descriptor: number;
  try {
    const home = lstatSync(folder);
    if (!home.isDirectory()) throw unsafe(folder, 'is a link or not a folder');
    if (!isOwn(home)) throw unsafe(folder, 'belongs to another user');
    if (isOpen(home, 0o022)) throw unsafe(folder, 'can be written by group or others; use chmod 700');
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof NeuralMindConnectionError) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new NeuralMindConnectionError(
        'no_daemon',
        `no daemon is announced in ${file}; ${startIt}, or set NEURALMIND_API_URL and NEURALMIND_API_TOKEN`,
      );
    }
    throw unsafe(file, code === 'ELOOP' ? 'is a symbolic link' : 'cannot be opened');
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw unsafe(file, 'is not a regular file');
    if (!isOwn(stats)) throw unsafe(file, 'belongs to another user');
    if (isOpen(stats, 0o077)) throw unsafe(file, 'is open to group or others; use chmod 600');
    return parseAnnouncement(readFileSync(descriptor, 'utf8'), file);
  } finally {
    closeSync(descriptor);
  }
}

function parseAnnouncement(content: string, file: string): Announcement {
  const facts = parsed(content);
  const { host, port, pid, token, process_begun: begun } = facts;
  if (
    typeof host !== 'string' ||
    typeof token !== 'string' ||
    token === '' ||
    typeof begun !== 'string' ||
    typeof pid !== 'number' ||
    typeof port !== 'number' ||
    !Number.isInteger(port) ||
    port < 1 ||
    port > 65_535
  ) {
    throw new NeuralMindConnectionError(
      'stale_discovery',
      `${file} was not written by a daemon of this version; ${startIt}`,
    );
  }
  if (!isLoopback(host)) throw unsafe(file, 'names an address that is not of this machine');
  return { base: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, token, pid, begun };
}

function parsed(content: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // Not JSON: treated like a file without the fields.
    return {};
  }
}

/** Literal addresses only: a name could lead anywhere. */
function isLoopback(host: string): boolean {
  return host === '::1' || (host.startsWith('127.') && builtin('node:net').isIPv4(host));
}

/** The last process that was found to be the announced one, where looking costs a process of its own. */
let recognised = '';

/** Whether `pid` is alive and began when the announcement says. A pid alone may long belong to another process. */
function isRunning(pid: number, begun: string): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch {
    // Gone, or a process of another user has the number now.
    return false;
  }
  if (process.platform === 'win32') return true;
  if (process.platform === 'linux') return linuxBeginning(pid) === begun;
  const identity = `${pid} ${begun}`;
  if (recognised !== identity && otherBeginning(pid) === begun) recognised = identity;
  return recognised === identity;
}

function linuxBeginning(pid: number): string | null {
  const { readFileSync } = builtin('node:fs');
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name, in parentheses, may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields[19];
    if (ticks === undefined || fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${ticks}`;
  } catch {
    // The folder of a process vanishes with it.
    return null;
  }
}

function otherBeginning(pid: number): string | null {
  const { execFileSync } = builtin('node:child_process');
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    // `ps` fails when no such process exists.
    return null;
  }
}

function isOwn(stats: Stats): boolean {
  return process.getuid === undefined || stats.uid === process.getuid();
}

/** Permission bits mean nothing where there are no user ids. */
function isOpen(stats: Stats, bits: number): boolean {
  return process.getuid !== undefined && (stats.mode & bits) !== 0;
}

function unsafe(place: string, fault: string): NeuralMindConnectionError {
  return new NeuralMindConnectionError('unsafe_discovery', `${place} ${fault}; the token was not sent`);
}

function builtin<Id extends 'node:fs' | 'node:path' | 'node:os' | 'node:net' | 'node:child_process'>(id: Id) {
  return process.getBuiltinModule(id);
}
