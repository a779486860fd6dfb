import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { notebookLimits } from '../../base/limits.ts';
import { normaliseTags, normaliseText } from './normalise.ts';
import { type ParsedRecord, parseRecord, recordPath, serialiseRecord } from './parse-record.ts';
import { type CanonicalRecord, referenceOf } from './record.ts';
import { origins, recordedVias, type Scope, scopes, vocabulary } from './vocabulary.ts';

const seed = 20_260_718;
const id = `mem_${'0'.repeat(31)}1`;
const path = `demo/decisions/${id}.json`;

const decision = {
  schema_version: 2,
  id,
  scope: 'project',
  namespace: { kind: 'project', id: 'demo', label: 'Demo' },
  collection: { id: 'decisions', label: null },
  kind: 'decision',
  language: 'en',
  title: 'Shared ownership',
  content: 'Concepts belong to the shared domain.',
  tags: ['architecture'],
  provenance: { origin: 'explicit_user_statement', recorded_via: 'memory_remember' },
  lifecycle: { state: 'active', revision: 1 },
  created_at: '2026-07-18T12:00:00Z',
  updated_at: '2026-07-18T12:00:00Z',
} as const satisfies CanonicalRecord;
const event = { ...decision, kind: 'event', occurred_at: '0001-01-01T00:00:00Z' } as const satisfies CanonicalRecord;
const legacy = { schema_version: 1, id: 'note', content: ' Rain \r\n' } as const;

const parseText = (text: string, scope: Scope = 'project', at: string = path): ParsedRecord =>
  parseRecord(Buffer.from(text, 'utf8'), scope, at);
const parse = (value: JsonValue, scope: Scope = 'project', at: string = path): ParsedRecord =>
  parseText(JSON.stringify(value), scope, at);
const skipped = (reason: string) => ({ ok: false, reason });

function without(object: JsonObject, key: string): JsonObject {
  const { [key]: _, ...rest } = object;
  return rest;
}

describe('bytes', () => {
  test('NR10 more bytes than the limit are oversized, padding included', () => {
    const text = JSON.stringify(decision);
    expect(parseText(text.padEnd(notebookLimits.recordBytesMax, ' '))).toEqual({ ok: true, record: decision });
    expect(parseText(text.padEnd(notebookLimits.recordBytesMax + 1, ' '))).toEqual(skipped('oversized'));
  });

  test('NR11 only UTF-8 without a byte order mark is read', () => {
    const bytes = Buffer.from(JSON.stringify({ ...legacy, content: 'é' }), 'utf8');
    const encodings = [
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
      Buffer.from(bytes.toString('utf8'), 'latin1'),
      Buffer.from(bytes.toString('utf8'), 'utf16le').subarray(0, 5).fill(0xff, 0, 1),
      Buffer.concat([bytes, Buffer.from([0xc0, 0x80])]),
      Buffer.concat([bytes, Buffer.from([0xed, 0xa0, 0x80])]),
    ];
    for (const encoding of encodings)
      expect(parseRecord(encoding, 'project', path)).toEqual(skipped('invalid_encoding'));
    expect(parseRecord(bytes, 'project', 'x.json').ok).toBe(true);
  });

  test('NR12 what is not JSON is invalid_json', () => {
    for (const text of ['', ' ', '{', '{"a":1,}', "{'a':1}", '{} {}', 'nul', '{"a":NaN}', '"\n"', '\u00a0{}']) {
      expect(parseText(text)).toEqual(skipped('invalid_json'));
    }
  });

  test('NR12 absurd nesting and numbers of absurd length are invalid_json, and nothing throws', () => {
    const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
    expect(parseText(deep('[', ']', 32_000))).toEqual(skipped('invalid_json'));
    expect(parseText('['.repeat(65_000))).toEqual(skipped('invalid_json'));
    expect(parseText(`{"schema_version":1,"id":"a","content":${deep('[', ']', 5000)}}`)).toEqual(
      skipped('invalid_json'),
    );
    expect(parseText(`${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`)).toEqual(skipped('invalid_json'));
    expect(parseText(deep('[', ']', notebookLimits.recordJsonDepthMax))).toEqual(skipped('invalid_record'));
    const revision = JSON.stringify(decision).replace('"revision":1', `"revision":${'9'.repeat(5000)}`);
    expect(parseText(revision)).toEqual(skipped('invalid_json'));
    expect(parseText(`{"schema_version":${'1'.repeat(60_000)}}`)).toEqual(skipped('invalid_json'));
    // Brackets and digits inside text are text.
    expect(parse({ a: `\\"${'['.repeat(6000)}${'1'.repeat(6000)}` })).toEqual(skipped('invalid_record'));
  });

  test('NR13 the last of two equal keys counts', () => {
    const text = JSON.stringify(decision).replace('"kind":"decision"', '"kind":"nothing","kind":"decision"');
    expect(parseText(text)).toEqual({ ok: true, record: decision });
    expect(parseText(`${JSON.stringify(legacy).slice(0, -1)},"content":""}`)).toEqual(skipped('invalid_record'));
  });

  test('NR14 a version is the integer 1 or 2', () => {
    for (const version of [true, '2', '1', 0, 3, 1.5, null, [2]]) {
      expect(parse({ ...decision, schema_version: version })).toEqual(skipped('invalid_record'));
      expect(parse({ ...legacy, schema_version: version })).toEqual(skipped('invalid_record'));
    }
    for (const number of ['2.0', '2e0', '20E-1']) {
      expect(parseText(JSON.stringify(decision).replace(':2,', `: ${number},`))).toEqual(skipped('invalid_record'));
    }
    const written = JSON.stringify(decision).replace('"revision":1', '"revision" : 1.0');
    expect(parseText(written)).toEqual(skipped('invalid_record'));
    const quoted = { ...decision, content: '"revision": 1.0 and "schema_version": 2.0' };
    expect(parse(quoted)).toEqual({ ok: true, record: quoted });
    for (const value of [null, [], [decision], 'text', 2, true, {}])
      expect(parse(value)).toEqual(skipped('invalid_record'));
  });

  test('NR15 parsing never throws, whatever the bytes', () => {
    const reasons = ['oversized', 'invalid_encoding', 'invalid_json', 'invalid_record', 'path_mismatch'];
    const check = (bytes: Uint8Array) => {
      const parsed = parseRecord(Buffer.from(bytes), 'project', path);
      if (!parsed.ok) expect(reasons).toContain(parsed.reason);
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), check), { seed, numRuns: 1000 });
    fc.assert(
      fc.property(fc.json(), (text) => check(Buffer.from(text))),
      { seed, numRuns: 500 },
    );
    const valid = Buffer.from(serialiseRecord(event));
    fc.assert(
      fc.property(fc.nat(valid.length - 1), fc.nat(255), fc.nat(20), (at, byte, cut) => {
        const changed = Buffer.from(valid);
        changed[at] = byte;
        check(changed);
        check(changed.subarray(0, changed.length - cut));
      }),
      { seed, numRuns: 2000 },
    );
  });
});

describe('version 2', () => {
  test('NR16 a record has exactly the published members, at every level', () => {
    expect(parse(decision)).toEqual({ ok: true, record: decision });
    for (const key of Object.keys(decision)) expect(parse(without(decision, key))).toEqual(skipped('invalid_record'));
    expect(parse({ ...decision, extra: null })).toEqual(skipped('invalid_record'));
    for (const part of ['namespace', 'collection', 'provenance', 'lifecycle'] as const) {
      const object: JsonObject = decision[part];
      for (const key of Object.keys(object)) {
        expect(parse({ ...decision, [part]: without(object, key) })).toEqual(skipped('invalid_record'));
      }
      for (const wrong of [{ ...object, x: 1 }, [], 'text', 1]) {
        expect(parse({ ...decision, [part]: wrong })).toEqual(skipped('invalid_record'));
      }
      if (part !== 'collection') expect(parse({ ...decision, [part]: null })).toEqual(skipped('invalid_record'));
    }
    const smuggled = JSON.stringify(decision).replace('"tags"', '"__proto__"');
    expect(parseText(smuggled)).toEqual(skipped('invalid_record'));
  });

  test('NR17 occurred_at is there exactly for events', () => {
    expect(parse(event)).toEqual({ ok: true, record: event });
    expect(parse({ ...decision, kind: 'event' })).toEqual(skipped('invalid_record'));
    expect(parse({ ...decision, occurred_at: event.occurred_at })).toEqual(skipped('invalid_record'));
    expect(parse({ ...decision, occurred_at: null })).toEqual(skipped('invalid_record'));
    expect(parse({ ...event, occurred_at: null })).toEqual(skipped('invalid_record'));
    expect(parse({ ...event, occurred_at: '2026-02-30T00:00:00Z' })).toEqual(skipped('invalid_record'));
  });

  test('NR18 each value follows the rules of creation', () => {
    const wrong: readonly JsonObject[] = [
      { id: id.toUpperCase() },
      { id: 'note' },
      { scope: 'everything' },
      { scope: 'toString' },
      { namespace: { ...decision.namespace, kind: 'topic' } },
      { namespace: { ...decision.namespace, kind: 'nothing' } },
      { namespace: { ...decision.namespace, id: 'Demo' } },
      { namespace: { ...decision.namespace, label: '' } },
      { namespace: { ...decision.namespace, label: 'x'.repeat(101) } },
      { collection: { id: '..', label: null } },
      { collection: { id: 'decisions', label: ' ' } },
      { kind: 'attribute' },
      { kind: 'nothing' },
      { language: 'english language' },
      { language: '' },
      { title: '' },
      { title: 'x'.repeat(201) },
      { content: null },
      { content: ' \u001c' },
      { content: 'x'.repeat(4001) },
      { content: 'a\ud800' },
      { tags: null },
      { tags: ['a', 'A'] },
      { tags: Array.from({ length: 11 }, (_, index) => `t${index}`) },
      { provenance: { origin: 'guess', recorded_via: 'import' } },
      { provenance: { origin: 'import', recorded_via: 'hand' } },
      { lifecycle: { state: 'deleted', revision: 1 } },
      { lifecycle: { state: 'active', revision: 0 } },
      { lifecycle: { state: 'active', revision: true } },
      { lifecycle: { state: 'active', revision: '1' } },
      { lifecycle: { state: 'active', revision: 2 ** 53 } },
      { created_at: '2026-07-18T12:00:00+00:00' },
      { created_at: '2026-07-18T12:00:01Z' },
      { updated_at: '2026-07-18T11:59:59Z' },
      { updated_at: null },
    ];
    for (const change of wrong)
      expect(parse({ ...decision, ...change }), JSON.stringify(change)).toEqual(skipped('invalid_record'));
  });

  test('NR18 origins and ways of recording that no caller may state are read from files', () => {
    for (const origin of origins) {
      for (const recorded_via of recordedVias) {
        const record = { ...decision, provenance: { origin, recorded_via } };
        expect(parse(record)).toEqual({ ok: true, record });
      }
    }
  });

  test('NR19 reading normalises what is seen', () => {
    const raw = {
      ...decision,
      namespace: { ...decision.namespace, label: ' De\u0301mo ' },
      language: null,
      title: '\u001cA\r\nB\u0085',
      content: ' line\rline ',
      tags: [' Deep \n Work '],
    };
    const record = {
      ...decision,
      namespace: { ...decision.namespace, label: 'Démo' },
      language: 'und',
      title: 'A\nB',
      content: 'line\nline',
      tags: ['Deep Work'],
    };
    expect(parse(raw)).toEqual({ ok: true, record });
  });

  test('NR20 a record lies exactly where its members say', () => {
    const collectionless = { ...decision, collection: null };
    expect(recordPath(referenceOf(decision))).toBe(path);
    expect(recordPath(referenceOf(collectionless))).toBe(`demo/${id}.json`);
    expect(parse(collectionless, 'project', `demo/${id}.json`)).toEqual({ ok: true, record: collectionless });
    for (const at of [
      `demo/other/${id}.json`,
      `other/decisions/${id}.json`,
      `demo/${id}.json`,
      `demo/decisions/x.json`,
      `${id}.json`,
    ]) {
      expect(parse(decision, 'project', at)).toEqual(skipped('path_mismatch'));
    }
    expect(parse(collectionless)).toEqual(skipped('path_mismatch'));
    expect(parse(decision, 'knowledge')).toEqual(skipped('path_mismatch'));
  });
});

describe('version 1', () => {
  test('NR21 a legacy record is taken verbatim from any place', () => {
    expect(parse(legacy, 'self', 'a/b/c/d/x.json')).toEqual({ ok: true, record: { ...legacy, title: null, tags: [] } });
    const full = { ...legacy, id: 'A..b_-9', title: ' T ', tags: [' a ', 'A', 'a', 'e\u0301', 'é'] };
    expect(parse(full)).toEqual({ ok: true, record: full });
    expect(parse({ ...legacy, title: null })).toEqual({ ok: true, record: { ...legacy, title: null, tags: [] } });
    expect(parse({ ...legacy, content: '😀'.repeat(4000), title: '😀'.repeat(200), tags: ['😀'.repeat(50)] }).ok).toBe(
      true,
    );
  });

  test('NR22 one deviation makes it no record', () => {
    const wrong: readonly JsonObject[] = [
      { scope: 'project' },
      { id: '' },
      { id: 'a/b' },
      { id: 'x'.repeat(101) },
      { id: 1 },
      { content: '' },
      { content: '\u0085\u001f' },
      { content: null },
      { content: 'x'.repeat(4001) },
      { title: '' },
      { title: ' ' },
      { title: 1 },
      { title: 'x'.repeat(201) },
      { tags: null },
      { tags: [] },
      { tags: 'a' },
      { tags: ['a', 'a'] },
      { tags: ['\u2003'] },
      { tags: [1] },
      { tags: ['x'.repeat(51)] },
      { tags: Array.from({ length: 11 }, (_, index) => `t${index}`) },
    ];
    for (const change of wrong)
      expect(parse({ ...legacy, ...change }), JSON.stringify(change)).toEqual(skipped('invalid_record'));
    for (const key of Object.keys(legacy)) expect(parse(without(legacy, key))).toEqual(skipped('invalid_record'));
    expect(parseText('{"schema_version":1,"id":"a","content":"x","__proto__":"y"}')).toEqual(skipped('invalid_record'));
  });
});

describe('the written form', () => {
  test('NR23 a record has one written form, in published order and without escapes', () => {
    const text = serialiseRecord({ ...event, title: 'Zoë 😀 "q" \u0001', tags: [] });
    expect(text).toBe(`{
  "schema_version": 2,
  "id": "${id}",
  "scope": "project",
  "namespace": {
    "kind": "project",
    "id": "demo",
    "label": "Demo"
  },
  "collection": {
    "id": "decisions",
    "label": null
  },
  "kind": "event",
  "language": "en",
  "title": "Zoë 😀 \\"q\\" \\u0001",
  "content": "Concepts belong to the shared domain.",
  "tags": [],
  "provenance": {
    "origin": "explicit_user_statement",
    "recorded_via": "memory_remember"
  },
  "lifecycle": {
    "state": "active",
    "revision": 1
  },
  "created_at": "2026-07-18T12:00:00Z",
  "updated_at": "2026-07-18T12:00:00Z",
  "occurred_at": "0001-01-01T00:00:00Z"
}
`);
  });

  test('NR23 the order of the members in memory does not matter', () => {
    const { schema_version, id: recordId, ...rest } = event;
    expect(serialiseRecord({ ...rest, id: recordId, schema_version })).toBe(serialiseRecord(event));
  });

  test('NR24 every valid record reads back as it was written', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const text = serialiseRecord(record);
        const parsed = parseText(text, record.scope, recordPath(referenceOf(record)));
        expect(parsed).toEqual({ ok: true, record });
        if (parsed.ok && parsed.record.schema_version === 2) expect(serialiseRecord(parsed.record)).toBe(text);
      }),
      { seed, numRuns: 500 },
    );
  });
});

const anyIdentifier = fc.constantFrom('a', '0', 'demo', 'a-_b9', 'a--b', 'x'.repeat(64));
const anyTime = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => `${date.toISOString().slice(0, 19)}Z`);

/** Normalised text, rich in what needs care in JSON and UTF-8. */
function anyText(charsMax: number): fc.Arbitrary<string> {
  return fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map((raw) => normaliseText(raw, charsMax) ?? 'x');
}

const anyRecord: fc.Arbitrary<CanonicalRecord> = fc.constantFrom(...scopes).chain((scope) =>
  fc
    .record({
      id: fc
        .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32 })
        .map((hex) => `mem_${hex}`),
      namespace: fc.record({
        kind: fc.constantFrom(...vocabulary[scope].namespaceKinds),
        id: anyIdentifier,
        label: fc.option(anyText(notebookLimits.labelCharsMax)),
      }),
      collection: fc.option(fc.record({ id: anyIdentifier, label: fc.option(anyText(notebookLimits.labelCharsMax)) })),
      kind: fc.constantFrom(...vocabulary[scope].kinds.keys()),
      language: fc.constantFrom('und', 'en', 'zh-hant-tw'),
      title: fc.option(anyText(notebookLimits.titleCharsMax)),
      content: anyText(notebookLimits.contentCharsMax),
      tags: fc.array(anyText(20), { maxLength: 4 }).map((raw) => normaliseTags(raw) ?? []),
      provenance: fc.record({ origin: fc.constantFrom(...origins), recorded_via: fc.constantFrom(...recordedVias) }),
      lifecycle: fc.record({
        state: fc.constantFrom('active' as const, 'archived' as const),
        revision: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      }),
      times: fc.tuple(anyTime, anyTime),
      occurred_at: anyTime,
    })
    .map(({ times, occurred_at, ...rest }): CanonicalRecord => {
      const [created_at = '', updated_at = ''] = [...times].sort();
      const record = { schema_version: 2 as const, scope, ...rest, created_at, updated_at };
      return record.kind === 'event' ? { ...record, occurred_at } : record;
    }),
);
