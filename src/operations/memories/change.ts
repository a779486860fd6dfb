/** The rows that change one decision: amend, invalidate, restore, delete, and feedback on it. */
import { z } from 'zod';
import { ok } from '../../memory/decisions/outcome.ts';
import { amendSchema, feedbackSchema, invalidateSchema, restoreSchema } from '../../memory/decisions/parse-write.ts';
import { noRequest, projectRow } from '../project-row.ts';
import { projectExample } from '../projects/project-schema.ts';
import { changingTool } from '../tool-hints.ts';
import { toolSchema } from '../tool-schema.ts';
import { memoryExample, memorySchema, shownMemory } from './memory-schema.ts';
import { tagged } from './read.ts';
import { base, changeTarget, ifMatchHeader, memoryTarget } from './target.ts';

const noActor = { actor: null };
const oneMemory = { project_id: projectExample.id, memory_id: memoryExample.id };

const { status: _status, ...amendFields } = amendSchema.shape;
const { memory_id, if_match } = changeTarget.shape;
const amendTool = toolSchema(
  { memory_id, ...amendFields, decision_type: z.string().optional(), confidence: z.number().optional(), if_match },
  {
    evidence_append: 'Adds; other lists are replaced.',
    if_match: 'updated_at as read.',
  },
  { nulls: true },
);

export const amendMemory = projectRow({
  name: 'memories.amend',
  summary: 'Changes fields of a decision. The old values stay in its history.',
  permission: 'memories.write',
  effects: 'Writes the decision and its event.',
  errors: ['memory_not_found', 'precondition_failed'],
  example: {
    input: { ...oneMemory, confidence: 0.9, evidence_append: ['Measured again'] },
    output: { ...memoryExample, confidence: 0.9, evidence: [...memoryExample.evidence, 'Measured again'] },
  },
  target: changeTarget,
  request: amendSchema,
  http: {
    method: 'PATCH',
    path: `${base}/{memory_id}`,
    headers: ifMatchHeader,
    body: true,
    success: { 200: 'The decision as it is now.' },
    input: z.object({ ...amendFields, if_match }),
    output: memorySchema,
    respond: tagged,
  },
  tool: {
    name: 'neuralmind_update_decision',
    title: 'Update decision',
    description:
      'Change fields of a decision; old values stay in its history. For its status: invalidate, restore, supersede.',
    annotations: changingTool(false),
    composedInput: amendTool,
    portableInput: amendTool,
  },
  async run({ decisions, target, request }) {
    const result = await decisions.amend(target.memory_id, request, noActor, target.if_match);
    return result.ok ? ok(shownMemory(result.value)) : result;
  },
});

const invalidateTool = toolSchema({ ...memoryTarget.shape, ...invalidateSchema.shape }, {});

export const invalidateMemory = projectRow({
  name: 'memories.invalidate',
  summary: 'Says that a decision no longer holds. It and its history stay.',
  permission: 'memories.write',
  effects: 'Writes the status, a line of evidence and an event.',
  errors: ['memory_not_found'],
  example: {
    input: { ...oneMemory, reason: 'The store moved to another engine' },
    output: {
      ...memoryExample,
      status: 'INVALIDATED',
      evidence: [...memoryExample.evidence, 'Invalidated: The store moved to another engine'],
    },
  },
  target: memoryTarget,
  request: invalidateSchema,
  http: {
    method: 'POST',
    path: `${base}/{memory_id}/invalidate`,
    body: true,
    success: { 200: 'The decision, now INVALIDATED.' },
    input: invalidateSchema,
    output: memorySchema,
    respond: tagged,
  },
  tool: {
    name: 'neuralmind_invalidate_decision',
    title: 'Invalidate decision',
    description: 'Say that a decision no longer holds and why; it and its history stay.',
    annotations: changingTool(false),
    composedInput: invalidateTool,
    portableInput: invalidateTool,
  },
  async run({ decisions, target, request }) {
    const result = await decisions.invalidate(target.memory_id, request, noActor);
    return result.ok ? ok(shownMemory(result.value)) : result;
  },
});

const restoreTool = toolSchema({ ...memoryTarget.shape, ...restoreSchema.shape }, {});

export const restoreMemory = projectRow({
  name: 'memories.restore',
  summary: 'Says that a decision holds after all, at a commit.',
  permission: 'memories.write',
  effects: 'Writes status, commit, a line of evidence and an event.',
  errors: ['memory_not_found'],
  example: {
    input: oneMemory,
    output: {
      ...memoryExample,
      evidence: [...memoryExample.evidence, `Restored at commit ${memoryExample.commit_sha}`],
    },
  },
  target: memoryTarget,
  request: restoreSchema,
  http: {
    method: 'POST',
    path: `${base}/{memory_id}/restore`,
    body: true,
    success: { 200: 'The decision, now ACTIVE.' },
    input: restoreSchema,
    output: memorySchema,
    respond: tagged,
  },
  tool: {
    name: 'neuralmind_restore_decision',
    title: 'Restore decision',
    description: 'Make a decision ACTIVE again, after checking that it holds for the present code.',
    annotations: changingTool(false),
    composedInput: restoreTool,
    portableInput: restoreTool,
  },
  async run({ decisions, target, request }) {
    const result = await decisions.restore(target.memory_id, request, noActor);
    return result.ok ? ok(shownMemory(result.value)) : result;
  },
});

export const deleteMemory = projectRow({
  name: 'memories.delete',
  summary: 'Removes a decision. Only its history stays; prefer to invalidate it.',
  permission: 'memories.delete',
  effects: 'Deletes the record, its vector and its place in the search; writes an event.',
  errors: ['memory_not_found'],
  example: { input: oneMemory, output: { deleted: memoryExample.id } },
  target: memoryTarget,
  request: noRequest,
  http: {
    method: 'DELETE',
    path: `${base}/{memory_id}`,
    body: false,
    success: { 204: 'It is gone.' },
    input: noRequest,
    output: z.object({ deleted: z.string() }),
    respond: () => ({ status: 204 }),
  },
  async run({ decisions, target }) {
    const result = await decisions.remove(target.memory_id, noActor);
    return result.ok ? ok({ deleted: result.value.id }) : result;
  },
});

export const giveMemoryFeedback = projectRow({
  name: 'memories.feedback',
  summary: 'Says that a decision was helpful or not, which raises or lowers its confidence.',
  permission: 'memories.write',
  effects: 'Writes the confidence (0.05 up, 0.10 down, within 0.10 and 1) and an event.',
  errors: ['memory_not_found'],
  example: {
    input: { ...oneMemory, signal: 'unhelpful', note: 'Describes the old layout' },
    output: { ...memoryExample, confidence: 0.9 },
  },
  target: memoryTarget,
  request: feedbackSchema,
  http: {
    method: 'POST',
    path: `${base}/{memory_id}/feedback`,
    body: true,
    success: { 200: 'The decision with its new confidence.' },
    input: feedbackSchema,
    output: memorySchema,
    respond: tagged,
  },
  async run({ decisions, target, request }) {
    const result = await decisions.feedback(target.memory_id, request, noActor);
    return result.ok ? ok(shownMemory(result.value)) : result;
  },
});
