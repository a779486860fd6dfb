/** The rows that answer questions about code: a context for a question, a list of places, a wake-up. */
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../base/json.ts';
import { codeRequestLimits } from '../../base/limits.ts';
import { text } from '../../memory/decisions/parse.ts';
import { codeRow } from '../code-row.ts';
import { fitted, offsetOf } from '../fit-answer.ts';
import { noRequest } from '../project-row.ts';
import { projectExample } from '../projects/project-schema.ts';
import { readingTool } from '../tool-hints.ts';
import { toolSchema } from '../tool-schema.ts';
import { base, hitExample, hitSchema, linesByLayer, projectId, staleExample, staleness } from './code-schema.ts';
import { count, offset, readOn } from './inputs.ts';

const layersUsed = z.array(z.string()).describe('L0 to L3: identity, summary, related, hits.');
const ratio = z.number().describe('Tokens of all indexed files for each token of the context.');

/** What every question may do besides answering. */
const asking = 'Builds the index when the project has none, and adds a line without the question to the log of uses';

const context = [
  'Project: atlas',
  'Keeps the maps of a fleet and answers where a vehicle was.',
  '112 files, 1,284 symbols, 9 groups; TypeScript 91 %, SQL 9 %',
  '',
  'Where to look:',
  'src/store.ts:41-67 method Store.open(file: string): Database — Opens the database in WAL mode. (name, meaning)',
].join('\n');

const learn = z.boolean().optional().describe('False leaves no line in the log of uses. Default: true.');
const question = text(codeRequestLimits.questionCharsMax, { blank: false }).describe('In plain words.');
const queryType = z.enum(['auto', 'code', 'docs']).optional();
const budget = z.int().min(1).max(codeRequestLimits.contextTokensMax);
const queryRequest = z.object({
  question,
  query_type: queryType.describe('Whether code or documents are meant. Default: auto.'),
  context_budget: budget
    .nullable()
    .optional()
    .describe('Tokens that the context may take at most, null for 1,500. A hard limit; what was cut is said.'),
  trace: z.boolean().optional().describe('Whether to tell how the answer came about. Default: false.'),
  trace_verbose: z.boolean().optional().describe('The same with longer lists. Default: false.'),
  learn,
});

const queryExample = {
  project_id: projectExample.id,
  question: 'Where is the database opened?',
  context,
  tokens: { total: 84, l0: 41, l1: 0, l2: 0, l3: 43 },
  budget: 1500,
  layers_used: ['L0', 'L3'],
  reduction_ratio: 1342.5,
  search_hits: 1,
  top_search_hits: [hitExample],
  cut: { l0: 0, l1: 0, l2: 0, l3: 0 },
  freshness: null,
  trace: null,
};

const queryTool = toolSchema(
  {
    question,
    query_type: queryType,
    context_budget: z.int().optional(),
    include_relevance: z.boolean().optional(),
    learn,
  },
  { question: 'In your own words.', context_budget: 'Tokens.', include_relevance: 'Adds hits.' },
);

export const queryCode = codeRow({
  name: 'code.query',
  summary: 'Answers a question about the code with the places to read, within a budget of tokens.',
  permission: 'code.read',
  effects: `${asking}, unless \`learn\` is false.`,
  errors: [],
  example: {
    input: { project_id: projectExample.id, question: queryExample.question },
    output: queryExample,
  },
  request: queryRequest,
  http: {
    method: 'POST',
    path: `${base}/query`,
    body: true,
    success: { 200: 'The context, and the hits behind it.' },
    input: queryRequest,
    output: z.object({
      project_id: projectId,
      question: z.string(),
      context: z.string().describe('For an agent to read: places, one a line, the best first.'),
      tokens: z.object({ total: z.int(), ...linesByLayer }).describe('Of the context, measured.'),
      budget: z.int(),
      layers_used: layersUsed,
      reduction_ratio: ratio,
      search_hits: z.int().describe('How many hits the context shows.'),
      top_search_hits: z.array(hitSchema),
      cut: z.object(linesByLayer).describe('Lines that the budget left out.'),
      freshness: staleness,
      trace: z.looseObject({}).nullable(),
    }),
  },
  tool: {
    name: 'neuralmind_query',
    title: 'Ask the code',
    description: 'Ask before you grep: where is this decided, what belongs together, what to read?',
    annotations: readingTool,
    composedInput: queryTool,
    portableInput: queryTool,
    show: (value, given) => shownQuery(value, member(given, 'include_relevance') === true),
  },
  run: ({ code, request }) =>
    code.query({
      question: request.question,
      query_type: request.query_type ?? 'auto',
      context_budget: request.context_budget ?? null,
      trace: request.trace === true || request.trace_verbose === true,
      trace_verbose: request.trace_verbose === true,
      learn: request.learn ?? true,
    }),
  event: ({ search_hits, tokens }) => ({
    ...count('returned_count', search_hits),
    ...count('tokens', isJsonObject(tokens) ? member(tokens, 'total') : undefined),
  }),
});

/** The context tells an agent all it needs; the hits behind it only on request. */
function shownQuery(value: JsonObject, withHits: boolean): JsonObject {
  const { project_id: _id, question: _question, trace: _trace, top_search_hits: hits, ...rest } = value;
  return fitted((window) => {
    const shown = withLines(rest, 'context', window);
    return withHits && Array.isArray(hits) ? { ...shown, top_search_hits: window(hits) } : shown;
  }, 0);
}

/** A text of lines as a list that may be cut. */
export function withLines(
  value: JsonObject,
  name: string,
  window: (list: readonly JsonValue[]) => readonly JsonValue[],
): JsonObject {
  return { ...value, [name]: window(String(member(value, name) ?? '').split('\n')).join('\n') };
}

const searchQuery = text(codeRequestLimits.questionCharsMax, { blank: false });
const results = z.int().min(1).max(codeRequestLimits.searchResultsMax).optional();
const searchInput = z.object({
  query: searchQuery.describe('Names or words, in any order.'),
  n: results.describe(`How many results at most. Default: ${codeRequestLimits.searchResultsDefault}.`),
});
const searchTool = toolSchema(
  { query: searchQuery, n: z.int().optional(), offset: readOn },
  { n: `1 to ${codeRequestLimits.searchResultsMax}.` },
);

export const searchCode = codeRow({
  name: 'code.search',
  summary: 'Finds symbols, files and sections of documents that fit some words best.',
  permission: 'code.read',
  effects: 'Builds the index when the project has none.',
  errors: [],
  example: {
    input: { project_id: projectExample.id, query: 'open database', n: 5 },
    output: { project_id: projectExample.id, query: 'open database', results: [hitExample], freshness: staleExample },
  },
  request: z.object({ ...searchInput.shape, offset }),
  http: {
    method: 'POST',
    path: `${base}/search`,
    body: true,
    success: { 200: 'The best first.' },
    input: searchInput,
    output: z.object({
      project_id: projectId,
      query: z.string(),
      results: z.array(hitSchema),
      freshness: staleness,
    }),
  },
  tool: {
    name: 'neuralmind_search',
    title: 'Search code',
    description: 'Symbols, files and headings by name or words, best first.',
    annotations: readingTool,
    composedInput: searchTool,
    portableInput: searchTool,
    show({ results: found, freshness }, given) {
      const list = Array.isArray(found) ? found : [];
      return fitted((window) => ({ results: window(list), freshness: freshness ?? null }), offsetOf(given));
    },
  },
  run: ({ code, request }) =>
    code.search({ query: request.query, n: request.n ?? codeRequestLimits.searchResultsDefault }),
  event: ({ results: found }) => (Array.isArray(found) ? { returned_count: found.length } : {}),
});

const wakeupTool = toolSchema({}, {});

export const wakeUp = codeRow({
  name: 'code.wakeup',
  summary: 'Tells what a project is, its size and its main parts, for the start of a session.',
  permission: 'code.read',
  effects: `${asking}.`,
  errors: [],
  example: {
    input: { project_id: projectExample.id },
    output: {
      project_id: projectExample.id,
      context: context.slice(0, context.indexOf('\n\n')),
      tokens: 41,
      reduction_ratio: 2750.4,
      layers_used: ['L0'],
      freshness: null,
    },
  },
  request: noRequest,
  http: {
    method: 'GET',
    path: `${base}/wakeup`,
    body: false,
    success: { 200: 'The context.' },
    input: noRequest,
    output: z.object({
      project_id: projectId,
      context: z.string(),
      tokens: z.int().describe('Of the context, measured.'),
      reduction_ratio: ratio,
      layers_used: layersUsed,
      freshness: staleness,
    }),
  },
  tool: {
    name: 'neuralmind_wakeup',
    title: 'Wake up',
    description: 'What this repository is and its main parts. Once, when a session begins.',
    annotations: readingTool,
    composedInput: wakeupTool,
    portableInput: wakeupTool,
    show: (value) => fitted((window) => withLines(value, 'context', window), 0),
  },
  run: ({ code }) => code.wakeup({ learn: true }),
  event: ({ tokens }) => count('tokens', tokens),
});
