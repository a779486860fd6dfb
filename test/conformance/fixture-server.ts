/**
 * What the public conformance suite expects a server to offer: tools, resources and prompts of fixed names, none of which
 * the product has. They are served through the product's own HTTP pipeline, so that the suite tests that pipeline.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallToolResult,
  type ElicitRequestFormParams,
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { HANDSHAKE_REVISIONS } from '../../src/transports/mcp/revisions.ts';

type ToolRun = (args: Readonly<Record<string, unknown>>, context: ServerContext) => Promise<CallToolResult>;

interface ToolFixture {
  readonly inputSchema?: Tool['inputSchema'];
  readonly run: ToolRun;
}

/** A red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A WAV header without samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const STEP_MS = 50;

export function createFixtureServer(): Server {
  const server = new Server(
    { name: 'conformance-fixtures', version: '1' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true },
        prompts: {},
        logging: {},
        completions: {},
      },
      supportedProtocolVersions: [...HANDSHAKE_REVISIONS],
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...tools].map(([name, fixture]) => listed(name, fixture)) }));
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const fixture = tools.get(params.name);
    if (fixture === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    return fixture.run(params.arguments ?? {}, context);
  });
  server.setRequestHandler('resources/list', () => ({ resources: [...resources] }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  }));
  server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri));
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.setRequestHandler('prompts/list', () => ({ prompts: [...prompts] }));
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments ?? {}));
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }));
  return server;
}

function listed(name: string, { inputSchema = { type: 'object', properties: {} } }: ToolFixture): Tool {
  return { name, description: `Fixture ${name}`, inputSchema };
}

const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });
const oneString = (name: string): Tool['inputSchema'] => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
});

/**
 * Questions travel on the stream of the call they belong to. The session's other stream may not be open yet, and what is
 * sent on it then is lost.
 */
const onStreamOf = (context: ServerContext) => ({ relatedRequestId: context.mcpReq.id });

async function elicited(context: ServerContext, params: ElicitRequestFormParams): Promise<CallToolResult> {
  const { action, content } = await context.mcpReq.elicitInput(params, onStreamOf(context));
  return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
}

const tools: ReadonlyMap<string, ToolFixture> = new Map<string, ToolFixture>([
  ['test_simple_text', { run: async () => text('This is a simple text response for testing.') }],
  ['test_image_content', { run: async () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }) }],
  ['test_audio_content', { run: async () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }) }],
  [
    'test_embedded_resource',
    {
      run: async () => ({
        content: [
          {
            type: 'resource',
            resource: {
              uri: 'test://embedded-resource',
              mimeType: 'text/plain',
              text: 'This is an embedded resource content.',
            },
          },
        ],
      }),
    },
  ],
  [
    'test_multiple_content_types',
    {
      run: async () => ({
        content: [
          { type: 'text', text: 'Multiple content types test:' },
          { type: 'image', data: PNG, mimeType: 'image/png' },
          {
            type: 'resource',
            resource: {
              uri: 'test://mixed-content-resource',
              mimeType: 'application/json',
              text: JSON.stringify({ test: 'data', value: 123 }),
            },
          },
        ],
      }),
    },
  ],
  [
    'test_tool_with_logging',
    {
      run: async (_args, context) => {
        for (const step of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
          await context.mcpReq.log('info', step);
          await sleep(STEP_MS);
        }
        return text('Logged three times');
      },
    },
  ],
  [
    'test_tool_with_progress',
    {
      run: async (_args, context) => {
        const progressToken = context.mcpReq._meta?.progressToken;
        for (const progress of [0, 50, 100]) {
          if (progressToken !== undefined) {
            const params = { progressToken, progress, total: 100 };
            await context.mcpReq.notify({ method: 'notifications/progress', params });
          }
          await sleep(STEP_MS);
        }
        return text(String(progressToken));
      },
    },
  ],
  [
    'test_error_handling',
    {
      run: async () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
    },
  ],
  [
    'test_sampling',
    {
      inputSchema: oneString('prompt'),
      run: async ({ prompt }, context) => {
        const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: String(prompt) } }];
        const answer = await context.mcpReq.requestSampling({ messages, maxTokens: 100 }, onStreamOf(context));
        const [first] = [answer.content].flat();
        return text(`LLM response: ${first?.type === 'text' ? first.text : ''}`);
      },
    },
  ],
  [
    'test_elicitation',
    {
      inputSchema: oneString('message'),
      run: ({ message }, context) =>
        elicited(context, {
          message: String(message),
          requestedSchema: {
            type: 'object',
            properties: { username: { type: 'string' }, email: { type: 'string' } },
            required: ['username', 'email'],
          },
        }),
    },
  ],
  [
    'test_elicitation_sep1034_defaults',
    {
      run: (_args, context) =>
        elicited(context, {
          message: 'Check the defaults',
          requestedSchema: {
            type: 'object',
            properties: {
              name: { type: 'string', default: 'John Doe' },
              age: { type: 'integer', default: 30 },
              score: { type: 'number', default: 95.5 },
              status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
              verified: { type: 'boolean', default: true },
            },
          },
        }),
    },
  ],
  [
    'test_elicitation_sep1330_enums',
    {
      run: (_args, context) =>
        elicited(context, {
          message: 'Choose',
          requestedSchema: {
            type: 'object',
            properties: {
              untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
              titledSingle: { type: 'string', oneOf: titled('Option') },
              legacyEnum: {
                type: 'string',
                enum: ['opt1', 'opt2', 'opt3'],
                enumNames: ['Option One', 'Option Two', 'Option Three'],
              },
              untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
              titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
            },
          },
        }),
    },
  ],
  [
    'json_schema_2020_12_tool',
    {
      inputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: {
            $anchor: 'addressDef',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
        properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
        allOf: [{ anyOf: [{ required: ['name'] }, { required: ['address'] }] }],
        if: { required: ['address'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        then: { required: ['name'] },
        else: {},
        additionalProperties: false,
      },
      run: async (args) => text(JSON.stringify(args)),
    },
  ],
]);

function titled(noun: string): { const: string; title: string }[] {
  return ['First', 'Second', 'Third'].map((nth, at) => ({ const: `value${at + 1}`, title: `${nth} ${noun}` }));
}

const resources = [
  { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'watched-resource', mimeType: 'text/plain' },
] as const;

function readResource(uri: string): ReadResourceResult {
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: 'application/json', text: data }] };
  }
  if (!resources.some((resource) => resource.uri === uri)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown resource');
  }
  return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] };
}

const prompts = [
  { name: 'test_simple_prompt', description: 'One message' },
  {
    name: 'test_prompt_with_arguments',
    description: 'Repeats its arguments',
    arguments: [
      { name: 'arg1', required: true },
      { name: 'arg2', required: true },
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'Shows a resource',
    arguments: [{ name: 'resourceUri', required: true }],
  },
  { name: 'test_prompt_with_image', description: 'Shows an image' },
];

function getPrompt(name: string, args: Readonly<Record<string, string>>): GetPromptResult {
  const said = (value: string): GetPromptResult['messages'][number] => ({
    role: 'user',
    content: { type: 'text', text: value },
  });
  switch (name) {
    case 'test_simple_prompt':
      return { messages: [said('This is a simple prompt for testing.')] };
    case 'test_prompt_with_arguments':
      return { messages: [said(`Prompt with arguments: arg1='${args['arg1']}', arg2='${args['arg2']}'`)] };
    case 'test_prompt_with_embedded_resource': {
      const uri = args['resourceUri'] ?? 'test://static-text';
      const resource = { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
      return { messages: [{ role: 'user', content: { type: 'resource', resource } }, said('Please process it.')] };
    }
    case 'test_prompt_with_image':
      return {
        messages: [
          { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
          said('Please analyse the image.'),
        ],
      };
    default:
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown prompt');
  }
}
