/** The rows about the index itself: its numbers, whether it can be relied on, what it saved, whether it hangs together. */
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../base/json.ts';
import { codeRequestLimits } from '../../base/limits.ts';
import { text } from '../../memory/decisions/parse.ts';
import { codeRow } from '../code-row.ts';
import { fitted } from '../fit-answer.ts';
import { noRequest } from '../project-row.ts';
import { projectExample } from '../projects/project-schema.ts';
import { changingTool, readingTool } from '../tool-hints.ts';
import { toolSchema } from '../tool-schema.ts';
import { base, freshnessSchema, projectId, staleExample } from './code-schema.ts';
import { count } from './inputs.ts';

const plainTool = toolSchema({}, {});
const counts = z.record(z.string(), z.int());
const inProject = { project_id: projectExample.id };
const skippedFile = { path: 'assets/vendor/', reason: 'ignored' };

const statsExample = {
  ...inProject,
  project: projectExample.name,
  built: true,
  nodes: 1396,
  edges: 4210,
  communities: 9,
  files: 112,
  symbols: 1284,
  lines: 18240,
  tokens: 112770,
  languages: { typescript: 98, sql: 10, markdown: 4 },
  text_only: { generated: 2 },
  skipped: { ignored: 1 },
  skipped_files: [skippedFile],
  unresolved: 318,
  embedder: 'minilm-static-256-v1',
  db_path: `${projectExample.path}/.neuralmind/index.db`,
  db_bytes: 2908160,
  build_stats: { built_at: '2026-10-02T12:00:00.000Z', duration_seconds: 0.184, commit: '9d1f0c2e', generation: 7 },
  freshness: { ...staleExample, state: 'fresh', changed: 0, files: [] },
};

const statsSchema = z.discriminatedUnion('built', [
  z.object({ project_id: projectId, project: z.string(), built: z.literal(false) }),
  z.object({
    project_id: projectId,
    project: z.string(),
    built: z.literal(true),
    nodes: z.int(),
    edges: z.int(),
    communities: z.int(),
    files: z.int(),
    symbols: z.int(),
    lines: z.int(),
    tokens: z.int().describe('Of all indexed files.'),
    languages: counts.describe('Files of each language.'),
    text_only: counts.describe('Files that are searched by their text and have no symbols, by reason.'),
    skipped: counts.describe('Files that are not read, by reason.'),
    skipped_files: z.array(z.object({ path: z.string(), reason: z.string() })).describe('The first of them.'),
    unresolved: z.int().describe('References to which no definition was found.'),
    embedder: z.string(),
    db_path: z.string(),
    db_bytes: z.int(),
    build_stats: z.object({
      built_at: z.string(),
      duration_seconds: z.number(),
      commit: z.string().describe('The commit that was checked out, or "".'),
      generation: z.int().describe('Rises with every build that changed something.'),
    }),
    freshness: freshnessSchema,
  }),
]);

export const showStats = codeRow({
  name: 'code.stats',
  summary: 'Tells what the index holds, what it left out and why, and whether it is as the files are.',
  permission: 'code.read',
  effects: 'None.',
  errors: [],
  example: { input: inProject, output: statsExample },
  request: noRequest,
  http: {
    method: 'GET',
    path: `${base}/stats`,
    body: false,
    success: { 200: 'The numbers, or that nothing is built.' },
    input: noRequest,
    output: statsSchema,
  },
  tool: {
    name: 'neuralmind_stats',
    title: 'Index numbers',
    description: 'What the index holds, what it skipped and why.',
    annotations: readingTool,
    composedInput: plainTool,
    portableInput: plainTool,
    show: (value) => withList(value, 'skipped_files'),
  },
  run: ({ code }) => code.stats(),
  event: ({ built, files }) => ({ built: built === true, ...count('files', files) }),
});

/** As it is, but for one list that may be long. */
function withList(value: JsonObject, name: string): JsonObject {
  const list: JsonValue | undefined = member(value, name);
  return fitted((window) => (Array.isArray(list) ? { ...value, [name]: window(list) } : value), 0);
}

export const checkCode = codeRow({
  name: 'code.health',
  summary: 'Says whether the index is there, usable and up to date, and what to do when it is not.',
  permission: 'code.read',
  effects: 'None.',
  errors: [],
  example: {
    input: inProject,
    output: {
      ...inProject,
      project: projectExample.name,
      state: 'stale',
      message: 'files changed since: mnemosyne build',
      freshness: staleExample,
      watching: false,
      building: false,
    },
  },
  request: noRequest,
  http: {
    method: 'GET',
    path: `${base}/health`,
    body: false,
    success: { 200: 'The state, whatever it is.' },
    input: noRequest,
    output: z.object({
      project_id: projectId,
      project: z.string(),
      state: z.enum(['ok', 'stale', 'missing', 'unusable']),
      message: z.string(),
      freshness: freshnessSchema.nullable().describe('Null when there is no index to compare.'),
      watching: z.boolean().describe('Whether this server follows changes of the files.'),
      building: z.boolean(),
    }),
  },
  tool: {
    name: 'neuralmind_health',
    title: 'Index health',
    description: 'Whether the index is reliable, and what to do.',
    annotations: readingTool,
    composedInput: plainTool,
    portableInput: plainTool,
  },
  run: ({ code }) => code.health(),
  event: ({ state }) => (typeof state === 'string' ? { state } : {}),
});

const savingsRequest = z.object({
  cost: z.boolean().optional().describe('Adds what the tokens cost in US dollars. Default: false.'),
  model: text(codeRequestLimits.modelCharsMax, { blank: false })
    .optional()
    .describe('Whose price for input counts. One without a known price counts as the default.'),
  queries_per_day: z
    .int()
    .min(1)
    .max(codeRequestLimits.queriesPerDayMax)
    .optional()
    .describe(`How many queries a day are reckoned with. Default: ${codeRequestLimits.queriesPerDayDefault}.`),
});
const savingsTool = toolSchema({ ...savingsRequest.shape, queries_per_day: z.int().optional() }, {});

export const showSavings = codeRow({
  name: 'code.savings',
  summary: 'Reckons the tokens that answers took against those of all files they speak for.',
  permission: 'code.read',
  effects: 'None.',
  errors: [],
  example: {
    input: { ...inProject, cost: true, queries_per_day: 100 },
    output: {
      ...inProject,
      project: projectExample.name,
      scope: 'project',
      log: '.neuralmind/audit_events.jsonl',
      total_queries: 3,
      total_wakeups: 1,
      total_tokens_used: 2520,
      est_total_full_cost: 451080,
      total_tokens_saved: 448560,
      avg_reduction_ratio: 179,
      baseline_disclosure:
        'An upper bound, not a measurement: the full cost assumes that every indexed file would be read for every query and wake-up.',
      recent_queries: [{ at: '2026-10-02T12:04:10Z', tokens: 640, ratio: 176.2 }],
      dollar_savings: {
        model: 'claude-opus-4-8',
        price_per_mtok: 5,
        baseline_cost_total: 2.2554,
        actual_cost_total: 0.0126,
        saved_total: 2.2428,
        daily_saved: 56.07,
        monthly_saved: 1682.1,
        queries_per_day: 100,
        days: 30,
        baseline_tokens_per_query: 112770,
        estimated: true,
        basis: 'An estimate from the tokens saved per logged query, 100 queries a day, input tokens at $5 per million.',
      },
    },
  },
  request: savingsRequest,
  http: {
    method: 'GET',
    path: `${base}/savings`,
    query: { cost: 'boolean', model: 'text', queries_per_day: 'integer' },
    body: false,
    success: { 200: 'The sums; zeros when nothing was asked yet.' },
    input: savingsRequest,
    output: z.looseObject({
      project_id: projectId,
      project: z.string(),
      scope: z.literal('project'),
      log: z.string(),
      total_queries: z.int(),
      total_wakeups: z.int(),
      total_tokens_used: z.int(),
      est_total_full_cost: z.int().describe('Tokens of all files, once for each answer.'),
      total_tokens_saved: z.int(),
      avg_reduction_ratio: z.number(),
      baseline_disclosure: z.string().describe('What the comparison assumes.'),
      recent_queries: z
        .array(z.object({ at: z.string(), tokens: z.int(), ratio: z.number() }))
        .describe('The newest first.'),
      dollar_savings: z
        .looseObject({
          model: z.string(),
          price_per_mtok: z.number(),
          baseline_cost_total: z.number(),
          actual_cost_total: z.number(),
          saved_total: z.number(),
          daily_saved: z.number(),
          monthly_saved: z.number(),
          queries_per_day: z.int(),
          days: z.int(),
          baseline_tokens_per_query: z.int(),
          estimated: z.literal(true),
          basis: z.string(),
        })
        .nullable()
        .describe('Null unless the cost was asked for.'),
    }),
  },
  tool: {
    name: 'neuralmind_savings',
    title: 'Tokens saved',
    description: 'Tokens that answers saved; with cost, in dollars.',
    annotations: readingTool,
    composedInput: savingsTool,
    portableInput: savingsTool,
  },
  run: ({ code, request }) =>
    code.savings({
      cost: request.cost === true,
      model: request.model ?? null,
      queries_per_day: request.queries_per_day ?? codeRequestLimits.queriesPerDayDefault,
    }),
  event: ({ total_queries }) => count('queries', total_queries),
});

const validateRequest = z.object({
  write: z.boolean().optional().describe('Also writes the index as a document for other programs. Default: false.'),
});
const validateTool = toolSchema({ ...validateRequest.shape }, {});
const issues = z.array(z.object({ code: z.string(), message: z.string() }));

export const validateCode = codeRow({
  name: 'code.validate',
  summary: 'Checks that the graph of the index hangs together: every edge between nodes that exist.',
  permission: 'code.write',
  effects: 'None, unless `write` is true: then `index_ir.json` and `ir_meta.json` are written below `.neuralmind/`.',
  errors: [],
  example: {
    input: { ...inProject, write: false },
    output: {
      ...inProject,
      ir_version: 1,
      generated_by: 'mnemosyne 0.2.0',
      source_backend: 'sqlite',
      source_schema_version: '1',
      coverage: 'coarse',
      built_at_commit: '9d1f0c2e',
      created_at: '2026-10-02T12:00:00Z',
      counts: { nodes: 1396, edges: 4210, clusters: 9, synapses: 0 },
      node_kinds: { file: 112, method: 640, function: 644 },
      languages: { typescript: 1240, sql: 156 },
      validation: { ok: true, errors: [], warnings: [], errors_total: 0, warnings_total: 0 },
      written_to: null,
    },
  },
  request: validateRequest,
  http: {
    method: 'POST',
    path: `${base}/validate`,
    body: true,
    success: { 200: 'What was found. Warnings leave it ok.' },
    input: validateRequest,
    output: z.looseObject({
      project_id: projectId,
      ir_version: z.int().nullable(),
      generated_by: z.string(),
      source_backend: z.string(),
      source_schema_version: z.string(),
      coverage: z.enum(['coarse', 'precise']),
      built_at_commit: z.string().nullable(),
      created_at: z.string(),
      counts: z.object({ nodes: z.int(), edges: z.int(), clusters: z.int(), synapses: z.int() }),
      node_kinds: counts,
      languages: counts,
      validation: z.looseObject({
        ok: z.boolean(),
        errors: issues.describe('The first of them.'),
        warnings: issues,
        errors_total: z.int(),
        warnings_total: z.int(),
      }),
      written_to: z
        .object({ ir: z.string(), meta: z.string() })
        .nullable()
        .describe('Where the document and its summary were written, if they were.'),
    }),
  },
  tool: {
    name: 'neuralmind_validate',
    title: 'Check index',
    description: 'Whether the index hangs together.',
    annotations: changingTool(true),
    composedInput: validateTool,
    portableInput: validateTool,
    show: shownValidation,
  },
  run: ({ code, request }) => code.validate({ write: request.write === true }),
  event({ validation }) {
    const ok = isJsonObject(validation) ? member(validation, 'ok') : undefined;
    return typeof ok === 'boolean' ? { valid: ok } : {};
  },
});

function shownValidation(value: JsonObject): JsonObject {
  const { validation } = value;
  if (!isJsonObject(validation)) return value;
  const { errors, warnings } = validation;
  return fitted(
    (window) => ({
      ...value,
      validation: {
        ...validation,
        ...(Array.isArray(errors) ? { errors: window(errors) } : {}),
        ...(Array.isArray(warnings) ? { warnings: window(warnings) } : {}),
      },
    }),
    0,
  );
}
