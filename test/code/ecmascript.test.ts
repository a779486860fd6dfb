import { expect, test } from 'vitest';
import { edgeLines, factsOf, symbolLines } from './sources.ts';

const router = `import { type Handler, compose } from './compose.js';

/** The largest number of routes. */
export const ROUTES_MAX = 100;

export interface Router extends Named {
  name: string;
  match(path: string): Handler[];
}

/**
 * Matches by tree.
 */
export class TreeRouter<T> extends BaseRouter implements Router {
  name = 'tree';
  #nodes: Node[] = [];

  constructor(private readonly store: Store) {
    super();
  }

  match(path: string): Handler[] {
    this.store.get(path);
    return this.walk(path);
  }

  private walk = (path: string) => {
    const node = new Node(path);
    return node.children();
  };

  static make(): TreeRouter<string> {
    return new TreeRouter(new Store());
  }
}

class Node {
  children() {}
}

abstract class BaseRouter {}
interface Named {}
class Store {
  get(key: string) {}
}

export function build(): Router;
export function build(kind?: string): Router {
  const router = TreeRouter.make();
  router.match('/');
  return router;
}

export type Options = { strict: boolean };
export enum Level { Low, High = 2 }
export const tools = { open() {}, close: () => build() };
export default build;
`;

test('PA2 a TypeScript file gives its symbols, overloads as one', async () => {
  expect(symbolLines(await factsOf('src/router.ts', router))).toMatchInlineSnapshot(`
    "constant ROUTES_MAX 4-4 "The largest number of routes."
    interface Router 6-9
    field Router.name 7-7
    method Router.match 8-8
    class TreeRouter 14-35 "Matches by tree."
    field TreeRouter.name 15-15
    field TreeRouter.#nodes 16-16
    constructor TreeRouter.constructor 18-20
    field TreeRouter.store 18-18
    method TreeRouter.match 22-25
    method TreeRouter.walk 27-30
    method TreeRouter.make 32-34
    class Node 37-39
    method Node.children 38-38
    class BaseRouter 41-41
    interface Named 42-42
    class Store 43-45
    method Store.get 44-44
    function build 48-52
    type Options 54-54
    field Options.strict 54-54
    enum Level 55-55
    enum-member Level.Low 55-55
    enum-member Level.High 55-55
    variable tools 56-56
    method tools.open 56-56
    method tools.close 56-56"
  `);
});

test('RE6 TypeScript calls follow fields, parameters, new and static factories', async () => {
  expect(
    await edgeLines({
      'src/router.ts': router,
      'src/compose.ts': 'export type Handler = () => void;\nexport const compose = () => {};\n',
    }),
  ).toMatchInlineSnapshot(`
    "calls src/router.ts#TreeRouter.make -> src/router.ts#Store
    calls src/router.ts#TreeRouter.make -> src/router.ts#TreeRouter
    calls src/router.ts#TreeRouter.match -> src/router.ts#Store.get 0.97
    calls src/router.ts#TreeRouter.match -> src/router.ts#TreeRouter.walk
    calls src/router.ts#TreeRouter.walk -> src/router.ts#Node
    calls src/router.ts#TreeRouter.walk -> src/router.ts#Node.children
    calls src/router.ts#build -> src/router.ts#TreeRouter.make
    calls src/router.ts#build -> src/router.ts#TreeRouter.match 0.97
    calls src/router.ts#tools.close -> src/router.ts#build
    implements src/router.ts#TreeRouter -> src/router.ts#Router
    imports src/router.ts -> src/compose.ts
    imports src/router.ts -> src/compose.ts#Handler
    imports src/router.ts -> src/compose.ts#compose
    inherits src/router.ts#Router -> src/router.ts#Named
    inherits src/router.ts#TreeRouter -> src/router.ts#BaseRouter
    references src/router.ts -> src/router.ts#build
    references src/router.ts#Router.match -> src/compose.ts#Handler
    references src/router.ts#TreeRouter.#nodes -> src/router.ts#Node
    references src/router.ts#TreeRouter.constructor -> src/router.ts#Store
    references src/router.ts#TreeRouter.match -> src/compose.ts#Handler
    references src/router.ts#build -> src/router.ts#Router"
  `);
});

test('RE7 barrels are followed to the definition: renamed, starred, default, in circles', async () => {
  const sources = {
    'src/a.ts': 'export function alpha() {}\nexport default class Main { run() {} }\n',
    'src/b.ts': "export { alpha as beta } from './a.ts';\nexport * from './c.ts';\n",
    'src/c.ts':
      "export * from './b.ts';\nexport const gamma = () => {};\nfunction hidden() {}\nexport { hidden as shown };\n",
    'src/index.ts': "export * from './b.js';\nexport { default as Main } from './a';\nexport * as all from './c';\n",
    'src/use.ts': `import { beta, gamma, shown, Main, all, missing } from '.';
export function use() {
  beta();
  gamma();
  shown();
  new Main().run();
  all.gamma();
  missing();
}
`,
  };
  expect(await edgeLines(sources)).toMatchInlineSnapshot(`
    "calls src/use.ts#use -> src/a.ts#Main
    calls src/use.ts#use -> src/a.ts#Main.run
    calls src/use.ts#use -> src/a.ts#alpha
    calls src/use.ts#use -> src/c.ts#gamma
    calls src/use.ts#use -> src/c.ts#hidden
    imports src/b.ts -> src/a.ts
    imports src/b.ts -> src/a.ts#alpha
    imports src/b.ts -> src/c.ts
    imports src/c.ts -> src/b.ts
    imports src/index.ts -> src/a.ts
    imports src/index.ts -> src/a.ts#Main
    imports src/index.ts -> src/b.ts
    imports src/index.ts -> src/c.ts
    imports src/use.ts -> src/a.ts#Main
    imports src/use.ts -> src/a.ts#alpha
    imports src/use.ts -> src/c.ts#gamma
    imports src/use.ts -> src/c.ts#hidden
    imports src/use.ts -> src/index.ts"
  `);
});

test('RE8 tsconfig paths, extends, baseUrl, workspaces, exports and # imports lead to files', async () => {
  const sources = {
    'tsconfig.base.json':
      '{ // shared\n "compilerOptions": { "baseUrl": ".", "paths": { "@app/*": ["apps/web/src/*"], } } }',
    'apps/web/tsconfig.json':
      '{ "extends": "../../tsconfig.base.json", "references": [{ "path": "../../packages/ui" }] }',
    'apps/web/package.json': '{ "name": "web", "imports": { "#log": "./src/log.ts" } }',
    'packages/ui/package.json':
      '{ "name": "@scope/ui", "exports": { ".": { "types": "./dist/index.d.ts", "import": "./dist/index.js" }, "./button": "./src/button.tsx", "./icons/*": "./src/icons/*.ts" } }',
    'packages/ui/src/index.ts': 'export const theme = 1;\n',
    'packages/ui/src/button.tsx': 'export function Button() { return <b/>; }\n',
    'packages/ui/src/icons/star.ts': 'export const star = () => 1;\n',
    'apps/web/src/log.ts': 'export function log() {}\n',
    'apps/web/src/lib/date.ts': 'export function today() {}\n',
    'apps/web/src/page.tsx': `import { today } from '@app/lib/date';
import { log } from '#log';
import { theme } from '@scope/ui';
import { Button } from '@scope/ui/button';
import { star } from '@scope/ui/icons/star';
import { log as again } from 'apps/web/src/log';
import React from 'react';
const Lazy = React.lazy(() => import('./lazy'));
export function Page() {
  log(); again(); star();
  return <Button when={today()} theme={theme}><Lazy/></Button>;
}
`,
    'apps/web/src/lazy.tsx': 'export default () => null;\n',
  };
  expect(await edgeLines(sources)).toMatchInlineSnapshot(`
    "calls apps/web/src/page.tsx#Page -> apps/web/src/lib/date.ts#today
    calls apps/web/src/page.tsx#Page -> apps/web/src/log.ts#log
    calls apps/web/src/page.tsx#Page -> apps/web/src/page.tsx#Lazy
    calls apps/web/src/page.tsx#Page -> packages/ui/src/button.tsx#Button
    calls apps/web/src/page.tsx#Page -> packages/ui/src/icons/star.ts#star
    imports apps/web/src/page.tsx -> apps/web/src/lazy.tsx
    imports apps/web/src/page.tsx -> apps/web/src/lib/date.ts
    imports apps/web/src/page.tsx -> apps/web/src/lib/date.ts#today
    imports apps/web/src/page.tsx -> apps/web/src/log.ts
    imports apps/web/src/page.tsx -> apps/web/src/log.ts#log
    imports apps/web/src/page.tsx -> external:react
    imports apps/web/src/page.tsx -> packages/ui/src/button.tsx
    imports apps/web/src/page.tsx -> packages/ui/src/button.tsx#Button
    imports apps/web/src/page.tsx -> packages/ui/src/icons/star.ts
    imports apps/web/src/page.tsx -> packages/ui/src/icons/star.ts#star
    imports apps/web/src/page.tsx -> packages/ui/src/index.ts
    imports apps/web/src/page.tsx -> packages/ui/src/index.ts#theme
    references apps/web/src/page.tsx#Page -> packages/ui/src/index.ts#theme"
  `);
});

test('RE9 CommonJS: require, module.exports, methods put on an object or a prototype', async () => {
  const sources = {
    'lib/app.js': `var utils = require('./utils');
const { inner: renamed } = require('./utils');
var app = exports = module.exports = {};

/** Starts it. */
app.listen = function listen() {
  utils.inner();
  renamed();
  this.handle();
};
app.handle = function () {};
`,
    'lib/utils.js':
      'exports.inner = function inner() {};\nfunction View() {}\nView.prototype.draw = function () { this.clear(); };\nView.prototype.clear = function () {};\n',
    'lib/index.js': "const make = require('./make');\nconst app = require('./app');\nmake();\napp.listen();\n",
    'lib/make.js': 'function make() {}\nmodule.exports = make;\n',
  };
  expect(await edgeLines(sources)).toMatchInlineSnapshot(`
    "calls lib/app.js#app.listen -> lib/app.js#app.handle
    calls lib/app.js#app.listen -> lib/utils.js#inner
    calls lib/index.js -> lib/app.js#app.listen
    calls lib/index.js -> lib/make.js#make
    calls lib/utils.js#View.draw -> lib/utils.js#View.clear
    imports lib/app.js -> lib/utils.js
    imports lib/app.js -> lib/utils.js#inner
    imports lib/index.js -> lib/app.js
    imports lib/index.js -> lib/make.js
    references lib/make.js -> lib/make.js#make"
  `);
});

test('RE9 CommonJS: a function that several names are given at once is found by each', async () => {
  const sources = {
    'lib/request.js': `var req = exports = module.exports = {};
req.get =
req.header = function header(name) { return this.raw(name); };
req.raw = function (name) {};
function View() {}
View.prototype.show = View.prototype.draw = function () { this.clear(); };
View.prototype.clear = function () {};
exports.one = exports.two = function both() {};
`,
    'lib/make.js': 'module.exports = exports.make = function () {};\n',
    'lib/index.js': `const req = require('./request');
const { one, two } = require('./request');
const make = require('./make');
req.get('a');
req.header('b');
one();
two();
make();
`,
  };
  const { symbols } = await factsOf('lib/request.js', sources['lib/request.js']);
  expect(symbols.map(({ qualifiedName }) => qualifiedName)).toEqual([
    'req',
    'req.get',
    'req.header',
    'req.raw',
    'View',
    'View.show',
    'View.draw',
    'View.clear',
    'one',
    'two',
  ]);
  expect((await edgeLines(sources)).split('\n').filter((line) => line.startsWith('calls'))).toEqual([
    'calls lib/index.js -> lib/make.js#make',
    'calls lib/index.js -> lib/request.js#one',
    'calls lib/index.js -> lib/request.js#req.get',
    'calls lib/index.js -> lib/request.js#req.header',
    'calls lib/index.js -> lib/request.js#two',
    // What is in it belongs to the name next to it.
    'calls lib/request.js#View.draw -> lib/request.js#View.clear',
    'calls lib/request.js#req.header -> lib/request.js#req.raw',
  ]);
});

test('RE10 decorators, implemented interfaces and functions passed on are told apart; outside names stay outside', async () => {
  const sources = {
    'svc.ts': `import { Injectable } from '@nestjs/common';
import { Guard } from './guard';
import * as g from './guard';
@Injectable()
@Guard('x')
export class Service implements g.Can, OnInit {
  @Guard('y') run() { setTimeout(this.tick, 1); items.map(g.check); }
  tick() {}
}
`,
    'guard.ts':
      'export function Guard(x: string) { return () => {}; }\nexport interface Can {}\nexport const check = () => true;\n',
    'other.ts': 'export function Injectable() {}\nexport interface OnInit {}\n',
  };
  expect(await edgeLines(sources)).toMatchInlineSnapshot(`
    "decorates svc.ts#Service -> guard.ts#Guard
    decorates svc.ts#Service.run -> guard.ts#Guard
    implements svc.ts#Service -> guard.ts#Can
    imports svc.ts -> external:@nestjs/common
    imports svc.ts -> guard.ts
    imports svc.ts -> guard.ts#Guard
    references svc.ts#Service.run -> guard.ts#check
    references svc.ts#Service.run -> svc.ts#Service.tick"
  `);
});
