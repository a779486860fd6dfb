import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { launcher } from './processes.ts';

const bin = dirname(launcher);
const manifest = JSON.parse(readFileSync(join(bin, '..', 'package.json'), 'utf8')) as { engines: { node: string } };
const range = manifest.engines.node;
/** Nothing that is there for the tests alone may change what is seen. */
const env = { PATH: process.env['PATH'] };
const folder = mkdtempSync(join(tmpdir(), 'launcher-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Launcher {
  satisfies(version: string, range: string): boolean;
  complaint(version: string, range: string): string | null;
}
const { satisfies, complaint } = (await import(launcher)) as Launcher;

test.each(['22.22.2', '22.23.0', '22.100.1', '24.15.0', '24.99.0', '26.0.0', '27.1.0', '100.0.0'])(
  'CL17 Node %s may run the program',
  (version) => {
    expect(satisfies(version, range)).toBe(true);
    expect(complaint(version, range)).toBeNull();
  },
);

test.each(['12.0.0', '18.20.4', '20.20.2', '22.22.1', '22.9.0', '23.11.0', '24.14.9', '25.0.0', '25.9.1'])(
  'CL17 Node %s is told which versions can',
  (version) => {
    expect(satisfies(version, range)).toBe(false);
    expect(complaint(version, range)).toBe(
      `mnemosyne: unsupported_node: this is Node ${version}; Mnemosyne needs Node 22 from 22.22.2 on, or 24 from 24.15.0 on, or 26.0.0 or newer`,
    );
  },
);

test('CL17 a range in a form that is not understood is an error, not a permission', () => {
  expect(() => satisfies('22.22.2', '~22.22.2')).toThrow();
});

/** Any Node on this machine that may not run the program. */
function unsuitableNode(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
  return folders
    .map((directory) => join(directory, 'node'))
    .filter((path) => existsSync(path))
    .find(
      (path) =>
        !satisfies(execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8', env }).trim(), range),
    );
}
const unsuitable = unsuitableNode();

test.skipIf(unsuitable === undefined)(
  'CL17 an unsuitable Node of this machine ends with 1 and loads nothing else',
  () => {
    const { status, stdout, stderr } = spawnSync(unsuitable ?? '', [launcher, '--version'], { encoding: 'utf8', env });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^mnemosyne: unsupported_node: this is Node [\d.]+; Mnemosyne needs Node .+\n$/);
  },
);

test('CL18 started from source nothing but the answer is printed', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, '--version'], { encoding: 'utf8', env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each(['mnemosyne-dev', 'mnemosyne-test'])('CL18 %s outside a checkout hints at one and ends with 1', (name) => {
  cpSync(bin, join(folder, 'bin'), { recursive: true });
  expect(readdirSync(folder)).toEqual(['bin']);
  const script = join(folder, 'bin', `${name}.mjs`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain(`${name} works in a checkout`);
});
