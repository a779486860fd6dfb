/**
 * The rows that exist in this process: the table under the operator's gates.
 *
 * Listing, the `list_tools` answer and dispatch all read the same registry, so a row whose gate is off looks exactly
 * like a row that was never written.
 */
import { type Gates, isTool, type Operation, type Registry } from './operation.ts';
import { table } from './table.ts';

/** Throws when a gate is on and no row stands behind it, or when two rows share a tool name. */
export function createRegistry(gates: Gates, rows: readonly Operation[] = table): Registry {
  for (const [gate, enabled] of Object.entries(gates)) {
    if (enabled && !rows.some((row) => row.gate === gate)) throw new Error(`no operation behind the gate ${gate}`);
  }
  const operations = Object.freeze(rows.filter((row) => row.gate === undefined || gates[row.gate]));
  const tools = Object.freeze(operations.filter(isTool));
  const byTool = new Map(tools.map((row) => [row.tool.name, row]));
  if (byTool.size !== tools.length) throw new Error('two operations share a tool name');
  return { operations, tools, findTool: (name) => byTool.get(name) };
}
