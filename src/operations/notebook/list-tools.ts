/** The row behind `list_tools`: one sentence that names the server, its version and the tools it has. */
import { SERVER_NAME, SERVER_VERSION } from '../../base/version.ts';
import { type Schema, toolOperation } from '../operation.ts';

/** An empty `required` is left out: older drafts of JSON Schema forbid it. */
const noArguments: Schema = { type: 'object', properties: {}, additionalProperties: false };

export const listToolsOperation = toolOperation<null, string>({
  name: 'tools.list',
  summary: 'Names the server, its version and the tools that are switched on.',
  permission: 'server.read',
  scope: 'global',
  tool: {
    name: 'list_tools',
    title: 'List tools',
    description:
      'Say which Mnemosyne server and version answers here and which of its tools are switched on. Takes no arguments. A tool that is not named does not exist until the operator enables it and restarts the server.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    composedInput: noArguments,
    portableInput: noArguments,
  },
  effects: 'None.',
  errors: ['internal_error'],
  example: {
    input: {},
    output: `Server: ${SERVER_NAME} ${SERVER_VERSION}. Available tools: list_tools, memory_recall, memory_list, memory_inspect`,
  },
  // Whatever is sent along is of no interest.
  parse: () => ({ ok: true, value: null }),
  run: async (_engine, _input, { registry, isListed = () => true }) => {
    const names = registry.tools
      .filter(isListed)
      .map((row) => row.tool.name)
      .join(', ');
    return { ok: true, value: `Server: ${SERVER_NAME} ${SERVER_VERSION}. Available tools: ${names}` };
  },
  event: () => ({}),
});
