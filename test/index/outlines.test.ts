/** Outlines as people and agents read them, and what is said of a file that has none. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { mindBoxes } from './mind-box.ts';
import { answerOf } from './open-minds.ts';

const { boxOf } = mindBoxes();

test('CC17 a file without an outline is told with its reason, and one that does not exist as such', async () => {
  const box = boxOf({
    'app.py': 'def run(): pass\n',
    '.gitignore': 'secret.py\n',
    'secret.py': 'def a(): pass\n',
    'py.typed': '',
    'node_modules/x/index.js': 'export const a = 1;\n',
    'src/data.py': new Uint8Array([0, 1, 2, 0, 255]),
  });
  symlinkSync('app.py', path.join(box.root, 'link.py'));
  await box.index();
  writeFileSync(path.join(box.root, 'new.py'), 'def b(): pass\n');
  mkdirSync(path.join(box.root, 'empty'));
  const said = async (file_path: string): Promise<string> => {
    const outline = await box.mind.skeleton({ file_path, offset: 0 });
    if (outline.ok || outline.failure.code !== 'validation_error') return 'something else';
    const [problem] = outline.failure.errors;
    expect(problem).toMatchObject({ loc: ['file_path'], type: 'not_indexed' });
    return problem?.msg ?? '';
  };
  expect(await said('secret.py')).toBe('is left out of the index (ignored): an ignore rule names it');
  expect(await said('py.typed')).toMatch(/^is left out of the index \(unknown-language\): /);
  expect(await said('link.py')).toMatch(/^is left out of the index \(link\): /);
  expect(await said('src/data.py')).toBe('is left out of the index (binary): it is not text');
  expect(await said('node_modules/x/index.js')).toMatch(
    /^lies in node_modules\/, which is left out of the index \(excluded-folder\): /,
  );
  expect(await said('new.py')).toBe('is not in the index yet; catch up with: mnemosyne build');
  expect(await said('none.py')).toBe('there is no such file');
  expect(await said(path.join(box.root, 'none.py'))).toBe('there is no such file');
  expect(await said('app.py/none')).toBe('there is no such file');
  expect(await said('a\u0000b')).toBe('there is no such file');
  expect(await said('x'.repeat(300))).toBe('there is no such file');
  expect(await said('src')).toBe('is a folder; name a file in it');
  expect(await said('../app.py')).toBe('lies outside the project');
  expect(await said('/etc/hosts')).toBe('lies outside the project');
});

test('CC23 an outline shows the first line of a value and no marks of comments', async () => {
  const box = boxOf({
    'app.py': [
      '#: The types that a view returns.',
      '#: One of them is text.',
      'Value = Union[',
      '    str,  # as it is',
      '    bytes,',
      ']',
      'Short = Union[ str, bytes]',
      `LONG = ${JSON.stringify('x'.repeat(200))}`,
      '',
      'def run(',
      '    first,',
      '    second,',
      '):',
      '    pass',
      '',
    ].join('\n'),
  });
  await box.index();
  const { outline } = answerOf(await box.mind.skeleton({ file_path: 'app.py', offset: 0 }));
  const lines = outline.split('\n');
  expect(lines.slice(0, 2)).toEqual([
    '3-6  Value = Union[… — The types that a view returns.',
    '7  Short = Union[ str, bytes]',
  ]);
  expect(lines[2]).toMatch(/^8 {2}LONG = "x+…$/);
  expect([...(lines[2] ?? '')]).toHaveLength('8  '.length + 120 + 1);
  expect(lines[3]).toMatch(/^10-14 {2}def run\( first, second, \):$/);
});
