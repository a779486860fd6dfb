/** What exact answers to "who calls, extends, implements, imports this" hang on. */
import { expect, test } from 'vitest';
import { readProjectConfig } from '../../src/retrieval/code/resolve/project-config.ts';
import { edgeLines, type Sources } from './sources.ts';

/** The edges of some kinds alone, without what they start from when that is the same in all. */
async function only(sources: Sources, ...kinds: readonly string[]): Promise<readonly string[]> {
  const lines = (await edgeLines(sources)).split('\n');
  return lines.filter((line) => kinds.some((kind) => line.startsWith(`${kind} `)));
}

test('EG1 a file imports the file it names; what comes through a barrel or a package is an edge to the symbol alone', async () => {
  const script = {
    'src/deep.ts': 'export const one = 1;\n',
    'src/index.ts': "export * from './deep.ts';\n",
    'src/use.ts': "import { one } from './index.ts';\nexport const two = one + one;\n",
  };
  expect(await only(script, 'imports')).toEqual([
    'imports src/index.ts -> src/deep.ts',
    'imports src/use.ts -> src/deep.ts#one',
    'imports src/use.ts -> src/index.ts',
  ]);
  const packages = {
    'pkg/__init__.py': 'from .core import Engine\n',
    'pkg/core.py': 'class Engine: ...\n',
    'pkg/tools.py': '',
    'main.py': 'from pkg import Engine\nfrom pkg import tools\n',
    'other.py': 'def late():\n    from pkg import tools as t\n',
  };
  expect(await only(packages, 'imports')).toEqual([
    'imports main.py -> pkg/__init__.py',
    'imports main.py -> pkg/core.py#Engine',
    'imports main.py -> pkg/tools.py',
    'imports other.py -> pkg/tools.py',
    'imports pkg/__init__.py -> pkg/core.py',
    'imports pkg/__init__.py -> pkg/core.py#Engine',
  ]);
});

test('EG2 a function of the project that shares the name of one of the language is found, and only where it is visible', async () => {
  const go = {
    'go.mod': 'module x\n',
    'a/tree.go': 'package a\n\nfunc min(a, b int) int { return a }\n',
    'a/use.go': 'package a\n\nfunc Use() int { m := min(1, 2); return m }\n',
    'b/use.go': 'package b\n\nfunc Use() int { return min(1, 2) }\n',
  };
  expect(await only(go, 'calls')).toEqual(['calls a/use.go#Use -> a/tree.go#min']);
  const python = {
    'files.py': 'def open(path): ...\n\ndef read():\n    return open("a")\n',
    'plain.py': 'def read():\n    return open("a")\n',
    'taken.py': 'from files import open\n\ndef read(input):\n    input()\n    return open("a")\n',
  };
  expect(await only(python, 'calls')).toEqual([
    'calls files.py#read -> files.py#open',
    'calls taken.py#read -> files.py#open',
  ]);
  const script = {
    'a.ts':
      'class Pane { show() {} }\nexport function draw() { const window = new Pane(); window.show(); document.show(); }\n',
  };
  expect(await only(script, 'calls')).toEqual(['calls a.ts#draw -> a.ts#Pane', 'calls a.ts#draw -> a.ts#Pane.show']);
});

test('EG3 what a value gives when it is called or asked is known from its type', async () => {
  const python = {
    'ctx.py': `import weakref
from contextvars import ContextVar
from typing import Callable

class App:
    def run(self):
        me = weakref.ref(self)
        me().stop()

    def stop(self): ...

current: ContextVar["App"] = ContextVar("app")

def by_variable():
    current.get(None).stop()

def by_callable(make: Callable[[int], App]):
    make(1).stop()

def other():
    current.set(1).stop()
`,
  };
  expect(await only(python, 'calls')).toEqual([
    'calls ctx.py#App.run -> ctx.py#App.stop',
    'calls ctx.py#by_callable -> ctx.py#App.stop',
    'calls ctx.py#by_variable -> ctx.py#App.stop 0.97',
  ]);
  const script = {
    'a.ts': `class Store { get(key: string) {} }
export class Page {
  open: () => Store;
  constructor(private make: () => Store) {}
  show() { this.make().get('a'); this.open().get('b'); }
}
export function use(make: () => Store) { make().get('c'); }
`,
  };
  expect(await only(script, 'calls')).toEqual([
    'calls a.ts#Page.show -> a.ts#Page.make',
    'calls a.ts#Page.show -> a.ts#Page.open',
    'calls a.ts#Page.show -> a.ts#Store.get 0.97',
    'calls a.ts#use -> a.ts#Store.get',
  ]);
  const go = {
    'a.go':
      'package a\n\ntype T struct{ make func() *U }\ntype U struct{}\n\nfunc (u *U) Run() {}\nfunc (t *T) Use(f func() *U) { t.make().Run(); f().Run() }\n',
  };
  expect(await only(go, 'calls')).toEqual(['calls a.go#T.Use -> a.go#T.make', 'calls a.go#T.Use -> a.go#U.Run']);
});

test('EG4 a call of an overloaded function reaches each of its declarations; in TypeScript they are one', async () => {
  const java = {
    'A.java': 'package a;\nclass A {\n  void run(int x) {}\n  void run(String x) {}\n  void use() { run(1); }\n}\n',
  };
  expect(await only(java, 'calls')).toEqual([
    'calls A.java#A.use -> A.java#A.run',
    'calls A.java#A.use -> A.java#A.run~2 0.95',
  ]);
  const script = {
    'a.ts':
      'export function pick(x: string): string;\nexport function pick(x: number): number;\nexport function pick(x: any) { return x; }\nexport const use = () => pick(1);\n',
  };
  expect(await only(script, 'calls')).toEqual(['calls a.ts#use -> a.ts#pick']);
});

test('EG5 private names belong to the class around them, `super()` calls a constructor, and calling a value is not calling its type', async () => {
  const script = {
    'a.ts': `class Root { constructor() {} }
class Plain {}
export class App extends Root {
  #add(path: string) {}
  constructor() { super(); }
  route(other: unknown) { other.#add('/'); }
}
export class Other extends Plain { constructor() { super(); } }
type Handler = (x: number) => void;
export class Use { run: Handler; go() { this.run(1); } }
`,
    'b.ts': 'export class Second { #add(path: string) {} }\n',
  };
  expect(await only(script, 'calls')).toEqual([
    'calls a.ts#App.constructor -> a.ts#Root.constructor',
    'calls a.ts#App.route -> a.ts#App.#add',
    'calls a.ts#Use.go -> a.ts#Use.run',
  ]);
  const python = {
    'a.py': `class Plain: ...
class Caller:
    def __call__(self): ...

def use(plain: Plain, caller: Caller):
    plain()
    caller()
`,
  };
  expect(await only(python, 'calls')).toEqual(['calls a.py#use -> a.py#Caller.__call__']);
});

test('EG6 a method is taken by its name alone only when no field has that name; a union says nothing against it', async () => {
  const script = {
    'a.ts': `class Hub { onError(e: Error) {} attach() {} detach() {} }
interface Events { onError?: (e: Error) => void }
type Teardown = Hub | (() => void) | unknown;
export function use(x: any, y: Teardown) { x.onError(1); x.attach(); y.detach(); }
`,
  };
  expect(await only(script, 'calls')).toEqual([
    'calls a.ts#use -> a.ts#Hub.attach 0.4',
    'calls a.ts#use -> a.ts#Hub.detach 0.4',
  ]);
});

test('EG7 a type parameter has the members of what it extends; one that extends nothing has none', async () => {
  const script = {
    'a.ts': `class Node { visit() {} }
class T { visit() {} }
export class Walk<N extends Node> { root: N; go() { this.root.visit(); } }
export function each<M extends Node>(m: M) { m.visit(); }
export function any<T>(t: T) { t.visit(); }
`,
  };
  expect(await only(script, 'calls')).toEqual([
    'calls a.ts#Walk.go -> a.ts#Node.visit 0.97',
    'calls a.ts#each -> a.ts#Node.visit',
  ]);
});

test('EG8 a value that a parameter or a name may have is not called for it', async () => {
  const script = {
    'a.ts': `export function hash(x: string) { return x; }
export function compare(a: string, by = hash) { return by(a); }
export function later(a: string, by?: any) { if (!by) by = hash; return by(a); }
`,
  };
  expect(await only(script, 'calls')).toEqual([]);
});

test('EG9 tsconfig extends an installed package; one that is not there is named as a problem', () => {
  const files: Sources = {
    'app/tsconfig.json': '{ "extends": "@base/config/strict" }',
    'node_modules/@base/config/strict.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
    'lost/tsconfig.json': '{ "extends": "@none/config/tsconfig.json", "compilerOptions": { "baseUrl": "src" } }',
  };
  const config = readProjectConfig(['app/tsconfig.json', 'lost/tsconfig.json'], (path) => files[path] ?? null);
  expect(config.tsConfigs.map(({ directory, base, paths }) => ({ directory, base, paths }))).toEqual([
    {
      directory: 'app',
      base: null,
      paths: [{ pattern: '@/*', targets: ['node_modules/@base/config/src/*'] }],
    },
    { directory: 'lost', base: 'lost/src', paths: [] },
  ]);
  expect(config.problems).toEqual([
    {
      path: 'lost/tsconfig.json',
      message: 'It extends @none/config/tsconfig.json, which is not there; its own settings are used.',
    },
  ]);
});

test('EG12 a file with several namespaces gives each type to its own', async () => {
  const sharp = {
    'Two.cs':
      'namespace App.First { public class Box { public void Open() {} } }\nnamespace App.Second { public class Box { public void Open() {} } namespace Inner { public class Deep { public void Go() {} } } }\n',
    'Use.cs':
      'using App.Second;\nusing App.Second.Inner;\nnamespace Other { class Use { void Run() { new Box().Open(); new Deep().Go(); } } }\n',
  };
  expect(await only(sharp, 'calls')).toEqual([
    'calls Use.cs#Use.Run -> Two.cs#App.Second.Box 0.95',
    'calls Use.cs#Use.Run -> Two.cs#App.Second.Box.Open 0.95',
    'calls Use.cs#Use.Run -> Two.cs#App.Second.Inner.Deep 0.95',
    'calls Use.cs#Use.Run -> Two.cs#App.Second.Inner.Deep.Go 0.95',
  ]);
  const php = {
    'two.php':
      '<?php\nnamespace A { class Box { function open() {} } }\nnamespace B { class Box { function open() {} } function make() { return new Box(); } }\n',
    'use.php': '<?php\nnamespace C;\nuse B\\Box;\nfunction run() { $b = new Box(); $b->open(); }\n',
  };
  expect(await only(php, 'calls')).toEqual([
    'calls two.php#B.make -> two.php#B.Box',
    'calls use.php#run -> two.php#B.Box',
    'calls use.php#run -> two.php#B.Box.open',
  ]);
});
