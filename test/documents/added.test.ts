/** Documents that are added by hand, asked for through the code mind. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { mindBoxes } from '../index/mind-box.ts';
import { answerOf } from '../index/open-minds.ts';
import { pageOf, writtenPdf } from './written-pdf.ts';

const { boxOf } = mindBoxes();

test('DO35: a document that a hand listed twice is listed, built and removed once', async () => {
  const box = boxOf({ 'a.py': 'A = 1\n', 'notes.one': 'Ships are moored at Zanzibar.\n' });
  await box.index();
  const list = path.join(box.root, '.neuralmind', 'documents.json');
  const entry = { path: 'notes.one', content_type: 'auto', added_at: '2026-11-30T12:00:00Z' };
  writeFileSync(list, JSON.stringify({ version: 1, documents: [entry, { ...entry, content_type: 'markdown' }] }));
  await box.index();
  expect(await box.stats()).toMatchObject({ files: 2, freshness: { state: 'fresh' } });
  expect(answerOf(await box.mind.documents()).items).toMatchObject([
    { file_path: 'notes.one', content_type: 'markdown', kind: 'markdown', state: 'fresh' },
  ]);
  expect(answerOf(await box.mind.addDocument({ path: 'notes.one', content_type: 'markdown' }))).toMatchObject({
    already_indexed: true,
  });
  expect(answerOf(await box.mind.removeDocument({ path: 'notes.one' }))).toEqual({ removed: 'notes.one' });
  expect(answerOf(await box.mind.documents()).items).toEqual([]);
  expect(await box.found('zanzibar')).toEqual([]);
  expect(JSON.parse(readFileSync(list, 'utf8'))).toMatchObject({ documents: [] });
});

test('DO36: source code is no document, whether or not it is listed; what is a document by its content is', async () => {
  const code = {
    'src/a.py': 'def a():\n    return 1\n',
    'src/b.ts': 'export const b = 1;\n',
    'tools/run': '#!/usr/bin/env bash\necho run\n',
    'query.sql': 'CREATE TABLE ships (name TEXT);\n',
    'ignored/c.rb': 'def c; end\n',
  };
  const box = boxOf({
    ...code,
    '.gitignore': 'ignored/\n',
    'ignored/print.py': writtenPdf([pageOf('Ships are moored.')]),
    'words.txt': 'Ships.\n',
    'notes.custom': 'Ships.\n',
    'api.yaml': 'openapi: 3.1.0\npaths: {}\n',
    'guide.md': '# Guide\n',
  });
  execFileSync('git', ['init', '--quiet', '--template='], { cwd: box.root, stdio: 'pipe' });
  for (const [name, language] of Object.entries({
    'src/a.py': 'python',
    'src/b.ts': 'typescript',
    'tools/run': 'bash',
    'query.sql': 'sql',
    'ignored/c.rb': 'ruby',
  })) {
    for (const content_type of ['auto', 'text', 'markdown'] as const) {
      expect(await box.mind.addDocument({ path: name, content_type }), name).toMatchObject({
        ok: false,
        failure: {
          code: 'validation_error',
          errors: [
            {
              loc: ['path'],
              msg: `is source code (${language}), which is indexed as code without being added`,
              type: 'document_unsupported',
            },
          ],
        },
      });
    }
  }
  expect(answerOf(await box.mind.documents()).items).toEqual([]);
  const kinds: string[] = [];
  for (const name of ['ignored/print.py', 'words.txt', 'notes.custom', 'api.yaml', 'guide.md']) {
    const added = answerOf(await box.mind.addDocument({ path: name, content_type: 'auto' }));
    kinds.push(added.content_type);
  }
  expect(kinds).toEqual(['pdf', 'text', 'text', 'text', 'markdown']);
});
