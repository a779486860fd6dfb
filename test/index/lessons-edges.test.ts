/** What other code indexes did not connect, row by row, asked of the whole: build, then ask. See `lessons.test.ts`. */
import { expect, test } from 'vitest';
import { mindBoxes } from './mind-box.ts';
import { answerOf } from './open-minds.ts';

const { boxOf } = mindBoxes();

test('HR15: imports through aliases of the nearest tsconfig, its bases and references are edges, after small edits too', async () => {
  const box = boxOf({
    'tsconfig.base.json':
      '{\n  // Comments are allowed.\n  "compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"]},},\n}\n',
    'tsconfig.json': '{"extends": "./tsconfig.base.json", "references": [{"path": "./tools"}]}',
    'tools/tsconfig.json': '{"compilerOptions": {"paths": {"#own/*": ["./lib/*"]}}}',
    'src/deep/target.ts': 'export function target() {}\n',
    'src/a.ts': "import { target } from '@/deep/target';\nexport function viaAlias() { target(); }\n",
    'src/b.ts': "import { target } from 'src/deep/target';\nexport function viaBase() { target(); }\n",
    'tools/lib/t.ts': 'export function tool() {}\n',
    'tools/run.ts': "import { tool } from '#own/t';\nexport function run() { tool(); }\n",
  });
  await box.index();
  const callers = ['callers symbol:src/a.ts#viaAlias', 'callers symbol:src/b.ts#viaBase'];
  expect(await box.neighbours('src/deep/target.ts#target', 'callers')).toEqual(callers);
  expect(await box.neighbours('tools/lib/t.ts#tool', 'callers')).toEqual(['callers symbol:tools/run.ts#run']);
  box.write(
    'src/a.ts',
    "import { target } from '@/deep/target';\n\n\nexport function viaAlias() { return target(); }\n",
  );
  await box.index();
  expect(await box.neighbours('src/deep/target.ts#target', 'callers')).toEqual(callers);
});

test('HR16: renamed re-exports lead through any number of barrels to the definition, and a circle of them ends', async () => {
  const chain = Array.from({ length: 12 }, (_, at) => [
    `b${at}.ts`,
    at === 0
      ? "export { origin as name0 } from './origin.ts';\n"
      : `export { name${at - 1} as name${at} } from './b${at - 1}.ts';\n`,
  ]);
  const box = boxOf({
    'origin.ts': 'export function origin() {}\n',
    ...Object.fromEntries(chain),
    'star.ts': "export * from './b11.ts';\nexport * from './circle.ts';\n",
    'circle.ts': "export * from './star.ts';\nexport { lost } from './star.ts';\n",
    'use.ts': "import { name11, lost } from './star.ts';\nexport function use() { name11(); lost(); }\n",
  });
  await box.index();
  expect(await box.neighbours('origin', 'callers')).toEqual(['callers symbol:use.ts#use']);
});

test('HR17: packages of a workspace are inside the project, by exports, conditions, sub-paths and sources', async () => {
  const box = boxOf({
    'package.json': '{"workspaces": ["packages/*"]}',
    'pnpm-workspace.yaml': "packages:\n  - 'apps/*'\n",
    'packages/core/package.json':
      '{"name": "@scope/core", "exports": {".": {"types": "./dist/index.d.ts", "import": "./dist/index.js"}, "./sub": "./src/sub.ts"}}',
    'packages/core/src/index.ts': 'export function core() {}\n',
    'packages/core/src/sub.ts': 'export function sub() {}\n',
    'apps/web/package.json': '{"name": "web"}',
    'apps/web/src/main.ts':
      "import { core } from '@scope/core';\nimport { sub } from '@scope/core/sub';\nexport function main() { core(); sub(); }\n",
  });
  await box.index();
  for (const name of ['core', 'sub']) {
    expect(await box.neighbours(name, 'callers')).toEqual(['callers symbol:apps/web/src/main.ts#main']);
  }
});

test('HR18: Python imports of modules, of names through packages, relative ones and those inside functions all lead home', async () => {
  const box = boxOf({
    'pkg/__init__.py': 'from .inner import shown\n',
    'pkg/inner.py': 'def shown():\n    pass\n',
    'pkg/mod.py': 'def func():\n    pass\n',
    'pkg/near.py': 'from . import mod\nfrom .mod import func as f\n\n\ndef near():\n    mod.func()\n    f()\n',
    'far.py': 'from pkg import mod, shown\n\n\ndef far():\n    mod.func()\n    shown()\n',
    'late.py': 'def late():\n    import pkg.mod\n    pkg.mod.func()\n',
  });
  await box.index();
  expect(await box.neighbours('pkg/mod.py#func', 'callers')).toEqual([
    'callers symbol:far.py#far',
    'callers symbol:late.py#late',
    'callers symbol:pkg/near.py#near',
  ]);
  expect(await box.neighbours('pkg/inner.py#shown', 'callers')).toEqual(['callers symbol:far.py#far']);
});

test('HR19: what is passed as a value, decorates or implements is a dependent, and what is inferred is marked', async () => {
  const box = boxOf({
    'a.py':
      'def handler():\n    pass\n\n\ndef wrap(f):\n    return f\n\n\n@wrap\ndef wrapped():\n    register(handler)\n',
    'b.ts':
      'export interface Store {\n  load(): void;\n}\nexport class Disk implements Store {\n  load(): void {}\n}\nexport function run(store: Store) {\n  store.load();\n}\n',
  });
  await box.index();
  expect(await box.neighbours('handler', 'used_by')).toEqual(['used_by symbol:a.py#wrapped']);
  expect(await box.dependents('wrap')).toContain('decorates symbol:a.py#wrapped');
  expect(await box.neighbours('Store', 'implementers')).toEqual(['implementers symbol:b.ts#Disk']);
  expect(await box.dependents('Disk.load')).toContain('callers symbol:b.ts#run ?');
});

test('HR20: a dynamic import of a literal is an import, and nothing found is never told as nothing there', async () => {
  const box = boxOf({
    'App.tsx': "const Lazy = lazy(() => import('./X'));\nexport function App() { return <Lazy />; }\n",
    'X.tsx': 'export default function X() { return null; }\n',
    'alone.ts': 'export function alone() {}\n',
  });
  await box.index();
  expect(await box.neighbours('X.tsx', 'importers')).toEqual(['importers file:App.tsx']);
  expect(await box.dependents('X.tsx')).toContain('importers file:App.tsx');
  const none = answerOf(await box.mind.impact({ symbol: 'alone', depth: 3 }));
  expect(none).toMatchObject({ dependents: [], note: expect.stringContaining('no proof') });
});

test('HR21: scripts of Vue and Svelte files are read on their true lines and have edges', async () => {
  const box = boxOf({
    'lib.ts': 'export function helper() {}\n',
    'A.vue':
      '<template>\n  <p>{{ x }}</p>\n</template>\n\n<script lang="ts">\nimport { helper } from "./lib";\nexport function inVue() { helper(); }\n</script>\n',
    'B.svelte':
      '<p>Hello</p>\n<script>\n  import { helper } from "./lib";\n  function inSvelte() { helper(); }\n</script>\n',
  });
  await box.index();
  expect(await box.found('inVue')).toContain('symbol:A.vue#inVue:7');
  expect(await box.found('inSvelte')).toContain('symbol:B.svelte#inSvelte:4');
  expect(await box.neighbours('helper', 'callers')).toEqual([
    'callers symbol:A.vue#inVue',
    'callers symbol:B.svelte#inSvelte',
  ]);
});
