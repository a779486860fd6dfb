/** Search over decisions: what is found by which words, what explains it, and how the modes answer. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TextEmbedder } from '../../src/memory/decisions/embedder.ts';
import { parseSearch } from '../../src/memory/decisions/parse-read.ts';
import { searchedFields } from '../../src/memory/decisions/search-index.ts';
import { createIn, must, problems, refusal, type TempProject, tempProject } from './temp-project.ts';

async function store(texts: readonly string[]): Promise<TempProject> {
  const project = tempProject();
  await Promise.all(texts.map((title) => createIn(project.decisions, { title, rationale: '-' })));
  return project;
}

test('DC50 any text is a legal query and finds what its words find', async () => {
  const project = await store([
    "don't use the pool",
    'ADR-016 says so',
    'src/main.py starts it',
    'foo and col val near a b',
  ]);
  const first = async (query: string) => (await project.titles(query))[0] ?? null;
  expect(await first(`don't "use`)).toBe("don't use the pool");
  expect(await first('pool AND')).toBe("don't use the pool");
  expect(await first('ADR-016')).toBe('ADR-016 says so');
  expect(await first('adr 016')).toBe('ADR-016 says so');
  expect(await first('src/main.py')).toBe('src/main.py starts it');
  expect(await first('^foo')).toBe('foo and col val near a b');
  expect(await first('col:val')).toBe('foo and col val near a b');
  expect(await first('NEAR(foo b)')).toBe('foo and col val near a b');
  for (const query of [
    '(',
    '*',
    '""',
    "'",
    '-',
    ':',
    ' ',
    '\u0000',
    '\ud800',
    '😀',
    '\\',
    '{title} :',
    '"a" *',
    'NOT',
    '^',
    '+',
  ]) {
    expect(Array.isArray(await project.titles(query)), JSON.stringify(query)).toBe(true);
  }
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1, maxLength: 60, unit: 'binary' }), async (query) => {
      expect(Array.isArray(await project.titles(query))).toBe(true);
      expect(Array.isArray(await project.titles(`"${query}" pool*`))).toBe(true);
    }),
    { seed: 11, numRuns: 150 },
  );
});

test('DC51 an identifier is found whole, by its parts and in another spelling, and whole ranks first', async () => {
  const forms = [
    'uteke-cloud-dev',
    'vibe-trading',
    'atomic_write_json',
    'parseHttpHeader',
    'user.profile.getName',
    'ERR_QX7731',
  ];
  const noise = ['cloud', 'dev', 'trading', 'write json to disk atomically', 'http', 'user profile', 'header parse'];
  const project = await store([...forms, ...noise, ...Array.from({ length: 40 }, (_, n) => `unrelated note ${n}`)]);
  for (const form of forms) {
    for (const query of [form, form.toLowerCase(), form.toUpperCase(), `where is ${form} used?`]) {
      expect((await project.titles(query))[0], query).toBe(form);
    }
  }
  expect((await project.titles('atomicWriteJson'))[0]).toBe('atomic_write_json');
  expect((await project.titles('parse_http_header'))[0]).toBe('parseHttpHeader');
  expect(await project.titles('uteke')).toEqual(['uteke-cloud-dev']);
  expect(await project.titles('getName')).toEqual(['user.profile.getName']);
  expect(await project.titles('name')).toEqual(['user.profile.getName']);
  expect(await project.titles('7731')).toEqual(['ERR_QX7731']);
  expect(await project.titles('qx7731')).toEqual(['ERR_QX7731']);
});

test('DC52 a file name finds the decisions that govern it, by path, name, part and folder', async () => {
  const project = tempProject();
  await project.create({ title: 'Locks', files_affected: ['src/io/atomicWrite.ts'] });
  await project.create({ title: 'Other', files_affected: ['src/net/http.ts'] });
  for (const query of ['src/io/atomicWrite.ts', 'atomicWrite.ts', 'atomicWrite', 'atomic_write', 'write', 'io']) {
    expect((await project.titles(query))[0], query).toBe('Locks');
  }
});

test('DC53 Chinese, Japanese and Korean text is found without spaces, and so is what is glued to it', async () => {
  const project = await store([
    '重跑gen-itgc后50条',
    'しりとりのルール',
    '끝말잇기를 저장',
    '校验用户身份的流程',
    'サーバーを再起動',
    'plain',
  ]);
  const cases: readonly (readonly [string, string])[] = [
    ['itgc', '重跑gen-itgc后50条'],
    ['gen-itgc', '重跑gen-itgc后50条'],
    ['重跑', '重跑gen-itgc后50条'],
    ['50', '重跑gen-itgc后50条'],
    ['条', '重跑gen-itgc后50条'],
    ['しりとり', 'しりとりのルール'],
    ['끝말잇기', '끝말잇기를 저장'],
    ['用户身份', '校验用户身份的流程'],
    ['サーバー', 'サーバーを再起動'],
    ['ｻｰﾊﾞｰ', 'サーバーを再起動'],
  ];
  for (const [query, expected] of cases) expect(await project.titles(query), query).toEqual([expected]);
});

test('DC54 composed and decomposed text are one, accents and letter case do not matter', async () => {
  const project = await store([
    'Café für naïve Übergabe',
    '끝말잇기'.normalize('NFD'),
    'ガラス'.normalize('NFD'),
    'हिन्दी पाठ',
  ]);
  for (const query of ['café', 'cafe', 'CAFE\u0301', 'uebergabe übergabe', 'U\u0308BERGABE']) {
    expect(await project.titles(query), query).toEqual(['Café für naïve Übergabe']);
  }
  expect(await project.titles('끝말잇기')).toHaveLength(1);
  expect(await project.titles('ガラス')).toHaveLength(1);
  expect(await project.titles('हिन्दी')).toEqual(['हिन्दी पाठ']);
  const tagged = tempProject();
  await tagged.create({
    title: 't',
    tags: ['café'.normalize('NFD')],
    author: 'Zoë',
    files_affected: ['ü.ts'.normalize('NFD')],
  });
  expect(await tagged.listed({ tag: ['café'], author: 'Zoë'.normalize('NFD'), file: ['ü.ts'] })).toEqual(['t']);
});

test('DC55 any word of a question may match, common words are left out unless nothing else is asked', async () => {
  const project = await store(['Retry failed uploads', 'The who and the what', 'Cache sizes']);
  expect(await project.titles('why do we retry the things that we do?')).toEqual(['Retry failed uploads']);
  expect(await project.titles('the who')).toEqual(['The who and the what']);
  const { explanation } = await project.search('why do we retry?', { explain: true });
  expect(explanation).toMatchObject({ words: ['retry'], ignored_words: ['why', 'do', 'we'] });
});

test('DC56 longer words and inflections are found: the beginning of a word, plural, past, -ing', async () => {
  const project = await store(['Concurrency limits', 'Caching of answers', 'We stored entries', 'Locks']);
  const cases = [
    ['concurren', 'Concurrency limits'],
    ['cache', 'Caching of answers'],
    ['storing', 'We stored entries'],
    ['entry', 'We stored entries'],
    ['locking', 'Locks'],
  ] as const;
  for (const [query, expected] of cases) expect(await project.titles(query), query).toEqual([expected]);
});

test('DC57 title and rationale are searched, and evidence, tags and file names at lower weight', async () => {
  const project = tempProject();
  await project.create({ id: 'evidence', title: 'n1', evidence: ['xylophone'] });
  await project.create({ id: 'tags', title: 'n2', tags: ['xylophone'] });
  await project.create({ id: 'files_affected', title: 'n3', files_affected: ['xylophone'] });
  await project.create({ id: 'rationale', title: 'n4', rationale: 'xylophone' });
  await project.create({ id: 'title', title: 'xylophone' });
  await project.create({ id: 'nowhere', title: 'n5', rejected_alternatives: ['xylophone'], author: 'xylophone' });
  for (let n = 0; n < 20; n += 1) await project.create({ title: `noise ${n}` });
  const hits = (await project.search('xylophone', { limit: 25 })).results.map(({ id }) => id);
  expect(hits.slice(0, 2)).toEqual(['title', 'rationale']);
  expect([...hits].sort()).toEqual(searchedFields.map(({ field }) => field as string).sort());
  expect(hits.at(-1)).toBe('evidence');
});

test('DC58 a changed or deleted decision is found only by what it says now', async () => {
  const project = tempProject();
  const { id } = await project.create({ title: 'walrus' });
  await project.amend(id, { title: 'penguin' });
  expect(await project.titles('walrus')).toEqual([]);
  expect(await project.titles('penguin')).toEqual(['penguin']);
  must(await project.decisions.remove(id));
  expect(await project.titles('penguin')).toEqual([]);
  expect((await project.open().search({ query: 'penguin', mode: 'keyword' })).ok).toBe(true);
});

test('DC59 an exact title ranks its decision first, thirty of thirty', async () => {
  const verbs = ['Use', 'Drop', 'Split', 'Cache', 'Retry', 'Encrypt'];
  const things = ['sessions in the gateway', 'uploads', 'the audit log', 'index files', 'user names'];
  const titles = verbs.flatMap((verb) => things.map((thing) => `${verb} ${thing}`));
  const project = tempProject();
  for (const [index, title] of titles.entries()) {
    const other = titles[(index + 7) % titles.length];
    await project.create({ title, rationale: `Instead of: ${other}. We talked about sessions, uploads and the log.` });
  }
  for (const title of titles) expect((await project.titles(title))[0], title).toBe(title);
});

test('DC60 explain names the words, the ranks, and what each filter and the limit cut', async () => {
  const project = tempProject();
  await project.create({ title: 'needle one', tags: ['x'] });
  await project.create({ title: 'needle two', tags: ['x'] });
  await project.create({ title: 'needle three', status: 'STALE', tags: ['y'] });
  await project.create({ title: 'needle four', tags: ['y'] });
  const answer = await project.search('needle getNeedle absent', {
    explain: true,
    tag: ['x'],
    limit: 1,
    mode: 'keyword',
  });
  expect(answer.explanation).toEqual({
    words: ['needle', 'getNeedle', 'get', 'Needle', 'absent'].filter((word) => word !== 'get' && word !== 'Needle'),
    ignored_words: ['get'],
    words_cut: 0,
    keyword_matches: 4,
    semantic_compared: null,
    cut: { status: 1, tag: 1, limit: 1 },
    strong_similarity: null,
  });
  expect(answer.results[0]?.explanation).toEqual({
    matched: ['needle'],
    coverage: expect.closeTo(0.21, 2),
    keyword_rank: 1,
    keyword_score: answer.results[0]?.score,
    semantic_rank: null,
    similarity: null,
  });
});

test('DC61 a question of many words is cut at the limit and says so; one that is too long is refused', async () => {
  const project = await store(['word7 stays']);
  const words = Array.from({ length: 700 }, (_, n) => `word${n}`).join(' ');
  const answer = await project.search(words, { explain: true });
  expect(answer.results).toHaveLength(1);
  expect(answer.explanation?.words_cut).toBeGreaterThan(500);
  expect(problems(parseSearch({ query: 'x'.repeat(8_001) }))).toEqual([['query', 'string_too_long']]);
  expect(problems(parseSearch({ query: '' }))).toEqual([['query', 'string_too_short']]);
  expect(parseSearch({ query: '𝒳'.repeat(8_000) }).ok).toBe(true);
});

/** A model that is exactly right about a few words: each has its own direction, synonyms share one. */
function thesaurus(log: string[][] = []): TextEmbedder {
  const directions = new Map([
    ['wal', 0],
    ['sqlite', 0],
    ['concurrency', 1],
    ['locking', 1],
    ['colour', 2],
  ]);
  return {
    modelId: 'thesaurus-1',
    dimensions: 4,
    async embed(texts) {
      log.push([...texts]);
      return texts.map((text) => {
        const vector = new Float32Array(4);
        for (const word of text.toLowerCase().split(/\W+/)) {
          const direction = directions.get(word);
          if (direction !== undefined) vector[direction] = (vector[direction] ?? 0) + 1;
        }
        const length = Math.hypot(...vector);
        if (length === 0) vector[3] = 1;
        return length === 0 ? vector : vector.map((value) => value / length);
      });
    },
  };
}

test('DC62 without a model hybrid answers by words and says so; semantic is unavailable', async () => {
  const project = await store(['walrus']);
  expect(await project.search('walrus')).toMatchObject({
    mode: 'keyword',
    requested_mode: 'hybrid',
    notice: expect.stringContaining('no model'),
    results: [{ title: 'walrus' }],
  });
  expect(await project.search('walrus', { mode: 'keyword' })).toMatchObject({
    requested_mode: 'keyword',
    notice: null,
  });
  const semantic = await project.decisions.search({ query: 'walrus', mode: 'semantic' });
  expect(refusal(semantic)).toMatchObject({ code: 'unavailable', reason: 'no_model' });
});

test('DC63 a model that fails is a notice for hybrid and unavailable for semantic', async () => {
  const project = tempProject({
    embedder: () => ({
      modelId: 'm',
      dimensions: 4,
      embed: async () => {
        throw new Error('weights are gone');
      },
    }),
  });
  await project.create({ title: 'walrus' });
  expect(await project.search('walrus')).toMatchObject({
    mode: 'keyword',
    notice: expect.stringContaining('could not be used'),
  });
  expect(refusal(await project.decisions.search({ query: 'x', mode: 'semantic' })).code).toBe('unavailable');
});

test('DC64 a paraphrase is found by meaning and strong, what is merely nearest is weak, and filters hold', async () => {
  const project = tempProject({ embedder: () => thesaurus() });
  await project.create({ title: 'WAL locking', rationale: 'Writers wait.' });
  await project.create({ title: 'Colour of buttons' });
  await project.create({ title: 'WAL locking, stale', status: 'STALE' });
  const strengths = async (fields: Record<string, unknown>) =>
    (await project.search('sqlite concurrency', fields)).results.map(({ title, strength }) => [title, strength]);
  const both = [
    ['WAL locking', 'strong'],
    ['Colour of buttons', 'weak'],
  ];
  expect(await strengths({ mode: 'semantic' })).toEqual(both);
  expect(await strengths({ mode: 'hybrid' })).toEqual(both);
  expect(await strengths({ mode: 'keyword' })).toEqual([]);
  const hybrid = await project.search('sqlite concurrency', { explain: true });
  expect(hybrid).toMatchObject({ mode: 'hybrid', requested_mode: 'hybrid', notice: null });
  expect(hybrid.results[0]?.explanation).toMatchObject({
    keyword_rank: null,
    semantic_rank: 1,
    matched: [],
    coverage: 0,
  });
  expect(hybrid.explanation).toMatchObject({ semantic_compared: 2, cut: { limit: 0 } });
  expect(await strengths({ mode: 'hybrid', status: 'STALE' })).toEqual([['WAL locking, stale', 'strong']]);
});

test('DC65 a hit by words alone comes first in hybrid among many hits by meaning', async () => {
  const project = tempProject({ embedder: () => thesaurus() });
  await createIn(project.decisions, { title: 'ERR_QX7731 on upload' });
  await Promise.all(Array.from({ length: 500 }, (_, n) => createIn(project.decisions, { title: `WAL note ${n}` })));
  const [first] = (await project.search('ERR_QX7731')).results;
  expect(first).toMatchObject({ title: 'ERR_QX7731 on upload', strength: 'strong' });
  // One word says what all the notes are about, the other is only in the oldest record.
  for (const query of ['sqlite ERR_QX7731', 'wal upload']) {
    expect(await project.titles(query, { limit: 2 }), query).toContain('ERR_QX7731 on upload');
  }
});

test('DC66 vectors are made once, at the search, and again when the text or the model changes', async () => {
  const log: string[][] = [];
  let model = thesaurus(log);
  const project = tempProject({ embedder: () => model });
  const { id } = await project.create({ title: 'WAL', rationale: 'r' });
  expect(log).toEqual([]);
  await project.search('sqlite', { mode: 'semantic' });
  expect(log).toEqual([['sqlite'], ['WAL\nr']]);
  await project.amend(id, { tags: ['x'] });
  await project.search('sqlite', { mode: 'semantic' });
  expect(log.slice(2)).toEqual([['sqlite']]);
  await project.amend(id, { title: 'Colour' });
  await project.search('sqlite', { mode: 'semantic' });
  expect(log.slice(3)).toEqual([['sqlite'], ['Colour\nr']]);
  model = { ...model, modelId: 'thesaurus-2' };
  await project.search('sqlite', { mode: 'semantic' });
  expect(log.slice(5)).toEqual([['sqlite'], ['Colour\nr']]);
  expect(project.rows('SELECT decision_id, model_id, dim FROM decision_vectors')).toEqual([
    { decision_id: id, model_id: 'thesaurus-2', dim: 4 },
  ]);
});

test('DC67 a past state is searched by meaning with the texts of its time, and leaves the present vectors alone', async () => {
  const project = tempProject({ embedder: () => thesaurus() });
  const { id } = await project.create({ title: 'WAL locking' });
  project.clock.forward(86_400_000);
  await project.amend(id, { title: 'Colour' });
  await project.search('colour', { mode: 'semantic' });
  const before = project.rows('SELECT content_sha FROM decision_vectors');
  const past = await project.search('sqlite concurrency', { as_of: '2026-10-02', mode: 'semantic' });
  expect(past.results.map(({ title }) => title)).toEqual(['WAL locking']);
  expect(project.rows('SELECT content_sha FROM decision_vectors')).toEqual(before);
  expect((await project.search('sqlite concurrency', { mode: 'semantic' })).results[0]?.strength).toBe('weak');
});

test('DC68 confidence is a mild factor in hybrid: an unhelpful decision sinks, it does not vanish', async () => {
  const project = tempProject({ embedder: () => thesaurus() });
  await project.create({ id: 'low', title: 'WAL locking', confidence: 0.1 });
  project.clock.forward(1);
  await project.create({ id: 'high', title: 'WAL locking' });
  const hits = (await project.search('WAL locking')).results.map(({ id }) => id);
  expect(hits).toEqual(['high', 'low']);
  must(await project.decisions.feedback('high', { signal: 'unhelpful' }));
  expect((await project.search('WAL locking')).results).toHaveLength(2);
});

test('DS1 an exact title is first and strong in every mode, however many records hold its words better', async () => {
  const project = tempProject({ embedder: () => thesaurus() });
  const exact = ['Locks', 'atomic-write', '数据库', 'Use "WAL" mode', 'The who'];
  for (const title of exact) await project.create({ title, rationale: 'Colour.', confidence: 0.1 });
  const better = (n: number) => ({
    title: `Locks locks: atomic write 数据库 use WAL mode ${n}`,
    rationale: 'locks locks who atomic write 数据库 WAL mode sqlite',
  });
  await Promise.all(Array.from({ length: 260 }, (_, n) => createIn(project.decisions, better(n))));
  const asked = ['locks', 'Atomic Write', '数据库', 'use wal MODE', 'the who?'];
  for (const mode of ['keyword', 'semantic', 'hybrid']) {
    for (const [index, query] of asked.entries()) {
      const [first] = (await project.search(query, { mode, limit: 1 })).results;
      expect(first, `${mode} ${query}`).toMatchObject({ title: exact[index], strength: 'strong' });
    }
  }
  expect((await project.search('locks', { mode: 'keyword', status: 'STALE' })).results).toEqual([]);
});

test('DS2 include_weak false leaves out what is weak, and the notice says when nothing strong was found', async () => {
  const project = tempProject({ embedder: () => thesaurus() });
  await project.create({ title: 'Colour of buttons' });
  await project.create({ title: 'WAL locking' });
  const all = await project.search('sqlite concurrency', { explain: true });
  expect(all).toMatchObject({ notice: null, results: [{ strength: 'strong' }, { strength: 'weak' }] });
  const strong = await project.search('sqlite concurrency', { include_weak: false, explain: true });
  expect(strong.results.map(({ title }) => title)).toEqual(['WAL locking']);
  expect(strong.explanation?.cut).toMatchObject({ weak: 1, limit: 0 });
  const nothing = await project.search('pancakes with maple syrup');
  expect(nothing.results.map(({ strength }) => strength)).toEqual(['weak', 'weak']);
  expect(nothing.notice).toMatch(/^Nothing strong was found\./);
  const dropped = await project.search('pancakes with maple syrup', { include_weak: false });
  expect(dropped).toMatchObject({ results: [], notice: expect.stringContaining('left out') });
  expect(problems(parseSearch({ query: 'x', include_weak: 'no' }))).toEqual([['include_weak', 'boolean_type']]);
});

test('DS3 without a model words alone say what is weak, and both notices are told', async () => {
  const project = await store(['walrus on the beach', 'penguin']);
  const answer = await project.search('walrus feeding schedule of the northern zoo');
  expect(answer.results).toMatchObject([{ title: 'walrus on the beach', strength: 'weak' }]);
  expect(answer.notice).toMatch(/no model is installed.*Nothing strong was found/);
  expect((await project.search('walrus beach', { mode: 'keyword' })).results[0]?.strength).toBe('strong');
});

test('DS4 among very many matches the best are found as if all had been scored, filters included', async () => {
  const project = tempProject();
  const words = ['harbour', 'lantern', 'meadow', 'copper'];
  const many = Array.from({ length: 1_500 }, (_, n) => ({
    id: `n${n}`,
    title: `${words[n % 4]} note ${n}`,
    rationale: words.filter((_, at) => (n >> at) % 2 === 1).join(' ') || 'none',
    tags: n % 500 === 3 ? ['rare'] : ['usual'],
  }));
  await Promise.all(many.map((fields) => createIn(project.decisions, fields)));
  await project.create({ id: 'all', title: 'The harbour lantern in the meadow', rationale: 'copper' });
  await project.create({ id: 'odd', title: 'Kept apart', rationale: 'copper zanzibar' });
  const ids = async (query: string, fields = {}) =>
    (await project.search(query, { mode: 'keyword', ...fields })).results.map(({ id }) => id);
  expect((await ids('harbour lantern meadow copper'))[0]).toBe('all');
  expect((await ids('copper zanzibar'))[0]).toBe('odd');
  expect(await ids('copper zanzibar', { limit: 25 })).toHaveLength(25);
  // Every record holds this word, in the title alone or anywhere.
  expect(await ids('note', { limit: 25 })).toHaveLength(25);
  expect((await ids('harbour lantern meadow copper note', { tag: ['rare'], limit: 25 })).sort()).toEqual([
    'n1003',
    'n3',
    'n503',
  ]);
  expect(await ids('note 1234')).toContain('n1234');
  expect((await ids('note 1234'))[0]).toBe('n1234');
});

test('DS5 what is written is found by the next search, also by another connection', async () => {
  const model = thesaurus();
  const project = tempProject({ embedder: () => model });
  const other = project.open();
  const by = async (query: string, mode: string) =>
    must(await other.search(must(parseSearch({ query, mode, include_weak: false })))).results.map(({ title }) => title);
  expect(await by('walrus', 'keyword')).toEqual([]);
  const { id } = await project.create({ title: 'walrus WAL' });
  expect(await by('walrus', 'keyword')).toEqual(['walrus WAL']);
  expect(await by('sqlite', 'semantic')).toEqual(['walrus WAL']);
  await project.amend(id, { title: 'penguin colour' });
  expect(await by('walrus', 'keyword')).toEqual([]);
  expect(await by('sqlite', 'semantic')).toEqual([]);
  expect(await by('colour', 'semantic')).toEqual(['penguin colour']);
  must(await project.decisions.invalidate(id, {}));
  expect(await by('colour', 'semantic')).toEqual([]);
  must(await project.decisions.restore(id, {}));
  expect(await by('colour', 'semantic')).toEqual(['penguin colour']);
  must(await project.decisions.remove(id));
  expect(await by('colour', 'semantic')).toEqual([]);
  await project.create({ title: 'SQLite locking' });
  expect(await by('concurrency', 'hybrid')).toEqual(['SQLite locking']);
});

test('DS6 a past state of many decisions is made without holding up the process, once for all who ask', async () => {
  const project = tempProject();
  await Promise.all(
    Array.from({ length: 1_200 }, (_, n) =>
      createIn(project.decisions, { title: `walrus ${n}`, rationale: 'long '.repeat(60) }),
    ),
  );
  project.clock.forward(86_400_000 * 2);
  let turns = 0;
  let waiting = true;
  const count = () => {
    turns += 1;
    if (waiting) setImmediate(count);
  };
  setImmediate(count);
  const ask = (query: string) => project.titles(query, { as_of: '2026-10-02', mode: 'keyword' });
  const [one, two] = await Promise.all([ask('walrus 7'), ask('walrus 8')]);
  waiting = false;
  expect([one[0], two[0]]).toEqual(['walrus 7', 'walrus 8']);
  expect(turns).toBeGreaterThan(5);
});
