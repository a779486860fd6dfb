import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../base/json.ts';
import { asciiJson, toolResult } from './tool-result.ts';

test('TB1 success shows compact JSON as text and the same value as structured content', () => {
  const value = { status: 'ok', memories: [], page: { number: 1 } };
  expect(toolResult({ ok: true, value })).toEqual({
    content: [{ type: 'text', text: '{"status":"ok","memories":[],"page":{"number":1}}' }],
    structuredContent: value,
  });
  expect(Object.keys(toolResult({ ok: true, value }))).not.toContain('isError');
});

test('TB2 an error shows status, code, field, reason and message in that order, and nothing structured', () => {
  const shuffled = {
    message: 'the fixed sentence',
    reason: 'credential_shape',
    field: 'content',
    code: 'disallowed_content',
    status: 'refused',
  } as const;
  expect(toolResult({ ok: false, failure: shuffled })).toEqual({
    content: [
      {
        type: 'text',
        text: '{"status":"refused","code":"disallowed_content","field":"content","reason":"credential_shape","message":"the fixed sentence"}',
      },
    ],
    isError: true,
  });
  const bare = toolResult({ ok: false, failure: { status: 'not_found', code: 'not_found', message: 'gone' } });
  expect(bare.content[0].text).toBe('{"status":"not_found","code":"not_found","message":"gone"}');
  expect(Object.keys(bare)).toEqual(['content', 'isError']);
});

test('TB3 prose is shown as it is, without structured content', () => {
  expect(toolResult({ ok: true, value: 'Server: x 1. Available tools: a, b' })).toEqual({
    content: [{ type: 'text', text: 'Server: x 1. Available tools: a, b' }],
  });
});

test('TB4 text beyond ASCII is escaped unit by unit and reads back the same', () => {
  expect(asciiJson({ a: 'é😀\u2028\u007f\ud800' })).toBe('{"a":"\\u00e9\\ud83d\\ude00\\u2028\u007f\\ud800"}');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (left, right) => {
      const value: JsonValue = { [left]: right, list: [left, right] };
      const text = asciiJson(value);
      expect(text).toMatch(/^[\u0000-\u007f]*$/);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { seed: 11, numRuns: 300 },
  );
});

test('CM2 what a tool shows of a success value is both its text and its structured content', () => {
  const shown = toolResult({ ok: true, value: { a: 1, b: 2 } }, ({ a }) => ({ a: a ?? null }));
  expect(shown).toEqual({ content: [{ type: 'text', text: '{"a":1}' }], structuredContent: { a: 1 } });
});
