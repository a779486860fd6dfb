/** Copies that a build leaves beside its source are one hit; what only shares a name stays. */
import { afterAll, describe, expect, test } from 'vitest';
import { IndexReader } from '../../src/retrieval/index/index-reader.ts';
import { layoutKey, siblingsOf } from '../../src/retrieval/search/layouts.ts';
import { type RankedHit, rank, searchEntities } from '../../src/retrieval/search/rank.ts';
import { IndexBox, newPool } from '../index/index-box.ts';
import { sourceOf } from './sources.ts';

const pool = newPool();
const boxes: IndexBox[] = [];
afterAll(async () => {
  for (const box of boxes) box.dispose();
  await pool.close();
});

const body = `  const waiting = entries.filter((entry) => entry.visits < limit);
  for (const entry of waiting) entry.visits = entry.visits + 1;
  return waiting.map((entry) => entry.address).sort();
}
`;
const other = `  const socket = openSocket(channel);
  socket.write(encode(message, 'utf8'));
  return new Promise((resolve) => socket.end(resolve));
}
`;
const built: Readonly<Record<string, string>> = {
  'src/visit.ts': `/** Marks entries as visited. */\nexport function visitEntries(entries: Entry[], limit: number): string[] {\n${body}`,
  'out/visit.js': `function visitEntries(entries, limit) {\n${body}export { visitEntries };\n`,
  'out/cjs/visit.js': `"use strict";\nfunction visitEntries(entries, limit) {\n${body}module.exports = { visitEntries };\n`,
  'out/types/visit.d.ts':
    '/** Marks entries as visited. */\nexport declare function visitEntries(entries: Entry[], limit: number): string[];\n',
};

const placesOf = (hits: readonly RankedHit[]) => hits.map(({ path, label }) => `${path} ${label}`);
const named = (hits: readonly RankedHit[], label: string) =>
  hits.filter((hit) => hit.label === label).map(({ path, copies }) => ({ path, copies }));

describe('copies', () => {
  test('RK42: of the forms of one definition the source is the hit, and it tells how many others there are', async () => {
    const source = await sourceOf(built);
    for (const hits of [
      rank(source, 'how are entries visited', null),
      searchEntities(source, 'visitEntries', null, 8),
    ]) {
      expect(named(hits, 'visitEntries')).toEqual([{ path: 'src/visit.ts', copies: 3 }]);
    }
  });

  test('RK42: without a source the documented form comes first, then code, then the shallowest path', async () => {
    const { 'src/visit.ts': _, ...outputs } = built;
    const documented = await sourceOf(outputs);
    expect(named(rank(documented, 'visitEntries', null), 'visitEntries')).toEqual([
      { path: 'out/types/visit.d.ts', copies: 2 },
    ]);
    const { 'out/types/visit.d.ts': declared = '', ...code } = outputs;
    const bare = await sourceOf({ ...code, 'out/types/visit.d.ts': declared.slice(declared.indexOf('\n') + 1) });
    expect(named(rank(bare, 'visitEntries', null), 'visitEntries')).toEqual([{ path: 'out/visit.js', copies: 2 }]);
  });

  test('RK42: a name, a path and a text that are shared each alone make no copy', async () => {
    const source = await sourceOf({
      'src/visit.ts': built['src/visit.ts'] ?? '',
      // The name and the layout.
      'lib/visit.js': `function visitEntries(message, channel) {\n${other}`,
      // The name and the text, in a file that is another one.
      'src/other/visit.ts': `export function visitEntries(entries: Entry[], limit: number) {\n${body}\nexport function send(message, channel) {\n${other}${other.replaceAll('socket', 'wire')}`,
      // The layout and the text, under another name.
      'out/visit.js': `function visitAll(entries, limit) {\n${body}`,
    });
    const hits = searchEntities(source, 'visitEntries', null, 20);
    expect(named(hits, 'visitEntries').map(({ path }) => path)).toEqual(
      expect.arrayContaining(['lib/visit.js', 'src/other/visit.ts', 'src/visit.ts']),
    );
    expect(hits.every(({ kind, copies }) => kind !== 'function' || copies === 0)).toBe(true);
    expect(placesOf(hits)).toContain('out/visit.js visitAll');
  });

  test('RK42: what may be two sources is a copy only where nearly all of it is the same', async () => {
    const head =
      'def visit_entries(entries, limit):\n    waiting = [entry for entry in entries if entry.visits < limit]\n';
    const first = `${head}    mark(waiting)\n    return sorted(waiting)\n`;
    const second = `${head}    notify(waiting, channel)\n    return encode(limit)\n`;
    const found = async (files: Readonly<Record<string, string>>): Promise<number> => {
      const hits = rank(await sourceOf(files), 'visit_entries', null);
      return hits.filter(({ label }) => label === 'visit_entries').length;
    };
    expect(await found({ 'app/lib/visit.py': first, 'app/visit.py': second })).toBe(2);
    expect(await found({ 'app/lib/visit.py': first, 'app/visit.py': first })).toBe(1);
    // What a build wrote is allowed to differ.
    expect(await found({ 'app/build/visit.py': first, 'app/visit.py': second })).toBe(1);
  });

  test('RK42: a file that was copied whole is one with its original, in any language', async () => {
    const module = `def open_ledger(path):\n    """Reads a ledger."""\n${Array.from({ length: 12 }, (_, at) => `    step_${at} = weigh(path, ${at})\n`).join('')}    return step_1\n`;
    const source = await sourceOf({ 'ledger/store.py': module, 'bundled/parts/ledger/store.py': module });
    expect(named(rank(source, 'open ledger', null), 'open_ledger')).toEqual([{ path: 'ledger/store.py', copies: 1 }]);
  });

  test('RK42: the stored index leaves out the same copies as one in memory', async () => {
    // A folder that is called `out` is not indexed where git does not track it.
    const files = Object.fromEntries(Object.entries(built).map(([path, text]) => [path.replace('out/', 'esm/'), text]));
    const box = new IndexBox(pool, files);
    boxes.push(box);
    await box.build();
    const reader = new IndexReader(box.indexFile);
    try {
      const memory = await sourceOf(files);
      const asked = reader.ask((view) => {
        for (const id of view.search.files.keys()) {
          const stored: string[] = [];
          const held: string[] = [];
          view.search.eachTerm(id, (...entry) => stored.push(entry.join(' ')));
          const path = view.search.files.get(id)?.path;
          const twin = [...memory.files.values()].find((file) => file.path === path)?.id ?? -1;
          memory.eachTerm(twin, (...entry) => held.push(entry.join(' ')));
          expect(stored).toEqual(held);
          expect(stored.length).toBeGreaterThan(0);
        }
        return rank(view.search, 'how are entries visited', null);
      });
      if (asked.kind !== 'answered') throw new Error(asked.kind);
      const found = asked.value.map(({ path, label, copies }) => ({ path, label, copies }));
      const expected = rank(memory, 'how are entries visited', null).map(({ path, label, copies }) => ({
        path,
        label,
        copies,
      }));
      expect(found).toEqual(expected);
    } finally {
      reader.close();
    }
  });

  for (const seed of [1, 2, 3]) {
    test(`RK42: of a generated build each definition is one hit, and no other is lost (seed ${seed})`, async () => {
      const random = numbers(seed);
      const files: Record<string, string> = {};
      const expected: string[] = [];
      for (let at = 0; at < 8; at++) {
        const lines = Array.from(
          { length: 3 + random(6) },
          () => `  ${word(random)}.${word(random)}(${word(random)}, quota);\n`,
        );
        const text = (typed: boolean) =>
          `export function handle${at}(quota${typed ? ': Quota' : ''}) {\n${lines.join('')}  return quota;\n}\n`;
        const folder = ['', 'deep/', 'deep/er/'][random(3)] ?? '';
        const forms = [
          `src/${folder}m${at}.ts`,
          `out/${folder}m${at}.js`,
          `out/esm/${folder}m${at}.mjs`,
          `out/cjs/${folder}m${at}.cjs`,
        ];
        const kept = forms.filter((_, form) => form === 0 || random(2) === 1).slice(random(2));
        for (const form of kept) files[form] = text(form.endsWith('.ts'));
        if (kept[0] !== undefined) expected.push(`handle${at} ${kept.length - 1}`);
        if (random(2) === 1) {
          const impostor = Array.from({ length: 4 }, () => `  ${word(random)}${word(random)}(quota${word(random)});\n`);
          files[`lib/esm5/${folder}m${at}.js`] = `function handle${at}(quota) {\n${impostor.join('')}}\n`;
          expected.push(`handle${at} 0`);
        }
      }
      const source = await sourceOf(files);
      const hits = rank(source, 'handle quota', null, { count: 200 }).filter(({ kind }) => kind === 'function');
      expect(hits.map(({ label, copies }) => `${label} ${copies}`).sort()).toEqual(expected.sort());
    });
  }

  test('RK42: files are brought together by their layout exactly as comparing every two does (seed 4)', () => {
    const random = numbers(4);
    const folders = ['src', 'dist', 'lib', 'types', 'app', 'cjs', 'web'];
    const endings = ['.ts', '.js', '.d.ts', '.mjs', '.py', '.min.js', '.tsx'];
    const paths = Array.from({ length: 300 }, () => {
      const depth = random(4);
      const folder = Array.from({ length: depth }, () => `${folders[random(folders.length)]}/`).join('');
      return `${folder}${'abc'[random(3)]}${endings[random(endings.length)]}`;
    });
    const siblings = siblingsOf(paths);
    paths.forEach((path, at) => {
      const slow = paths.flatMap((two, where) => (where !== at && layoutKey(path) === layoutKey(two) ? [where] : []));
      expect(siblings.get(at) ?? []).toEqual(slow);
    });
    expect(layoutKey('packages/a/src/app/index.ts')).toBe(layoutKey('packages/a/dist/types/app/index.d.ts'));
    expect(layoutKey('packages/a/src/app.ts')).not.toBe(layoutKey('packages/b/src/app.ts'));
    expect(layoutKey('src/app.py')).not.toBe(layoutKey('src/app.ts'));
  });
});

/** Below a limit, from a seed. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function word(random: (limit: number) => number): string {
  return Array.from({ length: 3 }, () => `${'bdfgklmnprstvz'[random(14)]}${'aeiou'[random(5)]}`).join('');
}
