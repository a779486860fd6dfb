import { expect, test } from 'vitest';
import { edgeLines, factsOf, symbolLines } from './sources.ts';

test('PA11 Markdown gives a symbol for each heading, none inside fences, and its links lead to files', async () => {
  const text =
    '# Guide\n\nHow it *works*.\n\n## Set `up`\n\n```sh\n# not a heading\n```\n\nSee [the code](../src/a.py#L3) and [web](https://x.y).\n\nSetext\n------\n\n### Deep ##\n\n## Set `up`\n\nAgain.\n';
  expect(symbolLines(await factsOf('docs/guide.md', text))).toMatchInlineSnapshot(`
    "section Guide 1-20 "How it *works*."
    section Guide.Set up 5-12 "See [the code](../src/a.py#L3) and [web](https://x.y)."
    section Guide.Setext 13-17
    section Guide.Setext.Deep 16-17
    section Guide.Set up~2 18-20 "Again.""
  `);
  expect(await edgeLines({ 'docs/guide.md': text, 'src/a.py': 'x = 1\n' })).toMatchInlineSnapshot(
    `"references docs/guide.md -> src/a.py"`,
  );
});

test('PA12 OpenAPI and AsyncAPI give endpoints, schemas and channels, in YAML and JSON; plain YAML gives none', async () => {
  const yaml =
    'openapi: 3.1.0\npaths:\n  /users/{id}:\n    get:\n      operationId: getUser\n      summary: One user.\n    delete:\n      responses: {}\ncomponents:\n  schemas:\n    User:\n      type: object\n';
  expect(symbolLines(await factsOf('api.yaml', yaml))).toMatchInlineSnapshot(`
    "endpoint GET /users/{id} 4-6 "getUser. One user."
    endpoint DELETE /users/{id} 7-8
    schema User 11-12"
  `);
  const json = JSON.stringify(
    { swagger: '2.0', paths: { '/a': { post: { summary: 'Makes.' } } }, definitions: { A: {} } },
    null,
    2,
  );
  expect(symbolLines(await factsOf('api.json', json))).toMatchInlineSnapshot(`
    "endpoint POST /a 5-9 "Makes."
    schema A 11-12"
  `);
  const events = "asyncapi: '2.6.0'\nchannels:\n  user/created:\n    subscribe:\n      message: {}\n";
  expect(symbolLines(await factsOf('events.yml', events))).toMatchInlineSnapshot(`"channel user/created 3-5"`);
  expect(symbolLines(await factsOf('compose.yaml', 'services:\n  paths:\n    get: 1\n'))).toBe('');
  expect(symbolLines(await factsOf('bad.yaml', 'openapi: 3\n\tpaths: {{{[\n - : :\n'))).toBe('');
});

test('PA13 SQL gives what it creates, and views refer to their tables', async () => {
  const sql =
    "-- People.\nCREATE TABLE IF NOT EXISTS app.users (id int, boss int REFERENCES app.users(id));\n/* CREATE TABLE no (); */\nINSERT INTO x VALUES ('CREATE TABLE neither');\ncreate or replace view active as select * from app.users;\nCREATE UNIQUE INDEX users_id ON app.users (id);\nCREATE FUNCTION f() RETURNS int AS $$ BEGIN; CREATE TABLE inner_one(); END; $$ LANGUAGE plpgsql;\n";
  expect(symbolLines(await factsOf('schema.sql', sql))).toMatchInlineSnapshot(`
    "table app.users 2-2 "People."
    view active 5-5
    index users_id 6-6
    function f 7-7"
  `);
  expect(await edgeLines({ 'schema.sql': sql })).toMatchInlineSnapshot(`
    "references schema.sql#active -> schema.sql#app.users 0.9
    references schema.sql#users_id -> schema.sql#app.users 0.9"
  `);
});

test('PA14 proto gives messages, enums, services and calls', async () => {
  const proto =
    'syntax = "proto3";\npackage shop.v1;\nimport "common.proto";\n\n// An order.\nmessage Order {\n  string id = 1;\n  repeated Item items = 2;\n  message Item { int32 n = 1; }\n  enum State { NEW = 0; }\n}\n\nservice Shop {\n  // Buys.\n  rpc Buy(Order) returns (stream Receipt);\n}\n';
  const sources = {
    'shop.proto': proto,
    'common.proto': 'syntax = "proto3";\npackage shop.v1;\nmessage Receipt { string id = 1; }\n',
  };
  expect(symbolLines(await factsOf('shop.proto', proto))).toMatchInlineSnapshot(`
    "message Order 6-11 "An order."
    message Order.Item 9-9
    enum Order.State 10-10
    service Shop 13-16
    rpc Shop.Buy 15-15 "Buys.""
  `);
  expect(await edgeLines(sources)).toMatchInlineSnapshot(`
    "imports shop.proto -> common.proto
    references shop.proto#Shop.Buy -> common.proto#Receipt 0.95
    references shop.proto#Shop.Buy -> shop.proto#Order"
  `);
});

test('PA15 scripts of Vue and Svelte keep their lines; the template uses their names', async () => {
  const vue =
    '<template>\n  <UserCard @click="save" :name="label" />\n  {{ total(label) }}\n</template>\n\n<script setup lang="ts">\nimport UserCard from \'./UserCard.vue\';\nimport { label } from \'./label\';\nfunction save(): void {\n  label();\n}\nconst total = (x: unknown) => x;\n</script>\n\n<style>.a { color: red }</style>\n';
  const svelte =
    "<script>\n  import { label } from './label';\n  function go() {}\n</script>\n\n<button on:click={go}>{label()}</button>\n";
  expect(symbolLines(await factsOf('App.vue', vue))).toMatchInlineSnapshot(`
    "function save 9-11
    function total 12-12"
  `);
  expect(symbolLines(await factsOf('App.svelte', svelte))).toMatchInlineSnapshot(`"function go 3-3"`);
  const sources = {
    'App.vue': vue,
    'App.svelte': svelte,
    'label.ts': 'export const label = () => 1;\n',
    'UserCard.vue': '<script>\nexport default { name: "x" };\n</script>\n',
  };
  expect(await edgeLines(sources)).toMatchInlineSnapshot(`
    "calls App.vue#save -> label.ts#label
    imports App.svelte -> label.ts
    imports App.svelte -> label.ts#label
    imports App.vue -> UserCard.vue
    imports App.vue -> UserCard.vue#default
    imports App.vue -> label.ts
    imports App.vue -> label.ts#label
    references App.svelte -> App.svelte#go
    references App.vue -> App.vue#save
    references App.vue -> App.vue#total"
  `);
});

test('PA16 code cells of a notebook are read as one program, with the lines of the file', async () => {
  const notebook = JSON.stringify(
    {
      cells: [
        { cell_type: 'markdown', source: ['# Title\n', 'def not_code(): ...'] },
        {
          cell_type: 'code',
          source: ['%matplotlib inline\n', 'import tools\n', '\n', 'def clean(x):\n', '    return tools.trim(x)\n'],
        },
        { cell_type: 'code', source: 'def later():\n    clean(1)' },
      ],
      metadata: { kernelspec: { language: 'python' } },
      nbformat: 4,
    },
    null,
    1,
  );
  const facts = await factsOf('work.ipynb', notebook);
  expect(symbolLines(facts)).toMatchInlineSnapshot(`
    "function clean 16-17
    function later 22-22"
  `);
  const lines = notebook.split('\n');
  const [clean] = facts.symbols;
  expect(lines[(clean?.startLine ?? 0) - 1]).toContain('def clean');
  expect(notebook.slice(clean?.start, clean?.end)).toContain('tools.trim');
  expect(await edgeLines({ 'work.ipynb': notebook, 'tools.py': 'def trim(x): ...\n' })).toMatchInlineSnapshot(`
    "calls work.ipynb#clean -> tools.py#trim
    calls work.ipynb#later -> work.ipynb#clean
    imports work.ipynb -> tools.py"
  `);
});
