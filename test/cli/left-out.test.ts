/** A project of which whole folders are in no index: the build names them. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { type CommandBox, commandBox } from './command-box.ts';

vi.setConfig({ testTimeout: 60_000 });

/** A folder outside git. */
function folderOf(box: CommandBox, files: Readonly<Record<string, string>>): string {
  const root = path.join(box.home, 'src', 'plain');
  rmSync(root, { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return root;
}

test('CC27 a build that left out whole folders and has little else names some of them, and its failure does', async () => {
  const box = commandBox();
  const built = {
    'dist/app.js': 'a();\n',
    'node_modules/a/a.js': 'a();\n',
    'out/b.js': 'b();\n',
    'venv/c.py': 'c = 1\n',
  };
  const only = await box.cli(['build', folderOf(box, { 'package.json': '{}', ...built })]);
  expect(only).toMatchObject({ code: 0, stderr: '' });
  expect(only.stdout).toMatch(/^Left out whole: dist\/, node_modules\/, out\/ and 1 more\.$/m);
  const nothing = await box.cli(['build', folderOf(box, { 'node_modules/a/a.js': 'a();\n' })]);
  expect(nothing.code).toBe(4);
  expect(nothing.stderr).toContain('excluded-folder (node_modules/)');
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`src/a${at}.py`, `A = ${at}\n`]));
  const most = await box.cli(['build', folderOf(box, { ...many, 'node_modules/a/a.js': 'a();\n' })]);
  expect(most.stdout).not.toContain('Left out whole');
  const json = await box.cli(['build', folderOf(box, { 'package.json': '{}', ...built }), '--json']);
  expect(json.stdout).not.toContain('Left out whole');
});
