/** Makes `docs/errors.md`: the error catalogue as a page, with the tools that can answer each code. */
import { type ErrorCode, type ErrorEntry, errorCatalogue } from '../base/errors.ts';
import { table } from './table.ts';

const retryWords: Readonly<Record<ErrorEntry['retry'], string>> = {
  never: 'no',
  'after-change': 'after changing the request',
  'after-inspection': 'after looking again',
  later: 'later',
};

const head = `# Errors

Every code that can reach a caller, made from \`src/base/errors.ts\`. A code keeps its meaning for good; messages may be
reworded. A failed tool call answers inside the protocol, as JSON with \`status\`, \`code\`, then \`field\` and \`reason\` where
there is one, \`message\` and, for decisions, \`details\`. The tools of the notebook never repeat a value of the request.

* **HTTP**: the status when the code ends a plain HTTP request.
* **JSON-RPC**: the number when the code ends a JSON-RPC request.
* **Exit**: the exit code of the command line.
* **Retry**: whether the same call can help again. "After looking again" means: inspect or list first, since something
  may have been written.

| Code | Meaning | HTTP | JSON-RPC | Exit | Retry | Tools |
| --- | --- | --- | --- | --- | --- | --- |
`;

export function errorsPage(): string {
  return `${head}${Object.entries(errorCatalogue)
    .map(([code, entry]) => `${rowOf(code, entry)}\n`)
    .join('')}`;
}

function rowOf(code: string, entry: ErrorEntry): string {
  const { meaning, http, jsonRpc, exit, retry } = entry;
  const cells = [`\`${code}\``, meaning, http, jsonRpc ?? '', exit, retryWords[retry], toolsAnswering(code)];
  return `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |');
}

function toolsAnswering(code: string): string {
  const rows = table.filter((row) => row.errors.some((named: ErrorCode) => named === code));
  return rows.length === table.length ? 'all' : rows.map((row) => `\`${row.tool?.name ?? row.name}\``).join(', ');
}
