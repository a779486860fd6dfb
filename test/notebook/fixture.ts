/** What the tests of the notebook's files share: valid records, a log that remembers, disks that fail. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type FileSystem, nodeFileSystem } from '../../src/memory/notebook/file-system.ts';
import { recordPath, serialiseRecord } from '../../src/memory/notebook/parse-record.ts';
import { type CanonicalRecord, referenceOf } from '../../src/memory/notebook/record.ts';
import type { NotebookLog } from '../../src/memory/notebook/store.ts';

export function newId(): string {
  return `mem_${randomBytes(16).toString('hex')}`;
}

/** A valid record in `project/demo/decisions`, with whatever a test wants changed. */
export function sampleRecord(changes: Partial<CanonicalRecord> = {}): CanonicalRecord {
  return {
    schema_version: 2,
    id: newId(),
    scope: 'project',
    namespace: { kind: 'project', id: 'demo', label: 'Demo' },
    collection: { id: 'decisions', label: null },
    kind: 'decision',
    language: 'en',
    title: 'Shared ownership',
    content: 'The shared parts belong to everybody.',
    tags: ['architecture'],
    provenance: { origin: 'explicit_user_statement', recorded_via: 'memory_remember' },
    lifecycle: { state: 'active', revision: 1 },
    created_at: '2026-01-02T03:04:05Z',
    updated_at: '2026-01-02T03:04:05Z',
    ...changes,
  };
}

/** The next version of `record`, with other content. */
export function revised(record: CanonicalRecord, content: string): CanonicalRecord {
  return { ...record, content, lifecycle: { ...record.lifecycle, revision: record.lifecycle.revision + 1 } };
}

/** Where `record` lies below the root. */
export function fileOf(record: CanonicalRecord): string {
  return join(record.scope, recordPath(referenceOf(record)));
}

/** Writes `record` as a person would, without the store. Answers the absolute path. */
export function placeRecord(root: string, record: CanonicalRecord, path = fileOf(record)): string {
  return placeText(root, path, serialiseRecord(record));
}

export function placeText(root: string, path: string, text: string | Buffer): string {
  const absolute = join(root, path);
  mkdirSync(dirname(absolute), { recursive: true });
  writeFileSync(absolute, text);
  return absolute;
}

export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'mnemosyne-notebook-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export interface RecordedLog extends NotebookLog {
  /** Skips as `scope reason`, locks as the bare word, in order. */
  readonly lines: string[];
}

export function recordedLog(): RecordedLog {
  const lines: string[] = [];
  return {
    lines,
    skipped: (scope, reason) => void lines.push(`${scope} ${reason}`),
    lock: (event) => void lines.push(event),
  };
}

export interface DiskCall {
  /** Counts from 0. */
  readonly index: number;
  readonly name: string;
  /** The first argument: a path or a file handle. */
  readonly target: unknown;
  readonly second: unknown;
}

/** `before`: the call fails and does nothing. `after`: it does its work and fails all the same. */
export type Fault = 'before' | 'after' | undefined;

/** The real disk, except that `fault` may make a call fail with `code`. */
export function faultyFileSystem(fault: (call: DiskCall) => Fault, code = 'EIO'): FileSystem {
  let index = 0;
  return new Proxy(nodeFileSystem, {
    get(target, key, receiver) {
      const member: unknown = Reflect.get(target, key, receiver);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        const name = String(key);
        const verdict = fault({ index: index++, name, target: given[0], second: given[1] });
        // A handle is gone even if closing it failed, and opening never leaves one behind.
        if (verdict === 'before' && name !== 'close') throw diskError(code, name);
        const result: unknown = Reflect.apply(member, target, given);
        if (verdict === undefined) return result;
        if (result instanceof Promise) return result.then(() => Promise.reject(diskError(code, name)));
        if (typeof result === 'number' && /^(open|create)/.test(name)) nodeFileSystem.close(result);
        throw diskError(code, name);
      };
    },
  });
}

export function diskError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code, syscall });
}
