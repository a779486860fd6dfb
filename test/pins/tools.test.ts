/**
 * What clients see of the tools, pinned. A change of a name, a word or a bound shows up here and in review, in both
 * forms of the schemas. The files hold the same JSON laid out for reading; what is compared is the compact text, byte
 * for byte and in order, as it travels. After a change that is meant: `UPDATE_PINS=1 npx vitest run test/pins`, then
 * `npx biome format --write test/pins`.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { instructions } from '../../src/operations/instructions.ts';
import type { Tool } from '../../src/operations/operation.ts';
import { createRegistry } from '../../src/operations/registry.ts';

const { tools: operations } = createRegistry({ remember: true, archive_restore: true, revise: true, forget: true });
const update = process.env['UPDATE_PINS'] === '1';

function listed(tool: Tool, form: 'composed' | 'portable'): object {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: form === 'portable' ? tool.portableInput : tool.composedInput,
    ...(tool.output === undefined ? {} : { outputSchema: tool.output }),
    annotations: tool.annotations,
  };
}

function compact(form: 'composed' | 'portable'): string {
  return JSON.stringify(operations.map(({ tool }) => listed(tool, form)));
}

function pin(name: string): string {
  return path.join(import.meta.dirname, name);
}

test.each(['composed', 'portable'] as const)('TS22 the tools in %s form are the pinned ones, byte for byte', (form) => {
  const file = pin(`tools-${form}.json`);
  if (update) writeFileSync(file, `${JSON.stringify(JSON.parse(compact(form)), null, 2)}\n`);
  const pinned: unknown = JSON.parse(readFileSync(file, 'utf8'));
  expect(JSON.parse(compact(form))).toEqual(pinned);
  expect(compact(form)).toBe(JSON.stringify(pinned));
});

test('TS22 one digest over both forms and the instructions is the pinned one', () => {
  const digest = createHash('sha256');
  for (const part of [compact('composed'), compact('portable'), instructions]) digest.update(`${part}\n`);
  const file = pin('tools.sha256');
  const line = `${digest.digest('hex')}\n`;
  if (update) writeFileSync(file, line);
  expect(readFileSync(file, 'utf8')).toBe(line);
});
