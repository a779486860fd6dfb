/**
 * The disk calls of the notebook, one member each, so that a test can make every one of them fail once.
 *
 * Only `sync` is asynchronous: an fsync takes milliseconds and must not hold up other requests. Everything else works
 * on names and on small files, takes microseconds and is quicker done at once than handed to a thread and awaited.
 *
 * Members throw the error of the system call (`isDiskError`). None follows a symbolic link at the end of its path,
 * except `stat` and `realPath`, which are asked only about what lies above the notebook root.
 */
import fs from 'node:fs';

export interface FileSystem {
  /** Undefined when there is nothing of this name. */
  lstat(path: string): fs.Stats | undefined;
  /** Like `lstat`, but follows links. */
  stat(path: string): fs.Stats | undefined;
  realPath(path: string): string;
  readDirectory(path: string): readonly fs.Dirent[];
  /** Never blocks on a pipe, refuses a symbolic link. */
  openForReading(path: string): number;
  openDirectory(path: string): number;
  /** Fails if the name is taken. */
  createFile(path: string, mode: number): number;
  fstat(file: number): fs.Stats;
  /** Bytes read into `buffer` from `offset` on; 0 at the end of the file. */
  read(file: number, buffer: Buffer, offset: number): number;
  /** Bytes written of `buffer` from `offset` on. */
  write(file: number, buffer: Buffer, offset: number): number;
  sync(file: number): Promise<void>;
  close(file: number): void;
  makeDirectory(path: string, mode: number): void;
  removeDirectory(path: string): void;
  /** A second name for a file. Fails if the name is taken. */
  link(existing: string, name: string): void;
  rename(from: string, to: string): void;
  unlink(path: string): void;
}

// Windows knows neither flag and has no such links in its way.
const noFollow = fs.constants.O_NOFOLLOW ?? 0;
const noWait = fs.constants.O_NONBLOCK ?? 0;
const directoryOnly = fs.constants.O_DIRECTORY ?? 0;

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL } = fs.constants;

export const nodeFileSystem: FileSystem = {
  lstat: (path) => fs.lstatSync(path, { throwIfNoEntry: false }),
  stat: (path) => fs.statSync(path, { throwIfNoEntry: false }),
  realPath: (path) => fs.realpathSync.native(path),
  readDirectory: (path) => fs.readdirSync(path, { withFileTypes: true }),
  openForReading: (path) => fs.openSync(path, O_RDONLY | noFollow | noWait),
  openDirectory: (path) => fs.openSync(path, O_RDONLY | noFollow | directoryOnly),
  createFile: (path, mode) => fs.openSync(path, O_WRONLY | O_CREAT | O_EXCL | noFollow, mode),
  fstat: (file) => fs.fstatSync(file),
  read: (file, buffer, offset) => fs.readSync(file, buffer, offset, buffer.length - offset, null),
  write: (file, buffer, offset) => fs.writeSync(file, buffer, offset, buffer.length - offset),
  sync: (file) =>
    new Promise((resolve, reject) => {
      fs.fsync(file, (error) => (error === null ? resolve() : reject(error)));
    }),
  close: (file) => fs.closeSync(file),
  makeDirectory: (path, mode) => fs.mkdirSync(path, { mode }),
  removeDirectory: (path) => fs.rmdirSync(path),
  link: (existing, name) => fs.linkSync(existing, name),
  rename: (from, to) => fs.renameSync(from, to),
  unlink: (path) => fs.unlinkSync(path),
};

export interface DiskError extends Error {
  readonly code: string;
  readonly syscall: string;
}

/** Whether `error` came from a system call. Anything else that is thrown is a fault of ours and passes through. */
export function isDiskError(error: unknown): error is DiskError {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    'syscall' in error &&
    typeof error.syscall === 'string'
  );
}

/** Removes a name whose staying behind does no harm. Says whether it is gone. */
export function tryUnlink(fileSystem: FileSystem, path: string): boolean {
  try {
    fileSystem.unlink(path);
    return true;
  } catch (error) {
    if (!isDiskError(error)) throw error;
    return error.code === 'ENOENT';
  }
}
