/** What can be wrong with an index, in words that say what to do. */
import { PackagedFileFailure } from '../../base/packaged-file.ts';
import { errnoOf } from '../../base/private-file.ts';
import { type Failure, fail, ok, type Result, type UnavailableReason } from '../../memory/decisions/outcome.ts';
import { EmbedderFailure } from '../../retrieval/embeddings/embedder.ts';
import { DamagedIndex } from '../../retrieval/index/damaged-index.ts';
import type { IndexState } from '../../retrieval/index/index-file.ts';

/** Null where the index can be used or made. */
export function unusableIndex(state: IndexState, file: string): Failure | null {
  switch (state.kind) {
    case 'missing':
    case 'usable':
    case 'other-version':
      return null;
    case 'damaged':
      return no('damaged', `the index is damaged (${state.message}); build it again: mnemosyne build`);
    case 'foreign':
      return no('foreign', `${file} is not an index of this program and was not touched; move it away and build again`);
    case 'link':
      return no('foreign', `${file} or its folder is a link, which is never followed; put a folder in its place`);
    case 'unreadable':
      return no('unreadable', `the index cannot be opened (${state.code}); see mnemosyne doctor`);
  }
}

/** Whether an error says that what the index holds is not what was written. */
export function isDamage(error: unknown): boolean {
  return error instanceof DamagedIndex || /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error) ?? '');
}

export function damagedIndex(fault: string): Failure {
  return no('damaged', `the index is damaged (${fault}); build it again: mnemosyne build --force`);
}

/** What an error of the system, of SQLite or of a damaged index means for the caller; null for a fault of ours. */
export function indexTrouble(error: unknown): Failure | null {
  if (error instanceof EmbedderFailure && error.reason !== null) {
    const reason = `a table of the package cannot be used (${error.message})`;
    return no('unreadable', `${reason}; nothing was changed: install Mnemosyne again`);
  }
  if (error instanceof PackagedFileFailure) {
    const reason = `a file of the package cannot be used: ${error.message}`;
    return no('unreadable', `${reason}; install Mnemosyne again, see mnemosyne doctor`);
  }
  if (error instanceof DamagedIndex) return damagedIndex(error.fault);
  const code = sqliteCode(error) ?? errnoOf(error);
  if (code === undefined) return null;
  if (isDamage(error)) return damagedIndex(code);
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return no('busy', 'another process keeps the index locked; try again');
  if (/^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(code)) return no('full', 'there is no room on the disk for the index');
  if (/^(SQLITE_(CANTOPEN|READONLY|IOERR|PERM|AUTH)|EACCES|EPERM|EROFS|EIO|ENOENT|ENOTDIR|EMFILE|ENFILE)/.test(code)) {
    return no('unreadable', `the index cannot be read or written (${code}); see mnemosyne doctor`);
  }
  return null;
}

/** What `make` gives, or the trouble it ran into; throws a fault of ours. */
export function orTrouble<Value>(make: () => Value): Result<Value> {
  try {
    return ok(make());
  } catch (error) {
    const failure = indexTrouble(error);
    if (failure === null) throw error;
    return fail(failure);
  }
}

function sqliteCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}

function no(reason: UnavailableReason, message: string): Failure {
  return { code: 'unavailable', message, reason };
}
