/** What `npm start` passes on and a command loads, which questions a repository is asked, and how to connect an agent. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import pc from 'picocolors';
import { expect, test } from 'vitest';
import type { Screen } from '../../src/cli/screen/screen.ts';
import { connectLines } from '../../src/cli/start/connect.ts';
import { questionsAbout } from '../../src/cli/start/questions.ts';
import type { CentralSymbol, RepositoryFacts } from '../../src/cli/start/repository-facts.ts';
import { tempFolder } from '../projects/temp-repository.ts';

const script = new URL('../../scripts/start-arguments.mjs', import.meta.url).href;
const { startArguments } = (await import(script)) as {
  startArguments(args: readonly string[], checkout: string, folder: string): readonly string[];
};

test('CC13 npm start: nothing is this checkout, a folder is that folder, options alone serve, commands are commands', () => {
  const folder = tempFolder();
  mkdirSync(path.join(folder, 'atlas'));
  const passed = (...args: readonly string[]) => startArguments(args, '/checkout', folder);
  expect(passed()).toEqual(['start', '/checkout']);
  expect(passed('--once')).toEqual(['start', '/checkout', '--once']);
  expect(passed('atlas')).toEqual(['start', path.join(folder, 'atlas')]);
  expect(passed('.', '--once', '--port', '0')).toEqual(['start', folder, '--once', '--port', '0']);
  expect(passed('../none')).toEqual(['start', path.resolve(folder, '../none')]);
  expect(passed('/srv/none')).toEqual(['start', '/srv/none']);
  expect(passed('--port', '0')).toEqual(['--port', '0']);
  expect(passed('--help')).toEqual(['--help']);
  expect(passed('decisions', 'list')).toEqual(['decisions', 'list']);
  expect(passed('none')).toEqual(['none']);
});

const symbol = (name: string, facts: Partial<CentralSymbol> = {}): CentralSymbol => ({
  name,
  kind: 'function',
  summary: '',
  path: 'src/store/open.ts',
  group: 1,
  groupFiles: 4,
  ...facts,
});
const facts: RepositoryFacts = {
  sections: ['Installation', 'License', '`Atlas` over *several* days', 'More'],
  central: [
    symbol('id'),
    symbol('openStore', { summary: 'Opens the store and brings it up to date.' }),
    symbol('evictOldTiles', { summary: 'Remove all tiles that nobody asked for lately.' }),
    symbol('parseHTTPHeader', { group: 2, groupFiles: 9, path: 'src/door/header.ts' }),
    symbol('Tile', { group: 3, groupFiles: 30, kind: 'class' }),
  ],
  files: ['src/store/open.ts', 'a.ts'],
};

test('CC12 CC21 three questions: of the README, of what most hangs on, in the words of a documentation; the same each time', () => {
  expect(questionsAbout(facts)).toEqual([
    'What does the README say about "Atlas over several days"?',
    'Where is openStore defined?',
    'Which code removes all tiles that nobody asked for lately?',
  ]);
  expect(questionsAbout({ ...facts, sections: [] }).at(-1)).toBe('How does parseHTTPHeader work?');
  expect(questionsAbout(facts)).toEqual(questionsAbout(structuredClone(facts)));
});

test('CC21 a documentation is asked about when it says what is done, and a name stands as the code writes it', () => {
  const asked = (summary: string) =>
    questionsAbout({
      sections: [],
      central: [symbol('current_app', { kind: 'variable' }), symbol('Tile', { summary })],
      files: [],
    });
  const named = 'Where is current_app defined?';
  const third = (summary: string) => asked(summary).slice(1);
  expect(asked('Match any path of the tree.')).toEqual([named, 'Which code matches any path of the tree?']);
  expect(third('Copies the file and its rights')).toEqual(['Which code copies the file and its rights?']);
  expect(third('A queue of the tiles that wait.')).toEqual([]);
  expect(third('Requests about tiles, and what answers them.')).toEqual([]);
  expect(third('Opens the `store` of maps now.')).toEqual([]);
  expect(third('Opens it.')).toEqual([]);
  const other = symbol('LayerSet', { kind: 'class', group: 5 });
  expect(questionsAbout({ sections: [], central: [symbol('openStore'), symbol('Reply'), other], files: [] })).toEqual([
    'Where is openStore defined?',
    'What is LayerSet for?',
  ]);
});

test('CC12 a repository without a README, documentation or definitions is asked about what it has', () => {
  expect(questionsAbout({ ...facts, sections: [], central: [symbol('openStore')] })).toEqual([
    'Where is openStore defined?',
    'What is in src/store/open.ts?',
    'What is in a.ts?',
  ]);
  expect(questionsAbout({ sections: [], central: [], files: ['a.ts'] })).toEqual(['What is in a.ts?']);
  expect(questionsAbout({ sections: [], central: [], files: [] })).toEqual([]);
});

test('CC14 the lines to connect an agent can be copied as they are', () => {
  const screen: Screen = { columns: null, colours: pc.createColors(false), now: new Date(0) };
  const lines = connectLines({ url: 'http://127.0.0.1:8000', tokenFile: '/home/me/.neuralmind/token' }, screen);
  const json = lines.find((line) => line.includes('mcpServers')) ?? '';
  const server = JSON.parse(json.slice(json.indexOf('{'))) as {
    mcpServers: { mnemosyne: { command: string; args: string[] } };
  };
  expect(server.mcpServers.mnemosyne.command).toBe(process.execPath);
  expect(server.mcpServers.mnemosyne.args.slice(1)).toEqual(['mcp', '--schema', 'portable']);
  expect(lines.join('\n')).toContain('http://127.0.0.1:8000/mcp?schema=portable&tools=all');
  expect(lines.join('\n')).toContain('/home/me/.neuralmind/token');
  expect(connectLines({ url: null, tokenFile: 'x' }, screen).join('\n')).not.toContain('Bearer');
});

test('CC15 a command of the code loads the rows of the code and nothing of the notebook or the decisions', () => {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    await import(${JSON.stringify(new URL('../../src/cli/code/commands.ts', import.meta.url).href)});
    console.log(JSON.stringify(loaded));
  `;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script];
  const loaded = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as string[];
  const rows = loaded.flatMap((url) => /\/src\/operations\/([a-z-]+)\/.*rows\.ts$/.exec(url)?.[1] ?? []);
  expect(rows).toEqual(['code']);
  expect(loaded.filter((url) => /\/src\/(memory\/notebook|operations\/(notebook|memories))\//.test(url))).toEqual([]);
  expect(loaded.filter((url) => url.includes('/better-sqlite3/'))).toEqual([]);
});
