/**
 * The four operator switches of the notebook, read once at start and never again.
 *
 * A variable beats its key in `~/.mnemosyne/config.toml`; unset everywhere means off. Anything that is not exactly
 * right stops the start: a switch that guards what may be changed must not be guessed. The messages are fixed words,
 * so that neither a value, a path nor a line of the file reaches a terminal or a log. Nothing is ever created here.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { ProcessError } from '../base/errors.ts';
import { settingsLimits } from '../base/limits.ts';
import { errnoOf } from '../base/private-file.ts';
import type { Gate, Gates } from '../operations/operation.ts';
import { type Environment, memoryRoot, userHome } from './home.ts';

/** Why the settings file was refused. Each word has one fixed message. */
export type SettingsFault =
  | 'invalid_toml'
  | 'invalid_schema'
  | 'unreadable'
  | 'not_regular'
  | 'unsafe_path'
  | 'too_large'
  | 'unsafe_permissions';

export const settingsFaultMessages: Readonly<Record<SettingsFault, string>> = {
  invalid_toml: 'invalid_toml: the settings file is not UTF-8 TOML',
  invalid_schema: 'invalid_schema: the settings file may hold only the table memory with its four boolean switches',
  unreadable: 'unreadable: the settings file or its directory cannot be read',
  not_regular: 'not_regular: the settings file is not a regular file',
  unsafe_path:
    'unsafe_path: the settings file or its directory is a link, is misplaced or was swapped while it was read',
  too_large: `too_large: the settings file holds more than ${settingsLimits.fileBytesMax} bytes`,
  unsafe_permissions: 'unsafe_permissions: the settings file or its directory can be written by group or others',
};

/** In the order in which the variables are checked. */
export const gateSettings: readonly { readonly gate: Gate; readonly variable: string; readonly key: string }[] = [
  { gate: 'remember', variable: 'MNEMOSYNE_MEMORY_REMEMBER_ENABLED', key: 'remember_enabled' },
  { gate: 'archive_restore', variable: 'MNEMOSYNE_MEMORY_ARCHIVE_RESTORE_ENABLED', key: 'archive_restore_enabled' },
  { gate: 'forget', variable: 'MNEMOSYNE_MEMORY_FORGET_ENABLED', key: 'forget_enabled' },
  { gate: 'revise', variable: 'MNEMOSYNE_MEMORY_REVISE_ENABLED', key: 'revise_enabled' },
];

/** What a test may do between the check of the file and its opening. */
export interface SettingsProbe {
  readonly beforeOpen?: () => void;
}

/**
 * The gates under `env`. All variables are checked before any file is looked at, and with all four set the file is
 * not looked at. Throws ProcessError `invalid_settings`.
 */
export function readGates(env: Environment, probe: SettingsProbe = {}): Gates {
  const fromEnvironment = new Map<Gate, boolean>();
  for (const { gate, variable } of gateSettings) {
    const text = env[variable];
    if (text === undefined) continue;
    if (text !== 'true' && text !== 'false') {
      throw new ProcessError('invalid_settings', `${variable} must be exactly true or false`);
    }
    fromEnvironment.set(gate, text === 'true');
  }
  // Where it is needed it would be told late, and once for every call.
  memoryRoot(env);
  const fromFile =
    fromEnvironment.size === gateSettings.length ? new Map<Gate, boolean>() : readSettingsFile(userHome(env), probe);
  const value = (gate: Gate): boolean => fromEnvironment.get(gate) ?? fromFile.get(gate) ?? false;
  return {
    remember: value('remember'),
    archive_restore: value('archive_restore'),
    forget: value('forget'),
    revise: value('revise'),
  };
}

function readSettingsFile(home: string, probe: SettingsProbe): ReadonlyMap<Gate, boolean> {
  const bytes = readCheckedBytes(join(home, '.mnemosyne'), probe);
  if (bytes === null) return new Map();
  let document: Readonly<Record<string, unknown>>;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    // The parser would pass over it, other readers of TOML do not: one file must not mean two things.
    if (text.startsWith('\uFEFF')) throw refused('invalid_toml');
    document = parse(text);
  } catch {
    // Neither the decoder's nor the parser's message may travel: the parser quotes the offending line.
    throw refused('invalid_toml');
  }
  return gatesOf(document);
}

function gatesOf(document: Readonly<Record<string, unknown>>): ReadonlyMap<Gate, boolean> {
  const gates = new Map<Gate, boolean>();
  for (const [name, table] of Object.entries(document)) {
    if (name !== 'memory' || !isTable(table)) throw refused('invalid_schema');
    for (const [key, value] of Object.entries(table)) {
      const setting = gateSettings.find((candidate) => candidate.key === key);
      if (setting === undefined || typeof value !== 'boolean') throw refused('invalid_schema');
      gates.set(setting.gate, value);
    }
  }
  return gates;
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The bytes of `config.toml` in `directory`, or null when either is missing. */
function readCheckedBytes(directory: string, probe: SettingsProbe): Buffer | null {
  const folder = look(directory);
  if (folder === null) return null;
  if (!folder.isDirectory()) throw refused('unsafe_path');
  refuseSharedWriting(folder);

  const path = join(directory, 'config.toml');
  const seen = look(path);
  if (seen === null) return null;
  if (seen.isSymbolicLink()) throw refused('unsafe_path');
  if (!seen.isFile()) throw refused('not_regular');
  refuseSharedWriting(seen);
  if (seen.size > settingsLimits.fileBytesMax) throw refused('too_large');

  probe.beforeOpen?.();
  const descriptor = openUnfollowed(path);
  try {
    const opened = fstatSync(descriptor);
    if (opened.dev !== seen.dev || opened.ino !== seen.ino) throw refused('unsafe_path');
    refuseSharedWriting(opened);
    return readAtMost(descriptor, settingsLimits.fileBytesMax);
  } finally {
    closeSync(descriptor);
  }
}

/** The entry itself, links not followed; null when there is none. */
function look(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw refused(errnoOf(error) === 'ENOTDIR' ? 'unsafe_path' : 'unreadable');
  }
}

function openUnfollowed(path: string): number {
  try {
    // Non-blocking, so that a pipe put in the file's place cannot hold the start.
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = errnoOf(error);
    // The file was there a moment ago: a link, a gap or a file for a directory in its place means a swap.
    throw refused(code === 'ELOOP' || code === 'ENOENT' || code === 'ENOTDIR' ? 'unsafe_path' : 'unreadable');
  }
}

function readAtMost(descriptor: number, bytesMax: number): Buffer {
  const buffer = Buffer.alloc(bytesMax + 1);
  let length = 0;
  try {
    while (length < buffer.length) {
      const count = readSync(descriptor, buffer, length, buffer.length - length, null);
      if (count === 0) break;
      length += count;
    }
  } catch {
    throw refused('unreadable');
  }
  if (length > bytesMax) throw refused('too_large');
  return buffer.subarray(0, length);
}

function refuseSharedWriting(stats: Stats): void {
  if ((stats.mode & 0o022) !== 0) throw refused('unsafe_permissions');
}

function refused(fault: SettingsFault): ProcessError {
  return new ProcessError('invalid_settings', settingsFaultMessages[fault]);
}
