/** What is called on values that are made of others, and on what a function that is passed on is given. */
import { expect, test } from 'vitest';
import { edgeLines, factsOf, type Sources } from './sources.ts';

/** Who calls what, without how sure that is. */
async function calls(sources: Sources): Promise<readonly string[]> {
  const lines = (await edgeLines(sources)).split('\n');
  return lines
    .filter((line) => line.startsWith('calls '))
    .map((line) => line.slice('calls '.length).replace(/ 0\.9\d*$/, ''));
}

const nodes = 'export class Leaf { grow() {} fall() {} }\nexport class Stone { grow() {} fall() {} }\n';

test('EG13 elements of lists, sets, maps and records have the type that is written for them (TypeScript)', async () => {
  const script = {
    'leaf.ts': nodes,
    'a.ts': `import { Leaf, Stone } from './leaf.ts';
class Tree {
  #leaves: Leaf[] = [];
  #byName = new Map<string, Leaf>();
  #places: Record<string, Stone> = {};
  all() { for (const leaf of this.#leaves) leaf.grow(); }
  each() { this.#leaves.filter((one) => one.fall()).forEach((leaf) => leaf.grow()); }
  pairs() { for (const [name, leaf] of this.#byName) leaf.grow(); }
  one(name: string) { this.#byName.get(name)?.fall(); }
  at(i: number) { const leaf = this.#leaves[i]; leaf.fall(); }
  named() { this.#places['x'].grow(); Object.values(this.#places).map((stone) => stone.fall()); }
  names() { this.#leaves.push(); this.#leaves.keys().grow(); }
}
`,
  };
  expect(await calls(script)).toEqual([
    'a.ts#Tree.all -> leaf.ts#Leaf.grow',
    'a.ts#Tree.at -> leaf.ts#Leaf.fall',
    'a.ts#Tree.each -> leaf.ts#Leaf.fall',
    'a.ts#Tree.each -> leaf.ts#Leaf.grow',
    'a.ts#Tree.named -> leaf.ts#Stone.fall',
    'a.ts#Tree.named -> leaf.ts#Stone.grow',
    'a.ts#Tree.one -> leaf.ts#Leaf.fall',
    'a.ts#Tree.pairs -> leaf.ts#Leaf.grow',
  ]);
});

test('EG13 elements and further results have the type that is written for them (Go)', async () => {
  const go = {
    'go.mod': 'module x\n',
    'a.go': `package a

type Leaf struct{}
type Stone struct{}
type Leaves []*Leaf

func (l *Leaf) Grow() {}
func (s *Stone) Grow() {}
func (l Leaves) Last() *Leaf { return l[len(l)-1] }
func Both() (*Leaf, *Stone, error) { return nil, nil, nil }

type Tree struct {
	leaves Leaves
	stones map[string]*Stone
}

func (t *Tree) All() { for _, one := range t.leaves { one.Grow() } }
func (t *Tree) Keyed() { t.stones["x"].Grow() }
func (t *Tree) Final() { t.leaves.Last().Grow() }
func Second() { _, stone, err := Both(); stone.Grow(); err.Grow() }
func Many(leaves ...*Leaf) { leaves[0].Grow() }
func Made() { stones := make([]Stone, 3); stones = append(stones, Stone{}); stones[1].Grow() }
`,
  };
  expect(await calls(go)).toEqual([
    'a.go#Made -> a.go#Stone.Grow',
    'a.go#Many -> a.go#Leaf.Grow',
    'a.go#Second -> a.go#Both',
    'a.go#Second -> a.go#Stone.Grow',
    'a.go#Tree.All -> a.go#Leaf.Grow',
    'a.go#Tree.Final -> a.go#Leaf.Grow',
    'a.go#Tree.Final -> a.go#Leaves.Last',
    'a.go#Tree.Keyed -> a.go#Stone.Grow',
  ]);
});

test('EG13 elements have the type that is written for them (Python)', async () => {
  const python = {
    'a.py': `class Leaf:
    def grow(self): ...

class Stone:
    def grow(self): ...

class Tree:
    leaves: list[Leaf]
    stones: "dict[str, Stone]"
    both: list[tuple[Leaf, Stone]]

    def all(self):
        for leaf in self.leaves:
            leaf.grow()

    def keyed(self, name):
        self.stones[name].grow()
        for name in self.stones:
            name.grow()

    def items(self):
        return [stone.grow() for key, stone in self.stones.items()]

    def pairs(self):
        for at, (leaf, stone) in enumerate(self.both):
            stone.grow()

    def first(self):
        sorted(self.leaves)[0].grow()
`,
  };
  expect(await calls(python)).toEqual([
    'a.py#Tree.all -> a.py#Leaf.grow',
    'a.py#Tree.first -> a.py#Leaf.grow',
    'a.py#Tree.items -> a.py#Stone.grow',
    'a.py#Tree.keyed -> a.py#Stone.grow',
    'a.py#Tree.pairs -> a.py#Stone.grow',
  ]);
});

test('EG14 a parameter without a type has that of the function that is expected in its place', async () => {
  const script = {
    'context.ts': 'export class Context { header() {} text() {} }\nexport class Other { header() {} text() {} }\n',
    'types.ts': `import type { Context } from './context.ts'
export type Next = () => Promise<void>
export type Middleware = (c: Context, next: Next) => Promise<void>
export type Handler = (c: Context) => string
export interface Get {
  // the handler alone
  <P>(
    handler: Handler | Middleware
  ): App<P>

  // with a path
  <P>(path: P, ...handlers: Handler[]): App<P>
}
export interface After {}
export interface Last extends After {}
`,
    'app.ts': `import type { Get, Handler, Middleware } from './types.ts';
export class App {
  get!: Get;
  use(...handlers: Middleware[]) {}
}
export const cors = (): Middleware => async function cors(c) { c.header(); };
export const named: Handler = (c) => c.text();
const app = new App();
export const one = () => app.get((c) => c.text());
export const two = () => app.get('/', (c) => c.header());
export const three = () => app.use(async (c, next) => c.header());
`,
    'outside.ts': `import { Server } from 'elsewhere';
export const four = () => new Server().get((c) => c.header());
`,
  };
  expect(await calls(script)).toEqual([
    'app.ts#app -> app.ts#App',
    'app.ts#cors -> context.ts#Context.header',
    'app.ts#named -> context.ts#Context.text',
    'app.ts#one -> app.ts#App.get',
    'app.ts#one -> context.ts#Context.text',
    'app.ts#three -> app.ts#App.use',
    'app.ts#three -> context.ts#Context.header',
    'app.ts#two -> app.ts#App.get',
    'app.ts#two -> context.ts#Context.header',
  ]);
  const python = {
    'a.py': `from typing import Callable

class State:
    def add(self): ...

class Other:
    def add(self): ...

Deferred = Callable[[State], None]

class Blueprint:
    def record(self, func: Callable[[State], None]): ...

    def rule(self):
        self.record(lambda state: state.add())
`,
  };
  expect(await calls(python)).toEqual([
    'a.py#Blueprint.rule -> a.py#Blueprint.record',
    'a.py#Blueprint.rule -> a.py#State.add',
  ]);
});

test('EG15 `call`, `apply` and a bound function call the function; a method that is bound to itself stays one', async () => {
  const script = {
    'a.ts': `function greet() {}
class Store {
  constructor() { this.load = this.load.bind(this); }
  load() {}
  run(other: Operator) { greet.call(this, 1); greet.apply(null, []); greet.bind(this)(); other.call(1); }
}
class Operator { call(x: number) {} }
export function use(store: Store) { store.load(); const later = greet.bind(1); later(); }
`,
  };
  expect(await calls(script)).toEqual([
    'a.ts#Store.run -> a.ts#Operator.call',
    'a.ts#Store.run -> a.ts#greet',
    'a.ts#use -> a.ts#Store.load',
    'a.ts#use -> a.ts#greet',
  ]);
});

test('EG16 each type of a union that has the member is called, and none when one of them is not known', async () => {
  const script = {
    'leaf.ts': nodes,
    'a.ts': `import { Leaf, Stone } from './leaf.ts';
export class Cloud { rain() {} }
export function both(x: Leaf | Stone) { x.grow(); }
export function narrowed(x: Leaf | Cloud | string | undefined) { x.fall(); }
export function foreign(x: Response | Leaf) { x.grow(); }
`,
  };
  expect(await calls(script)).toEqual([
    'a.ts#both -> leaf.ts#Leaf.grow',
    'a.ts#both -> leaf.ts#Stone.grow',
    'a.ts#narrowed -> leaf.ts#Leaf.fall',
  ]);
});

test('EG17 a value is what a check says it is, and only where the check holds', async () => {
  const script = {
    'leaf.ts': nodes,
    'a.ts': `import { Leaf, Stone } from './leaf.ts';
export function check(x: unknown, y: Stone) {
  if (typeof x === 'object' && x instanceof Leaf) x.grow();
  else x.fall();
  if (y instanceof Leaf) y.fall();
  y.grow();
}
`,
  };
  expect(await calls(script)).toEqual([
    'a.ts#check -> leaf.ts#Leaf.fall',
    'a.ts#check -> leaf.ts#Leaf.grow',
    'a.ts#check -> leaf.ts#Stone.grow',
  ]);
  const python = {
    'a.py': `class Leaf:
    def grow(self): ...

class Stone:
    def grow(self): ...

def check(x):
    if isinstance(x, Leaf):
        x.grow()
        y = Stone()
    y.grow()
    x.grow()
`,
  };
  expect(await calls(python)).toEqual([
    'a.py#check -> a.py#Leaf.grow',
    'a.py#check -> a.py#Stone',
    'a.py#check -> a.py#Stone.grow',
  ]);
});

test('EG18 nothing of the project is called on a value of the runtime, or because a method of an outside base has its name', async () => {
  const script = {
    'a.ts': `export class Request { answer() {} listen() {} }
export function use(response: Response, signal: AbortSignal, text: string, any: any) {
  response.answer(); signal.listen(); text.answer(); globalish.listen(); any.answer();
}
`,
  };
  expect(await calls(script)).toEqual(['a.ts#use -> a.ts#Request.answer 0.4']);
  const python = {
    'a.py': `from click import Group

class Own(Group):
    def resolve_it(self, name):
        return super_group.resolve_it(name)

def use(group):
    group.resolve_it("x")
`,
  };
  expect(await calls(python)).toEqual([]);
});

test('EG19 an object that is written for an interface, or returned for one, stands in for it, marked as inferred', async () => {
  const script = {
    'a.ts': `export interface Router { add(path: string): void; match?(): void }
export interface Plain { path: string }
export type Named = { add(): void };
export const literal: Router = { add() { help(); } };
export const plain: Plain = { path: '' };
export const named: Named = { add() {} };
export function make(): Router { return { add: () => help(), match() {} }; }
function help() {}
`,
  };
  const lines = (await edgeLines(script)).split('\n').filter((line) => line.startsWith('implements '));
  expect(lines).toEqual(['implements a.ts#literal -> a.ts#Router 0.8', 'implements a.ts#make -> a.ts#Router 0.8']);
});

test('EG20 a signature that begins on a line of its own with `<` ends the one before it', async () => {
  const facts = await factsOf(
    'a.ts',
    `export interface Get<E> {
  // one
  <P>(
    handler: H<E>
  ): Base<E>

  /* two */
  <P>(path: P): Base<E>
}
export interface Empty {}
export interface Next extends Empty { go(): void }
export const less = (a: number, b: number) => a
  < b;
`,
  );
  expect(facts.symbols.map((symbol) => symbol.qualifiedName)).toEqual(['Get', 'Empty', 'Next', 'Next.go', 'less']);
});
