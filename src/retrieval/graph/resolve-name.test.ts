import { beforeAll, expect, test } from 'vitest';
import { projectOf } from '../../../test/code/sources.ts';
import { link } from '../code/link.ts';
import { memoryGraph } from './memory-graph.ts';
import { type Resolution, resolveName, resolveOrGuess } from './resolve-name.ts';
import type { GraphSource } from './source.ts';

let source: GraphSource;

beforeAll(async () => {
  const { facts, config } = await projectOf({
    'flask/app.py':
      'import requests\n\nclass Flask:\n    def run(self): pass\n    def stop(self): pass\n\ndef run(): pass\n',
    'flask/__init__.py': 'from .app import Flask\n',
    'flask/cli.py': 'class Command:\n    def run(self): pass\n\nclass Context: pass\n',
    'tests/test_app.py': 'class Context: pass\n\nclass Loader: pass\n',
    'README.md': '# Flask\n\n## Usage\n\n# C# and other\n',
    'docs/USE.md': '## Usage\n',
    'lib/x.h': 'int add(int a);\nint sub(int a);\nstruct S { void m(); };\n',
    'lib/x.cpp': '#include "x.h"\nint add(int a) { return a; }\nvoid S::m() {}\n',
    'lib/one.c': 'static int init(void) { return 1; }\n',
    'lib/two.c': 'static int init(void) { return 2; }\n',
    'A.java': 'package org.acme.net;\npublic class A { class B { B() {} } void f(int a) {} void f(String s) {} }\n',
    'go.mod': 'module ex.com/m\n',
    'main.go': 'package main\n\nimport "ex.com/m/render/binding"\n\nfunc main() { binding.Default() }\n',
    'render/binding/b.go': 'package binding\n\nfunc Default() {}\n',
  });
  source = memoryGraph(facts, [...link(facts, config)]);
});

/** `exact id+same (passed over)` or `candidates ids`. */
function said(resolution: Resolution): string {
  const short = (id: string): string => id.replace(/^symbol:/, '');
  switch (resolution.kind) {
    case 'exact': {
      const others = resolution.others.map((node) => short(node.id)).join(' ');
      return `exact ${resolution.same.map((node) => short(node.id)).join('+')}${others === '' ? '' : ` (${others})`}`;
    }
    case 'semantic':
      return `semantic ${short(resolution.node.id)}`;
    case 'candidates':
      return `candidates ${resolution.candidates.map((node) => short(node.id)).join(' ')}`;
    case 'none':
      return 'none';
  }
}

const of = (text: string): string => said(resolveName(source, text));

test('GR1: an id, a path and a path with a name are exact', () => {
  expect(of('symbol:flask/app.py#Flask.run')).toBe('exact flask/app.py#Flask.run');
  expect(of('file:flask/app.py')).toBe('exact file:flask/app.py');
  for (const path of ['flask/app.py', './flask/app.py', 'flask\\app.py'])
    expect(of(path)).toBe('exact file:flask/app.py');
  expect(of('render/binding/')).toBe('exact package:render/binding');
  expect(of('flask/app.py#Flask.run')).toBe('exact flask/app.py#Flask.run');
  expect(of('app.py#Flask.run')).toBe('exact flask/app.py#Flask.run');
  expect(of('binding/b.go')).toBe('exact file:render/binding/b.go');
  expect(of('app.py')).toBe('exact file:flask/app.py');
});

test('GR2: a qualified name is found whole, by its end, behind its module and as other languages write it', () => {
  expect(of('Flask.run')).toBe('exact flask/app.py#Flask.run');
  expect(of('A.B')).toBe('exact A.java#A.B');
  expect(of('Flask.stop()')).toBe('exact flask/app.py#Flask.stop');
  for (const text of ['S.m', 'S::m', 'S#m', 'S->m']) expect(of(text)).toBe('exact lib/x.cpp#S.m+lib/x.h#S.m');
  for (const text of ['flask.app.Flask', 'flask.app.Flask.run', 'app.run'])
    expect(of(text)).toContain('exact flask/app.py#');
  expect(of('flask.Command.run')).toBe('exact flask/cli.py#Command.run');
  expect(of('binding.Default')).toBe('exact render/binding/b.go#Default');
  expect(of('org.acme.net')).toBe('exact package:org.acme.net');
  expect(of('app.Nothing')).toBe('none');
});

test('GR3: a simple name that several things have gives candidates and no answer', () => {
  expect(of('Context')).toBe('candidates flask/cli.py#Context tests/test_app.py#Context');
  expect(of('init')).toBe('candidates lib/one.c#init lib/two.c#init');
  expect(of('Usage')).toBe('exact docs/USE.md#Usage (README.md#Flask.Usage)');
  expect(of('stop')).toBe('exact flask/app.py#Flask.stop');
  expect(of('binding')).toBe('exact package:render/binding');
});

test('GR4: the whole name goes before its part, code before headings, and what was passed over is told', () => {
  expect(of('run')).toBe('exact flask/app.py#run (flask/app.py#Flask.run flask/cli.py#Command.run)');
  expect(of('Flask')).toBe('exact flask/app.py#Flask (README.md#Flask)');
  expect(of('requests')).toBe('exact external:requests');
  expect(of('C# and other')).toBe('exact README.md#C# and other');
});

test('GR5: a prototype and its definition, overloads, and a type and its constructor are one thing', () => {
  expect(of('add')).toBe('exact lib/x.cpp#add+lib/x.h#add');
  expect(of('symbol:lib/x.h#add')).toBe('exact lib/x.h#add+lib/x.cpp#add');
  expect(of('sub')).toBe('exact lib/x.h#sub');
  expect(of('A.f')).toBe('exact A.java#A.f+A.java#A.f~2');
  expect(of('symbol:A.java#A.f~2')).toBe('exact A.java#A.f~2');
  expect(of('B')).toBe('exact A.java#A.B');
});

test('GR6: any other case is tried only when the case as written gives nothing', () => {
  expect(of('flask.RUN')).toBe('exact flask/app.py#Flask.run');
  expect(of('LOADER')).toBe('exact tests/test_app.py#Loader');
  expect(of('Readme.md')).toBe('exact file:README.md');
  expect(of('Flask/App.py#flask')).toBe('exact flask/app.py#Flask');
  expect(of('usage')).toBe('exact docs/USE.md#Usage (README.md#Flask.Usage)');
});

test('GR7: nothing is guessed by likeness; a search may offer names, and its answer is marked as a guess', () => {
  for (const text of ['Flaks', '', '  ', '()', '/', '..', '#', 'constructor', '__proto__'])
    expect(of(text)).toBe('none');
  const offered: string[] = [];
  const offer = (text: string): readonly string[] => {
    offered.push(text);
    return ['nowhere', 'Context', 'README.md', 'Flask.stop'];
  };
  expect(said(resolveOrGuess(source, 'halt the server', offer))).toBe('semantic flask/app.py#Flask.stop');
  expect(said(resolveOrGuess(source, 'Flask', offer))).toBe('exact flask/app.py#Flask (README.md#Flask)');
  expect(said(resolveOrGuess(source, 'nothing', () => ['nowhere']))).toBe('none');
  expect(offered).toEqual(['halt the server']);
});
