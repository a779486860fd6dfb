/** A copy of the program whose tables are damaged, asked on the command line. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkoutRoot } from '../source-files.ts';

const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'damaged-tables-')));
const program = path.join(home, 'program');
const project = path.join(home, 'project');

beforeAll(() => {
  mkdirSync(project);
  writeFileSync(path.join(project, 'cache.py'), 'def evict_expired():\n    """Drop stale answers."""\n');
  for (const name of ['src', 'assets', 'package.json', 'test/index/open-minds.ts']) {
    cpSync(path.join(checkoutRoot, name), path.join(program, name), { recursive: true });
  }
  symlinkSync(path.join(checkoutRoot, 'node_modules'), path.join(program, 'node_modules'));
  expect(run('build', project).status).toBe(0);
});

afterAll(() => {
  rmSync(home, { recursive: true });
});

function run(...args: readonly string[]) {
  const start = ['--disable-warning=ExperimentalWarning', path.join(program, 'src/main.ts'), ...args];
  return spawnSync(process.execPath, start, { encoding: 'utf8', env: { ...process.env, HOME: home }, timeout: 20_000 });
}

const query = () => run('query', 'drop stale replies', '--project', project, '--json', '--no-learn');

/** Does it with a table that is not whole, and puts it back. */
function withDamaged(name: string, damage: (whole: Buffer) => Buffer, act: () => void): void {
  const file = path.join(program, 'assets', name);
  const whole = readFileSync(file);
  writeFileSync(file, damage(Buffer.from(whole)));
  try {
    act();
  } finally {
    writeFileSync(file, whole);
  }
}

const damages: readonly (readonly [string, (whole: Buffer) => Buffer])[] = [
  ['cut off', (whole) => whole.subarray(0, whole.length >> 1)],
  ['zeroed', (whole) => whole.fill(0)],
];

test.each(damages)('RK35: with a list of related words that is %s, questions are answered without it', (_, damage) => {
  withDamaged('related-words/words.txt', damage, () => {
    const { status, stdout } = query();
    expect(status).toBe(0);
    expect(stdout).toContain('cache.py');
  });
});

test('RK35: a process that goes on answering tells that it has no list of related words', () => {
  const ask = `
    import { openMinds, projectAt } from ${JSON.stringify(path.join(program, 'test/index/open-minds.ts'))};
    const troubles = [];
    const minds = openMinds(troubles);
    const found = await minds.of(projectAt(${JSON.stringify(project)})).search({ query: 'evict', n: 3 });
    await minds.close();
    console.log(found.ok, troubles.join());`;
  const told = () =>
    spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', ask], {
      encoding: 'utf8',
      timeout: 20_000,
    }).stdout.trim();
  expect(told()).toBe('true');
  withDamaged(
    'related-words/words.txt',
    (whole) => whole.subarray(1),
    () => expect(told()).toBe('true related words: checksum_mismatch'),
  );
});

test.each(damages)('CX4: with a table of tokens that is %s, an answer in tokens says what is wrong', (_, damage) => {
  withDamaged('token-table/table.bin', damage, () => {
    for (const asked of [query(), run('wakeup', project)]) {
      expect(asked.status).toBe(4);
      expect(asked.stderr).toContain('assets/token-table/table.bin');
      expect(asked.stderr).toContain('install Mnemosyne again');
      expect(asked.stderr).not.toContain('internal_error');
    }
    expect(run('search', 'evict', '--project', project).stdout).toContain('cache.py');
  });
});
