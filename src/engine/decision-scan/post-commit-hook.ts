/**
 * Installs a post-commit hook that scans for stale decisions, as a marked block in the hook file of the repository.
 *
 * A hook that is there keeps every byte outside the block. A file that is no shell script, or whose marks do not pair,
 * is not touched. The block runs in the background, prints nothing and never makes a commit fail; with
 * `NEURALMIND_DECISION_SCAN=0` it does nothing. Taking the block out again leaves the file as it was, and removes a
 * file that held nothing else.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf } from '../../base/private-file.ts';
import type { Git } from '../git.ts';

export type HookOutcome =
  | { readonly kind: 'installed' | 'updated' | 'unchanged' | 'removed'; readonly file: string }
  | { readonly kind: 'no-repository' }
  /** The file is not one that a block can be put into; `why` is a fixed phrase. */
  | { readonly kind: 'refused'; readonly file: string; readonly why: string };

/** `command` is the program and its arguments; they are quoted for the shell here. */
export async function installPostCommitHook(git: Git, root: string, command: readonly string[]): Promise<HookOutcome> {
  return change(git, root, (text, file) => {
    const found = blockIn(text);
    if (found.kind === 'broken') return { kind: 'refused', file, why: 'its marks do not pair' };
    if (!isShellScript(text)) return { kind: 'refused', file, why: 'it is no shell script' };
    const block = blockOf(command);
    if (found.kind === 'at') {
      const next = `${text.slice(0, found.from)}${block}${text.slice(found.to)}`;
      return { kind: next === text ? 'unchanged' : 'updated', file, text: next };
    }
    return { kind: 'installed', file, text: withBlock(text, block) };
  });
}

export async function removePostCommitHook(git: Git, root: string): Promise<HookOutcome> {
  return change(git, root, (text, file) => {
    const found = blockIn(text);
    if (found.kind === 'broken') return { kind: 'refused', file, why: 'its marks do not pair' };
    if (found.kind !== 'at') return { kind: 'unchanged', file, text };
    const rest = `${text.slice(0, found.from)}${text.slice(found.to)}`;
    return { kind: 'removed', file, text: rest === firstLine ? '' : rest };
  });
}

const begin = '# >>> neuralmind decision scan >>>';
const end = '# <<< neuralmind decision scan <<<';
const firstLine = '#!/bin/sh\n';

/** The subshell keeps the block away from `set -e` and from the input of the hook. */
function blockOf(command: readonly string[]): string {
  const words = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  return [
    begin,
    `if [ "\${NEURALMIND_DECISION_SCAN:-1}" != "0" ]; then`,
    `  ( ${words} </dev/null >/dev/null 2>&1 & ) || :`,
    'fi',
    `${end}\n`,
  ].join('\n');
}

/** In front of what is there, since that may end with `exit`. */
function withBlock(text: string, block: string): string {
  if (text === '') return `${firstLine}${block}`;
  const afterFirstLine = text.indexOf('\n') + 1;
  return afterFirstLine === 0
    ? `${text}\n${block}`
    : `${text.slice(0, afterFirstLine)}${block}${text.slice(afterFirstLine)}`;
}

type Found = { readonly kind: 'none' | 'broken' } | { readonly kind: 'at'; readonly from: number; readonly to: number };

function blockIn(text: string): Found {
  const begins = text.split(begin).length - 1;
  const ends = text.split(end).length - 1;
  if (begins === 0 && ends === 0) return { kind: 'none' };
  const from = text.indexOf(begin);
  const last = text.indexOf(end);
  if (begins !== 1 || ends !== 1 || last < from) return { kind: 'broken' };
  const newline = text.indexOf('\n', last);
  return { kind: 'at', from, to: newline < 0 ? text.length : newline + 1 };
}

function isShellScript(text: string): boolean {
  if (text === '') return true;
  return !text.includes('\0') && /^#!\s*\S*(?:\/|\s)(?:ba|da|k|z)?sh(?:\s|$)/.test(text);
}

type Change = Exclude<HookOutcome, { readonly kind: 'no-repository' }> & { readonly text?: string };

async function change(git: Git, root: string, decide: (text: string, file: string) => Change): Promise<HookOutcome> {
  const folder = await git.hooksFolder(root);
  if (folder === undefined) return { kind: 'no-repository' };
  const named = path.join(folder, 'post-commit');
  // A hook may be a link into a folder that is kept elsewhere; then it is that file which changes.
  const file = await realpath(named).catch(() => named);
  const before = await readText(file);
  if (before === null) return { kind: 'refused', file, why: 'it cannot be read as text' };
  const { text, ...outcome } = decide(before, file);
  if (text === undefined || text === before) return outcome;
  if (text === '') await rm(file);
  else await write(file, text);
  return outcome;
}

/** Empty when there is none, null when it is not UTF-8 text. */
async function readText(file: string): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return '';
    if (error instanceof TypeError || errnoOf(error) !== undefined) return null;
    throw error;
  }
}

/** Whole or not at all, executable, with the mode of what it replaces. */
async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const mode = await stat(file).then(
    (facts) => facts.mode & 0o777,
    () => 0o755,
  );
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, text, { flag: 'wx' });
    await chmod(temporary, mode | 0o100);
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}
