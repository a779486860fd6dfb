import { expect, test } from 'vitest';
import { edgeLines, factsOf, symbolLines } from './sources.ts';

const models = `"""The models."""
import json
from typing import Optional

LIMIT = 10

class Base:
    """What all share."""

    def save(self):
        self.check()

    def check(self): ...


@register("user")
class User(Base):
    name: str = ""

    def __init__(self, store: "Store"):
        # Where it is kept.
        self.store = store

    @property
    def home(self) -> "Store":
        return self.store

    def save(self):
        super().save()
        self.store.put(json.dumps(self.name))
        self.home.put(LIMIT)


class Store:
    def put(self, value): ...


def register(name):
    def inner(cls):
        return cls
    return inner


# Finds one,
# or nothing.
async def find(name: str) -> Optional[User]:
    return User(Store())
`;

test('PA1 a Python file gives its symbols with docstrings, comments and lines', async () => {
  expect(symbolLines(await factsOf('app/models.py', models))).toMatchInlineSnapshot(`
    "constant LIMIT 5-5
    class Base 7-13 "What all share."
    method Base.save 10-11
    method Base.check 13-13
    class User 16-31
    field User.name 18-18
    method User.__init__ 20-22
    field User.store 22-22
    property User.home 24-26
    method User.save 28-31
    class Store 34-35
    method Store.put 35-35
    function register 38-41
    function register.inner 39-40
    function find 46-47 "Finds one, or nothing.""
  `);
});

test('RE1 Python calls reach methods through self, super, parameters, fields and properties', async () => {
  expect(await edgeLines({ 'app/models.py': models })).toMatchInlineSnapshot(`
    "calls app/models.py#Base.save -> app/models.py#Base.check
    calls app/models.py#User.save -> app/models.py#Base.save
    calls app/models.py#User.save -> app/models.py#Store.put 0.97
    calls app/models.py#find -> app/models.py#Store
    calls app/models.py#find -> app/models.py#User
    decorates app/models.py#User -> app/models.py#register
    imports app/models.py -> external:json
    imports app/models.py -> external:typing
    inherits app/models.py#User -> app/models.py#Base
    references app/models.py#User.__init__ -> app/models.py#Store
    references app/models.py#User.home -> app/models.py#Store
    references app/models.py#User.home -> app/models.py#User.store
    references app/models.py#User.save -> app/models.py#LIMIT
    references app/models.py#User.save -> app/models.py#User.name
    references app/models.py#register -> app/models.py#register.inner"
  `);
});

test('RE2 Python imports: relative, absolute, submodules, inside functions, passed on by a package', async () => {
  const sources = {
    'pkg/__init__.py': 'from .core import Engine as Engine\nfrom .core import run\nfrom . import helpers\n',
    'pkg/core.py': 'class Engine:\n    def start(self): ...\n\ndef run(): ...\n',
    'pkg/helpers.py': 'from . import core\nfrom .. import pkg as whole\n\ndef go():\n    core.run()\n',
    'pkg/sub/__init__.py': '',
    'pkg/sub/deep.py': 'from ..core import Engine\n\ndef deep():\n    return Engine()\n',
    'main.py': `import pkg
import pkg.sub.deep as d
import pkg.core

def main():
    from pkg import helpers
    helpers.go()
    engine = pkg.Engine()
    engine.start()
    d.deep().start()
    pkg.core.run()
    pkg.run()
`,
  };
  expect(await edgeLines(sources)).toMatchInlineSnapshot(`
    "calls main.py#main -> pkg/core.py#Engine
    calls main.py#main -> pkg/core.py#Engine.start
    calls main.py#main -> pkg/core.py#run
    calls main.py#main -> pkg/helpers.py#go
    calls main.py#main -> pkg/sub/deep.py#deep
    calls pkg/helpers.py#go -> pkg/core.py#run
    calls pkg/sub/deep.py#deep -> pkg/core.py#Engine
    imports main.py -> pkg/__init__.py
    imports main.py -> pkg/core.py
    imports main.py -> pkg/helpers.py
    imports main.py -> pkg/sub/deep.py
    imports pkg/__init__.py -> pkg/core.py
    imports pkg/__init__.py -> pkg/core.py#Engine
    imports pkg/__init__.py -> pkg/core.py#run
    imports pkg/__init__.py -> pkg/helpers.py
    imports pkg/helpers.py -> pkg/core.py
    imports pkg/sub/deep.py -> pkg/core.py
    imports pkg/sub/deep.py -> pkg/core.py#Engine"
  `);
});

test('RE3 a name imported from outside is never the symbol of the project with that name', async () => {
  const sources = {
    'app/json/__init__.py': 'import json\n\ndef dumps(value):\n    return json.dumps(value)\n',
    'app/views.py':
      'from werkzeug.utils import redirect\nfrom flask import Flask\n\ndef show(app):\n    return redirect(app)\n\nclass Mine(Flask):\n    def run(self):\n        self.render()\n',
    'app/other.py': 'def redirect(x): ...\n\nclass Flask:\n    def render(self): ...\n',
  };
  expect(await edgeLines(sources)).toMatchInlineSnapshot(`
    "imports app/json/__init__.py -> external:json
    imports app/views.py -> external:flask
    imports app/views.py -> external:werkzeug.utils
    inherits app/views.py#Mine -> external:flask.Flask"
  `);
});

test('RE4 a function passed by name, a decorator and a base written as module.Class have edges of their own kind', async () => {
  const sources = {
    'hooks.py':
      'import functools\n\ndef before(): ...\n\ndef wrap(f):\n    @functools.wraps(f)\n    def inner(): ...\n    return inner\n',
    'shapes.py': 'class Shape: ...\n',
    'app.py': `import hooks
import shapes
from hooks import wrap

HANDLERS = {"a": hooks.before}

class Round(shapes.Shape): ...

@wrap
def start(server):
    server.on("start", hooks.before)

@hooks.wrap
def stop(): ...
`,
  };
  expect(await edgeLines(sources)).toMatchInlineSnapshot(`
    "decorates app.py#start -> hooks.py#wrap
    decorates app.py#stop -> hooks.py#wrap
    imports app.py -> hooks.py
    imports app.py -> hooks.py#wrap
    imports app.py -> shapes.py
    imports hooks.py -> external:functools
    inherits app.py#Round -> shapes.py#Shape
    references app.py -> hooks.py#before
    references app.py#start -> hooks.py#before
    references hooks.py#wrap -> hooks.py#wrap.inner"
  `);
});

test('RE5 a local name hides the function of the file, and a method alone is found only when it is the only one', async () => {
  const sources = {
    'a.py': `def run(): ...

def caller(run):
    run()

def other():
    run = 1
    return [run for run in range(3)]

def unknown(thing):
    thing.very_special()
    thing.shared_name()
    thing.append(1)

class A:
    def very_special(self): ...
    def shared_name(self): ...
    def append(self, x): ...

class B:
    def shared_name(self): ...
`,
  };
  expect(await edgeLines(sources)).toMatchInlineSnapshot(`"calls a.py#unknown -> a.py#A.very_special 0.4"`);
});
