import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  faultyFileSystem,
  fileOf,
  newId,
  placeRecord,
  placeText,
  recordedLog,
  revised,
  sampleRecord,
  temporaryFolder,
} from '../../../test/notebook/fixture.ts';
import { type FileStore, openFileStore } from './file-store.ts';
import { type FileSystem, nodeFileSystem } from './file-system.ts';
import { ok, type Result } from './outcome.ts';
import { serialiseRecord } from './parse-record.ts';
import { type CanonicalRecord, referenceOf } from './record.ts';
import type { NotebookWriter, Selection, StoredRecord } from './store.ts';

let folder: ReturnType<typeof temporaryFolder>;
let root: string;
let log: ReturnType<typeof recordedLog>;
let store: FileStore;

beforeEach(() => {
  folder = temporaryFolder();
  root = join(folder.path, 'root');
  log = recordedLog();
  store = open();
});

afterEach(async () => {
  await store.close();
  folder.remove();
});

function open(fileSystem?: FileSystem): FileStore {
  return openFileStore({ root: () => root, log, ...(fileSystem === undefined ? {} : { fileSystem }) });
}

const project: Selection = { kind: 'scope', scope: 'project' };
const legacy = (id: string) => JSON.stringify({ schema_version: 1, id, content: 'Old words.' });

async function scan(selection: Selection = project, from: FileStore = store): Promise<readonly StoredRecord[]> {
  return unwrap(await from.scan(selection, 'is-unavailable'));
}

async function paths(selection: Selection = project): Promise<string[]> {
  return (await scan(selection)).map(({ path }) => path);
}

function unwrap<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`unexpected ${result.failure.code}`);
  return result.value;
}

function codeOf(result: Result<unknown>): string {
  return result.ok ? 'ok' : `${result.failure.status} ${result.failure.code}`;
}

const unavailable = 'storage_error memory_source_unavailable';

function write<Value>(work: (writer: NotebookWriter) => Promise<Result<Value>>, to: FileStore = store) {
  return to.exclusively({ createRoot: true }, work);
}

async function create(record: CanonicalRecord): Promise<void> {
  unwrap(await write((writer) => writer.create(record)));
}

async function stored(record: CanonicalRecord): Promise<StoredRecord<CanonicalRecord>> {
  const found = unwrap(await store.read(referenceOf(record)));
  if (found === null) throw new Error('the record is not there');
  return found;
}

/** Every file and directory below the root, sorted. */
function tree(): string[] {
  return existsSync(root) ? readdirSync(root, { recursive: true }).map(String).sort() : [];
}

describe('finding candidates', () => {
  test('NF1 candidates are regular files named *.json, in code point order of the walk', async () => {
    for (const name of [
      'b.json',
      'a/z.json',
      'a.json',
      '.json',
      'c.JSON',
      'd.json.bak',
      '.h/.x.json',
      'x.json/y.json',
    ]) {
      placeText(root, `project/${name}`, legacy('x'));
    }
    placeText(root, 'project/\u{1f600}.json', legacy('x'));
    placeText(root, 'project/\uff5e.json', legacy('x'));
    expect(await paths()).toEqual([
      '.h/.x.json',
      'a/z.json',
      'a.json',
      'b.json',
      'x.json/y.json',
      '\uff5e.json',
      '\u{1f600}.json',
    ]);
  });

  test('NF1 a pipe named like a record is no candidate and blocks nobody', async () => {
    mkdirSync(join(root, 'project'), { recursive: true });
    expect(spawnSync('mkfifo', [join(root, 'project', 'pipe.json')]).status).toBe(0);
    expect(await paths()).toEqual([]);
    expect(log.lines).toEqual([]);
  });

  test('NF2 a thousand candidates are read, one more fails the call, and only the selected container counts', async () => {
    for (let index = 0; index < 1000; index++) placeText(root, `project/demo/n${index}.json`, '{');
    const record = sampleRecord();
    placeRecord(root, record);
    expect(codeOf(await store.scan(project, 'is-empty'))).toBe('storage_error candidate_limit_exceeded');
    const demo = { scope: 'project', namespaceId: 'demo' } as const;
    expect(codeOf(await store.scan({ kind: 'namespace', ...demo }, 'is-empty'))).toBe(
      'storage_error candidate_limit_exceeded',
    );
    expect(unwrap(await store.scan({ kind: 'level', ...demo, collectionId: null }, 'is-empty'))).toEqual([]);
    expect(await paths({ kind: 'level', ...demo, collectionId: 'decisions' })).toHaveLength(1);
    unlinkSync(join(root, fileOf(record)));
    expect(await paths()).toEqual([]);
  });

  test('NF3 a symbolic link is passed over and logged, whatever it points to', async () => {
    const outside = placeText(folder.path, 'outside/a.json', legacy('outside'));
    mkdirSync(join(root, 'project'), { recursive: true });
    symlinkSync(outside, join(root, 'project', 'file.json'));
    symlinkSync(dirname(outside), join(root, 'project', 'directory'));
    symlinkSync(join(folder.path, 'nothing'), join(root, 'project', 'dangling.json'));
    expect(await paths()).toEqual([]);
    expect(log.lines).toEqual(['project symlink', 'project symlink', 'project symlink']);
  });

  test('NF4 four directories below the scope are walked, the fifth is passed over and logged', async () => {
    placeText(root, 'project/1/2/3/4/x.json', legacy('deep'));
    placeText(root, 'project/1/2/3/4/5/x.json', legacy('deeper'));
    expect(await paths()).toEqual(['1/2/3/4/x.json']);
    expect(log.lines).toEqual(['project too_deep']);
  });

  test('NF5 narrow selections see canonical records of their own container only', async () => {
    const inCollection = sampleRecord();
    const above = sampleRecord({ collection: null });
    placeRecord(root, inCollection);
    placeRecord(root, above);
    placeText(root, 'project/demo/old.json', legacy('old'));
    placeText(root, 'project/demo/decisions/old.json', legacy('old'));
    placeText(root, 'project/demo/decisions/deeper/old.json', legacy('old'));
    placeRecord(root, sampleRecord({ namespace: { kind: 'project', id: 'other', label: null } }));
    const demo = { scope: 'project', namespaceId: 'demo' } as const;
    const names = async (selection: Selection) => (await scan(selection)).map(({ record }) => record.id).sort();
    expect(await names({ kind: 'namespace', ...demo })).toEqual([inCollection.id, above.id].sort());
    expect(await names({ kind: 'level', ...demo, collectionId: null })).toEqual([above.id]);
    expect(await names({ kind: 'level', ...demo, collectionId: 'decisions' })).toEqual([inCollection.id]);
    expect(await names(project)).toHaveLength(6);
    expect(log.lines).toEqual([]);
  });

  test('NF6 a missing container is an empty inventory, a file in its place makes the source unavailable', async () => {
    const selections: Selection[] = [
      project,
      { kind: 'namespace', scope: 'project', namespaceId: 'demo' },
      { kind: 'level', scope: 'project', namespaceId: 'demo', collectionId: 'decisions' },
    ];
    for (const at of ['', 'project', 'project/demo', 'project/demo/decisions']) {
      for (const selection of selections) expect(await scan(selection)).toEqual([]);
      mkdirSync(join(root, at), { recursive: true });
    }
    rmSync(join(root, 'project/demo'), { recursive: true });
    writeFileSync(join(root, 'project/demo'), '');
    expect(await paths()).toEqual([]);
    for (const selection of selections.slice(1)) {
      expect(codeOf(await store.scan(selection, 'is-empty'))).toBe(unavailable);
    }
    rmSync(root, { recursive: true });
    writeFileSync(root, '');
    expect(codeOf(await store.scan(project, 'is-empty'))).toBe(unavailable);
  });

  test('NF7 a symbolic link as the root is refused by everything', async () => {
    const record = sampleRecord();
    placeRecord(join(folder.path, 'elsewhere'), record);
    for (const target of ['elsewhere', 'nowhere']) {
      symlinkSync(join(folder.path, target), root);
      expect(codeOf(await store.scan(project, 'is-empty'))).toBe(unavailable);
      expect(codeOf(await store.read(referenceOf(record)))).toBe(unavailable);
      for (const createRoot of [true, false]) {
        expect(codeOf(await store.exclusively({ createRoot }, async () => ok(1)))).toBe(unavailable);
      }
      unlinkSync(root);
    }
    expect(existsSync(join(folder.path, 'nowhere'))).toBe(false);
  });

  test.each([
    ['project', project],
    ['project/demo', { kind: 'namespace', scope: 'project', namespaceId: 'demo' }],
    ['project/demo', { kind: 'level', scope: 'project', namespaceId: 'demo', collectionId: 'decisions' }],
    ['project/demo/decisions', { kind: 'level', scope: 'project', namespaceId: 'demo', collectionId: 'decisions' }],
  ] as const)('NF8 the caller says what a link at %s on the way to its selection means', async (at, selection) => {
    placeRecord(join(folder.path, 'elsewhere'), sampleRecord());
    mkdirSync(dirname(join(root, at)), { recursive: true });
    symlinkSync(join(folder.path, 'elsewhere', at), join(root, at));
    expect(codeOf(await store.scan(selection, 'is-unavailable'))).toBe(unavailable);
    expect(log.lines).toEqual([]);
    expect(unwrap(await store.scan(selection, 'is-empty'))).toEqual([]);
    expect(log.lines).toEqual(['project symlink']);
  });

  test('NF9 a directory that cannot be read fails the call, a file that cannot be read is passed over', async () => {
    placeText(root, 'project/a.json', legacy('a'));
    placeText(root, 'project/b.json', legacy('b'));
    const denied = (name: string, ending: string) =>
      open(
        faultyFileSystem(
          (call) => (call.name === name && String(call.target).endsWith(ending) ? 'before' : undefined),
          'EACCES',
        ),
      );
    expect(codeOf(await denied('readDirectory', 'project').scan(project, 'is-empty'))).toBe(unavailable);
    expect(await scan(project, denied('openForReading', 'a.json'))).toHaveLength(1);
    expect(log.lines).toEqual(['project unreadable']);
  });

  test('NF10 running out of file handles fails the call, since the inventory would have a hole', async () => {
    placeText(root, 'project/a.json', legacy('a'));
    const starved = open(faultyFileSystem(({ name }) => (name === 'openForReading' ? 'before' : undefined), 'EMFILE'));
    expect(codeOf(await starved.scan(project, 'is-empty'))).toBe(unavailable);
  });

  test('NF11 every skip is logged with its reason on every call, also when it is remembered', async () => {
    placeText(root, 'project/big.json', Buffer.alloc(65_537, 0x20));
    placeText(root, 'project/encoding.json', Buffer.from([0x22, 0xff, 0x22]));
    placeText(root, 'project/json.json', '{');
    placeText(root, 'project/record.json', '{}');
    placeRecord(root, sampleRecord(), 'project/elsewhere.json');
    placeText(root, 'project/fits.json', legacy('a').padEnd(65_536));
    const expected = ['oversized', 'path_mismatch', 'invalid_encoding', 'invalid_json', 'invalid_record'];
    for (const pause of [0, 150, 0]) {
      await sleep(pause);
      log.lines.length = 0;
      expect(await paths()).toEqual(['fits.json']);
      expect(log.lines.toSorted()).toEqual(expected.map((reason) => `project ${reason}`).toSorted());
    }
  });

  test('NF11 a name that is not UTF-8 is reported, since the file cannot be reached', async () => {
    mkdirSync(join(root, 'project'), { recursive: true });
    writeFileSync(
      Buffer.concat([Buffer.from(`${root}/project/`), Buffer.from([0xe9]), Buffer.from('.json')]),
      legacy('a'),
    );
    expect(await paths()).toEqual([]);
    expect(log.lines).toEqual(['project unreadable']);
  });
});

describe('reading one record', () => {
  test('NF12 the record, or null when it is missing, invalid, of another version or a directory', async () => {
    const record = sampleRecord();
    expect(unwrap(await store.read(referenceOf(record)))).toBeNull();
    const path = placeRecord(root, record);
    const found = await stored(record);
    expect(found.record).toEqual(record);
    expect(found.path).toBe(`demo/decisions/${record.id}.json`);
    expect(found.sha256).toMatch(/^[0-9a-f]{64}$/);
    writeFileSync(path, '{');
    expect(unwrap(await store.read(referenceOf(record)))).toBeNull();
    expect(log.lines).toEqual(['project invalid_json']);
    writeFileSync(path, legacy(record.id));
    expect(unwrap(await store.read(referenceOf(record)))).toBeNull();
    unlinkSync(path);
    mkdirSync(path);
    expect(unwrap(await store.read(referenceOf(record)))).toBeNull();
  });

  test.each(['project', 'project/demo', 'project/demo/decisions', 'file'])(
    'NF13 a symbolic link at %s fails reading and changing',
    async (at) => {
      const record = sampleRecord();
      const elsewhere = join(folder.path, 'elsewhere');
      const there = placeRecord(elsewhere, record);
      const linked = at === 'file' ? fileOf(record) : at;
      mkdirSync(dirname(join(root, linked)), { recursive: true });
      symlinkSync(join(elsewhere, linked), join(root, linked));
      expect(codeOf(await store.read(referenceOf(record)))).toBe(unavailable);
      const sha256 = '0'.repeat(64);
      const current = { record, scope: record.scope, path: `demo/decisions/${record.id}.json`, sha256 };
      expect(codeOf(await write((writer) => writer.replace(current, revised(record, 'new'))))).toBe(unavailable);
      expect(codeOf(await write((writer) => writer.remove(current)))).toBe(unavailable);
      if (at !== 'file') expect(codeOf(await write((writer) => writer.create(sampleRecord())))).toBe(unavailable);
      expect(readFileSync(there, 'utf8')).toBe(serialiseRecord(record));
      expect(readdirSync(dirname(there))).toHaveLength(1);
    },
  );

  test('NF13 a dangling link in the place of a record fails, it does not say that nothing is there', async () => {
    const record = sampleRecord();
    mkdirSync(dirname(join(root, fileOf(record))), { recursive: true });
    symlinkSync('/nowhere/at/all', join(root, fileOf(record)));
    expect(codeOf(await store.read(referenceOf(record)))).toBe(unavailable);
  });

  test('NF14 a file that is swapped between the check and the opening is never read unchecked', async () => {
    const secret = placeText(folder.path, 'secret.json', legacy('secret'));
    const path = placeText(root, 'project/a.json', legacy('mine'));
    const swapping = (swap: () => void): FileStore => {
      let done = false;
      return open({
        ...nodeFileSystem,
        openForReading: (name) => {
          if (!done) swap();
          done = true;
          return nodeFileSystem.openForReading(name);
        },
      });
    };
    // Replaced by a rename, as a writer does: the new record is read.
    const replacement = placeText(folder.path, 'new.json', legacy('new'));
    const seen = await scan(
      project,
      swapping(() => renameSync(replacement, path)),
    );
    expect(seen.map(({ record }) => record.id)).toEqual(['new']);
    const linked = await scan(
      project,
      swapping(() => {
        unlinkSync(path);
        symlinkSync(secret, path);
      }),
    );
    expect(linked).toEqual([]);
    expect(log.lines).toEqual(['project symlink']);
    unlinkSync(path);
    linkSync(secret, path);
    expect(
      await scan(
        project,
        swapping(() => unlinkSync(path)),
      ),
    ).toEqual([]);
  });
});

describe('remembering what was read', () => {
  function counting(): { readonly files: FileSystem; opened: number } {
    const counter = {
      opened: 0,
      files: {
        ...nodeFileSystem,
        openForReading: (path: string) => {
          counter.opened += 1;
          return nodeFileSystem.openForReading(path);
        },
      },
    };
    return counter;
  }

  test('NF15 an unchanged file is not read again, and one that was just changed is', async () => {
    const path = placeText(root, 'project/a.json', legacy('a'));
    placeText(root, 'project/bad.json', '{');
    const counter = counting();
    const counted = open(counter.files);
    await scan(project, counted);
    await scan(project, counted);
    expect(counter.opened).toBe(4);
    await sleep(150);
    await scan(project, counted);
    expect(counter.opened).toBe(6);
    await scan(project, counted);
    expect(counter.opened).toBe(6);
    writeFileSync(path, legacy('b'));
    expect((await scan(project, counted)).map(({ record }) => record.id)).toEqual(['b']);
  });

  test('NF15 an edit of equal length with the old times is seen, in place and by rename', async () => {
    const path = placeText(root, 'project/a.json', legacy('a'));
    const { atime, mtime } = statSync(path);
    await sleep(150);
    await scan();
    writeFileSync(path, legacy('b'));
    utimesSync(path, atime, mtime);
    expect((await scan()).map(({ record }) => record.id)).toEqual(['b']);
    await sleep(150);
    await scan();
    const other = placeText(folder.path, 'other.json', legacy('c'));
    utimesSync(other, atime, mtime);
    renameSync(other, path);
    expect((await scan()).map(({ record }) => record.id)).toEqual(['c']);
  });

  test('NF15 no change goes unseen, however quickly one follows another', async () => {
    const path = placeText(root, 'project/a.json', legacy('0000'));
    for (let index = 1; index <= 300; index++) {
      const id = String(index).padStart(4, '0');
      writeFileSync(path, legacy(id));
      expect((await scan()).map(({ record }) => record.id)).toEqual([id]);
    }
  });

  test('NF15 the same file under two roots is two records', async () => {
    placeText(root, 'project/a.json', legacy('a'));
    placeText(root, 'project/project/b.json', legacy('b'));
    await sleep(150);
    let current = root;
    const moving = openFileStore({ root: () => current, log });
    expect((await scan(project, moving)).map(({ path }) => path)).toEqual(['a.json', 'project/b.json']);
    current = join(root, 'project');
    expect((await scan(project, moving)).map(({ path }) => path)).toEqual(['b.json']);
  });
});

describe('writing', () => {
  test('NF20 a record is made with private directories, its one form and nothing beside it', async () => {
    root = join(folder.path, 'deep', 'er', 'root');
    const record = sampleRecord();
    await create(record);
    expect(tree()).toEqual(['project', 'project/demo', 'project/demo/decisions', fileOf(record)]);
    expect(readFileSync(join(root, fileOf(record)), 'utf8')).toBe(serialiseRecord(record));
    expect(statSync(join(root, fileOf(record))).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, fileOf(record))).nlink).toBe(1);
    for (const path of ['', '..', '../..', 'project', 'project/demo', 'project/demo/decisions']) {
      expect(statSync(join(root, path)).mode & 0o777, path).toBe(0o700);
    }
    expect((await stored(record)).record).toEqual(record);
  });

  test('NF20 directories that are there keep their mode', async () => {
    mkdirSync(join(root, 'project', 'demo'), { recursive: true });
    chmodSync(join(root, 'project', 'demo'), 0o755);
    await create(sampleRecord({ collection: null }));
    expect(statSync(join(root, 'project', 'demo')).mode & 0o777).toBe(0o755);
  });

  test('NF21 a taken name is a write conflict and is never overwritten', async () => {
    const record = sampleRecord();
    placeText(root, fileOf(record), 'mine');
    expect(codeOf(await write((writer) => writer.create(record)))).toBe('conflict write_conflict');
    expect(readFileSync(join(root, fileOf(record)), 'utf8')).toBe('mine');
    expect(readdirSync(dirname(join(root, fileOf(record))))).toHaveLength(1);
  });

  test('NF22 a replaced record has its new bytes and mode 0600, the old ones are gone', async () => {
    const record = sampleRecord();
    chmodSync(placeRecord(root, record), 0o644);
    const next = revised(record, 'Second thoughts.');
    const current = await stored(record);
    unwrap(await write((writer) => writer.replace(current, next)));
    expect((await stored(record)).record).toEqual(next);
    expect(statSync(join(root, fileOf(record))).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(join(root, fileOf(record))))).toEqual([`${record.id}.json`]);
  });

  test('NF23 a removed record is gone, its directories stay', async () => {
    const record = sampleRecord();
    placeRecord(root, record);
    const current = await stored(record);
    unwrap(await write((writer) => writer.remove(current)));
    expect(tree()).toEqual(['project', 'project/demo', 'project/demo/decisions']);
    expect(unwrap(await store.read(referenceOf(record)))).toBeNull();
  });

  test('NF24 bytes that changed or vanished since they were read are a write conflict', async () => {
    const record = sampleRecord();
    const path = placeRecord(root, record);
    const current = await stored(record);
    writeFileSync(path, `${serialiseRecord(record)} `);
    const attempts = [
      (writer: NotebookWriter) => writer.replace(current, revised(record, 'new')),
      (writer: NotebookWriter) => writer.remove(current),
    ];
    for (const attempt of attempts) expect(codeOf(await write(attempt))).toBe('conflict write_conflict');
    expect(readFileSync(path, 'utf8')).toBe(`${serialiseRecord(record)} `);
    unlinkSync(path);
    for (const attempt of attempts) expect(codeOf(await write(attempt))).toBe('conflict write_conflict');
    rmSync(dirname(path), { recursive: true });
    for (const attempt of attempts) expect(codeOf(await write(attempt))).toBe('conflict write_conflict');
    expect(tree()).toEqual(['project', 'project/demo']);
  });

  test('NF25 what would not be read back as it is, or belongs elsewhere, is never written', async () => {
    const bad = sampleRecord({ content: ' not normalised ' });
    await expect(write((writer) => writer.create(bad))).rejects.toThrow('would not be read back');
    const record = sampleRecord();
    placeRecord(root, record);
    const current = await stored(record);
    await expect(write((writer) => writer.replace(current, sampleRecord()))).rejects.toThrow('belongs elsewhere');
    await expect(store.read({ ...referenceOf(record), namespace_id: '../..' }).then(codeOf)).rejects.toThrow(
      'no identifier',
    );
    expect(tree()).toEqual(['project', 'project/demo', 'project/demo/decisions', fileOf(record)]);
  });

  test('NF26 nothing is made by reading or by changing what is not there', async () => {
    const record = sampleRecord();
    await scan();
    await store.read(referenceOf(record));
    const seen = await store.exclusively({ createRoot: false }, async (writer) => {
      expect(unwrap(await writer.scan(project, 'is-unavailable'))).toEqual([]);
      return await writer.read(referenceOf(record));
    });
    expect(unwrap(seen)).toBeNull();
    expect(existsSync(root)).toBe(false);
    await expect(store.exclusively({ createRoot: false }, (writer) => writer.create(record))).rejects.toThrow(
      'not there',
    );
    expect(existsSync(root)).toBe(false);
  });

  test('NF27 temporary files of killed writers are cleared when old, and never outlive their record', async () => {
    const record = sampleRecord();
    const directory = dirname(placeRecord(root, record));
    const old = join(directory, `.${newId()}.0123456789abcdef.tmp`);
    const young = join(directory, `.${newId()}.0123456789abcdef.tmp`);
    const foreign = join(directory, '.notes.tmp');
    const copy = join(directory, `.${record.id}.0123456789abcdef.tmp`);
    for (const path of [old, young, foreign, copy]) writeFileSync(path, 'left over');
    for (const path of [old, foreign]) utimesSync(path, 1, 1);
    expect(await paths()).toHaveLength(1);
    const other = sampleRecord();
    await create(other);
    expect([old, young, foreign, copy].map((path) => existsSync(path))).toEqual([false, true, true, true]);
    const current = await stored(record);
    unwrap(await write((writer) => writer.remove(current)));
    expect([young, foreign, copy].map((path) => existsSync(path))).toEqual([true, true, false]);
  });

  test('NF28 a search and a creation in one turn are never interleaved', async () => {
    const inside: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        write(
          async (writer) => {
            inside.push(index);
            const before = unwrap(await writer.scan(project, 'is-unavailable')).length;
            await sleep(1);
            expect(before).toBe(index);
            const created = await writer.create(sampleRecord());
            inside.push(index);
            return created;
          },
          index % 2 === 0 ? store : open(),
        ),
      ),
    );
    expect(inside).toEqual(Array.from({ length: 40 }, (_, index) => Math.floor(index / 2)));
    expect(await paths()).toHaveLength(20);
    expect(tree().filter((path) => path.startsWith('.'))).toEqual([]);
  });

  test('NF28 a turn that fails or throws lets the next one in', async () => {
    await expect(
      write(async () => {
        throw new Error('mine');
      }),
    ).rejects.toThrow('mine');
    const record = sampleRecord();
    await create(record);
    expect(codeOf(await write((writer) => writer.create(record)))).toBe('conflict write_conflict');
    await create(sampleRecord());
    expect(tree().filter((path) => path.startsWith('.'))).toEqual([]);
  });

  test('NF28 a writer is of no use after its turn', async () => {
    let kept: NotebookWriter | undefined;
    await write(async (writer) => {
      kept = writer;
      return ok(null);
    });
    await expect(kept?.create(sampleRecord())).rejects.toThrow('after its turn');
    await expect(kept?.scan(project, 'is-empty')).rejects.toThrow('after its turn');
  });

  test('NF29 closing waits for what is under way and refuses the rest', async () => {
    const record = sampleRecord();
    const writing = write((writer) => writer.create(record));
    await store.close();
    expect(existsSync(join(root, fileOf(record)))).toBe(true);
    expect(codeOf(await writing)).toBe('ok');
    expect(codeOf(await store.scan(project, 'is-empty'))).toBe(unavailable);
    expect(codeOf(await store.read(referenceOf(record)))).toBe(unavailable);
    expect(codeOf(await write((writer) => writer.create(sampleRecord())))).toBe(unavailable);
  });
});
