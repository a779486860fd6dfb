/** The rows that record decisions: a new one, and one in place of another. */
import { z } from 'zod';
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { Project } from '../../engine/projects/projects.ts';
import type { Created } from '../../memory/decisions/decisions.ts';
import type { Answered } from '../../memory/decisions/idempotency.ts';
import { ok, type Result } from '../../memory/decisions/outcome.ts';
import { createSchema, supersedeSchema } from '../../memory/decisions/parse-write.ts';
import type { HttpSuccess } from '../http-route.ts';
import { projectRow } from '../project-row.ts';
import { projectExample } from '../projects/project-schema.ts';
import { changingTool } from '../tool-hints.ts';
import { toolSchema } from '../tool-schema.ts';
import { createdSchema, memoryExample, shownMemory } from './memory-schema.ts';
import { base, idempotencyHeader, repeatableOf, repeatableTarget } from './target.ts';

const { title, rationale, decision_type, files_affected, ...furtherFields } = createSchema.shape;
const { tags, rejected_alternatives, evidence } = furtherFields;
const leading = { title, rationale, decision_type, files_affected };
const fieldWords = {
  rationale: 'Why, in full sentences.',
  files_affected: 'A change of one makes it STALE.',
  rejected_alternatives: 'Each with the reason.',
  dependency_constraints: 'Ids of decisions.',
  review_by: 'YYYY-MM-DD; then STALE.',
  commit_sha: 'Default: HEAD.',
};

const recordSchema = toolSchema({ ...leading, ...furtherFields }, fieldWords);
const createExample = {
  title: memoryExample.title,
  rationale: memoryExample.rationale,
  files_affected: memoryExample.files_affected,
  evidence: memoryExample.evidence,
  rejected_alternatives: memoryExample.rejected_alternatives,
  tags: memoryExample.tags,
};

export const createMemory = projectRow({
  name: 'memories.create',
  summary: 'Records a decision and hints at ones that may say the same.',
  permission: 'memories.write',
  effects: "Writes the decision and its event to the project's store, which is made when it is missing.",
  errors: ['conflict'],
  example: {
    input: { project_id: projectExample.id, ...createExample },
    output: { ...memoryExample, project_id: projectExample.id, possible_duplicates: [], replayed: false },
  },
  target: repeatableTarget,
  request: createSchema,
  http: {
    method: 'POST',
    path: base,
    headers: idempotencyHeader,
    body: true,
    success: { 201: 'The decision is recorded. With a known idempotency key, the answer of the first time.' },
    input: z.object({ ...createSchema.shape, ...repeatableTarget.shape }),
    output: createdSchema,
    respond: createdAnswer,
  },
  tool: {
    name: 'neuralmind_record_decision',
    title: 'Record decision',
    description:
      'Record why the code is the way it is, once a choice is made. Rather than keep two, supersede or update one of the possible_duplicates in the answer.',
    annotations: changingTool(false),
    composedInput: recordSchema,
    portableInput: recordSchema,
  },
  async run({ decisions, project, target, request, call }) {
    const repeat = repeatableOf(target.idempotency_key, call);
    return shownCreated(project, await decisions.create(request, { actor: null }, repeat));
  },
  event: ({ possible_duplicates, replayed }) => ({ possible_duplicates: possible_duplicates.length, replayed }),
});

const { supersedes: _target, ...supersedeBody } = supersedeSchema.shape;
const oldTarget = z.object({ memory_id: z.string(), ...repeatableTarget.shape });
const supersedeTool = toolSchema(
  {
    memory_id: oldTarget.shape.memory_id,
    reason: supersedeSchema.shape.reason,
    ...leading,
    decision_type: z.string().optional(),
    tags,
    rejected_alternatives,
    evidence,
  },
  {},
);

export const supersedeMemory = projectRow({
  name: 'memories.supersede',
  summary: 'Records a decision in place of another, which is invalidated and linked to it.',
  permission: 'memories.write',
  effects: 'Writes both decisions and their events in one transaction.',
  errors: ['memory_not_found', 'conflict'],
  example: {
    input: { project_id: projectExample.id, memory_id: 'adr-7', reason: 'The old store lost writes', ...createExample },
    output: {
      ...memoryExample,
      supersedes: 'adr-7',
      project_id: projectExample.id,
      possible_duplicates: [],
      replayed: false,
    },
  },
  target: oldTarget,
  request: supersedeSchema,
  prepare: (raw) => ({ ...raw, supersedes: raw['memory_id'] ?? '' }),
  http: {
    method: 'POST',
    path: `${base}/{memory_id}/supersede`,
    headers: idempotencyHeader,
    body: true,
    success: { 201: 'The new decision is recorded, the old one invalidated.' },
    input: z.object({ ...supersedeBody, ...repeatableTarget.shape }),
    output: createdSchema,
    respond: createdAnswer,
  },
  tool: {
    name: 'neuralmind_supersede_decision',
    title: 'Supersede decision',
    description:
      'Record a decision in place of an old one, which is invalidated and linked. More fields: neuralmind_record_decision with supersedes.',
    annotations: changingTool(false),
    composedInput: supersedeTool,
    portableInput: supersedeTool,
  },
  async run({ decisions, project, target, request, call }) {
    const repeat = repeatableOf(target.idempotency_key, call);
    return shownCreated(project, await decisions.supersede(request, { actor: null }, repeat));
  },
  event: ({ possible_duplicates, replayed }) => ({ possible_duplicates: possible_duplicates.length, replayed }),
});

function shownCreated(project: Project, result: Result<Answered<Created>>) {
  if (!result.ok) return result;
  const { answer, replayed } = result.value;
  return ok({
    ...shownMemory(answer.memory),
    project_id: project.id,
    possible_duplicates: answer.possible_duplicates.map((hint) => ({ ...hint })),
    replayed,
  });
}

const createdValue = z.looseObject({ id: z.string(), project_id: z.string(), replayed: z.boolean() });

/** Whether an answer is a repetition travels in a header, so that both answers have the same body. */
function createdAnswer(value: JsonValue): HttpSuccess {
  const { id, project_id, replayed } = createdValue.parse(value);
  const body = isJsonObject(value) ? Object.entries(value).filter(([field]) => field !== 'replayed') : [];
  return {
    status: 201,
    body: Object.fromEntries(body),
    location: `${base.replace('{project_id}', project_id)}/${encodeURIComponent(id)}`,
    ...(replayed ? { replayed } : {}),
  };
}
