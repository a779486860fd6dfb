/**
 * `tools/list`: made from the registry, once per form and group, so that every answer has the same bytes.
 *
 * Never paginated. Each tool also carries the complete schema under a `_meta` key, whatever form is shown.
 */
import { isSpecType, type Tool } from '@modelcontextprotocol/server';
import type { Registry, ToolOperation } from '../../operations/operation.ts';
import { isInGroup, type SchemaForm, type ToolGroup } from './profile.ts';

export const COMPOSED_SCHEMA_META_KEY = 'dev.mnemosyne/composedInputSchema';

export type ToolLists = (form: SchemaForm, group: ToolGroup) => Tool[];

export function createToolLists(registry: Registry): ToolLists {
  const made = new Map<string, Tool[]>();
  return (form, group) => {
    const key = `${form} ${group}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const tools = registry.tools
      .filter((operation) => isInGroup(operation, group))
      .map((operation) => published(operation, form));
    made.set(key, tools);
    return tools;
  };
}

function published({ tool }: ToolOperation, form: SchemaForm): Tool {
  const candidate: unknown = {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: form === 'portable' ? tool.portableInput : tool.composedInput,
    ...(tool.output === undefined ? {} : { outputSchema: tool.output }),
    annotations: tool.annotations,
    _meta: { [COMPOSED_SCHEMA_META_KEY]: tool.composedInput },
  };
  if (!isSpecType.Tool(candidate)) throw new Error(`the tool ${tool.name} is not a tool of the protocol`);
  return candidate;
}
