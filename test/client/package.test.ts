/** The client as others get it: compiled, without a dependency, with types that need nothing of Node. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkoutRoot } from '../source-files.ts';
import { type RecordingServer, recordingServer } from './recording-server.ts';

let folder: string;
let server: RecordingServer;
let entry: string;
let emitted: readonly string[];

beforeAll(async () => {
  server = await recordingServer();
  folder = mkdtempSync(path.join(tmpdir(), 'client-package-'));
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  const config = ts.getParsedCommandLineOfConfigFile(
    path.join(checkoutRoot, 'tsconfig.build.json'),
    {
      outDir: folder,
    },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (problem) => expect.fail(String(problem.messageText)) },
  );
  if (config === undefined) throw new Error('the build has no configuration');
  const program = ts.createProgram([path.join(checkoutRoot, 'src/client/index.ts')], config.options);
  const written: string[] = [];
  program.emit(undefined, (file, text, mark) => {
    written.push(file);
    ts.sys.writeFile(file, text, mark);
  });
  emitted = written;
  entry = path.join(folder, 'client/index.js');
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Every specifier that a compiled file imports, statically or not, following the relative ones. */
function importsFrom(file: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
  return importedFiles.flatMap(({ fileName }) => [
    fileName,
    ...(fileName.startsWith('.') ? importsFrom(path.resolve(path.dirname(file), fileName), seen) : []),
  ]);
}

test('CT30 the compiled client imports its own files and nothing else, not even when it looks for a daemon', () => {
  const specifiers = importsFrom(entry);
  expect(specifiers.filter((specifier) => !specifier.startsWith('./'))).toEqual([]);
  expect(specifiers).toContain('./local-daemon.js');
  expect(specifiers.length).toBeGreaterThan(15);
  expect(emitted.filter((file) => !path.relative(folder, file).startsWith('client/'))).toEqual([]);
});

test('CT30 what Node alone can do is loaded only when it is needed', () => {
  const withoutLazy = readFileSync(path.join(folder, 'client/target.js'), 'utf8').replaceAll(/import\([^)]*\)/g, '');
  expect(ts.preProcessFile(withoutLazy, true, true).importedFiles.map(({ fileName }) => fileName)).not.toContain(
    './local-daemon.js',
  );
});

test('CT31 the package offers the client by name, and the build makes what it points to', () => {
  const manifest: unknown = JSON.parse(readFileSync(path.join(checkoutRoot, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    exports: { './client': { types: './dist/client/index.d.ts', default: './dist/client/index.js' } },
  });
  expect(emitted).toEqual(expect.arrayContaining([entry, path.join(folder, 'client/index.d.ts')]));
});

test('CT32 its types, and the programs of its page, compile for a browser without the types of Node', () => {
  const page = readFileSync(path.join(checkoutRoot, 'docs/client.md'), 'utf8');
  const programs = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  expect(programs.length).toBeGreaterThan(2);
  const files = programs.map((text, index) => {
    const file = path.join(folder, `page-${index}.ts`);
    const before = /\brepo\b/.test(text.replaceAll(/const repo\b/g, '')) && !text.includes('const repo');
    const beforeClient = !text.includes('const nm') && (/\bnm\b/.test(text) || before);
    const imported = /import [^;]*from 'mnemosyne\/client'/.test(text);
    writeFileSync(
      file,
      [
        imported ? '' : "import * as client from 'mnemosyne/client';",
        beforeClient ? 'declare const nm: import("mnemosyne/client").NeuralMindClient;' : '',
        before ? 'declare const repo: import("mnemosyne/client").Project;' : '',
        text,
        'export {};',
      ].join('\n'),
    );
    return file;
  });
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    skipDefaultLibCheck: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    types: [],
    paths: { 'mnemosyne/client': [path.join(folder, 'client/index.d.ts')] },
  });
  const problems = ts.getPreEmitDiagnostics(program);
  expect(ts.formatDiagnostics(problems, { ...ts.sys, getCanonicalFileName: String, getNewLine: () => '\n' })).toBe('');
});

/** Runs the compiled client where there is no `process`, the mark of Node. */
async function withoutNode(program: string): Promise<string> {
  const hidden = 'const say = console.log; delete globalThis.process;';
  const text = `${hidden} const { NeuralMindClient } = await import(${JSON.stringify(`file://${entry}`)}); ${program}`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', text]);
  return stdout.trim();
}

test('CT33 it runs where there is no process: with an address it works, without one it says what is missing', async () => {
  const project = { id: 'p_1', name: 'a', path: '/srv/a', built: false, warm: false };
  server.next({ json: project });
  const url = JSON.stringify(server.url);
  expect(
    await withoutNode(
      `const nm = new NeuralMindClient({ url: ${url}, token: 'a-token' }); say((await nm.project('/srv/a')).name);`,
    ),
  ).toBe('a');
  expect(server.asked.at(-1)?.body).toEqual({ path: '/srv/a' });
  expect(
    await withoutNode(
      'await new NeuralMindClient().health().catch((error) => say(error.reason + ": " + error.message));',
    ),
  ).toBe('no_daemon: no daemon can be looked for here; give the client its url and token');
});
