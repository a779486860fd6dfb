/** Rules over every row that is a route, or a tool of decisions or code. */
import { expect, test } from 'vitest';
import { errorCatalogue } from '../../src/base/errors.ts';
import { mcpLimits } from '../../src/base/limits.ts';
import { isTool, type Operation } from '../../src/operations/operation.ts';
import { notebookRows, table } from '../../src/operations/table.ts';
import { isInGroup } from '../../src/transports/mcp/profile.ts';
import { lintSchema } from '../tools/schema-lint.ts';
import { expectFits } from './door.ts';

const rows = table.filter((row) => !notebookRows.some((other) => other.name === row.name));
const named = rows.map((row) => [row.name, row] as const);
const routes = rows.filter((row) => row.http !== undefined);
const tools = rows.filter(isTool);

const pathNames = (path: string) => [...path.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1] ?? '');

test('MT1 names are unique and speak one form; every row has a way in', () => {
  expect(new Set(table.map((row) => row.name)).size).toBe(table.length);
  for (const row of rows) {
    expect(row.name).toMatch(/^(server|projects|memories|code|jobs)\.[a-z]+(_[a-z]+)*$/);
    expect(row.http !== undefined || row.tool !== undefined).toBe(true);
    expect(row.summary).toMatch(/^[A-Z].*\.$/);
    expect(row.effects).toMatch(/\.$/);
  }
});

test.each(named)('MT2 %s names only errors of the catalogue, each once, an internal error last', (_name, row) => {
  expect(row.errors.filter((code) => !Object.hasOwn(errorCatalogue, code))).toEqual([]);
  expect(new Set(row.errors).size).toBe(row.errors.length);
  expect(row.errors.at(-1)).toBe('internal_error');
});

test.each(named)('MT3 %s has an example that its checks take and that fits its answer', (_name, row: Operation) => {
  expect(row.parse(row.example.input)).toMatchObject({ ok: true });
  const { http } = row;
  if (http === undefined) return;
  const { output } = row.example;
  const success = http.respond?.(output) ?? { status: 200 as const };
  expect(Object.keys(http.success)).toContain(String(success.status));
  expectFits(http.output, success.body ?? output);
  for (const name of pathNames(http.path)) expect(Object.keys(row.example.input)).toContain(name);
});

test('MT4 the routes are exactly those of the contract', () => {
  const project = '/v1/projects/{project_id}';
  const memories = `${project}/memories`;
  expect(routes.map((row) => `${row.http?.method} ${row.http?.path}`).sort()).toEqual(
    [
      'GET /v1',
      'GET /v1/health',
      'GET /v1/status',
      'GET /v1/openapi.json',
      'POST /v1/admin/shutdown',
      'GET /v1/projects',
      'POST /v1/projects',
      'GET /v1/projects/{project_id}',
      'GET /v1/jobs',
      'GET /v1/jobs/{job_id}',
      `POST ${memories}`,
      `GET ${memories}`,
      `POST ${memories}/search`,
      `POST ${memories}/batch`,
      `GET ${memories}/export`,
      `POST ${memories}/import`,
      `GET ${memories}/audit`,
      `POST ${memories}/scan`,
      `GET ${memories}/{memory_id}`,
      `PATCH ${memories}/{memory_id}`,
      `DELETE ${memories}/{memory_id}`,
      `POST ${memories}/{memory_id}/invalidate`,
      `POST ${memories}/{memory_id}/restore`,
      `POST ${memories}/{memory_id}/supersede`,
      `POST ${memories}/{memory_id}/feedback`,
      `GET ${memories}/{memory_id}/history`,
      `GET ${memories}/{memory_id}/timeline`,
      `POST ${project}/build`,
      `POST ${project}/query`,
      `POST ${project}/search`,
      `GET ${project}/wakeup`,
      `GET ${project}/stats`,
      `GET ${project}/savings`,
      `POST ${project}/validate`,
      `GET ${project}/neighbors/structural`,
      `GET ${project}/impact`,
      `POST ${project}/documents`,
      `GET ${project}/documents`,
      `DELETE ${project}/documents`,
      `GET ${project}/health`,
      `GET ${project}/skeleton`,
    ].sort(),
  );
  expect(routes.filter((row) => row.http?.open === true).map((row) => row.name)).toEqual([
    'server.health',
    'server.openapi',
  ]);
});

test('MT5 the tools of decisions and of code are exactly these, none of them in the group of the notebook', () => {
  const decisions = tools.filter((row) => row.permission.startsWith('memories.'));
  const code = tools.filter((row) => row.permission.startsWith('code.'));
  expect(decisions.length + code.length).toBe(tools.length);
  expect(code.map((row) => row.tool.name).sort()).toEqual([
    'neuralmind_build',
    'neuralmind_health',
    'neuralmind_impact',
    'neuralmind_ingest_document',
    'neuralmind_query',
    'neuralmind_savings',
    'neuralmind_search',
    'neuralmind_skeleton',
    'neuralmind_stats',
    'neuralmind_structural_neighbors',
    'neuralmind_validate',
    'neuralmind_wakeup',
  ]);
  expect(decisions.map((row) => row.tool.name).sort()).toEqual([
    'neuralmind_audit_decisions',
    'neuralmind_invalidate_decision',
    'neuralmind_memory_get',
    'neuralmind_memory_history',
    'neuralmind_memory_search',
    'neuralmind_memory_timeline',
    'neuralmind_query_decisions',
    'neuralmind_record_decision',
    'neuralmind_restore_decision',
    'neuralmind_supersede_decision',
    'neuralmind_update_decision',
  ]);
  for (const row of tools) {
    expect(isInGroup(row, 'memory')).toBe(false);
    expect(isInGroup(row, 'code')).toBe(true);
    expect(isInGroup(row, 'all')).toBe(true);
  }
});

test.each(tools.map((row) => [row.tool.name, row] as const))(
  'MT6 the input of %s has one portable form, and no argument says who is calling',
  (_name, row) => {
    const { composedInput, portableInput, description, annotations } = row.tool;
    expect(composedInput).toBe(portableInput);
    // Every field of a record can be set in one call, which takes more than the usual twelve.
    expect(lintSchema(portableInput, { use: 'input', propertiesMax: 20 })).toEqual([]);
    expect(description.length).toBeLessThanOrEqual(300);
    expect(annotations.readOnlyHint).toBe(['memories.read', 'code.read'].includes(row.permission));
    const words = JSON.stringify(portableInput);
    expect(words).toContain('project_path');
    for (const name of ['actor', 'principal', 'role', 'token', 'user']) expect(words).not.toContain(`"${name}"`);
  },
);

test('MT7 all tools together stay within 40 kB', () => {
  const listed = table.filter(isTool).map(({ tool }) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: tool.portableInput,
    outputSchema: tool.output,
    annotations: tool.annotations,
  }));
  expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThanOrEqual(mcpLimits.toolListBytesMax);
});
