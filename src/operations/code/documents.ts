/** The row that makes a document searchable next to the code. */
import { z } from 'zod';
import { codeRequestLimits } from '../../base/limits.ts';
import { text } from '../../memory/decisions/parse.ts';
import { codeRow } from '../code-row.ts';
import { projectExample } from '../projects/project-schema.ts';
import { changingTool } from '../tool-hints.ts';
import { toolSchema } from '../tool-schema.ts';
import { base, projectId } from './code-schema.ts';
import { count } from './inputs.ts';

/** Of a document, from the root of the project or absolute inside it. */
export const documentPath = text(codeRequestLimits.nameCharsMax, { blank: false });
const contentType = z.enum(['auto', 'markdown', 'text', 'pdf']).optional();
const documentRequest = z.object({
  path: documentPath.describe('From the root of the project, or absolute inside it.'),
  content_type: contentType.describe('What the file is; auto looks at its content. Default: auto.'),
});
const documentTool = toolSchema({ file_path: documentPath, content_type: contentType }, {});
const indexed = z.looseObject({ already_indexed: z.boolean() });

export const addDocument = codeRow({
  name: 'code.add_document',
  summary: 'Adds a Markdown, text or PDF file of the project to what is searched.',
  permission: 'code.write',
  effects:
    'Builds the index when the project has none, and writes the text of the document to it, in pieces. It goes when the file goes. Files of git and of Mnemosyne, and files named like keys or passwords, are refused.',
  errors: [],
  example: {
    input: { project_id: projectExample.id, path: 'docs/fleet.pdf' },
    output: {
      success: true,
      project_id: projectExample.id,
      file_path: 'docs/fleet.pdf',
      content_type: 'pdf',
      node_count: 31,
      already_indexed: false,
    },
  },
  request: documentRequest,
  toolNames: { path: 'file_path' },
  http: {
    method: 'POST',
    path: `${base}/documents`,
    body: true,
    success: { 200: 'It was known with this content.', 201: 'It is searchable now.' },
    input: documentRequest,
    output: z.object({
      success: z.literal(true),
      project_id: projectId,
      file_path: z.string(),
      content_type: z.enum(['markdown', 'text', 'pdf']),
      node_count: z.int().describe('Pieces that it was cut into.'),
      already_indexed: z.boolean(),
    }),
    respond: (value) => ({ status: indexed.parse(value).already_indexed ? 200 : 201 }),
  },
  tool: {
    name: 'neuralmind_ingest_document',
    title: 'Add a document',
    description: 'Make a Markdown, text or PDF file of the project searchable.',
    annotations: changingTool(true),
    composedInput: documentTool,
    portableInput: documentTool,
  },
  run: ({ code, request }) => code.addDocument({ path: request.path, content_type: request.content_type ?? 'auto' }),
  event: ({ content_type, node_count, already_indexed }) => ({
    ...(typeof content_type === 'string' ? { content_type } : {}),
    ...count('node_count', node_count),
    already_indexed: already_indexed === true,
  }),
});
