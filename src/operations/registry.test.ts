import { expect, test } from 'vitest';
import { unusedEngine } from '../../test/unused-engine.ts';
import { SERVER_NAME, SERVER_VERSION } from '../base/version.ts';
import type { Gates } from './operation.ts';
import { createRegistry } from './registry.ts';
import { notebookRows as table } from './table.ts';

const flags = [false, true];
const combinations: readonly Gates[] = flags.flatMap((remember) =>
  flags.flatMap((archive_restore) =>
    flags.flatMap((revise) => flags.map((forget) => ({ remember, archive_restore, revise, forget }))),
  ),
);
const none: Gates = { remember: false, archive_restore: false, revise: false, forget: false };

/** Written out by hand, so that the expectation does not come from the code under test. */
function expectedTools(gates: Gates): readonly string[] {
  const tools = ['list_tools', 'memory_recall', 'memory_list', 'memory_inspect'];
  if (gates.archive_restore) tools.push('memory_archive', 'memory_restore');
  if (gates.remember) tools.push('memory_remember');
  if (gates.revise) tools.push('memory_revise');
  if (gates.forget) tools.push('memory_forget');
  return tools;
}

test('TB5 there are sixteen combinations of gates', () => {
  expect(combinations).toHaveLength(16);
});

test.each(combinations)('TB5 with %j exactly the enabled tools exist, in the fixed order', async (gates) => {
  const registry = createRegistry(gates, table);
  const expected = expectedTools(gates);
  expect(registry.tools.map((row) => row.tool.name)).toEqual(expected);
  for (const row of table) {
    expect(registry.findTool(row.tool.name)).toBe(expected.includes(row.tool.name) ? row : undefined);
  }
  const listTools = registry.findTool('list_tools');
  const answer = await listTools?.run(engine, null, {
    caller: { kind: 'stdio', principal: 'test' },
    signal: new AbortController().signal,
    registry,
  });
  expect(answer).toEqual({
    ok: true,
    value: `Server: ${SERVER_NAME} ${SERVER_VERSION}. Available tools: ${expected.join(', ')}`,
  });
});

test('TB6 names that only an inherited lookup would find are no tools', () => {
  const registry = createRegistry(none);
  for (const name of ['constructor', '__proto__', 'toString', '', 'MEMORY_RECALL', 'memory_recall ']) {
    expect(registry.findTool(name)).toBeUndefined();
  }
});

test('TB7 a gate that is on with no row behind it stops the start', () => {
  const rows = table.filter((row) => row.gate !== 'forget');
  expect(() => createRegistry({ ...none, forget: true }, rows)).toThrow('no operation behind the gate forget');
  expect(createRegistry(none, rows).operations).toHaveLength(4);
});

test('TB7 two rows with one tool name stop the start', () => {
  expect(() => createRegistry(none, [...table, ...table.slice(0, 1)])).toThrow('share a tool name');
});

const engine = unusedEngine('list_tools needs no engine');
