/** The index document on the disk: `index_ir.json` with all rows, `ir_meta.json` with the summary. */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { contextLimits } from '../../base/limits.ts';
import { errnoOf, readPrivateFile, replacePrivateFile } from '../../base/private-file.ts';
import type { IrCluster, IrEdge, IrNode, IrSource, IrSynapse } from './ir.ts';
import type { IrSummary } from './validate.ts';

export const irFileName = 'index_ir.json';
export const irMetaFileName = 'ir_meta.json';

export type IrWrite =
  | { readonly kind: 'written'; readonly path: string; readonly metaPath: string }
  /** As JSON the index would have more than `contextLimits.irCharsMax` characters. Nothing was written. */
  | { readonly kind: 'too_large' };

/** Puts both files into `folder`, the `.neuralmind` of a project, each whole or not at all, the summary last. */
export function writeIr(folder: string, source: IrSource, summary: IrSummary): IrWrite {
  const text = documentText(source);
  if (text === null) return { kind: 'too_large' };
  const file = path.join(folder, irFileName);
  const metaPath = path.join(folder, irMetaFileName);
  replacePrivateFile(file, text);
  replacePrivateFile(metaPath, `${JSON.stringify(summary, null, 2)}\n`);
  return { kind: 'written', path: file, metaPath };
}

/** One row a line, so that two documents can be compared; null when it would be too large. */
function documentText(source: IrSource): string | null {
  const parts = [JSON.stringify(source.header).slice(0, -1)];
  let characters = 0;
  const lists: readonly [string, Iterable<unknown>][] = [
    ['nodes', source.nodes()],
    ['edges', source.edges()],
    ['clusters', source.clusters()],
    ['synapses', source.synapses()],
  ];
  for (const [name, rows] of lists) {
    parts.push(`,\n${JSON.stringify(name)}:[`);
    let separator = '\n';
    for (const row of rows) {
      const text = separator + JSON.stringify(row);
      separator = ',\n';
      characters += text.length;
      if (characters > contextLimits.irCharsMax) return null;
      parts.push(text);
    }
    parts.push(']');
  }
  parts.push('}\n');
  return parts.join('');
}

export type IrRead =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly fault: string }
  | { readonly kind: 'ir'; readonly source: IrSource };

/** Reads `index_ir.json` of `folder`, ours or another program's: what rows lack is null, not a failure. */
export function readIr(folder: string): IrRead {
  const file = path.join(folder, irFileName);
  const size = sizeOf(file);
  if (size === null) return { kind: 'missing' };
  if (size > contextLimits.irBytesMax) return { kind: 'unreadable', fault: 'is too large' };
  const read = readPrivateFile(file);
  if (read.kind === 'missing') return read;
  if (read.kind === 'unsafe') return { kind: 'unreadable', fault: read.fault };
  const value = parsed(read.text);
  if (value === undefined) return { kind: 'unreadable', fault: 'is not JSON' };
  const document = documentSchema.safeParse(value);
  if (!document.success) {
    const [issue] = document.error.issues;
    return { kind: 'unreadable', fault: `has another shape: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}` };
  }
  const { nodes, edges, clusters, synapses, ...header } = document.data;
  return {
    kind: 'ir',
    source: { header, nodes: () => nodes, edges: () => edges, clusters: () => clusters, synapses: () => synapses },
  };
}

function sizeOf(file: string): number | null {
  try {
    return lstatSync(file).size;
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Null where a row has something else or nothing. */
const textOrNull = z.string().nullable().catch(null);
const numberOrNull = z.number().nullable().catch(null);

const nodeSchema = z.object({
  id: textOrNull,
  label: textOrNull,
  kind: z.string().catch('(none)'),
  source_file: textOrNull,
  line: numberOrNull,
  language: textOrNull,
  cluster: numberOrNull,
}) satisfies z.ZodType<IrNode>;

const edgeSchema = z.object({
  source: textOrNull,
  target: textOrNull,
  relation: z.string().catch('(none)'),
  confidence: z.number().catch(1),
}) satisfies z.ZodType<IrEdge>;

const clusterSchema = z.object({
  id: z.number(),
  label: z.string().catch(''),
  size: z.number().catch(0),
}) satisfies z.ZodType<IrCluster>;

const synapseSchema = z.object({
  source: textOrNull,
  target: textOrNull,
  weight: z.number().catch(0),
}) satisfies z.ZodType<IrSynapse>;

const documentSchema = z.object({
  ir_version: numberOrNull,
  generated_by: z.string().catch(''),
  source_backend: z.string().catch(''),
  source_schema_version: z.string().catch(''),
  coverage: z.enum(['coarse', 'precise']).catch('coarse'),
  built_at_commit: textOrNull,
  created_at: z.string().catch(''),
  nodes: z.array(nodeSchema),
  edges: z.array(edgeSchema),
  clusters: z.array(clusterSchema).default([]),
  synapses: z.array(synapseSchema).default([]),
});
