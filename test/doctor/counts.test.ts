/** The numbers of the doctor beside those of the statistics, on a project whose files are of every kind. */
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { diagnose } from '../../src/engine/code/doctor.ts';
import { type MindBox, mindBoxes } from '../index/mind-box.ts';
import { answerOf } from '../index/open-minds.ts';

const boxes = mindBoxes();

const binary = Buffer.from([0x00, 0xff, 0xfe, 0x00, 0x01, 0x02, 0x00, 0xff]);

/** Files in the index and files that can be, as the doctor counts them, and what it says of documents. */
async function counted(box: MindBox): Promise<{ readonly index: string; readonly files: string; documents: string }> {
  const findings = await diagnose(box.root, { userHome: '/nonexistent', daemonHome: '/nonexistent/.neuralmind' });
  const said = (name: string): string => {
    const finding = findings.find(({ check }) => check === name);
    if (finding?.state !== 'ok') throw new Error(JSON.stringify(finding));
    return finding.message;
  };
  return { index: said('index').replace(/, built .*/, ''), files: said('files'), documents: said('documents') };
}

test('DR24: the doctor counts the files that statistics count, whatever is skipped, left out or gone', async () => {
  const box = boxes.boxOf({
    'src/a.ts': 'export const a = 1;\n',
    'src/b.ts': 'export const b = 1;\n',
    'src/c.ts': 'export const c = 1;\n',
    'src/packed.js': binary,
    'src/other.py': binary,
    'data.unknown': 'x',
    'notes.one': 'Ships are moored.\n',
    'notes.two': 'Ships are loaded.\n',
    'notes.three': 'Ships are painted.\n',
    'guide.md': '# Guide\n',
  });
  symlinkSync('src/a.ts', path.join(box.root, 'link.ts'));
  await box.index();
  for (const name of ['notes.one', 'notes.two', 'notes.three', 'guide.md'])
    answerOf(await box.mind.addDocument({ path: name, content_type: 'auto' }));
  const stats = await box.stats();
  expect(stats).toMatchObject({ files: 7, skipped: { binary: 2, link: 1 } });
  expect(await counted(box)).toEqual({
    index: '7 files (2 more left out when read)',
    files: '7 files of this project can be indexed.',
    documents: '4 documents added by hand.',
  });
  box.remove('notes.one');
  box.remove('src/b.ts');
  box.remove('src/other.py');
  box.write('notes.two', binary);
  answerOf(await box.mind.removeDocument({ path: 'notes.three' }));
  await box.index();
  expect(await box.stats()).toMatchObject({ files: 3, skipped: { binary: 2 } });
  expect(await counted(box)).toEqual({
    index: '3 files (2 more left out when read)',
    files: '3 files of this project can be indexed.',
    documents: '2 documents added by hand, 1 more gone.',
  });
});

test('DR24: a project whose files were all left out when they were read has none that can be indexed', async () => {
  const box = boxes.boxOf({ 'a.js': binary, 'b.py': binary });
  await box.index();
  expect(await box.stats()).toMatchObject({ files: 0, skipped: { binary: 2 } });
  const findings = await diagnose(box.root, { userHome: '/nonexistent', daemonHome: '/nonexistent/.neuralmind' });
  expect(findings.find(({ check }) => check === 'files')).toMatchObject({
    state: 'fault',
    message: 'No file of this project can be indexed: 1 excluded-folder, 2 binary.',
  });
});

test('DO33: with the last file of a project its last words leave the index', async () => {
  const box = boxes.boxOf({ 'notes.one': 'Ships are moored at Zanzibar.\n' });
  answerOf(await box.mind.addDocument({ path: 'notes.one', content_type: 'auto' }));
  expect(await box.found('zanzibar')).toHaveLength(1);
  answerOf(await box.mind.removeDocument({ path: 'notes.one' }));
  expect(await box.found('zanzibar')).toEqual([]);
  expect(await box.stats()).toMatchObject({ files: 0, nodes: 0, freshness: { state: 'fresh' } });
});
