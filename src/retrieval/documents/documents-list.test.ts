import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DocumentsList, type ListedDocument } from './documents-list.ts';

let root: string;
const file = (): string => path.join(root, '.neuralmind', 'documents.json');

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'documents-list-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function entry(name: string, type: ListedDocument['content_type'] = 'auto'): ListedDocument {
  return { path: name, content_type: type, added_at: '2026-11-30T12:00:00Z' };
}

function listed(): readonly string[] {
  const read = new DocumentsList(root).read();
  if (!read.ok) throw new Error(read.message);
  return read.documents.map((one) => `${one.path} ${one.content_type}`);
}

test('DO23: documents are listed in the order they were added, in a file with version and members', async () => {
  const list = new DocumentsList(root);
  expect(list.read()).toEqual({ ok: true, documents: [] });
  expect(existsSync(path.join(root, '.neuralmind'))).toBe(false);
  expect(await list.add(entry('b.pdf', 'pdf'))).toEqual({ ok: true, changed: true });
  expect(await list.add(entry('a/c.md'))).toEqual({ ok: true, changed: true });
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({
    version: 1,
    documents: [
      { path: 'b.pdf', content_type: 'pdf', added_at: '2026-11-30T12:00:00Z' },
      { path: 'a/c.md', content_type: 'auto', added_at: '2026-11-30T12:00:00Z' },
    ],
  });
  expect(readdirSync(path.dirname(file())).sort()).toEqual(['.gitignore', 'documents.json']);
});

test('DO24: a document is listed once; another type is taken over, and what is not listed is not removed', async () => {
  const list = new DocumentsList(root);
  await list.add(entry('a.md'));
  await list.add(entry('b.md'));
  expect(await list.add({ ...entry('a.md'), added_at: '2026-12-01T00:00:00Z' })).toEqual({ ok: true, changed: false });
  expect(await list.add(entry('a.md', 'text'))).toEqual({ ok: true, changed: true });
  expect(listed()).toEqual(['a.md text', 'b.md auto']);
  expect(await list.remove('none.md')).toEqual({ ok: true, changed: false });
  expect(await list.remove('a.md')).toEqual({ ok: true, changed: true });
  expect(listed()).toEqual(['b.md auto']);
});

test('DO28: a list that a repository brings along makes no document of what never is one, and keeps its lines', async () => {
  mkdirSync(path.dirname(file()));
  const documents = ['.git/config', 'a.md', '.neuralmind/index.db', '.env'].map((name) => entry(name));
  writeFileSync(file(), JSON.stringify({ version: 1, documents }));
  expect(listed()).toEqual(['a.md auto']);
  await new DocumentsList(root).add(entry('b.md'));
  expect(listed()).toEqual(['a.md auto', 'b.md auto']);
  expect(readFileSync(file(), 'utf8')).toContain('.git/config');
});

test('DO25: a damaged, foreign or later file is named, refused and left as it is', async () => {
  mkdirSync(path.dirname(file()));
  const damaged = [
    '{"version":1,"documents":[',
    '{"version":2,"documents":[]}',
    '{"version":1,"documents":[{"path":"../out.md","content_type":"auto","added_at":"x"}]}',
    '{"version":1,"documents":[{"path":"a.md","content_type":"video","added_at":"x"}]}',
    '',
  ];
  for (const text of damaged) {
    writeFileSync(file(), text);
    const list = new DocumentsList(root);
    const refusal = { ok: false, message: '.neuralmind/documents.json is not understood; it was not changed.' };
    expect(list.read()).toEqual(refusal);
    expect(await list.add(entry('a.md'))).toEqual(refusal);
    expect(await list.remove('a.md')).toEqual(refusal);
    expect(readFileSync(file(), 'utf8')).toBe(text);
  }
  rmSync(file());
  symlinkSync('/etc/hostname', file());
  expect(new DocumentsList(root).read()).toEqual({
    ok: false,
    message: '.neuralmind/documents.json is a symbolic link.',
  });
});

test('DO26: members that a later release adds are kept', async () => {
  mkdirSync(path.dirname(file()));
  const known = { ...entry('a.md'), title: 'A' };
  writeFileSync(file(), JSON.stringify({ version: 1, note: 'kept', documents: [known] }), { mode: 0o644 });
  await new DocumentsList(root).add(entry('b.md'));
  const content: unknown = JSON.parse(readFileSync(file(), 'utf8'));
  expect(content).toEqual({ version: 1, note: 'kept', documents: [known, entry('b.md')] });
});

test('DO27: what two processes and many calls add at once is all there', async () => {
  const module = new URL('./documents-list.ts', import.meta.url).href;
  const script = `
    const { DocumentsList } = await import(${JSON.stringify(module)});
    const list = new DocumentsList(${JSON.stringify(root)});
    for (let at = 0; at < 8; at += 1) {
      const done = await list.add({ path: process.argv[1] + at + '.md', content_type: 'auto', added_at: 'now' });
      if (!done.ok) throw new Error(done.message);
    }`;
  const runs = ['x', 'y'].map(
    (name) =>
      new Promise<number | null>((done) => {
        const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script, name];
        spawn(process.execPath, options, { stdio: ['ignore', 'inherit', 'inherit'] }).on('exit', done);
      }),
  );
  const list = new DocumentsList(root);
  await Promise.all(Array.from({ length: 8 }, (_, at) => list.add(entry(`z${at}.md`))));
  expect(await Promise.all(runs)).toEqual([0, 0]);
  expect(new Set(listed()).size).toBe(24);
  expect(readdirSync(path.dirname(file())).sort()).toEqual(['.gitignore', 'documents.json']);
});

test('DO35: a document that a hand listed twice counts once, at its first place with its last type, and goes whole', async () => {
  mkdirSync(path.dirname(file()));
  const later = { ...entry('a.md', 'text'), added_at: '2026-12-01T00:00:00Z', note: 'kept' };
  const twice = JSON.stringify({ version: 1, documents: [entry('a.md'), entry('b.md'), later, entry('b.md')] });
  writeFileSync(file(), twice);
  const list = new DocumentsList(root);
  expect(listed()).toEqual(['a.md text', 'b.md auto']);
  expect(list.read()).toMatchObject({ documents: [{ added_at: '2026-11-30T12:00:00Z' }, {}] });
  // Nothing to do leaves the file as the hand left it.
  expect(await list.add(entry('a.md', 'text'))).toEqual({ ok: true, changed: false });
  expect(readFileSync(file(), 'utf8')).toBe(twice);
  expect(await list.add(entry('b.md', 'text'))).toEqual({ ok: true, changed: true });
  expect(listed()).toEqual(['a.md text', 'b.md text']);
  expect(JSON.parse(readFileSync(file(), 'utf8')).documents).toHaveLength(2);
  writeFileSync(file(), twice);
  expect(await list.remove('a.md')).toEqual({ ok: true, changed: true });
  expect(listed()).toEqual(['b.md auto']);
});
