/** What a fresh clone says while npm installs the locked packages. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempFolder } from '../projects/temp-repository.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A checkout of the first steps alone, beside an npm that says what `script` says. */
function checkout(script: string) {
  const folder = tempFolder();
  for (const name of ['scripts', 'bin']) mkdirSync(path.join(folder, name));
  for (const file of [
    'scripts/run.mjs',
    'scripts/npm-ci.mjs',
    'scripts/build-state.mjs',
    'scripts/start-arguments.mjs',
    'bin/node-version.mjs',
  ]) {
    copyFileSync(path.join(root, file), path.join(folder, file));
  }
  writeFileSync(path.join(folder, 'package-lock.json'), '{}');
  const npm = path.join(folder, 'npm.mjs');
  writeFileSync(
    npm,
    `import { mkdirSync } from 'node:fs';\nmkdirSync('node_modules', { recursive: true });\n${script}\n`,
  );
  // A program that does nothing stands for the Node that came with the packages.
  const idle = path.join(folder, 'idle');
  writeFileSync(idle, '#!/bin/sh\n', { mode: 0o755 });
  const ran = spawnSync(process.execPath, [path.join(folder, 'scripts/run.mjs'), 'format'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], npm_execpath: npm, MNEMOSYNE_NODE: idle },
  });
  return { folder, ...ran };
}

const warnings = [
  'npm warn EBADENGINE Unsupported engine {',
  "npm warn EBADENGINE   package: 'dep@1.0.0',",
  'npm warn EBADENGINE }',
].join('\\n');

test('SU7 while the packages are installed nothing is said of the Node that npm runs on, and everything else is', () => {
  const script = `console.error('${warnings.replaceAll("'", "\\'")}\\nnpm warn deprecated old@1.0.0: use new');`;
  const { folder, status, stdout, stderr } = checkout(`${script}\nconsole.log('added 3 packages');`);
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  expect(stderr.split('\n').sort()).toEqual([
    '',
    'Installing the locked packages ...',
    'added 3 packages',
    'npm warn deprecated old@1.0.0: use new',
  ]);
  expect(readFileSync(path.join(folder, 'node_modules/.installed-lock'), 'utf8')).toMatch(/^[0-9a-f]{64}$/);
});

test('SU7 an installation that fails shows what npm said and ends with its code', () => {
  const script = "console.error('npm error code EBADENGINE\\nnpm error engine Not compatible'); process.exitCode = 7;";
  const { folder, status, stderr } = checkout(script);
  expect(status).toBe(7);
  expect(stderr.split('\n')).toEqual([
    'Installing the locked packages ...',
    'npm error code EBADENGINE',
    'npm error engine Not compatible',
    'The packages could not be installed; see the messages of npm above.',
    '',
  ]);
  expect(() => readFileSync(path.join(folder, 'node_modules/.installed-lock'))).toThrow('ENOENT');
});
