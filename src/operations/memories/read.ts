/** The rows that read decisions through the API: one, pages of them, the best for a question, their past. */
import { z } from 'zod';
import { plain } from '../../base/plain.ts';
import { ok } from '../../memory/decisions/outcome.ts';
import {
  getSchema,
  historySchema as historyRequest,
  listSchema,
  searchSchema,
  timelineSchema,
} from '../../memory/decisions/parse-read.ts';
import type { HttpRoute } from '../http-route.ts';
import { noTarget, projectRow } from '../project-row.ts';
import { projectExample } from '../projects/project-schema.ts';
import { readingTool } from '../tool-hints.ts';
import { toolSchema } from '../tool-schema.ts';
import {
  historySchema,
  memoryExample,
  memorySchema,
  pageSchema,
  searchAnswerSchema,
  shownMemory,
} from './memory-schema.ts';
import { base, memoryTarget } from './target.ts';

const inProject = { project_id: projectExample.id };
const oneMemory = { ...inProject, memory_id: memoryExample.id };

const filterQuery = {
  status: 'text',
  file: 'texts',
  tag: 'texts',
  type: 'text',
  author: 'text',
  agent: 'text',
  session_id: 'text',
  created_after: 'text',
  created_before: 'text',
  min_confidence: 'number',
  as_of: 'text',
} as const;

export const listMemories = projectRow({
  name: 'memories.list',
  summary: 'Lists decisions, newest first, page by page.',
  permission: 'memories.read',
  effects: 'None.',
  errors: ['invalid_request'],
  example: {
    input: { ...inProject, status: 'ACTIVE', tag: ['storage'], limit: 50 },
    output: { items: [memoryExample], next_cursor: null, total: 1 },
  },
  target: noTarget,
  request: listSchema,
  http: {
    method: 'GET',
    path: base,
    query: { ...filterQuery, limit: 'integer', cursor: 'text' },
    body: false,
    success: { 200: 'One page.' },
    input: listSchema,
    output: pageSchema,
  },
  async run({ decisions, request }) {
    const page = await decisions.list(request);
    return page.ok ? ok({ ...page.value, items: page.value.items.map(shownMemory) }) : page;
  },
  event: ({ items, total }) => ({ returned_count: items.length, total_count: total }),
});

export const searchMemories = projectRow({
  name: 'memories.search',
  summary: 'Finds the decisions that fit a question best, by words, by meaning or both.',
  permission: 'memories.read',
  effects: 'None. Vectors that are missing are made and kept.',
  errors: [],
  example: {
    input: { ...inProject, query: 'sqlite concurrency', limit: 10 },
    output: {
      query: 'sqlite concurrency',
      mode: 'hybrid',
      requested_mode: 'hybrid',
      notice: null,
      results: [{ ...memoryExample, score: 0.61, strength: 'strong' }],
    },
  },
  target: noTarget,
  request: searchSchema,
  http: {
    method: 'POST',
    path: `${base}/search`,
    body: true,
    success: { 200: 'The best first.' },
    input: searchSchema,
    output: searchAnswerSchema,
  },
  async run({ decisions, request }) {
    const answer = await decisions.search(request);
    return answer.ok ? ok(plain(answer.value)) : answer;
  },
  event: ({ results, mode }) => ({
    ...(Array.isArray(results) ? { returned_count: results.length } : {}),
    ...(typeof mode === 'string' ? { mode } : {}),
  }),
});

/** The entity tag of a decision is its last change. */
export const tagged: NonNullable<HttpRoute['respond']> = (value) => ({
  status: 200,
  etag: `"${changed.parse(value).updated_at}"`,
});
const changed = z.looseObject({ updated_at: z.string() });

export const getMemory = projectRow({
  name: 'memories.get',
  summary: 'Shows one decision, now or as it was.',
  permission: 'memories.read',
  effects: 'None.',
  errors: ['memory_not_found'],
  example: { input: oneMemory, output: memoryExample },
  target: memoryTarget,
  request: getSchema,
  http: {
    method: 'GET',
    path: `${base}/{memory_id}`,
    query: { as_of: 'text' },
    body: false,
    success: { 200: 'The decision; its entity tag is the time of its last change.' },
    input: getSchema,
    output: memorySchema,
    respond: tagged,
  },
  async run({ decisions, target, request }) {
    const found = await decisions.get(target.memory_id, request);
    return found.ok ? ok(shownMemory(found.value)) : found;
  },
});

const historyTool = toolSchema({ ...memoryTarget.shape, ...historyRequest.shape, limit: z.int().optional() }, {});

export const showHistory = projectRow({
  name: 'memories.history',
  summary: 'Lists every change of a decision, oldest first, also of one that was deleted.',
  permission: 'memories.read',
  effects: 'None.',
  errors: ['memory_not_found', 'invalid_request'],
  example: {
    input: oneMemory,
    output: {
      id: memoryExample.id,
      deleted: false,
      items: [
        {
          id: 1,
          decision_id: memoryExample.id,
          at: memoryExample.created_at,
          kind: 'created',
          actor: null,
          changes: { title: [null, memoryExample.title] },
          note: null,
        },
      ],
      next_cursor: null,
      total: 1,
    },
  },
  target: memoryTarget,
  request: historyRequest,
  http: {
    method: 'GET',
    path: `${base}/{memory_id}/history`,
    query: { limit: 'integer', cursor: 'text' },
    body: false,
    success: { 200: 'One page of its events.' },
    input: historyRequest,
    output: historySchema,
  },
  tool: {
    name: 'neuralmind_memory_history',
    title: 'Decision history',
    description: 'Every change of a decision, oldest first, also of a deleted one.',
    annotations: readingTool,
    composedInput: historyTool,
    portableInput: historyTool,
  },
  async run({ decisions, target, request }) {
    const found = await decisions.history(target.memory_id, request);
    return found.ok ? ok(plain(found.value)) : found;
  },
});

const timelineTool = toolSchema({ ...memoryTarget.shape, ...timelineSchema.shape }, {});

export const showTimeline = projectRow({
  name: 'memories.timeline',
  summary: 'Shows what was decided just before and just after a decision.',
  permission: 'memories.read',
  effects: 'None.',
  errors: ['memory_not_found'],
  example: {
    input: { ...oneMemory, before: 3, after: 3 },
    output: { anchor: memoryExample, before: [], after: [] },
  },
  target: memoryTarget,
  request: timelineSchema,
  http: {
    method: 'GET',
    path: `${base}/{memory_id}/timeline`,
    query: { before: 'integer', after: 'integer' },
    body: false,
    success: { 200: 'Its neighbours in time, oldest first.' },
    input: timelineSchema,
    output: z.object({ anchor: memorySchema, before: z.array(memorySchema), after: z.array(memorySchema) }),
  },
  tool: {
    name: 'neuralmind_memory_timeline',
    title: 'Decision timeline',
    description: 'What was decided just before and after a decision.',
    annotations: readingTool,
    composedInput: timelineTool,
    portableInput: timelineTool,
  },
  async run({ decisions, target, request }) {
    const found = await decisions.timeline(target.memory_id, request);
    if (!found.ok) return found;
    const { anchor, before, after } = found.value;
    return ok({
      anchor: shownMemory(anchor),
      before: before.map(shownMemory),
      after: after.map(shownMemory),
    });
  },
  event: ({ before, after }) => ({ returned_count: before.length + after.length }),
});
