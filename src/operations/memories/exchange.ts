/** The rows that take decisions out of a project and bring them in. */
import { z } from 'zod';
import type { JsonValue } from '../../base/json.ts';
import { httpLimits, projectLimits } from '../../base/limits.ts';
import { conflictRules, type ImportReport } from '../../memory/decisions/import.ts';
import { invalidField, ok, type Result } from '../../memory/decisions/outcome.ts';
import { text } from '../../memory/decisions/parse.ts';
import { exportSchema } from '../../memory/decisions/parse-read.ts';
import { noTarget, projectRow } from '../project-row.ts';
import { projectExample } from '../projects/project-schema.ts';
import { readAdrFiles } from './adr-folder.ts';
import { memoryExample, memorySchema, shownMemory } from './memory-schema.ts';
import { base } from './target.ts';

const markdown = 'text/markdown; charset=utf-8';

const losslessSchema = z.object({
  format: z.literal('mnemosyne.decisions'),
  version: z.literal(1),
  decisions: z.array(memorySchema),
  events: z.array(z.looseObject({})),
  fingerprints: z
    .array(z.object({ decision_id: z.string(), path: z.string(), blob: z.string() }))
    .optional()
    .describe('What the files of a decision held (git blob ids) when it was last said to hold. None for a past state.'),
});

export const exportMemories = projectRow({
  name: 'memories.export',
  summary: 'Gives out decisions as JSON that can be imported again, or as Markdown for people.',
  permission: 'memories.read',
  effects: 'None.',
  errors: [],
  example: {
    input: { project_id: projectExample.id, format: 'json' },
    output: { format: 'json', content: [memoryExample] },
  },
  target: noTarget,
  request: exportSchema,
  http: {
    method: 'GET',
    path: `${base}/export`,
    query: { format: 'text', status: 'text', events: 'boolean', as_of: 'text' },
    body: false,
    success: { 200: 'The decisions themselves: an array, the lossless object when events are asked for, or Markdown.' },
    input: exportSchema,
    output: z.union([z.array(memorySchema), losslessSchema]),
    texts: { 'text/markdown': '# Decision Store\n\nNo active decisions.\n' },
    respond(value) {
      const { format, content } = exported.parse(value);
      return format === 'md' ? { status: 200, body: content, contentType: markdown } : { status: 200, body: content };
    },
  },
  async run({ decisions, request }): Promise<Result<{ format: 'json' | 'md'; content: JsonValue }>> {
    const result = await decisions.export(request);
    if (!result.ok) return result;
    const { format, content } = result.value;
    if (typeof content === 'string') return ok({ format, content });
    if ('decisions' in content) {
      const { fingerprints, ...rest } = content;
      const events = content.events.map((event) => ({ ...event }));
      const prints = fingerprints === undefined ? {} : { fingerprints: fingerprints.map((print) => ({ ...print })) };
      return ok({ format, content: { ...rest, decisions: content.decisions.map(shownMemory), events, ...prints } });
    }
    return ok({ format, content: content.map(shownMemory) });
  },
  event: ({ format }) => ({ format }),
});

const exported = z.object({ format: z.string(), content: z.json() });

const importRequest = z.object({
  export: z.unknown().optional().describe('What an export in JSON gave out: an array, or the lossless object.'),
  adr_folder: text(projectLimits.pathCharsMax, { blank: false })
    .optional()
    .describe('Instead of an export: a folder inside the project whose Markdown files are decision records.'),
  dry_run: z.boolean().optional().describe('Says what would be done and does nothing.'),
  on_conflict: z
    .enum(conflictRules)
    .optional()
    .describe('What to do with a decision that is there and differs. `refuse` (the default) imports nothing then.'),
});

const idList = z.array(z.string());
const reportSchema = z.object({
  dry_run: z.boolean(),
  created: z.int(),
  replaced: z.int(),
  kept: z.int(),
  unchanged: z.int(),
  histories: z.int().describe('Histories of deleted decisions that were added.'),
  ids: z.object({ created: idList, replaced: idList, kept: idList }),
  skipped: z
    .array(z.object({ path: z.string(), reason: z.string() }))
    .describe('Files of the folder that hold no decision record.'),
});

export const importMemories = projectRow({
  name: 'memories.import',
  summary: 'Brings in an export, or a folder of decision records, all of it or nothing.',
  permission: 'memories.write',
  effects: 'Writes decisions and events in one transaction. The same content again changes nothing.',
  errors: ['conflict'],
  example: {
    input: { project_id: projectExample.id, export: [memoryExample], dry_run: true },
    output: {
      dry_run: true,
      created: 1,
      replaced: 0,
      kept: 0,
      unchanged: 0,
      histories: 0,
      ids: { created: [memoryExample.id], replaced: [], kept: [] },
      skipped: [],
    },
  },
  target: noTarget,
  request: importRequest,
  http: {
    method: 'POST',
    path: `${base}/import`,
    body: true,
    bodyBytesMax: httpLimits.importBodyBytesMax,
    success: { 200: 'What was done, or what would be.' },
    input: importRequest,
    output: reportSchema,
  },
  async run({ decisions, project, request }) {
    const options = { dryRun: request.dry_run ?? false, onConflict: request.on_conflict ?? ('refuse' as const) };
    const by = { actor: null };
    if (request.adr_folder === undefined) {
      if (request.export === undefined) return invalidField(['export'], 'Field required', 'missing');
      return shownReport(await decisions.import(request.export, options, by), []);
    }
    if (request.export !== undefined) return invalidField(['adr_folder'], 'not together with an export');
    const files = await readAdrFiles(project.path, request.adr_folder);
    if (!files.ok) return files;
    const report = await decisions.importAdrs(files.value, options, by);
    return shownReport(report, report.ok ? report.value.skipped : []);
  },
  event: ({ dry_run, created, replaced, kept, unchanged }) => ({ dry_run, created, replaced, kept, unchanged }),
});

function shownReport(
  report: Result<ImportReport>,
  skipped: readonly { readonly path: string; readonly reason: string }[],
) {
  if (!report.ok) return report;
  const { dry_run, created, replaced, kept, unchanged, histories, ids } = report.value;
  return ok({
    dry_run,
    created,
    replaced,
    kept,
    unchanged,
    histories,
    ids: { ...ids },
    skipped: skipped.map(({ path, reason }) => ({ path, reason })),
  });
}
