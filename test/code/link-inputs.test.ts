/** What makes an incremental index equal to a fresh one: the recorded inputs of a file's edges are all there are. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { link, linkFile } from '../../src/retrieval/code/link.ts';
import { emptyConfig } from '../../src/retrieval/code/resolve/project-config.ts';
import { memoryView, type ProjectView } from '../../src/retrieval/code/resolve/project-view.ts';
import type { FileFacts } from '../../src/retrieval/code/symbol.ts';
import { factsOf } from './sources.ts';

/** Versions that each file of the small project can have; null is no file. */
const versions: Readonly<Record<string, readonly (string | null)[]>> = {
  'pkg/__init__.py': ['from .a import *\n', 'from .a import run, Base\nfrom . import b\n', '', null],
  'pkg/a.py': [
    'class Base:\n    def go(self): ...\ndef run(): ...\n',
    'class Base:\n    def stop(self): ...\n',
    'def run(): return 1\n',
    null,
  ],
  'pkg/b.py': ['from .a import Base\nclass Mid(Base): ...\n', 'class Mid:\n    def go(self): ...\n', null],
  'main.py': [
    'import pkg\nfrom pkg.b import Mid\ndef main(x):\n    pkg.run()\n    Mid().go()\n    x.very_special()\n',
    'from pkg import *\ndef main():\n    run()\n    Base().go()\n',
  ],
  'other.py': [
    'class O:\n    def very_special(self): ...\n',
    'class P:\n    def very_special(self): ...\n    def go(self): ...\n',
    null,
  ],
  'g/x.go': ['package g\ntype T struct{ U }\nfunc (t T) A() {}\nfunc use() { T{}.B(); help() }\n', null],
  'g/y.go': [
    'package g\ntype U struct{}\nfunc (u U) B() {}\ntype I interface { A(); B() }\n',
    'package g\nfunc help() {}\ntype U struct{}\n',
    null,
  ],
  'w/a.ts': ["import { x } from './b';\nexport const y = () => x();\n", "export * from './b';\n"],
  'w/b.ts': ['export function x() {}\n', "export { z as x } from './c';\n", null],
  'w/b/index.ts': ['export function x() {}\n', null],
  'w/c.ts': ['export const z = () => 1;\n', null],
  'v/types.ts': [
    "import type { A } from './values';\nexport type Use = (a: A) => void;\nexport type All = A[];\n",
    "import type { A, B } from './values';\nexport type Use = (b: B | A) => void;\nexport interface All { go(): void }\n",
    null,
  ],
  'v/values.ts': [
    'export class A { go() {} }\nexport class B { go() {} }\n',
    'export class A extends B {}\nexport class B { go() {} }\n',
    null,
  ],
  'v/use.ts': [
    "import type { All, Use } from './types';\nexport const use: Use = (x) => x.go();\nexport const all = (xs: All) => xs[0].go();\n",
    "import type { All } from './types';\nexport const one: All = { go() {} };\n",
  ],
};
const names = Object.keys(versions);

/** What an index would compare to see whether a recorded answer still holds. */
function fingerprint(view: ProjectView, inputs: ReturnType<typeof linkFile>['inputs']): string {
  return JSON.stringify([
    [...inputs.files].map((path) => [path, view.facts(path)?.interfaceHash ?? null]),
    [...inputs.names].map((name) => [
      name,
      view.definitions(name).map((ref) => [ref.path, view.facts(ref.path)?.interfaceHash]),
    ]),
    [...inputs.directories].map((directory) => [directory, view.filesIn(directory)]),
    [...inputs.modules].map((module) => [module, view.filesOfModule(module)]),
  ]);
}

test('RE19 edges change only when a recorded input did: relinking just those files equals linking all (seed 91)', async () => {
  const known = new Map<string, FileFacts>();
  for (const [path, texts] of Object.entries(versions)) {
    for (const text of texts) if (text !== null) known.set(`${path}\n${text}`, await factsOf(path, text));
  }
  const state = fc.tuple(...names.map((name) => fc.constantFrom(...(versions[name] ?? []))));
  const factsIn = (texts: readonly (string | null)[]): readonly FileFacts[] =>
    texts.flatMap((text, at) => known.get(`${names[at]}\n${text}`) ?? []);
  fc.assert(
    fc.property(state, state, (before, after) => {
      const oldView = memoryView(factsIn(before), emptyConfig);
      const newView = memoryView(factsIn(after), emptyConfig);
      for (const facts of factsIn(after)) {
        const unchanged = factsIn(before).find((one) => one === facts);
        if (unchanged === undefined) continue;
        const old = linkFile(unchanged, oldView);
        if (fingerprint(oldView, old.inputs) !== fingerprint(newView, old.inputs)) continue;
        expect(linkFile(facts, newView).edges).toEqual(old.edges);
      }
    }),
    { seed: 91, numRuns: 400 },
  );
});

test('RE20 linking is the same in any order of the files, and ids of edges exist', async () => {
  const facts: FileFacts[] = [];
  for (const [path, texts] of Object.entries(versions)) facts.push(await factsOf(path, texts[0] ?? ''));
  const forward = [...link(facts, emptyConfig)];
  expect([...link([...facts].reverse(), emptyConfig)]).toEqual(forward);
  const edges = forward.flatMap((file) => file.edges);
  const ids = new Set(edges.filter((edge) => edge.kind === 'contains').flatMap((edge) => [edge.from, edge.to]));
  for (const one of facts) ids.add(`file:${one.path}`);
  expect(edges.filter((edge) => !edge.to.startsWith('external:') && !ids.has(edge.to))).toEqual([]);
  expect(edges.filter((edge) => edge.kind === 'calls').length).toBeGreaterThan(5);
});
