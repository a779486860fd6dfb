/** A repository that means harm or was merely unlucky, from the build to the answers. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { mindBoxes } from './mind-box.ts';
import { answerOf, outcomeOf } from './open-minds.ts';

vi.setConfig({ testTimeout: 120_000 });

const { boxOf } = mindBoxes();
const isRoot = process.getuid?.() === 0;
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function outside(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'outside-'));
  folders.push(folder);
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
  return folder;
}

const python = (name: string): string => `def ${name}():\n    pass\n`;

test('HR22: links are never followed, out of the tree or in a circle, and each is listed', async () => {
  const folder = outside({ 'secret.py': python('xylophone'), 'secret.md': '# Xylophone\n' });
  const box = boxOf({ 'a.py': python('inside'), 'sub/b.py': python('below') });
  symlinkSync(path.join(folder, 'secret.py'), path.join(box.root, 'out.py'));
  symlinkSync(folder, path.join(box.root, 'outfolder'));
  symlinkSync('..', path.join(box.root, 'sub/loop'));
  symlinkSync('self.py', path.join(box.root, 'self.py'));
  symlinkSync('a.py', path.join(box.root, 'twin.py'));
  await box.index();
  expect(await box.stats()).toMatchObject({ files: 2, symbols: 2 });
  expect(await box.skipped()).toEqual([
    'out.py link-out-of-project',
    'outfolder link-out-of-project',
    'self.py link',
    'sub/loop link',
    'twin.py link',
  ]);
  expect(box.content().join('\n')).not.toContain('xylophon');
  const added = await box.mind.addDocument({ path: 'outfolder/secret.md', content_type: 'auto' });
  expect(outcomeOf(added)).not.toBe('ok');
});

test('HR40: a file or folder that became a link after it was indexed shows nothing of what it leads to', async () => {
  const folder = outside({ 'a.md': '# Apples\n\nXylophone words.\n', 'b.md': '# Apples\n\nXylophone words.\n' });
  const box = boxOf({ 'a.md': '# Apples\n\nHarmless a words.\n', 'docs/b.md': '# Apples\n\nHarmless b words.\n' });
  await box.index();
  expect((await box.query('apples')).context).toContain('Harmless');
  box.remove('a.md');
  box.remove('docs');
  symlinkSync(path.join(folder, 'a.md'), path.join(box.root, 'a.md'));
  symlinkSync(folder, path.join(box.root, 'docs'));
  expect((await box.query('apples')).context).not.toContain('Xylophone');
  expect(outcomeOf(await box.mind.build({ force: false }))).toBe('ok');
  expect(await box.stats()).toMatchObject({ files: 0 });
  expect((await box.query('apples')).context).not.toContain('Harmless');
  box.write('c.py', python('c'));
  await box.index();
  expect(await box.stats()).toMatchObject({ files: 1 });
  expect(box.content().join('\n')).not.toContain('xylophon');
});

test('HR41: a folder of the index that is a link, or an index that is one, is refused and nothing is written through it', async () => {
  const folder = outside({});
  const box = boxOf({ 'a.py': python('a') });
  symlinkSync(folder, path.join(box.root, '.neuralmind'));
  for (const outcome of [await box.mind.build({ force: true }), await box.mind.search({ query: 'a', n: 3 })]) {
    expect(outcomeOf(outcome)).toBe('unavailable foreign');
  }
  expect(readdirSync(folder)).toEqual([]);
  rmSync(path.join(box.root, '.neuralmind'));
  mkdirSync(path.join(box.root, '.neuralmind'));
  symlinkSync(path.join(folder, 'there.db'), box.indexFile);
  expect(outcomeOf(await box.mind.build({ force: true }))).toBe('unavailable foreign');
  expect(readdirSync(folder)).toEqual([]);
});

test('HR23: every encoding and line end gives the same symbols on the same lines, under paths with a plain slash', async () => {
  const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
  const text = '# Grüße\r\n\r\n\r\ndef fourth():\r\n    pass\r\n';
  const box = boxOf({
    'le/x.py': wide(`\uFEFF${text}`),
    'be/x.py': wide(`\uFEFF${text}`).swap16(),
    'bare/x.py': wide(text),
    'bom/x.py': `\uFEFF${text}`,
    'latin/x.py': Buffer.from(text, 'latin1'),
    'lf/x.py': text.replaceAll('\r', ''),
    '资料/模块.py': 'class 用户:\n    def 名前(self):\n        pass\n',
  });
  await box.index();
  const places = (await box.search('fourth', 20)).results.filter((hit) => hit.label.startsWith('fourth'));
  const folders = ['bare', 'be', 'bom', 'latin', 'le', 'lf'];
  expect(places.map((hit) => `${hit.id}:${hit.start_line}`).sort()).toEqual(
    folders.map((folder) => `symbol:${folder}/x.py#fourth:4`),
  );
  for (const word of ['名前', '用户', '模块']) {
    expect((await box.search(word)).results[0]).toMatchObject({ source_file: '资料/模块.py' });
  }
  expect((await box.query('where is 名前')).context).toContain('资料/模块.py');
  expect(await box.neighbours('用户', 'members')).toEqual(['members symbol:资料/模块.py#用户.名前']);
});

const names = [
  'a#b.py',
  'with space.py',
  `quo'te".py`,
  'new\nline.py',
  'back\\slash.py',
  '-rf.py',
  '$(touch x).py',
  '%2e%2e.py',
  '[a-z]*.py',
  ':(exclude)x.py',
  '__proto__.py',
  '__proto__/x.py',
  'constructor/constructor.py',
  'toString/valueOf.py',
  '한국어.py',
  'ßẞ.py',
  'Case.py',
  'case.py',
  'na-me.py',
  'na_me.py',
];

test('HR42: a file of any name is found, outlined and asked about by its own id, and no name breaks a line of an answer', async () => {
  const box = boxOf(
    Object.fromEntries(
      names.map((name, at) => [name, `def unique${at}():\n    pass\n\n\ndef user${at}():\n    unique${at}()\n`]),
    ),
  );
  await box.index();
  expect(await box.stats()).toMatchObject({ files: names.length, symbols: names.length * 2, skipped: {} });
  for (const [at, name] of names.entries()) {
    const id = `symbol:${name}#unique${at}`;
    expect((await box.search(`unique${at}`)).results[0]).toMatchObject({ id, source_file: name });
    expect(await box.dependents(id)).toEqual([`callers symbol:${name}#user${at}`]);
    const outline = answerOf(await box.mind.skeleton({ file_path: name, offset: 0 }));
    expect(outline).toMatchObject({ source_file: name, symbols: 2 });
    const { context } = await box.query(`unique${at}`);
    expect(context.split('\n').filter((line) => line.startsWith('line.py'))).toEqual([]);
  }
  expect(box.content()).toEqual(await box.freshContent());
});

test('HR43: symbols with names of the language itself are symbols like others', async () => {
  const inherited = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'];
  const box = boxOf({
    'a.js': inherited.map((name) => `export function ${name}() {}\n`).join(''),
    'b.js': `import * as a from './a.js';\nexport function callsAll() {\n${inherited.map((name) => `  a.${name}();\n`).join('')}}\n`,
    'c.py': inherited.map((name) => `class ${name}:\n    pass\n\n\n`).join(''),
    'x.constructor': 'no language',
    'x.__proto__': 'no language',
  });
  await box.index();
  for (const name of inherited) {
    expect(await box.neighbours(`a.js#${name}`, 'callers'), name).toEqual(['callers symbol:b.js#callsAll']);
    expect(await box.resolution(`c.py#${name}`)).toBe('exact');
    expect((await box.search(name)).results.map((hit) => hit.id)).toContain(`symbol:a.js#${name}`);
    expect((await box.query(name)).context).toContain('a.js');
  }
  expect((await box.stats()).skipped).toEqual({ 'unknown-language': 2 });
});

test('HR44: what stands after a syntax error is found, on its line, and so are cells of a notebook and an empty file', async () => {
  const cell = (type: string, source: string): unknown => ({ cell_type: type, source: source.split(/(?<=\n)/) });
  const notebook = { cells: [cell('markdown', '# Title\n'), cell('code', 'def incell():\n    pass\n')], nbformat: 4 };
  const box = boxOf({
    'broken.py': 'def before(): pass\n\ndef half(:\n  x = = 3\n\nclass After:\n    def inside(self): pass\n',
    'broken.ts': 'export function beforets() {}\n@@ ## ??? {{{ \nexport function afterts() {}\n',
    'n.ipynb': JSON.stringify(notebook, null, 1),
    'empty.py': '',
    'blank.md': '\n\n',
  });
  await box.index();
  expect(await box.found('After')).toContain('symbol:broken.py#After:6');
  expect(await box.found('afterts')).toContain('symbol:broken.ts#afterts:3');
  const inCell = (await box.search('incell')).results[0];
  expect(inCell).toMatchObject({ source_file: 'n.ipynb', label: 'incell' });
  const lines = readFileSync(path.join(box.root, 'n.ipynb'), 'utf8').split('\n');
  expect(lines[(inCell?.start_line ?? 0) - 1]).toContain('def incell');
  expect(answerOf(await box.mind.skeleton({ file_path: 'empty.py', offset: 0 }))).toMatchObject({ symbols: 0 });
});

test('HR45: a folder of three thousand files is built while files go, and the next build equals a fresh one', async () => {
  const files = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`many/f${at}.py`, python(`f${at}`)]));
  const box = boxOf(files);
  let gone = 0;
  const built = await box.mind.build(
    { force: false },
    {
      onProgress({ phase }) {
        if (phase !== 'read' || gone >= 400) return;
        gone += 1;
        rmSync(path.join(box.root, `many/f${3_000 - gone}.py`), { force: true });
      },
    },
  );
  expect(outcomeOf(built)).toBe('ok');
  expect(gone).toBe(400);
  await box.index();
  expect(await box.stats()).toMatchObject({ files: 2_600, symbols: 2_600, skipped: {} });
  expect((await box.search('f2599')).results[0]).toMatchObject({ id: 'symbol:many/f2599.py#f2599' });
  expect(await box.resolution('f2999')).not.toBe('exact');
  expect(box.content()).toEqual(await box.freshContent());
});

test('HR46: two hundred folders within one another are read to the last', async () => {
  const deep = `${'d/'.repeat(200)}x.py`;
  const box = boxOf({ [deep]: `from . import y\n\n\n${python('deepest')}` });
  await box.index();
  expect((await box.search('deepest')).results[0]).toMatchObject({ id: `symbol:${deep}#deepest` });
  expect((await box.query('deepest', 1_000)).context).toContain('deepest');
});

test.skipIf(isRoot)('HR47: a file or folder that may not be read is listed, and read once it may be', async () => {
  const box = boxOf({ 'a.py': python('a'), 'closed.py': python('closed'), 'shut/b.py': python('b') });
  chmodSync(path.join(box.root, 'closed.py'), 0);
  chmodSync(path.join(box.root, 'shut'), 0);
  try {
    await box.index();
    expect(await box.skipped()).toEqual(['closed.py unreadable', 'shut/ unreadable']);
    expect(await box.resolution('a')).toBe('exact');
    // What stays closed is no change.
    expect((await box.index()).changed).toBe(false);
    expect((await box.stats()).freshness.state).toBe('fresh');
  } finally {
    chmodSync(path.join(box.root, 'closed.py'), 0o600);
    chmodSync(path.join(box.root, 'shut'), 0o700);
  }
  await box.index();
  expect(await box.resolution('closed')).toBe('exact');
  expect(box.content()).toEqual(await box.freshContent());
});

test.skipIf(isRoot)('HR48: an index in a folder that may not be written is unavailable and ends nothing', async () => {
  const box = boxOf({ 'a.py': python('a') });
  await box.index();
  const folder = path.dirname(box.indexFile);
  chmodSync(folder, 0o500);
  try {
    box.write('b.py', python('b'));
    expect(outcomeOf(await box.mind.build({ force: false }))).toBe('unavailable unreadable');
    chmodSync(folder, 0);
    expect(outcomeOf(await box.mind.build({ force: false }))).toBe('unavailable unreadable');
    expect(outcomeOf(await box.mind.search({ query: 'a', n: 3 }))).toBe('unavailable unreadable');
  } finally {
    chmodSync(folder, 0o700);
  }
  await box.index();
  expect(box.content()).toEqual(await box.freshContent());
});
