import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentLimits } from '../../base/limits.ts';
import { documentPath, readDocumentFile } from './document-path.ts';

let folder: string;
let root: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'document-path-')));
  root = path.join(folder, 'project');
  mkdirSync(path.join(root, 'docs', 'deep'), { recursive: true });
  mkdirSync(path.join(folder, 'project-2'));
  writeFileSync(path.join(root, 'docs', 'deep', 'Führer 用户.md'), 'words');
  writeFileSync(path.join(root, '..hidden.md'), 'dots');
  writeFileSync(path.join(folder, 'secret.md'), 'secret');
  writeFileSync(path.join(folder, 'project-2', 'a.md'), 'other');
  symlinkSync('docs/deep/Führer 用户.md', path.join(root, 'link.md'));
  symlinkSync('../secret.md', path.join(root, 'out.md'));
  symlinkSync('..', path.join(root, 'up'));
  symlinkSync('docs', path.join(root, 'papers'));
  symlinkSync('nowhere', path.join(root, 'dangling.md'));
  symlinkSync(root, path.join(folder, 'entry'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function answer(given: string, from = root): Promise<string> {
  const found = await documentPath(from, given);
  return found.kind === 'refused' ? found.reason : found.path;
}

test('DO18: a path inside the project is answered from its root, however it was given', async () => {
  const name = 'docs/deep/Führer 用户.md';
  expect(await answer(name)).toBe(name);
  expect(await answer(`./docs/../docs/deep//Führer 用户.md`)).toBe(name);
  expect(await answer(path.join(root, name))).toBe(name);
  expect(await answer(path.join(folder, 'entry', name), path.join(folder, 'entry'))).toBe(name);
  expect(await answer(path.join(root, name), path.join(folder, 'entry'))).toBe(name);
  expect(await answer('..hidden.md')).toBe('..hidden.md');
});

test('DO19: what leads out is refused by the path alone, whether or not it exists', async () => {
  for (const given of ['../secret.md', '../nothing.md', 'docs/../../secret.md', '/etc/passwd', '..', '.', '', 'a\0b']) {
    expect(await answer(given), given).toBe('outside');
  }
  expect(await answer(path.join(folder, 'project-2', 'a.md'))).toBe('outside');
});

test('DO20: links are refused, those out of the project as such, also as a folder on the way', async () => {
  expect(await answer('link.md')).toBe('link');
  expect(await answer('papers/deep/Führer 用户.md')).toBe('link');
  expect(await answer('out.md')).toBe('link-out');
  expect(await answer('up/secret.md')).toBe('link-out');
  expect(await answer('dangling.md')).toBe('link-out');
});

test('DO28: what git and Mnemosyne keep in a project, and files of keys, are refused by name, there or not', async () => {
  mkdirSync(path.join(root, '.neuralmind'));
  writeFileSync(path.join(root, '.neuralmind', 'audit_events.jsonl'), '{}');
  const internal = ['.neuralmind/audit_events.jsonl', '.git', '.git/config', 'sub/.git/HEAD', 'docs/../.Git/config'];
  for (const given of [...internal, path.join(root, '.NEURALMIND', 'index.db')]) {
    expect(await answer(given), given).toBe('internal');
  }
  for (const given of ['.env', 'app/.env.local', '.npmrc', 'keys/server.pem', 'ID_RSA', '.ssh/config', 'a.KEY']) {
    expect(await answer(given), given).toBe('secret');
  }
  for (const given of ['.github/a.md', '.gitignore', 'git/a.md', 'keys.md']) {
    expect(await answer(given), given).toBe('missing');
  }
});

test('DO21: folders, pipes and what is not there are told apart, and no pipe is waited for', async () => {
  execFileSync('mkfifo', [path.join(root, 'pipe.md')]);
  expect(await answer('docs')).toBe('not-a-file');
  expect(await answer('pipe.md')).toBe('not-a-file');
  expect(await answer('docs/none.md')).toBe('missing');
  expect(await answer('..hidden.md/a')).toBe('missing');
  expect(await readDocumentFile(root, 'pipe.md')).toEqual({ kind: 'refused', reason: 'not-a-file' });
});

test('DO22: the bytes of a document are read through the same checks, and not when there are too many', async () => {
  const read = await readDocumentFile(root, 'docs/deep/Führer 用户.md');
  expect(read).toMatchObject({
    kind: 'read',
    path: 'docs/deep/Führer 用户.md',
    bytes: new TextEncoder().encode('words'),
  });
  expect(await readDocumentFile(root, 'out.md')).toEqual({ kind: 'refused', reason: 'link-out' });
  const large = path.join(root, 'large.md');
  writeFileSync(large, '');
  truncateSync(large, documentLimits.fileBytesMax + 1);
  expect(await readDocumentFile(root, 'large.md')).toEqual({ kind: 'refused', reason: 'too-large' });
});
