/** The rows of projects: registering one, listing them, looking at one. */
import { z } from 'zod';
import { projectLimits } from '../../base/limits.ts';
import { text } from '../../memory/decisions/parse.ts';
import { failed, projectFailure } from '../failures.ts';
import { globalRow } from '../global-row.ts';
import type { Operation } from '../operation.ts';
import { noRequest } from '../project-row.ts';
import { projectExample, projectSchema, shownProject } from './project-schema.ts';

const listProjects = globalRow({
  name: 'projects.list',
  summary: 'Lists the registered projects in the order of registration.',
  permission: 'projects.read',
  effects: 'None.',
  errors: ['unavailable'],
  example: { input: {}, output: { items: [projectExample], next_cursor: null } },
  request: noRequest,
  http: {
    method: 'GET',
    path: '/v1/projects',
    body: false,
    success: { 200: 'All registered projects, those whose folder is gone included.' },
    input: noRequest,
    output: z.object({ items: z.array(projectSchema), next_cursor: z.null() }),
  },
  async run(engine) {
    const listed = await engine.projects.list();
    if (!listed.ok) return failed(projectFailure(listed.problem, null));
    return { ok: true, value: { items: listed.value.map((one) => shownProject(engine, one)), next_cursor: null } };
  },
  event: ({ items }) => ({ returned_count: items.length }),
});

const registerRequest = z.object({
  path: text(projectLimits.pathCharsMax, { blank: false }).describe(
    'Absolute path of the folder, or of one inside it.',
  ),
});

const registerProject = globalRow({
  name: 'projects.register',
  summary: 'Registers the project that contains a folder, or finds it when it is known.',
  permission: 'projects.register',
  effects: 'Writes the registration to the list of projects. Nothing is written into the project.',
  errors: ['validation_error', 'unavailable'],
  example: { input: { path: '/home/me/src/atlas' }, output: { ...projectExample, created: true } },
  request: registerRequest,
  http: {
    method: 'POST',
    path: '/v1/projects',
    body: true,
    success: { 200: 'The project was known.', 201: 'The project is registered.' },
    input: registerRequest,
    output: z.object({ ...projectSchema.shape, created: z.boolean().describe('Whether this call registered it.') }),
    respond(value) {
      const { id, created } = registered.parse(value);
      return created ? { status: 201, location: `/v1/projects/${id}` } : { status: 200 };
    },
  },
  async run(engine, { path }) {
    const result = await engine.projects.register(path);
    if (!result.ok) return failed(projectFailure(result.problem, 'path'));
    const { project, created } = result.value;
    return { ok: true, value: { ...shownProject(engine, project), created } };
  },
  event: ({ id, created }) => ({ project: id, created }),
});

const registered = z.object({ id: z.string(), created: z.boolean() });
const byId = z.object({ project_id: z.string() });

const getProject = globalRow({
  name: 'projects.get',
  summary: 'Shows one registered project.',
  permission: 'projects.read',
  effects: 'None.',
  errors: ['project_not_found', 'unavailable'],
  example: { input: { project_id: projectExample.id }, output: projectExample },
  request: byId,
  http: {
    method: 'GET',
    path: '/v1/projects/{project_id}',
    body: false,
    success: { 200: 'The project.' },
    input: noRequest,
    output: projectSchema,
  },
  async run(engine, { project_id }) {
    const found = await engine.projects.get(project_id);
    if (!found.ok) return failed(projectFailure(found.problem, null));
    return { ok: true, value: shownProject(engine, found.value) };
  },
  event: ({ id }) => ({ project: id }),
});

export const projectRows: readonly Operation[] = Object.freeze([listProjects, registerProject, getProject]);
