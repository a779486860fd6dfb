/** What the code mind answers, on the wire: the parts that several answers share. */
import { z } from 'zod';

export const base = '/v1/projects/{project_id}';

export const projectId = z.string();

export const freshnessSchema = z
  .object({
    state: z.enum(['fresh', 'stale']),
    changed: z.int().describe('Files whose content differs from what was indexed.'),
    added: z.int().describe('Files that are not indexed yet.'),
    removed: z.int().describe('Indexed files that are gone.'),
    files: z.array(z.string()).describe('Some of them.'),
    indexed_at: z.string().describe('ISO 8601, UTC.'),
  })
  .meta({ id: 'Freshness' });

/** Said where there is something to say. */
export const staleness = freshnessSchema.nullable().describe('Null while the index is as the files are.');

export const hitSchema = z
  .object({
    id: z.string().describe('Of a file or a symbol.'),
    label: z.string(),
    file_type: z.enum(['code', 'document']),
    source_file: z.string().describe('From the root of the project.'),
    score: z.number().describe('0 to 1; comparable within one answer.'),
    kind: z.string().describe('function, class, section, file and so on.'),
    start_line: z.int(),
    end_line: z.int().describe('The last line of it.'),
    signature: z.string(),
    summary: z.string().describe('The beginning of its documentation.'),
    why: z
      .object({
        lexical: z
          .array(z.string())
          .optional()
          .describe('Words of the question that it holds; `word → meaning` for what was found by a meaning.'),
        vector: z.number().optional().describe('How near its meaning is, 0 to 1.'),
        graph: z.array(z.string()).optional().describe('Better hits that it hangs together with.'),
      })
      .describe('Why it is there.'),
  })
  .meta({ id: 'CodeHit' });

export const linesByLayer = { l0: z.int(), l1: z.int(), l2: z.int(), l3: z.int() };

export const hitExample = {
  id: 'symbol:src/store.ts#Store.open',
  label: 'Store.open',
  file_type: 'code',
  source_file: 'src/store.ts',
  score: 0.912,
  kind: 'method',
  start_line: 41,
  end_line: 67,
  signature: 'open(file: string): Database',
  summary: 'Opens the database in WAL mode.',
  why: { lexical: ['open', 'database'], vector: 0.61 },
};

export const staleExample = {
  state: 'stale',
  changed: 1,
  added: 0,
  removed: 0,
  files: ['src/store.ts'],
  indexed_at: '2026-10-02T12:00:00.000Z',
};

export const nodeSchema = z
  .looseObject({
    id: z.string(),
    label: z.string(),
    qualified_name: z.string(),
    kind: z.string(),
    path: z.string().nullable().describe('Null for what lies outside the project.'),
    start_line: z.int(),
    end_line: z.int(),
  })
  .meta({ id: 'CodeNode' });

export const nodeExample = {
  id: hitExample.id,
  label: 'open()',
  qualified_name: 'Store.open',
  kind: hitExample.kind,
  path: hitExample.source_file,
  start_line: hitExample.start_line,
  end_line: hitExample.end_line,
};

export const callerExample = {
  id: 'symbol:src/main.ts#main',
  label: 'main()',
  qualified_name: 'main',
  kind: 'function',
  path: 'src/main.ts',
  start_line: 12,
  end_line: 30,
};

/** How a name was understood. */
export const resolutionShape = {
  resolution: z
    .enum(['exact', 'semantic', 'candidates', 'none'])
    .describe('semantic is a guess by search. candidates: the name stands for several, none of which was looked up.'),
  resolved_node: nodeSchema.nullable(),
  candidates: z.array(nodeSchema).describe('What else the name stands for.'),
  candidates_count: z.int().describe('Of all candidates, listed or not.'),
  suggestions: z
    .array(z.string())
    .optional()
    .describe('Where nothing has the name: names of the index that are near, the nearest first. None was looked up.'),
};

export const resolutionExample = {
  resolution: 'exact',
  resolved_node: nodeExample,
  candidates: [],
  candidates_count: 0,
  suggestions: [],
};

/** What is said about what an answer does not hold. */
export const certaintyShape = {
  unresolved: z.int().describe('Uses of this name that could not be resolved.'),
  note: z.string().nullable().describe('Why there may be more than what is listed.'),
};
