/** The rows about the server itself. */
import { z } from 'zod';
import { SERVER_VERSION } from '../../base/version.ts';
import { apiVersion } from '../api-version.ts';
import { failed, projectFailure } from '../failures.ts';
import { globalRow } from '../global-row.ts';
import type { Operation } from '../operation.ts';
import { noRequest } from '../project-row.ts';
import { projectExample, projectSchema, shownProject } from '../projects/project-schema.ts';

const openapiUrl = '/v1/openapi.json';

const describeServer = globalRow({
  name: 'server.describe',
  summary: 'Says which API and which program answer here.',
  permission: 'server.read',
  effects: 'None.',
  errors: [],
  example: {
    input: {},
    output: {
      api_version: apiVersion,
      neuralmind_version: SERVER_VERSION,
      mode: 'loopback',
      openapi_url: openapiUrl,
    },
  },
  request: noRequest,
  http: {
    method: 'GET',
    path: '/v1',
    body: false,
    success: { 200: 'Versions, mode, and where the document is.' },
    input: noRequest,
    output: z.object({
      api_version: z.string(),
      neuralmind_version: z.string(),
      mode: z.literal('loopback'),
      openapi_url: z.string(),
    }),
  },
  run: async ({ daemon }) => ({
    ok: true,
    value: {
      api_version: apiVersion,
      neuralmind_version: daemon.version,
      mode: daemon.mode,
      openapi_url: openapiUrl,
    },
  }),
});

const checkHealth = globalRow({
  name: 'server.health',
  summary: 'Says that the server answers. Needs no token and tells nothing else.',
  permission: 'server.read',
  effects: 'None.',
  errors: [],
  example: { input: {}, output: { ok: true, api_version: apiVersion } },
  request: noRequest,
  http: {
    method: 'GET',
    path: '/v1/health',
    open: true,
    body: false,
    success: { 200: 'The server answers.' },
    input: noRequest,
    output: z.object({ ok: z.literal(true), api_version: z.string() }),
  },
  run: async () => ({ ok: true, value: { ok: true, api_version: apiVersion } }),
});

const statusProject = projectSchema.pick({ id: true, name: true, built: true, warm: true });

const showStatus = globalRow({
  name: 'server.status',
  summary: 'Shows the process, its projects and its running jobs.',
  permission: 'server.read',
  effects: 'None.',
  errors: ['unavailable'],
  example: {
    input: {},
    output: {
      pid: 4711,
      uptime_seconds: 86.4,
      mode: 'loopback',
      version: SERVER_VERSION,
      projects: [{ id: projectExample.id, name: projectExample.name, built: false, warm: true }],
      jobs_active: 0,
    },
  },
  request: noRequest,
  http: {
    method: 'GET',
    path: '/v1/status',
    body: false,
    success: { 200: 'The state of the server.' },
    input: noRequest,
    output: z.object({
      pid: z.int(),
      uptime_seconds: z.number(),
      mode: z.literal('loopback'),
      version: z.string(),
      projects: z.array(statusProject),
      jobs_active: z.int(),
    }),
  },
  async run(engine) {
    const listed = await engine.projects.list();
    if (!listed.ok) return failed(projectFailure(listed.problem, null));
    const projects = listed.value.map((one) => {
      const { id, name, built, warm } = shownProject(engine, one);
      return { id, name, built, warm };
    });
    const { mode, version, startedAt } = engine.daemon;
    const uptimeMs = engine.clock.now().getTime() - startedAt.getTime();
    return {
      ok: true,
      value: {
        pid: process.pid,
        uptime_seconds: Math.max(0, uptimeMs / 1000),
        mode,
        version,
        projects,
        jobs_active: engine.jobs.activeCount(),
      },
    };
  },
  event: ({ projects, jobs_active }) => ({ projects: projects.length, jobs_active }),
});

const document = z.looseObject({ openapi: z.string() });

const showDocument = globalRow({
  name: 'server.openapi',
  summary: 'The OpenAPI 3.1 document of this API. Needs no token.',
  permission: 'server.read',
  effects: 'None.',
  errors: ['unavailable'],
  example: { input: {}, output: { openapi: '3.1.1' } },
  request: noRequest,
  http: {
    method: 'GET',
    path: openapiUrl,
    open: true,
    body: false,
    success: { 200: 'The document, made from the same table as the routes.' },
    input: noRequest,
    output: document,
  },
  async run(_engine, _request, { openapi }) {
    if (openapi !== undefined) return { ok: true, value: openapi() };
    return failed({ status: 'unavailable', code: 'unavailable', message: 'the API is not served at this door' });
  },
});

const shutDown = globalRow({
  name: 'server.shutdown',
  summary: 'Ends the server after the calls in flight.',
  permission: 'server.shutdown',
  effects: 'Stops the process that serves; running jobs are aborted.',
  errors: ['unavailable'],
  example: { input: {}, output: { stopping: true } },
  request: noRequest,
  http: {
    method: 'POST',
    path: '/v1/admin/shutdown',
    body: true,
    success: { 200: 'The server will end.' },
    input: noRequest,
    output: z.object({ stopping: z.literal(true) }),
  },
  async run({ daemon }) {
    if (daemon.shutdown === null) {
      return failed({ status: 'unavailable', code: 'unavailable', message: 'this process is no daemon' });
    }
    // Later, so that this answer is on its way before the door begins to close.
    setImmediate(daemon.shutdown);
    return { ok: true, value: { stopping: true } };
  },
});

export const metaRows: readonly Operation[] = Object.freeze([
  describeServer,
  checkHealth,
  showStatus,
  showDocument,
  shutDown,
]);
