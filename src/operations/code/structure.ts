/** The rows about structure: the neighbours of a symbol, what depends on it, the outline of a file. */
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../base/json.ts';
import { codeRequestLimits, graphLimits } from '../../base/limits.ts';
import { text } from '../../memory/decisions/parse.ts';
import { parseRelations, relationNames } from '../../retrieval/graph/relations.ts';
import { codeRow } from '../code-row.ts';
import { fitted, offsetOf, type Window } from '../fit-answer.ts';
import { projectExample } from '../projects/project-schema.ts';
import { readingTool } from '../tool-hints.ts';
import { toolSchema } from '../tool-schema.ts';
import {
  base,
  callerExample,
  certaintyShape,
  nodeExample,
  nodeSchema,
  projectId,
  resolutionExample,
  resolutionShape,
  staleness,
} from './code-schema.ts';
import { count, offset, readOn } from './inputs.ts';

const mayBuild = 'Builds the index when the project has none.';
const name = text(codeRequestLimits.nameCharsMax, { blank: false });
const depth = z.int().min(1).max(graphLimits.depthMax).optional();

const relations = z
  .array(name)
  .max(codeRequestLimits.relationsMax)
  .superRefine((given, refusal) => {
    const parsed = parseRelations(given);
    if (!parsed.ok) refusal.addIssue({ code: 'custom', message: parsed.message, params: { type: 'unknown_relation' } });
  })
  .optional();

const structuralRequest = z.object({
  q: name.describe('A name, a qualified name, a path, or the id of a hit.'),
  relations: relations.describe(
    `Which neighbours: ${relationNames.join(', ')}. Default: callers, callees, bases, subclasses, importers.`,
  ),
  blast_radius: z.boolean().optional().describe('Also what a change may reach, over several hops. Default: false.'),
  depth: depth.describe(
    `Hops of the blast radius, 1 to ${graphLimits.depthMax}. Default: ${graphLimits.radiusDepthDefault}.`,
  ),
});

const structuralTool = toolSchema(
  {
    query: name,
    relations: z.array(z.string()).optional(),
    blast_radius: z.boolean().optional(),
    depth: z.int().optional(),
    offset: readOn,
  },
  {
    query: 'Name, path or id.',
    relations:
      'Default: callers, callees, bases, subclasses, importers. Also imports, members, implementers, used_by, all.',
  },
);

const neighbourSchema = z.looseObject({
  ...nodeSchema.shape,
  edge_path: z.string().nullable().describe('The file in which the relation is written.'),
  edge_line: z.int(),
  confidence: z.number(),
  inferred: z.boolean().describe('Whether a name alone decided.'),
});

export const showNeighbours = codeRow({
  name: 'code.structural',
  summary: 'Lists the neighbours of a symbol or file in the code: callers, callees, bases, importers and so on.',
  permission: 'code.read',
  effects: mayBuild,
  errors: [],
  example: {
    input: { project_id: projectExample.id, q: 'Store.open', relations: ['callers'] },
    output: {
      project_id: projectExample.id,
      query: 'Store.open',
      ...resolutionExample,
      relations: [
        {
          relation: 'callers',
          neighbours: [{ ...callerExample, edge_path: 'src/main.ts', edge_line: 19, confidence: 1, inferred: false }],
          count: 1,
          truncated: false,
        },
      ],
      blast_radius: null,
      unresolved: 0,
      note: null,
      freshness: null,
    },
  },
  request: z.object({ ...structuralRequest.shape, offset }),
  toolNames: { q: 'query' },
  http: {
    method: 'GET',
    path: `${base}/neighbors/structural`,
    query: { q: 'text', relations: 'texts', blast_radius: 'boolean', depth: 'integer' },
    body: false,
    success: { 200: 'The neighbours. Absence is never told as certain: see `note`.' },
    input: structuralRequest,
    output: z.looseObject({
      project_id: projectId,
      query: z.string(),
      ...resolutionShape,
      relations: z.array(
        z.object({
          relation: z.string(),
          neighbours: z.array(neighbourSchema),
          count: z.int().describe('Of all there are.'),
          truncated: z.boolean(),
        }),
      ),
      blast_radius: z
        .looseObject({
          depth: z.int(),
          nodes: z.array(z.looseObject({ ...nodeSchema.shape, hop: z.int() })),
          count: z.int(),
          counts_by_hop: z.array(z.int()),
          truncated: z.boolean(),
        })
        .nullable(),
      ...certaintyShape,
      freshness: staleness,
    }),
  },
  tool: {
    name: 'neuralmind_structural_neighbors',
    title: 'Neighbours',
    description: 'Who calls, extends or imports a symbol or file, and what it uses.',
    annotations: readingTool,
    composedInput: structuralTool,
    portableInput: structuralTool,
    show: shownNeighbours,
  },
  run: ({ code, request }) =>
    code.structuralNeighbours({
      q: request.q,
      relations: request.relations ?? [],
      blast_radius: request.blast_radius === true,
      depth: request.depth ?? graphLimits.radiusDepthDefault,
    }),
  event: ({ resolution }) => (typeof resolution === 'string' ? { resolution } : {}),
});

function shownNeighbours(value: JsonObject, given: JsonObject): JsonObject {
  return fitted((window) => {
    const views = member(value, 'relations');
    const shown: JsonObject = {
      ...windowed(value, 'candidates', window),
      relations: Array.isArray(views)
        ? views.map((view: JsonValue) => (isJsonObject(view) ? windowed(view, 'neighbours', window) : view))
        : [],
    };
    const radius = member(value, 'blast_radius');
    return isJsonObject(radius) ? { ...shown, blast_radius: windowed(radius, 'nodes', window) } : shown;
  }, offsetOf(given));
}

function windowed(value: JsonObject, list: string, window: Window): JsonObject {
  const items = member(value, list);
  return Array.isArray(items) ? { ...value, [list]: window(items) } : value;
}

const impactRequest = z.object({
  symbol: name.describe('A name, a qualified name, a path, or the id of a hit.'),
  depth: depth.describe(`Hops, 1 to ${graphLimits.depthMax}. Default: ${graphLimits.impactDepthDefault}.`),
});
const impactTool = toolSchema(
  { symbol: name, depth: z.int().optional(), offset: readOn },
  { symbol: 'Name, path or id.', depth: `Hops, 1 to ${graphLimits.depthMax}.` },
);

export const showImpact = codeRow({
  name: 'code.impact',
  summary: 'Lists what depends on a symbol or file, directly or over several hops, each with the chain to it.',
  permission: 'code.read',
  effects: mayBuild,
  errors: [],
  example: {
    input: { project_id: projectExample.id, symbol: 'Store.open', depth: 1 },
    output: {
      project_id: projectExample.id,
      symbol: 'Store.open',
      depth: 1,
      relations: ['callers', 'importers', 'subclasses', 'implementers', 'used_by', 'decorates'],
      ...resolutionExample,
      dependents: [
        {
          ...callerExample,
          line: 19,
          relation: 'callers',
          hop: 1,
          depends_on: nodeExample.id,
          chain: [callerExample.id, nodeExample.id],
          inferred: false,
        },
      ],
      count: 1,
      truncated: false,
      unresolved: 0,
      note: null,
      freshness: null,
    },
  },
  request: z.object({ ...impactRequest.shape, offset }),
  http: {
    method: 'GET',
    path: `${base}/impact`,
    query: { symbol: 'text', depth: 'integer' },
    body: false,
    success: { 200: 'The dependents, the nearest first. Absence is never told as certain: see `note`.' },
    input: impactRequest,
    output: z.looseObject({
      project_id: projectId,
      symbol: z.string(),
      depth: z.int(),
      relations: z.array(z.string()),
      ...resolutionShape,
      dependents: z.array(
        z.looseObject({
          ...nodeSchema.shape,
          line: z.int().describe('Where it depends, in its own file.'),
          relation: z.string(),
          hop: z.int(),
          depends_on: z.string(),
          chain: z.array(z.string()).describe('Ids from the dependent to the symbol.'),
          inferred: z.boolean().describe('Whether some step of the chain is not certain.'),
        }),
      ),
      count: z.int(),
      truncated: z.boolean(),
      ...certaintyShape,
      freshness: staleness,
    }),
  },
  tool: {
    name: 'neuralmind_impact',
    title: 'Impact',
    description: 'What depends on a symbol or file: look before you change it.',
    annotations: readingTool,
    composedInput: impactTool,
    portableInput: impactTool,
    show: (value, given) =>
      fitted((window) => windowed(windowed(value, 'candidates', window), 'dependents', window), offsetOf(given)),
  },
  run: ({ code, request }) =>
    code.impact({ symbol: request.symbol, depth: request.depth ?? graphLimits.impactDepthDefault }),
  event: ({ resolution, count: found }) => ({
    ...(typeof resolution === 'string' ? { resolution } : {}),
    ...count('returned_count', found),
  }),
});

const skeletonRequest = z.object({
  file_path: name.describe('From the root of the project, or absolute inside it.'),
  offset: offset.describe('next_offset of the answer before. Default: 0.'),
});
const skeletonTool = toolSchema({ file_path: name, offset: readOn }, {});

export const showSkeleton = codeRow({
  name: 'code.skeleton',
  summary: 'Outlines one file: its symbols with lines and signatures, nested as they are.',
  permission: 'code.read',
  effects: mayBuild,
  errors: [],
  example: {
    input: { project_id: projectExample.id, file_path: 'src/store.ts' },
    output: {
      project_id: projectExample.id,
      source_file: 'src/store.ts',
      language: 'typescript',
      lines: 92,
      outline:
        '12-90  class export class Store\n  41-67  method open(file: string): Database — Opens the database in WAL mode.',
      symbols: 2,
      note: null,
      truncated: false,
      next_offset: null,
      freshness: null,
    },
  },
  request: skeletonRequest,
  http: {
    method: 'GET',
    path: `${base}/skeleton`,
    query: { file_path: 'text', offset: 'integer' },
    body: false,
    success: { 200: 'The outline, or a part of it.' },
    input: skeletonRequest,
    output: z.object({
      project_id: projectId,
      source_file: z.string(),
      language: z.string(),
      lines: z.int(),
      outline: z.string().describe('One symbol a line.'),
      symbols: z.int(),
      note: z.string().nullable().describe('Why there are no symbols; null when there are.'),
      truncated: z.boolean(),
      next_offset: z.int().nullable().describe('Where the rest begins; null at the end.'),
      freshness: staleness,
    }),
  },
  tool: {
    name: 'neuralmind_skeleton',
    title: 'Outline',
    description: 'Symbols of a file with lines and signatures, instead of reading it whole.',
    annotations: readingTool,
    composedInput: skeletonTool,
    portableInput: skeletonTool,
    show: shownOutline,
  },
  run: ({ code, request }) => code.skeleton({ file_path: request.file_path, offset: request.offset ?? 0 }),
  event: ({ symbols, truncated }) => ({ ...count('returned_count', symbols), truncated: truncated === true }),
});

/** A part that the code mind gave may have to be cut again; where the next begins is counted from the whole file. */
function shownOutline(value: JsonObject, given: JsonObject): JsonObject {
  const lines = String(member(value, 'outline') ?? '').split('\n');
  const shown = fitted((window) => ({ ...value, outline: window(lines).join('\n') }), 0);
  const kept = member(shown, 'next_offset');
  return typeof kept === 'number'
    ? { ...shown, next_offset: offsetOf(given) + kept }
    : { ...shown, next_offset: member(value, 'next_offset') ?? null };
}
