/** The rows about the documents that were added by hand: which there are, and removing one. */
import { z } from 'zod';
import { codeRow } from '../code-row.ts';
import { noRequest } from '../project-row.ts';
import { projectExample } from '../projects/project-schema.ts';
import { base } from './code-schema.ts';
import { documentPath } from './documents.ts';

const inProject = { project_id: projectExample.id };

const documentSchema = z
  .object({
    file_path: z.string().describe('From the root of the project.'),
    content_type: z.enum(['auto', 'markdown', 'text', 'pdf']).describe('As it was said when it was added.'),
    kind: z
      .string()
      .nullable()
      .describe('markdown, text or pdf, or the language of a file that is read as code; null when it is not indexed.'),
    title: z.string().nullable().describe('Its first heading; null when it is not indexed, has none, or is a PDF.'),
    bytes: z.int().nullable().describe('Of what is indexed.'),
    node_count: z.int().describe('Pieces that it was cut into.'),
    added_at: z.string().describe('ISO 8601, UTC.'),
    state: z
      .enum(['fresh', 'changed', 'gone'])
      .describe('changed: the index does not hold it as it is. gone: there is no such file.'),
    skip_reason: z.string().nullable().describe('Why it was left out when it was read; null when it was not.'),
  })
  .meta({ id: 'ListedDocument' });

const listSchema = z.object({ items: z.array(documentSchema), next_cursor: z.null() });

export const listDocuments = codeRow({
  name: 'code.list_documents',
  summary: 'Lists the documents that were added by hand, in the order in which they were added.',
  permission: 'code.read',
  effects: 'None.',
  errors: [],
  example: {
    input: inProject,
    output: {
      items: [
        {
          file_path: 'docs/fleet.pdf',
          content_type: 'auto',
          kind: 'pdf',
          title: null,
          bytes: 48213,
          node_count: 31,
          added_at: '2026-10-02T12:00:00.000Z',
          state: 'fresh',
          skip_reason: null,
        },
      ],
      next_cursor: null,
    },
  },
  request: noRequest,
  http: {
    method: 'GET',
    path: `${base}/documents`,
    body: false,
    success: { 200: 'All of them, those whose file is gone included.' },
    input: noRequest,
    output: listSchema,
  },
  run: ({ code }) => code.documents(),
  event: ({ items }) => ({ returned_count: Array.isArray(items) ? items.length : 0 }),
});

const removeRequest = z.object({
  path: documentPath.describe('From the root of the project, or absolute inside it. The file need not be there.'),
});

export const removeDocument = codeRow({
  name: 'code.remove_document',
  summary: 'Removes a document that was added by hand from the list and from what is searched.',
  permission: 'code.write',
  effects:
    'Takes the document off the list and brings the index, where there is one, up to date. The file stays, and where the code of the project holds it, it is still searched as part of that.',
  errors: ['document_not_found'],
  example: { input: { ...inProject, path: 'docs/fleet.pdf' }, output: { removed: 'docs/fleet.pdf' } },
  request: removeRequest,
  http: {
    method: 'DELETE',
    path: `${base}/documents`,
    query: { path: 'text' },
    body: false,
    success: { 204: 'It is removed.' },
    input: removeRequest,
    output: z.object({ removed: z.string() }),
    respond: () => ({ status: 204 }),
  },
  run: ({ code, request }) => code.removeDocument(request),
});
