import { describe, expect, test } from 'vitest';
import { searchLimits } from '../../src/base/limits.ts';
import { defaultLayers } from '../../src/retrieval/search/fusion.ts';
import { phrasesOf } from '../../src/retrieval/search/name-apart.ts';
import { parseQuery } from '../../src/retrieval/search/query.ts';
import { rank, searchEntities } from '../../src/retrieval/search/rank.ts';
import { project } from './project.ts';
import { sourceOf, vectorOf } from './sources.ts';

const source = await sourceOf(project);
const reversed = await sourceOf(Object.fromEntries(Object.entries(project).reverse()));

const pathsOf = (hits: readonly { readonly path: string }[]) => hits.map(({ path }) => path);

describe('answers to a question', () => {
  test('RK20: a hit names its place, its kind and why it is there', async () => {
    const question = 'When do stored answers expire?';
    const [hit] = rank(source, question, await vectorOf(question));
    expect(hit).toMatchObject({
      path: 'shop/cache.py',
      role: 'product',
      kind: 'method',
      label: 'ResponseCache.evict_expired',
      startLine: 10,
      endLine: 14,
      score: 1,
    });
    expect(hit?.symbol?.summary).toBe('Drop entries whose time to live is over.');
    expect(hit?.why.lexical).toEqual(expect.arrayContaining(['stored', 'expire']));
    expect(hit?.why.vector).toBeGreaterThan(0.25);
    expect(hit?.why.graph).toEqual([]);
  });

  test('RK20: scores lie above 0, at most at 1, and fall', () => {
    const scores = rank(source, 'expired cache entries', null, { count: 20 }).map(({ score }) => score);
    expect(scores[0]).toBe(1);
    expect(scores.every((score) => score > 0)).toBe(true);
    expect([...scores].sort((a, b) => b - a)).toEqual(scores);
  });

  test('RK21: code comes before its test, unless tests are asked for', () => {
    const plain = pathsOf(rank(source, 'evict expired entries of the cache', null));
    expect(plain.indexOf('shop/cache.py')).toBe(0);
    const asked = pathsOf(rank(source, 'which test covers evicting expired entries of the cache', null));
    expect(asked[0]).toBe('tests/test_cache.py');
  });

  test('RK22: documents come first when they are asked for, by type or in words, and last for code', () => {
    const question = 'evict expired entries';
    expect(rank(source, question, null)[0]?.path).toBe('shop/cache.py');
    expect(rank(source, question, null, { queryType: 'docs' })[0]?.role).toMatch(/document|history/);
    expect(rank(source, `is there documentation on how to ${question}`, null)[0]?.role).toMatch(/document|history/);
    const code = rank(source, question, null, { queryType: 'code' }).map(({ role }) => role);
    expect(code.indexOf('product')).toBe(0);
    expect(
      Math.min(
        ...['document', 'history'].map((role) => code.indexOf(role as (typeof code)[number])).filter((at) => at !== -1),
      ),
    ).toBeGreaterThan(1);
  });

  test('RK23: pieces of one definition are one hit, and one file does not fill an answer', () => {
    const hits = rank(source, 'weigh everything total', null, { count: 8 });
    expect(hits.filter(({ label }) => label === 'weigh_everything')).toHaveLength(1);
    const many = rank(source, 'cache store evict expired response entries', null, { count: 4 });
    expect(new Set(pathsOf(many)).size).toBeGreaterThan(1);
  });

  test('RK39: of a definition that is searched in pieces the best piece is shown, of one that is named the whole', async () => {
    const lines = Array.from({ length: 300 }, (_, at) => (at === 200 ? '    refuse_twice()' : `    step(${at})`));
    const long = await sourceOf({
      'long.py': `def work():\n${lines.join('\n')}\n`,
      'short.py': 'def other():\n    step(1)\n',
    });
    const [piece] = rank(long, 'where do we refuse it twice', null);
    expect(piece).toMatchObject({ path: 'long.py', label: 'work', kind: 'function' });
    expect(piece?.startLine).toBeGreaterThan(100);
    expect(piece?.startLine).toBeLessThanOrEqual(202);
    expect(piece?.endLine).toBeGreaterThanOrEqual(202);
    expect((piece?.endLine ?? 0) - (piece?.startLine ?? 0)).toBeLessThan(81);
    expect(rank(long, 'what does `work` do', null)[0]).toMatchObject({ label: 'work', startLine: 1, endLine: 301 });
    expect(searchEntities(long, 'work', null, 1)[0]).toMatchObject({ startLine: 1, endLine: 301 });
  });

  test('RK24: the order of the index does not change an answer', async () => {
    for (const question of ['evict expired', 'retry backoff', 'entries', 'response', 'cache']) {
      const vector = await vectorOf(question);
      const told = (from: typeof source) =>
        rank(from, question, vector, { count: 20 }).map(({ path, startLine, label, score }) => [
          path,
          startLine,
          label,
          score.toFixed(6),
        ]);
      expect(told(reversed)).toEqual(told(source));
    }
  });

  test('RK25: no words, unknown words and a source without files give no hits', async () => {
    expect(rank(source, '', null)).toEqual([]);
    expect(rank(source, 'zyxwv', null)).toEqual([]);
    expect(rank(await sourceOf({}), 'cache', await vectorOf('cache'))).toEqual([]);
  });

  test('RK25: any text is a question', () => {
    for (const text of [
      '"',
      "don't",
      'a AND NOT (b',
      'col:val',
      '*',
      'NEAR(a b)',
      '\0',
      '🙂',
      '/src/../main.py',
      '^foo$',
    ]) {
      expect(() => rank(source, text, null)).not.toThrow();
    }
  });

  test('RK26: a word finds what it may mean, and says so', () => {
    const [hit] = rank(source, 'purge stale', null);
    expect(hit?.label).toBe('ResponseCache.evict_expired');
    expect(hit?.why.lexical.join(' ')).toMatch(/→/);
    const without = rank(source, 'purge stale', null, { layers: { ...defaultLayers, meanings: false } });
    expect(without).toEqual([]);
  });

  test('RK32: many meanings of one word are less than the words of the question', async () => {
    const invoices = Array.from({ length: 5 }, (_, at) => `def print_invoice_${at}():\n    invoice.show()\n`);
    const files = {
      ...Object.fromEntries(invoices.map((text, at) => [`print_${at}.py`, text])),
      'meanings.py': `def row():\n${['delete', 'remove', 'purge', 'unlink', 'drop', 'clear'].map((word) => `    ${word}()\n`).join('')}`,
      'words.py': 'def tidy():\n    invoice.erase()\n',
    };
    expect(rank(await sourceOf(files), 'erase the invoice', null)[0]?.path).toBe('words.py');
  });

  test('RK33: a file with all words of a question comes before one that repeats some of them', async () => {
    const files = {
      'repeats.py': 'def queue():\n    retry(queue, queue, retry)\n',
      'covers.py': 'def one():\n    queue(limit)\n\ndef two():\n    retry(budget)\n\ndef three():\n    other()\n',
      'neither.py': 'def other(): pass\n',
    };
    expect(rank(await sourceOf(files), 'queue retry limit budget', null)[0]?.path).toBe('covers.py');
  });

  test('RK36: a file that is called what is asked for comes before one that says it as often', async () => {
    const body = 'def first():\n    send(cookie, cookie)\n\ndef second():\n    redirect(limit)\n';
    const filler = 'def other(): pass\n';
    const named = await sourceOf({ 'a.py': body, 'web/z_cookie.py': body, 'web/other.py': filler, 'b.py': filler });
    expect(rank(named, 'how is a cookie sent', null)[0]?.path).toBe('web/z_cookie.py');
    expect(rank(named, 'how is a redirect limited', null)[0]?.path).toBe('a.py');
  });

  test('RK37: in a file, what is named by the question and by nothing else comes first', async () => {
    const hosts = '    host = hosts[host]\n'.repeat(8);
    const edge = await sourceOf({
      'edge.py': `def host_name(hosts):\n${hosts}\ndef is_host_allowed(name):\n    return name in known\n`,
      'other.py': 'def other(): pass\n',
    });
    const labels = rank(edge, 'which hosts are allowed', null).map(({ label }) => label);
    expect(labels.slice(0, 2)).toEqual(['is_host_allowed', 'host_name']);
  });

  test('RK34: what a question names comes before what only mentions it', async () => {
    const calls = Array.from({ length: 6 }, (_, at) => `    grand_total(grand_total(${at}))\n`).join('');
    const shop = await sourceOf({
      'calls.py': `def total():\n${calls}\ndef where():\n${calls}`,
      'defines.py': `def other():\n${'    window()\n'.repeat(40)}\ndef grand_total(rows):\n${'    window(rows)\n'.repeat(40)}`,
    });
    for (const question of ['where is grand_total made', 'grand_total', 'what does `total.grand_total()` add']) {
      expect(rank(shop, question, null)[0]).toMatchObject({ path: 'defines.py', label: 'grand_total' });
    }
    expect(rank(shop, 'where is the grand total made', null)[0]?.path).toBe('calls.py');

    // What stands inside something larger is shown itself, and so is a variable between definitions.
    const inside = await sourceOf({
      'server.js': `function server() {\n${'  listen();\n'.repeat(20)}  function refuseTwice() {\n    stop();\n  }\n  refuseTwice();\n}\n`,
      'state.py': `${'import os\n'.repeat(5)}current_shop = open_shop()\n${'print(current_shop)\n'.repeat(5)}`,
    });
    expect(rank(inside, 'where is refuseTwice', null)[0]).toMatchObject({ startLine: 22, endLine: 24 });
    expect(rank(inside, 'current_shop', null)[0]).toMatchObject({ label: 'current_shop', startLine: 6, endLine: 6 });
  });

  test('RK34: names are identifiers, what is quoted or called, and a single word; hostile text is read in time', () => {
    const namesOf = (text: string) => parseQuery(text).names;
    expect(namesOf('why does readFile call `fs.open` and close() twice')).toEqual(['readFile', 'open', 'close']);
    expect(namesOf('Where is the cache emptied?')).toEqual([]);
    expect(namesOf('cache')).toEqual(['cache']);
    const started = performance.now();
    for (const text of ['`'.repeat(16_000), `\`${'a'.repeat(16_000)}`, 'a('.repeat(8_000), 'a_b '.repeat(4_000)]) {
      expect(namesOf(text).length).toBeLessThanOrEqual(8);
    }
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test('RK44: a question of nothing but stop words has no answer, unless something is called so', async () => {
    const vector = await vectorOf('how does it do that');
    for (const text of ['what is this', 'how does it do that', 'Where was it?', 'this is that']) {
      expect(rank(source, text, vector)).toEqual([]);
      expect(searchEntities(source, text, vector, 8)).toEqual([]);
    }
    const flags = await sourceOf({
      'flags.js': 'function isIn(list) { return list; }\n\nfunction from(what) { return this; }\n',
    });
    for (const [text, label] of [
      ['is in', 'isIn'],
      ['from', 'from'],
      ['what does `from` do', 'from'],
    ] as const) {
      expect(rank(flags, text, null)[0]?.label).toBe(label);
    }
    expect(searchEntities(flags, 'is in', null, 8)[0]?.label).toBe('isIn');
    expect(rank(flags, 'what is this', null)).toEqual([]);
  });

  test('RK38: a name written as its words is found as the name, alone and not in a sentence', async () => {
    const uses = '    app(current)\n'.repeat(12);
    const shop = await sourceOf({
      'calls.py': `def app(current):\n${uses}\ndef other(current):\n${uses}`,
      'state.py': 'import os\n\ncurrent_app = make()\n',
      'names.js': 'function other() {}\n\nfunction bodyLimit() {}\n',
    });
    for (const text of ['current app', 'Current App']) {
      expect(rank(shop, text, null)[0]).toMatchObject({ path: 'state.py', label: 'current_app' });
      expect(searchEntities(shop, text, null, 3)[0]).toMatchObject({ path: 'state.py', label: 'current_app' });
    }
    expect(rank(shop, 'body limit', null)[0]).toMatchObject({ path: 'names.js', label: 'bodyLimit' });
    expect(searchEntities(shop, 'body  limit', null, 3)[0]?.label).toBe('bodyLimit');
    expect(parseQuery('where do we set the current app').names).toEqual([]);
  });

  test('RK41: a name written as its words is found in a sentence too, less than what is named and only as its definition', async () => {
    const shop = await sourceOf({
      'limit.py': 'def body(wrong):\n    limit(body, wrong)\n    limit(wrong, body)\n',
      'parser.py': 'def context(app):\n    parser(context, app)\n    parser(app, context)\n',
      'a.js': 'function first() {}\n\nfunction bodyLimit() {}\n',
      'b.py': 'def second():\n    pass\n\ndef app_context_parser():\n    pass\n',
      'c.py': 'def third():\n    pass\n\nwrong_limit = 3\n',
      'sale.py': 'def fourth(ticket):\n    sell_ticket(ticket)\n    sell(ticket)\n',
      'd.py': 'def fifth():\n    pass\n\ndef ticket():\n    pass\n',
    });
    const found = (question: string): readonly string[] => rank(shop, question, null).map(({ label }) => label);
    expect(found('where is the body limit kept')[0]).toBe('bodyLimit');
    expect(found('what does the App Context parser do?')[0]).toBe('app_context_parser');
    expect(found('how does a ticket work')[0]).toBe('ticket');
    expect(found('where is the "body"-limit kept')[0]).toBe('bodyLimit');
    // A value of two words is no place to go to.
    expect(found('where is the wrong limit kept')[0]).toBe('body');
    // What is written as a name counts more than what may be one.
    const both = found('where does `app_context_parser` keep the body limit');
    expect(both.indexOf('app_context_parser')).toBeLessThan(both.indexOf('bodyLimit'));
  });

  test('RK41: only runs of neighbouring words may be names, and a text of any length has few', () => {
    const names = (text: string): readonly string[] => phrasesOf(text).map(({ names: [name = ''] }) => name);
    // A stop word may be the first or the last of a name, and no name is made of them alone.
    expect(names('is a json, 重跑 of')).toEqual([
      'is_a_json',
      'is_a_json_重跑',
      'a_json',
      'a_json_重跑',
      'a_json_重跑_of',
      'json_重跑',
      'json_重跑_of',
      '重跑_of',
    ]);
    expect(names('what is it')).toEqual([]);
    expect(names('how does the Debounce work?')[0]).toBe('debounce');
    expect(names('debounce and retry')).toEqual(['debounce_and', 'debounce_and_retry', 'and_retry']);
    expect(names('')).toEqual([]);
    const long = Array.from({ length: 100_000 }, (_, at) => `word${at}`).join(' ');
    expect(parseQuery(long).phrases).toHaveLength(searchLimits.queryPhrasesMax);
    expect(names('a \ud800 b \0 c')).toEqual(['a_b', 'a_b_c', 'b_c']);
  });

  test('RK27: with the graph, a neighbour of a better file is found and says whose neighbour it is', () => {
    const count = 20;
    const without = rank(source, 'too old', null, { count });
    expect(new Set(pathsOf(without))).toEqual(new Set(['shop/cache.py']));
    const hits = rank(source, 'too old', null, { count, layers: { ...defaultLayers, graph: true } });
    expect(hits[0]?.path).toBe('shop/cache.py');
    expect(hits.find(({ path }) => path === 'shop/retry.py')).toMatchObject({
      kind: 'file',
      why: { lexical: [], vector: 0, graph: ['shop/cache.py'] },
    });
  });
});

describe('search by name', () => {
  test('RK28: what is called exactly so comes first, in any case and with its class', () => {
    for (const text of ['evict_expired', 'EVICT_EXPIRED', 'ResponseCache.evict_expired', 'evict_expired()']) {
      expect(searchEntities(source, text, null, 5)[0]?.label).toMatch(/evict_expired$/);
    }
    expect(searchEntities(source, 'ResponseCache::evict_expired', null, 5)[0]?.path).toBe('shop/cache.py');
    const names = searchEntities(source, 'evict_expired', null, 5).slice(0, 2);
    expect(new Set(pathsOf(names))).toEqual(new Set(['shop/cache.py', 'shop/retry.py']));
  });

  test('RK28: a constant without a chunk of its own is found by its name', () => {
    expect(searchEntities(source, 'MAX_ATTEMPTS', null, 3)[0]).toMatchObject({
      path: 'shop/retry.py',
      label: 'MAX_ATTEMPTS',
      kind: 'constant',
      startLine: 3,
    });
  });

  test('RK28: a file is found by its name and by its path', () => {
    expect(searchEntities(source, 'retry.py', null, 3)[0]).toMatchObject({ path: 'shop/retry.py', kind: 'file' });
    expect(searchEntities(source, 'shop/cache.py', null, 3)[0]).toMatchObject({ path: 'shop/cache.py', kind: 'file' });
  });

  test('RK28: other words find what fits, without a double and with falling scores', () => {
    const hits = searchEntities(source, 'cache expired', null, 10);
    expect(hits[0]?.path).toBe('shop/cache.py');
    const scores = hits.map(({ score }) => score);
    expect([...scores].sort((a, b) => b - a)).toEqual(scores);
    expect(new Set(hits.map(({ path, label, startLine }) => `${path} ${label} ${startLine}`)).size).toBe(hits.length);
  });
});
