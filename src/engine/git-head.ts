/**
 * The commit of HEAD, read from the files of the repository. Every write of a decision asks for it, and starting git
 * costs more than the write itself.
 *
 * Only the common forms are understood: HEAD as an id or as the name of a loose or packed reference, in a repository or
 * a linked work tree of it. Whatever looks different is left to git (`ask-git`), never guessed.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { listingLimits } from '../base/limits.ts';
import { readRegularFile } from '../base/regular-file.ts';

export type Head =
  | { readonly kind: 'commit'; readonly id: string }
  /** No repository, or none with a commit. */
  | { readonly kind: 'none' }
  | { readonly kind: 'ask-git' };

const askGit: Head = { kind: 'ask-git' };
const idForm = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Names that git itself may point HEAD at; the dot rule keeps `..` and the marker of other reference stores out. */
const referenceForm = /^ref: (refs\/(?:[\w-][\w.-]*\/)*[\w-][\w.-]*)$/;

/** `root` is the project: the top of a work tree or a folder inside one. */
export async function readHead(root: string): Promise<Head> {
  const marker = await findMarker(root);
  if (marker === undefined) return { kind: 'none' };
  const folder = await gitFolder(marker);
  const head = folder === undefined ? undefined : lineOf(path.join(folder, 'HEAD'));
  if (folder === undefined || head === undefined) return askGit;
  if (idForm.test(head)) return { kind: 'commit', id: head };
  const reference = referenceForm.exec(head)?.[1];
  if (reference === undefined) return askGit;
  const common = lineOf(path.join(folder, 'commondir'));
  return resolve(common === undefined ? folder : path.resolve(folder, common), reference);
}

/** The nearest `.git` at or above `root`. */
async function findMarker(root: string): Promise<string | undefined> {
  for (let folder = root; ; folder = path.dirname(folder)) {
    const marker = path.join(folder, '.git');
    if (await exists(marker)) return marker;
    if (folder === path.dirname(folder)) return undefined;
  }
}

/** A work tree's `.git` is a folder, or a file that names one. */
async function gitFolder(marker: string): Promise<string | undefined> {
  if (await exists(path.join(marker, 'HEAD'))) return marker;
  const named = /^gitdir: (.+)$/.exec(lineOf(marker) ?? '')?.[1];
  return named === undefined ? undefined : path.resolve(path.dirname(marker), named);
}

function resolve(common: string, reference: string): Head {
  const loose = lineOf(path.join(common, reference));
  if (loose !== undefined) return idForm.test(loose) ? { kind: 'commit', id: loose } : askGit;
  const packed = textOf(path.join(common, 'packed-refs'));
  const line = packed?.split('\n').find((entry) => entry.endsWith(` ${reference}`));
  const id = line?.slice(0, line.indexOf(' '));
  // A reference that is in neither place may be unborn, or may have been packed between the two looks.
  return id !== undefined && idForm.test(id) ? { kind: 'commit', id } : askGit;
}

function lineOf(file: string): string | undefined {
  return textOf(file)?.trimEnd();
}

function textOf(file: string): string | undefined {
  return readRegularFile(file, listingLimits.gitFileBytesMax)?.toString('utf8');
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
