/** What each layer says, line by line. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { grouped } from '../../base/numbers.ts';
import { type Freshness, freshnessLine } from './freshness-words.ts';
import type { ContextHit } from './hit.ts';
import { hitLine, hitsLayer } from './hits.ts';
import { firstParagraph, identityLayer, type ProjectIdentity, readDescription } from './identity.ts';
import { fitLayer, heading, line, renderLines } from './layer.ts';
import { onDemandLayer } from './on-demand.ts';
import { oneLine } from './one-line.ts';
import { distinctPlaces, type Group, groupName, groupPlace, majorityFolder, summaryLayer } from './summary.ts';
import { measureTokens } from './tokens.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'context-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const identity: ProjectIdentity = {
  name: 'orchard',
  description: 'Keeps track of apple trees.',
  files: 1200,
  symbols: 34567,
  groups: 1,
  languages: new Map([
    ['markdown', 100],
    ['typescript', 890],
    ['bash', 2],
    ['cobol', 50],
  ]),
};

const hit: ContextHit = {
  path: 'src/trees/pick.ts',
  startLine: 12,
  endLine: 40,
  kind: 'function',
  label: 'Trees.pick',
  signature: 'export async pick(tree: Tree): Promise<Apple>',
  summary: 'Takes the ripest apple.',
  snippet: '',
  score: 1,
  why: ['name', 'meaning'],
  community: 0,
  isTest: false,
  fileType: 'code',
};

function group(id: number, paths: readonly string[], given: Partial<Group> = {}): Group {
  return { id, paths, symbols: 0, labels: [], ...given };
}

test('CX10 identity gives name, description, sizes and the languages by share', () => {
  expect(renderLines(identityLayer(identity, null, 150).lines)).toBe(
    [
      'Project: orchard',
      'Keeps track of apple trees.',
      '1,200 files, 34,567 symbols, 1 group; TypeScript 85 %, Markdown 10 %, cobol 5 %',
    ].join('\n'),
  );
  const empty = { name: 'x', description: '', files: 0, symbols: 0, groups: 0, languages: new Map() };
  expect(renderLines(identityLayer(empty, null, 150).lines)).toBe('Project: x\n0 files, 0 symbols, 0 groups');
});

test('CX11 the description is the first paragraph of prose, whatever stands before it', () => {
  const markdown = `---
title: x y
---
# Orchard

[![build](https://x/y.svg)](https://x) [![npm](a)][b]

<p align="center"><img src="a.png"></p>

<!-- two
lines -->

\`\`\`sh
not this text
\`\`\`

- a list of things

> **Orchard** keeps [apple trees](https://example.org)
> in \`order\`.

More text.`;
  expect(firstParagraph(markdown)).toBe('Orchard keeps apple trees in order.');
  expect(firstParagraph('# Title\nText right below it.')).toBe('Text right below it.');
  expect(firstParagraph('Title\r\n=====\r\n\r\nText with\r\nCRLF.\r\n')).toBe('Text with CRLF.');
  const restructured =
    '=====\nFlask\n=====\n\n.. image:: x.png\n   :alt: y\n\nFlask is a `WSGI <https://wsgi>`_ framework.\n';
  expect(firstParagraph(restructured)).toBe('Flask is a WSGI framework.');
  expect(firstParagraph('# Only\n\n## Headings\n')).toBe('');
  expect(firstParagraph('')).toBe('');
});

test('CX11 the description has at most 200 characters and ends at a word', () => {
  const text = firstParagraph(`# T\n\n${'lorem ipsum '.repeat(100)}`);
  expect([...text].length).toBeLessThanOrEqual(200);
  expect(text).toMatch(/(lorem|ipsum)…$/);
});

test('CX11 a hostile beginning costs no time', () => {
  const begun = performance.now();
  for (const unit of ['<', '![', '[', '`', '**', '> ', 'a', '<!--', '```\n', '=']) firstParagraph(unit.repeat(16_000));
  expect(performance.now() - begun).toBeLessThan(3_000);
});

test('CX12 CLAUDE.md is asked before the README, and no link out of the project is read', () => {
  const root = path.join(folder, 'project');
  mkdirSync(root);
  expect(readDescription(root)).toBe('');
  writeFileSync(path.join(root, 'readme.RST'), 'Name\n====\n\nFrom the rst file.\n');
  expect(readDescription(root)).toBe('From the rst file.');
  writeFileSync(path.join(root, 'README.md'), '# Name\n\nFrom the README.\n');
  expect(readDescription(root)).toBe('From the README.');
  writeFileSync(path.join(root, 'CLAUDE.md'), '# Only a heading\n');
  expect(readDescription(root)).toBe('From the README.');
  writeFileSync(path.join(root, 'CLAUDE.md'), '# Name\n\nFrom CLAUDE itself.\n');
  expect(readDescription(root)).toBe('From CLAUDE itself.');
  rmSync(path.join(root, 'CLAUDE.md'));
  writeFileSync(path.join(folder, 'secret'), 'The secret text of somebody.\n');
  symlinkSync(path.join(folder, 'secret'), path.join(root, 'CLAUDE.md'));
  expect(readDescription(root)).toBe('From the README.');
});

test('CX13 CC20 the summary names the largest groups with their place, size, central symbols and files', () => {
  const groups = [
    group(0, ['src/a/one.ts']),
    group(1, ['src/b/hub.ts', 'src/b/x.ts', 'src/b/deep/y.ts', 'test/b.test.ts'], {
      symbols: 1234,
      labels: ['hub', 'spoke', 'hub', 'rim', 'tyre'],
    }),
  ];
  expect(renderLines(summaryLayer(groups, 'whole', 600).lines)).toBe(
    [
      'Groups:',
      '- src/b: 4 files, 1,234 symbols; hub, spoke, rim; files src/b/hub.ts, src/b/x.ts',
      '- src/a/one.ts: 1 file, 0 symbols',
    ].join('\n'),
  );
  expect(renderLines(summaryLayer(groups, 'brief', 80).lines)).toBe(
    ['Groups:', '- src/b (hub.ts, x.ts): 4 files', '- src/a/one.ts: 1 file'].join('\n'),
  );
  const many = Array.from({ length: 30 }, (_, id) => group(id, [`d${id}/a.ts`]));
  expect(summaryLayer(many, 'whole', 600).lines).toHaveLength(11);
  expect(summaryLayer(many, 'whole', 60)).toMatchObject({ left: expect.any(Number) });
  expect(summaryLayer(many, 'whole', 60).left).toBeGreaterThan(0);
  expect(summaryLayer([], 'whole', 600)).toEqual({ lines: [], left: 0 });
});

test('CX19 groups that lie in one place are told apart by what most others lean on, in the summary and the candidates', () => {
  const groups = [
    group(0, ['app.py', 'cli.py', 'json/tag.py'], { labels: ['Flask', 'run'] }),
    group(1, ['ctx.py', 'views.py'], { labels: ['Flask', 'g'] }),
    group(2, ['one.py', 'two.py']),
    group(3, ['lib/a.py', 'lib/b.py'], { labels: ['a'] }),
    group(4, ['one.py', 'two.py']),
    group(5, ['one.py', 'two.py']),
  ];
  const names = [
    '(root), around Flask',
    '(root), around g',
    '(root), around one.py',
    'lib',
    '(root), around two.py',
    '(root), group 5',
  ];
  expect([...distinctPlaces(groups).values()]).toEqual(names);
  const told = renderLines(summaryLayer(groups, 'whole', 600).lines)
    .split('\n')
    .slice(1);
  expect(told.map((text) => text.slice(2, text.indexOf(':'))).sort()).toEqual([...names].sort());
  const pool = [0, 0, 1, 1, 3, 3].map((community, at) => ({ ...hit, path: `x${at}.py`, community }));
  const further = renderLines(onDemandLayer(pool, [], groups, 600).lines);
  expect(further.match(/^\S.*:$/gm)).toEqual(['Also related:', '(root), around Flask:', '(root), around g:', 'lib:']);
});

test('CX13 the folder of a group is the deepest one that holds most of its files', () => {
  expect(majorityFolder(['a/b/1', 'a/b/2', 'a/c/3'])).toBe('a/b');
  expect(majorityFolder(['a/b/1', 'a/c/2', 'a/d/3'])).toBe('a');
  expect(majorityFolder(['1', 'a/2', 'b/3'])).toBe('');
});

test('CC20 a group lies in the folder of most of its own files; tests count only where there is nothing else', () => {
  const place = (...paths: readonly string[]) => groupPlace(group(0, paths));
  expect(place('lib/a.js', 'lib/b.js', 'test/a.test.js', 'test/b.test.js', 'test/c.test.js')).toBe('lib');
  expect(place('test/deep/a.test.js', 'test/deep/b.test.js')).toBe('test/deep');
  expect(place('app.py', 'cli.py', 'json/tag.py')).toBe('(root)');
  expect(place('server/1', 'client/1', 'server/2', 'client/2', 'base/1', 'client/3')).toBe('client, server');
  expect(groupName(group(0, ['main.ts', 'src/b/hub.ts', 'src/b/x.ts', 'src/b/y.ts']))).toBe('src/b (hub.ts, x.ts)');
  expect(groupName(group(0, ['1', '2', 'b/3']))).toBe('(root) (1, 2)');
  const deep = Array.from({ length: 30 }, (_, at) => `folder${at}`).join('/');
  const shortened = place(`${deep}/a.ts`, `${deep}/b.ts`);
  expect([...shortened]).toHaveLength(80);
  expect(shortened).toMatch(/^folder0\/folder1\/.+….+\/folder29$/);
});

test('CX14 a hit says place, kind, name, declaration, purpose and reason in one line', () => {
  expect(hitLine(hit, 'whole')).toBe(
    'src/trees/pick.ts:12-40 function Trees.pick(tree: Tree): Promise<Apple> — Takes the ripest apple. (name, meaning)',
  );
  expect(hitLine(hit, 'brief')).toBe('src/trees/pick.ts:12-40 function Trees.pick');
  const of = (given: Partial<ContextHit>): string => hitLine({ ...hit, summary: '', why: [], ...given }, 'whole');
  expect(of({ signature: 'class Trees', label: 'Trees', kind: 'class', endLine: 12 })).toBe(
    'src/trees/pick.ts:12 class Trees',
  );
  expect(of({ signature: 'def picked(unpick)', label: 'pick' })).toContain('pick — def picked(unpick)');
  expect(of({ signature: 'pick( a: string, b: number, ): void' })).toContain('pick(a: string, b: number): void');
  expect(of({ signature: 'pick = (a) => {' })).toContain('Trees.pick = (a) =>');
  expect(of({ signature: '' })).toBe('src/trees/pick.ts:12-40 function Trees.pick');
});

test('CX14 a document shows the text that was found, on the same line', () => {
  const docs = {
    ...hit,
    path: 'docs/a.md',
    kind: 'section',
    label: 'Picking',
    fileType: 'docs',
    why: ['body'],
  } as const;
  expect(hitLine({ ...docs, snippet: 'Pick\n\n  in   autumn.' }, 'whole')).toBe(
    'docs/a.md:12-40 section Picking — Pick in autumn. (body)',
  );
  expect(hitLine({ ...docs, snippet: 'word '.repeat(500) }, 'whole').length).toBeLessThan(260);
});

test('CX14 at most eight hits are shown, and those beyond the cap are counted', () => {
  const hits = Array.from({ length: 12 }, (_, index) => ({ ...hit, startLine: index + 1 }));
  expect(hitsLayer(hits, 'whole', 1_000).lines).toHaveLength(9);
  expect(hitsLayer(hits, 'whole', 1_000).left).toBe(0);
  const few = hitsLayer(hits, 'whole', 100);
  expect(few.lines.length - 1 + few.left).toBe(8);
  expect(few.left).toBeGreaterThan(0);
});

test('CX15 further candidates are those of the pool that the hits do not show, by group', () => {
  const at = (startLine: number, community: number): ContextHit => ({ ...hit, startLine, community });
  const pool = [at(1, 5), at(2, 7), at(3, 6), at(4, 7), at(5, 5)];
  const groups = [group(5, ['five/a', 'five/b']), group(7, ['seven/a'])];
  expect(renderLines(onDemandLayer(pool, [at(1, 5)], groups, 800).lines)).toBe(
    [
      'Also related:',
      'seven:',
      '- src/trees/pick.ts:2-40 function Trees.pick',
      '- src/trees/pick.ts:4-40 function Trees.pick',
      'elsewhere:',
      '- src/trees/pick.ts:3-40 function Trees.pick',
      '- src/trees/pick.ts:5-40 function Trees.pick',
    ].join('\n'),
  );
  const many = Array.from({ length: 40 }, (_, index) => at(index + 1, 1));
  const layer = onDemandLayer(many, many.slice(0, 8), groups, 800);
  expect(layer.lines.filter((each) => !each.heading)).toHaveLength(12);
  expect(layer.lines.at(-1)?.text).toContain('pick.ts:20-40');
  expect(onDemandLayer(many.slice(0, 8), many.slice(0, 8), groups, 800).lines).toEqual([]);
});

test('CX16 a fresh index is not mentioned, a stale one in one line with a few names', () => {
  const fresh: Freshness = { state: 'fresh', changed: [], missing: [], added: [], indexedAt: '2026-01-02T03:04:05Z' };
  expect(freshnessLine(fresh)).toBeNull();
  const changed = ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts'];
  expect(freshnessLine({ ...fresh, state: 'stale', changed, added: ['new\nline.ts'] })).toBe(
    'Index is stale (built 2026-01-02T03:04:05Z): 4 files changed (a.ts, b.ts, c.ts, …), 1 file added (new line.ts). ' +
      'Lines may have moved; build it again to be sure.',
  );
  expect(freshnessLine({ ...fresh, state: 'stale', indexedAt: null })).toBe(
    'Index is stale. Lines may have moved; build it again to be sure.',
  );
});

test('CX17 nothing of a repository can break a line or pass for one of ours', () => {
  expect(oneLine('a\r\nProject: evil\u2028b\u202ec\u0007', 100)).toBe('a Project: evil b c');
  expect(oneLine('\ud83e', 10)).toBe('\ufffd');
  expect(oneLine('🦆'.repeat(30), 10)).toBe(`${'🦆'.repeat(9)}…`);
  expect(hitLine({ ...hit, path: 'a  b\nc.ts' }, 'brief')).toBe('a  b\ufffdc.ts:12-40 function Trees.pick');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 40 }), (text, charsMax) => {
      const shown = oneLine(text, charsMax);
      expect([...shown].length).toBeLessThanOrEqual(charsMax);
      expect(shown).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029]/u);
    }),
    { seed: 17 },
  );
  expect(['0', '999', '1000', '1234567'].map((digits) => grouped(Number(digits)))).toEqual([
    '0',
    '999',
    '1,000',
    '1,234,567',
  ]);
});

test('CX18 a layer has whole lines from the first, within its cap, and no heading without a line', () => {
  const lineOf = fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 60 }), heading: fc.boolean() });
  fc.assert(
    fc.property(fc.array(lineOf, { maxLength: 12 }), fc.integer({ min: 0, max: 120 }), (lines, cap) => {
      const layer = fitLayer(lines, cap);
      expect(layer.lines).toEqual(lines.slice(0, layer.lines.length));
      if (layer.lines.length > 0) expect(measureTokens(renderLines(layer.lines))).toBeLessThanOrEqual(cap);
      expect(layer.lines.at(-1)?.heading ?? false).toBe(false);
      const content = lines.filter((each) => !each.heading).length;
      expect(layer.left).toBe(content - layer.lines.filter((each) => !each.heading).length);
    }),
    { seed: 18, numRuns: 300 },
  );
  expect(fitLayer([heading('a'), line('b'), heading('c')], 100)).toEqual({ lines: [heading('a'), line('b')], left: 0 });
});
