/**
 * The blob ids that files of the working tree would get in a commit, without a command that the repository names.
 *
 * Git is asked for configuration and attributes, which run nothing; contents are read and hashed here. Whatever those
 * answers say, and whichever work tree they are about, no filter can run: at worst an id is one that no commit has.
 */
import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import path from 'node:path';
import { askGit } from '../base/git-command.ts';
import { blobLimits } from '../base/limits.ts';
import { errnoOf } from '../base/private-file.ts';
import {
  type Attributes,
  asIs,
  type Conversion,
  committedBytes,
  conversionAttributes,
  conversionOf,
  dependsOnIndex,
} from './committed-bytes.ts';

/** Files that cannot be read are left out, and those whose committed content cannot be told. Empty without git. */
export async function workTreeBlobs(root: string, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const blobs = new Map<string, string>();
  if (files.length === 0) return blobs;
  const [configuration, attributes] = await Promise.all([configurationOf(root), attributesOf(root, files)]);
  if (configuration === undefined) return blobs;
  const format = configuration.get('extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1';
  const inDoubt = new Map<string, string>();
  for (const file of files) {
    // The attributes of no repository have no say in files outside one.
    const conversion = attributes === undefined ? asIs : conversionOf(attributes.get(file) ?? new Map(), configuration);
    const found = await blobOf(path.join(root, file), conversion, format);
    if (found === undefined) continue;
    blobs.set(file, found.id);
    if (found.withCrlf !== undefined) inDoubt.set(file, found.withCrlf);
  }
  for (const file of await withCrlfInIndex(root, [...inDoubt.keys()])) {
    const id = inDoubt.get(file);
    if (id !== undefined) blobs.set(file, id);
  }
  return blobs;
}

interface FoundBlob {
  readonly id: string;
  /** The id if the index has the file with CRLF. */
  readonly withCrlf?: string;
}

/** A link is committed as the path that it holds, which nothing converts. */
async function blobOf(
  file: string,
  conversion: Conversion | undefined,
  format: string,
): Promise<FoundBlob | undefined> {
  try {
    const found = await lstat(file);
    if (found.isSymbolicLink()) return { id: blobId(await readlink(file, { encoding: 'buffer' }), format) };
    if (!found.isFile() || conversion === undefined) return undefined;
    const opened = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (conversion.lineEnds === 'never' && !conversion.foldsKeywords) return await blobOfStream(opened, format);
      const now = await opened.stat();
      if (!now.isFile() || now.size > blobLimits.convertedBytesMax) return undefined;
      const bytes = await opened.readFile();
      const id = blobId(committedBytes(bytes, conversion), format);
      if (!dependsOnIndex(bytes, conversion)) return { id };
      return { id, withCrlf: blobId(committedBytes(bytes, { ...conversion, lineEnds: 'never' }), format) };
    } finally {
      await opened.close();
    }
  } catch (error) {
    // Not there or not readable: it has no blob.
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

/** In parts, since a file may be larger than memory; undefined when it changes meanwhile. */
async function blobOfStream(file: FileHandle, format: string): Promise<FoundBlob | undefined> {
  const found = await file.stat();
  if (!found.isFile()) return undefined;
  const hash = blobHash(found.size, format);
  let length = 0;
  for await (const part of file.createReadStream({ autoClose: false })) {
    length += part.length;
    hash.update(part);
  }
  return length === found.size ? { id: hash.digest('hex') } : undefined;
}

function blobId(bytes: Buffer, format: string): string {
  return blobHash(bytes.length, format).update(bytes).digest('hex');
}

function blobHash(length: number, format: string): Hash {
  return createHash(format).update(`blob ${length}\0`);
}

/** By the key as git writes it; the last value counts, and a key without one is true. Undefined without git. */
async function configurationOf(root: string): Promise<ReadonlyMap<string, string> | undefined> {
  const answer = await askGit(root, ['config', '-z', '--list']);
  if (answer.kind !== 'answered') return undefined;
  const entries = answer.text.split('\0').filter((entry) => entry !== '');
  return new Map(
    entries.map((entry) => {
      const end = entry.indexOf('\n');
      return end === -1 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
}

/** What git prints for each attribute of each file; undefined outside a repository. */
async function attributesOf(
  root: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, Attributes> | undefined> {
  const input = files.map((file) => `${file}\0`).join('');
  const answer = await askGit(root, ['check-attr', '-z', '--stdin', ...conversionAttributes], { input });
  if (answer.kind !== 'answered') return undefined;
  const fields = answer.text.split('\0');
  const found = new Map<string, Map<string, string>>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [file, name, value] = fields.slice(at, at + 3);
    if (file === undefined || name === undefined || value === undefined) continue;
    const attributes = found.get(file) ?? new Map<string, string>();
    found.set(file, attributes.set(name, value));
  }
  return found;
}

/** The files that git would leave with CRLF, because they were added with it. */
async function withCrlfInIndex(root: string, files: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (let from = 0; from < files.length; from += blobLimits.namesAtOnce) {
    const names = files.slice(from, from + blobLimits.namesAtOnce);
    const answer = await askGit(root, ['ls-files', '-z', '--eol', '--', ...names]);
    if (answer.kind !== 'answered') continue;
    for (const line of answer.text.split('\0')) {
      const name = /^i\/(?:crlf|mixed) [^\t]*\t(.+)$/s.exec(line)?.[1];
      if (name !== undefined) found.push(name);
    }
  }
  return found;
}
